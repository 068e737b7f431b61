import { createFileRoute } from '@tanstack/react-router';
import { Administration } from '../../features/admin/menu.tsx';
import { Permissions } from '../../features/permissions/permissions.tsx';
import { type PermissionsSearch, parsePermissionsSearch } from '../../features/permissions/search.ts';

export const Route = createFileRoute('/admin/permissions')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as PermissionsSearch,
  component: () => (
    <Administration here="/admin/permissions">
      <Permissions search={parsePermissionsSearch(Route.useSearch())} />
    </Administration>
  ),
});
