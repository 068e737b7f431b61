/** React's own part of the portal, a file by itself: it is run before the application is there, and changes with React alone. */
export { createRoot } from 'react-dom/client';
