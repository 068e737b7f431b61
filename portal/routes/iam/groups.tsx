import { createFileRoute } from '@tanstack/react-router';
import { Administration } from '../../features/admin/menu.tsx';
import { Groups } from '../../features/groups/groups.tsx';
import { type GroupsSearch, parseGroupsSearch } from '../../features/groups/search.ts';

export const Route = createFileRoute('/iam/groups')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as GroupsSearch,
  component: () => (
    <Administration here="/iam/groups">
      <Groups search={parseGroupsSearch(Route.useSearch())} />
    </Administration>
  ),
});
