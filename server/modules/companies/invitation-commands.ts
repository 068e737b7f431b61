import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { DAY, later } from '@hatchway/domain/deadlines.ts';
import type { Actor } from '@hatchway/domain/history.ts';
import type { Tx } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import { record, recordRows, type Change } from '../../events/record.ts';
import { absent, Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import { phoneAt } from '../../phone.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow, lockRow } from '../../rows.ts';
import { toInvitation, type Invitation } from './invitation-queries.ts';

/** With the address that each way gets, which is shown and kept nowhere; `version` tells one sending from the next. */
export type Invited = { invitation: Invitation; links: Record<'mail' | 'sms', string | null>; version: number };
const VALID_DAYS = 14;
/** Neither accepted nor withdrawn, whether its time has passed or not. */
const OPEN = ['pending', 'expired'] as const;
const told = (id: string, method: Change['method']): Change => ({ kind: 'invitations', id, method });

/** The invited number in E.164, or null without one. Throws Problem `rule`. */
const invitedTlf = (tlf: string | undefined, country: string): string | null => (tlf ? phoneAt(tlf, country, '/tlf') : null);

/** A link for each way there is: what comes by SMS proves nobody's mailbox, nor a mail somebody's number. */
const newLinks = (deps: Deps, tenantId: string, to: { email: string | null; tlf: string | null }) => {
  const mail = to.email === null ? null : deps.identity.newInvitation(tenantId);
  const sms = to.tlf === null ? null : deps.identity.newInvitation(tenantId);
  return {
    links: { mail: mail?.url ?? null, sms: sms?.url ?? null },
    hashes: { mail_token_hash: mail?.tokenHash ?? null, sms_token_hash: sms?.tokenHash ?? null },
  };
};

/** In whose right it stands: whoever sent it last. */
const inviter = ({ kind, id, name }: Actor) => ({
  invited_by: id,
  invited_by_kind: kind === 'person' || kind === 'key' ? kind : ('system' as const),
  invited_by_name: name,
});

/**
 * Nobody is invited twice: two links would be open, and withdrawing one would leave the other. Of two at once the later one sees the first.
 * Throws `invited-already` with the id of the open invitation and both ways that it goes by: sent anew it goes there, whatever was asked now.
 */
export const throwIfInvited = async (
  tx: Tx,
  { tenantId }: Scope,
  to: { email?: string | undefined; tlf?: string | undefined; country: string },
): Promise<void> => {
  const reach = { email: to.email ?? null, tlf: invitedTlf(to.tlf, to.country) };
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${tenantId} invitations`}, 0))`.execute(tx);
  const open = await tx
    .selectFrom('invitations')
    .select(['id', 'email', 'tlf'])
    .where('tenant_id', '=', tenantId)
    .where('state', 'in', OPEN)
    .where((eb) => eb.or([eb('email', '=', reach.email), eb('tlf', '=', reach.tlf)]))
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!open) return;
  const pointer = reach.email !== null && open.email === reach.email ? '/email' : '/tlf';
  const { id: invitationId, email, tlf } = open;
  throw new Problem('invited-already', undefined, { errors: [{ pointer, detail: 'invited already' }], data: { invitationId, email, tlf } });
};

/** Makes the invitation and its links. Their secrets are in the addresses alone; the row keeps the hashes. Throws Problem `rule`. */
export const invite = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  to: { email?: string | undefined; tlf?: string | undefined; roles: string[]; country: string },
): Promise<Invited> => {
  const reach = { email: to.email ?? null, tlf: invitedTlf(to.tlf, to.country) };
  const { links, hashes } = newLinks(deps, scope.tenantId, reach);
  const row = await insertRow(tx, 'invitations', scope, newId(), {
    ...reach,
    ...hashes,
    roles: [...new Set(to.roles)],
    state: 'pending',
    expires_at: later(scope.now, VALID_DAYS * DAY),
    ...inviter(scope.actor),
  })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(tx, scope, [], [told(row.id, 'POST')]);
  return { invitation: toInvitation(row, scope.now), links, version: row.version };
};

/**
 * New links for as long again, also where the first ones' time had passed; those before are no longer known from this commit on.
 * Throws `invitation-over` for one that was accepted or withdrawn.
 */
export const renewInvitation = async (tx: Tx, deps: Deps, scope: Scope, id: string): Promise<Invited> => {
  const before = await lockRow(tx, 'invitations', scope.tenantId, id, ['state', 'email', 'tlf']);
  if (!OPEN.some((state) => state === before.state)) throw new Problem('invitation-over');
  const { links, hashes } = newLinks(deps, scope.tenantId, before);
  const row = await changeRow(tx, 'invitations', scope, id, {
    state: 'pending',
    ...hashes,
    ...inviter(scope.actor),
    expires_at: later(scope.now, VALID_DAYS * DAY),
  })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(tx, scope, [], [told(id, 'PUT')]);
  return { invitation: toInvitation(row, scope.now), links, version: row.version };
};

export const withdrawInvitation = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  await changeRow(tx, 'invitations', scope, id, { state: 'withdrawn' })
    .where('state', 'in', OPEN)
    .returning('id')
    .executeTakeFirstOrThrow(absent);
  await record(tx, scope, [], [told(id, 'PUT')]);
};

type Sender = (invitations: ExpressionBuilder<Database, 'invitations'>) => Expression<SqlBool>;
const withdrawSent = async (tx: Tx, scope: Scope, by: Sender): Promise<void> => {
  const rows = await tx
    .updateTable('invitations')
    .set((eb) => ({ state: 'withdrawn', updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('state', 'in', OPEN)
    .where(by)
    .returning('id')
    .execute();
  await recordRows(tx, scope, 'invitations', 'PUT', rows);
};

/** Those that the operator sent and nobody took: one that went to a wrong address must not stay good beside the next. */
export const withdrawOperators = (tx: Tx, scope: Scope): Promise<void> =>
  withdrawSent(tx, scope, (eb) => eb('invited_by_kind', '=', 'system'));

/**
 * Those that this person sent, or a key that they made: they may invite no more, so nobody may come in by their word. The link asks for
 * their right too, when it is followed; this is what the list tells.
 */
export const withdrawPersons = (tx: Tx, scope: Scope, accountId: string): Promise<void> =>
  withdrawSent(tx, scope, (eb) =>
    eb.or([
      eb('invited_by', '=', accountId),
      eb(
        'invited_by',
        'in',
        eb.selectFrom('api_keys as k').select('k.id').where('k.tenant_id', '=', scope.tenantId).where('k.created_by', '=', accountId),
      ),
    ]),
  );

/** Those that went out by this key, which is revoked. */
export const withdrawKeys = (tx: Tx, scope: Scope, keyId: string): Promise<void> =>
  withdrawSent(tx, scope, (eb) => eb('invited_by', '=', keyId));
