import type { CallInput, CallResult } from '@hatchway/contract/client.ts';
import { useMemo } from 'react';
import { usePortal } from '../../app/portal.ts';

export type Member = CallResult<'GET /companies/{tenant}/memberships'>[number];
export type Invitation = CallResult<'GET /companies/{tenant}/invitations'>[number];
export type NewInvitation = NonNullable<CallInput<'POST /companies/{tenant}/invitations'>['body']>;
export type Roles = NonNullable<NewInvitation['roles']>;

/** Commands on members and invitations; what each answers is shown everywhere at once. */
export function useMemberCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const again = (noun: string): void => void queryClient.invalidateQueries({ queryKey: [noun] });
    return {
      setRoles: async (id: string, roles: Roles): Promise<Member> => {
        const data = await api('PUT /companies/{tenant}/memberships/{membershipId}', { params: { membershipId: id }, body: { roles } });
        applyChange({ noun: 'memberships', method: 'PUT', data });
        return data;
      },
      remove: async (id: string): Promise<void> => {
        await api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { membershipId: id } });
        applyChange({ noun: 'memberships', method: 'DELETE', data: { id } });
        again('memberships');
        again('groups');
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

/** One after the other, each with its own answer: those that were refused are named. */
export const eachOf = async <T>(rows: readonly T[], act: (row: T) => Promise<unknown>): Promise<{ row: T; error: unknown }[]> => {
  const refused: { row: T; error: unknown }[] = [];
  for (const row of rows) await act(row).catch((error: unknown) => refused.push({ row, error }));
  return refused;
};
