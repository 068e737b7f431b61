import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { invitation } from '@hatchway/contract/people.ts';
import type { Tx } from '../../db/database.ts';
import type { InvitationsTable } from '../../db/tables/people.ts';
import { page, wordsIn, type ListSpec } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';
import type { Scope } from '../../scope.ts';

export type Invitation = z.infer<typeof invitation>;

/** A pending one whose time has passed is expired: nobody has to write that down for it to be true. */
export const toInvitation = (row: Selectable<InvitationsTable>, now: string): Invitation => ({
  id: row.id,
  email: row.email,
  tlf: row.tlf,
  roles: row.roles,
  state: row.state === 'pending' && Date.parse(row.expires_at) <= Date.parse(now) ? 'expired' : row.state,
  expiresAt: row.expires_at,
  invitedBy: row.invited_by_name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const listOf = (tenantId: string, now: string): ListSpec => ({
  fields: {
    id: sql.ref('id'),
    state: sql`case when state = 'pending' and expires_at <= ${now} then 'expired' else state end`,
    email: sql.ref('email'),
    tlf: sql.ref('tlf'),
    roles: { array: sql.ref('roles') },
  },
  sorts: {
    createdAt: { column: sql.ref('created_at'), type: 'timestamptz' },
    expiresAt: { column: sql.ref('expires_at'), type: 'timestamptz' },
  },
  id: sql.ref('id'),
  text: wordsIn(tenantId, sql`coalesce(email, '') || ' ' || coalesce(tlf, '')`),
});

const rows = (tx: Tx, tenantId: string) => tx.selectFrom('invitations').selectAll().where('tenant_id', '=', tenantId);

export const listInvitations = (tx: Tx, { tenantId, now }: Scope, query: ListQuery) =>
  page(tx, rows(tx, tenantId), listOf(tenantId, now), query, tenantId, (row) => toInvitation(row, now));

export const invitationsByIds = async (tx: Tx, { tenantId, now }: Scope, ids: readonly string[]): Promise<Invitation[]> =>
  (await rows(tx, tenantId).where('id', 'in', ids).execute()).map((row) => toInvitation(row, now));

export const oneInvitation = async (tx: Tx, { tenantId, now }: Scope, id: string): Promise<Invitation> => {
  const row = await rows(tx, tenantId).where('id', '=', id).executeTakeFirstOrThrow(absent);
  return toInvitation(row, now);
};
