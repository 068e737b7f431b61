import { createFileRoute } from '@tanstack/react-router';
import { Admin, type AdminSearch } from '../../features/admin/admin.tsx';

export const Route = createFileRoute('/admin/')({
  validateSearch: (raw) => raw as AdminSearch,
  component: () => <Admin search={Route.useSearch()} />,
});
