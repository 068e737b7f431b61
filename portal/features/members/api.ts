import type { CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { useMemo } from 'react';
import { oneOf } from '../../app/draft.ts';
import { usePortal } from '../../app/portal.ts';

export type Member = CallResult<'GET /companies/{tenant}/memberships'>[number];
export type Invitation = CallResult<'GET /companies/{tenant}/invitations'>[number];
type NewInvitation = NonNullable<CallInput<'POST /companies/{tenant}/invitations'>['body']>;
export type Roles = NonNullable<NewInvitation['roles']>;

export const memberQuery = (api: Client, id: string) =>
  oneOf('memberships', id, ({ signal }) => api('GET /companies/{tenant}/memberships', { query: { q: { id }, limit: 1 }, signal }));

/** Commands on members and invitations; what each answers is shown everywhere at once. */
export function useMemberCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const again = (noun: string): void => void queryClient.invalidateQueries({ queryKey: [noun] });
    return {
      setRoles: async (id: string, roles: Roles, version: number): Promise<Member> => {
        const params = { membershipId: id };
        const data = await api('PUT /companies/{tenant}/memberships/{membershipId}', { params, body: { roles, version } });
        applyChange({ noun: 'memberships', method: 'PUT', data });
        return data;
      },
      remove: async (id: string): Promise<void> => {
        await api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { membershipId: id } });
        applyChange({ noun: 'memberships', method: 'DELETE', data: { id } });
        again('memberships');
        again('groups');
      },
      /** Who has this address here already; null also for whoever may not see the members. */
      memberWith: async (email: string): Promise<Member | null> => {
        const query = { q: { email }, limit: 1 };
        return (await api('GET /companies/{tenant}/memberships', { query }).catch(() => []))[0] ?? null;
      },
      invite: async (body: NewInvitation): Promise<Invitation> => {
        const data = await api('POST /companies/{tenant}/invitations', { body });
        applyChange({ noun: 'invitations', method: 'POST', data });
        return data;
      },
      resend: async (id: string): Promise<Invitation> => {
        const data = await api('POST /companies/{tenant}/invitations/{id}/resend', { params: { id }, body: {} });
        applyChange({ noun: 'invitations', method: 'PUT', data });
        return data;
      },
      withdraw: async (id: string): Promise<void> => {
        await api('DELETE /companies/{tenant}/invitations/{id}', { params: { id } });
        again('invitations');
      },
    };
  }, [api, applyChange, queryClient]);
}
