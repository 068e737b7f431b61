import { createFileRoute } from '@tanstack/react-router';
import { Administration } from '../../features/admin/menu.tsx';
import { Keys } from '../../features/keys/keys.tsx';
import { type ListSearch, parseListSearch } from '../../ui/table/search.ts';

export const Route = createFileRoute('/admin/api')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as ListSearch,
  component: () => (
    <Administration here="/admin/api">
      <Keys search={parseListSearch(Route.useSearch())} />
    </Administration>
  ),
});
