import { createFileRoute } from '@tanstack/react-router';
import { Administration } from '../../features/admin/menu.tsx';
import { Scim } from '../../features/directory/scim.tsx';
import { type DirectorySearch, parseDirectorySearch } from '../../features/directory/search.ts';

export const Route = createFileRoute('/integration/scim')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as DirectorySearch,
  component: () => (
    <Administration here="integrations">
      <Scim search={parseDirectorySearch(Route.useSearch())} />
    </Administration>
  ),
});
