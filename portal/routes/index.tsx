import { createFileRoute } from '@tanstack/react-router';
import { Dashboard } from '../features/dashboard/dashboard.tsx';
import { askAhead } from '../features/dashboard/first-look.ts';

export const Route = createFileRoute('/')({
  loader: ({ context: { portal } }) => askAhead(portal),
  component: () => <Dashboard />,
});
