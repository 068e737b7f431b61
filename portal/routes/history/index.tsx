import { createFileRoute } from '@tanstack/react-router';
import { History } from '../../features/history/history.tsx';
import { type HistorySearch, parseHistorySearch } from '../../features/history/search.ts';

export const Route = createFileRoute('/history/')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as HistorySearch,
  component: () => <History search={parseHistorySearch(Route.useSearch())} />,
});
