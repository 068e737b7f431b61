import { createRoot } from 'react-dom/client';

/** Where React draws. React's own part is a file by itself: it is run before the application is there, and changes with React alone. */
export const root = createRoot(document.getElementById('root') ?? document.body);
