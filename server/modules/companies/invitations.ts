import type { z } from 'zod';
import { type Selectable, sql } from 'kysely';
import type { invitation } from '@hatchway/contract/people.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Tx } from '../../db/database.ts';
import type { InvitationsTable } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import { page } from '../../http/list.ts';
import { absent, Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import { toE164 } from '@hatchway/domain/receiver.ts';
import type { Scope } from '../../scope.ts';

type Invitation = z.infer<typeof invitation>;
const VALID_DAYS = 14;

const toInvitation = (row: Selectable<InvitationsTable>): Invitation => ({
  id: row.id,
  email: row.email,
  tlf: row.tlf,
  roles: row.roles,
  state: row.state,
  expiresAt: row.expires_at,
  invitedBy: row.invited_by_name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const listInvitations = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(
    tx.selectFrom('invitations').selectAll().where('tenant_id', '=', tenantId),
    {
      fields: { id: sql.ref('id'), state: sql.ref('state'), email: sql.ref('email') },
      sorts: { createdAt: { column: sql.ref('created_at'), type: 'timestamptz' } },
      id: sql.ref('id'),
    },
    query,
    tenantId,
    toInvitation,
  );

export const oneInvitation = async (tx: Tx, tenantId: string, id: string): Promise<Invitation> => {
  const row = await tx.selectFrom('invitations').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst();
  if (!row) throw absent();
  return toInvitation(row);
};

/** The invited number in E.164, or null without one. Throws Problem `rule`. */
export const invitedTlf = (tlf: string | undefined, country: string): string | null => {
  const known = tlf ? toE164(tlf, country) : null;
  if (tlf && !known)
    throw new Problem('rule', 'The mobile number is not one', { errors: [{ pointer: '/tlf', detail: 'not a mobile number' }] });
  return known;
};

/** Makes the invitation and its address. The secret is in the address alone; the row keeps its hash. Throws Problem `rule`. */
export const invite = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  to: { email?: string | undefined; tlf?: string | undefined; roles: string[]; country: string },
): Promise<{ invitation: Invitation; url: string }> => {
  const tlf = invitedTlf(to.tlf, to.country);
  const { url, tokenHash } = deps.identity.newInvitation(scope.tenantId);
  const row = await tx
    .insertInto('invitations')
    .values({
      tenant_id: scope.tenantId,
      id: newId(),
      email: to.email ?? null,
      tlf,
      roles: to.roles,
      state: 'pending',
      token_hash: tokenHash,
      expires_at: new Date(Date.parse(scope.now) + VALID_DAYS * 86_400_000).toISOString(),
      invited_by: scope.actor.kind === 'person' ? scope.actor.id : null,
      invited_by_name: scope.actor.name,
      created_at: scope.now,
      updated_at: scope.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { invitation: toInvitation(row), url };
};

export const withdrawInvitation = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  const row = await tx
    .updateTable('invitations')
    .set({ state: 'withdrawn', updated_at: scope.now })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  if (!row) throw absent();
};
