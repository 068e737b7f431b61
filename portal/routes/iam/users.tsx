import { createFileRoute } from '@tanstack/react-router';
import { Administration } from '../../features/admin/menu.tsx';
import { Members } from '../../features/members/members.tsx';
import { type MembersSearch, parseMembersSearch } from '../../features/members/search.ts';

export const Route = createFileRoute('/iam/users')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as MembersSearch,
  component: () => (
    <Administration here="/iam/users">
      <Members search={parseMembersSearch(Route.useSearch())} />
    </Administration>
  ),
});
