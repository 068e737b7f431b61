import { createFileRoute } from '@tanstack/react-router';
import { Groups } from '../../features/groups/groups.tsx';
import { type GroupsSearch, parseGroupsSearch } from '../../features/groups/search.ts';

export const Route = createFileRoute('/iam/groups')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as GroupsSearch,
  component: () => <Groups search={parseGroupsSearch(Route.useSearch())} />,
});
