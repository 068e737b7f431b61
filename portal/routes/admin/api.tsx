import { createFileRoute } from '@tanstack/react-router';
import { Administration } from '../../features/admin/menu.tsx';
import { Keys } from '../../features/keys/keys.tsx';
import { type KeysSearch, parseKeysSearch } from '../../features/keys/search.ts';

export const Route = createFileRoute('/admin/api')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as KeysSearch,
  component: () => (
    <Administration here="/admin/api">
      <Keys search={parseKeysSearch(Route.useSearch())} />
    </Administration>
  ),
});
