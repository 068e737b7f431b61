import { ROLES } from '@hatchway/domain/terms.ts';
import { z } from 'zod/mini';
import { listSearch, oneOf, searchParser } from '../../ui/table/search.ts';

export const STATES = ['pending', 'expired', 'accepted', 'withdrawn'] as const;

const schema = z.object({ ...listSearch, tab: oneOf(['invitations']), role: oneOf(ROLES), state: oneOf([...STATES, 'all']) });
export type MembersSearch = z.infer<typeof schema>;
export const parseMembersSearch: (raw: Record<string, unknown>) => MembersSearch = searchParser(schema);

/** Nothing asked: those that somebody still waits for. */
export const invitationsQuestion = ({ find, role, state }: MembersSearch): Record<string, unknown> => ({
  ...(find ? { $text: find } : {}),
  ...(role ? { roles: role } : {}),
  ...(state === 'all' ? {} : { state: state ?? { $in: ['pending', 'expired'] } }),
});
export const membersQuestion = ({ find, role }: MembersSearch): Record<string, unknown> => ({
  ...(find ? { $text: find } : {}),
  ...(role ? { roles: role } : {}),
});
