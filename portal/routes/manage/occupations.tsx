import { createFileRoute } from '@tanstack/react-router';
import { Occupations } from '../../features/manage/occupations.tsx';
import { type OccupationsSearch, parseOccupationsSearch } from '../../features/manage/search.ts';

export const Route = createFileRoute('/manage/occupations')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as OccupationsSearch,
  component: () => <Occupations search={parseOccupationsSearch(Route.useSearch())} />,
});
