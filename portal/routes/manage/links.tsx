import { createFileRoute } from '@tanstack/react-router';
import { Links } from '../../features/links/links.tsx';
import { type LinksSearch, parseLinksSearch } from '../../features/links/search.ts';

export const Route = createFileRoute('/manage/links')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as LinksSearch,
  component: () => <Links search={parseLinksSearch(Route.useSearch())} />,
});
