import { createFileRoute } from '@tanstack/react-router';
import { parseStorefrontSearch, type StorefrontSearch } from '../../features/storefront/search.ts';
import { Storefront } from '../../features/storefront/storefront.tsx';

export const Route = createFileRoute('/services/storefront')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as StorefrontSearch,
  component: () => <Storefront search={parseStorefrontSearch(Route.useSearch())} />,
});
