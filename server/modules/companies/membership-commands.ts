import { sql } from 'kysely';
import type { Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record, recordRows } from '../../events/record.ts';
import { throwUnlessRaises } from '../../http/access.ts';
import { absent, mustBeSeen, Problem } from '../../http/problem.ts';
import { takeTurn } from '../../held.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, lockRow } from '../../rows.ts';
import { endPairing } from '../cabinets/pairing-commands.ts';
import { endAlerts } from './alert-commands.ts';
import { switchOffPersons } from '../webhooks/switch-off-commands.ts';
import { withdrawPersons } from './invitation-commands.ts';
import { membershipNow, type Membership } from './membership-queries.ts';

/** Their name is another: whoever looks at the members sees it. The version stays, since it undoes nobody's change of their roles. */
export const tellRenamed = async (tx: Tx, scope: Scope, accountId: string): Promise<void> => {
  const row = await tx
    .updateTable('memberships')
    .set({ updated_at: scope.now })
    .where('tenant_id', '=', scope.tenantId)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  if (row) await record(tx, scope, [], [{ kind: 'memberships', id: row.id, method: 'PUT' }]);
};

/** The last administrator stays. Calls that change members come one after the other (`holdMembers`), so that two cannot take each other out at once. */
const keepsAdmin = async (tx: Tx, tenantId: string, id: string): Promise<void> => {
  if (await isLastAdmin(tx, tenantId, id)) throw new Problem('last-admin');
};
export const isLastAdmin = async (tx: Tx, tenantId: string, id: string): Promise<boolean> => {
  const admins = await tx
    .selectFrom('memberships')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`'admin' = any(roles)`)
    .limit(2)
    .execute();
  return admins.length === 1 && admins[0]?.id === id;
};

/**
 * What an administrator handed on ends with their right: the invitations that they sent, the keys that they made, the
 * directory's secret too, and what they had webhooks tell. Should they be one again some day, nobody's old secret comes back with them.
 */
export const endHandedOn = async (tx: Tx, deps: Deps, scope: Scope, accountId: string): Promise<void> => {
  // Keys first, as where one is revoked: whatever a key is just making is waited for here, and found below.
  const keys = await tx
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: scope.now, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('created_by', '=', accountId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  await recordRows(tx, scope, 'keys', 'DELETE', keys);
  await tx
    .updateTable('scim_bearers')
    .set((eb) => ({ ended_at: scope.now, ended_why: 'maker', updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('created_by', '=', accountId)
    .where('ended_at', 'is', null)
    .execute();
  await withdrawPersons(tx, scope, accountId);
  await switchOffPersons(tx, deps, scope, accountId);
  await endAlerts(tx, deps, scope);
};

const takeTheirTurn = async (tx: Tx, tenantId: string, id: string): Promise<void> => {
  const one = await tx
    .selectFrom('memberships')
    .select('account_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (one) await takeTurn(tx, tenantId, one.account_id);
};

/**
 * Throws `stale` where somebody gave or took roles since, `last-admin`, `by-directory` for taking what the directory gives, and `forbidden` for a role that the caller may not give; what
 * somebody has already is not given.
 */
export const changeRoles = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  facts: Facts,
  id: string,
  { roles: wanted, version }: { roles: readonly string[]; version: number },
): Promise<Membership> => {
  const roles = [...new Set(wanted)];
  if (!roles.includes('admin')) await keepsAdmin(tx, scope.tenantId, id);
  await takeTheirTurn(tx, scope.tenantId, id);
  const known = await lockRow(tx, 'memberships', scope.tenantId, id, ['version', 'roles', 'directory_roles', 'account_id']);
  mustBeSeen(known, version);
  if (known.directory_roles.some((role) => !roles.includes(role)))
    throw new Problem('by-directory', undefined, { errors: [{ pointer: '/roles', detail: 'the directory gives it' }] });
  throwUnlessRaises({ roles: roles.filter((role) => !known.roles.includes(role)) }, facts, '/roles');
  await changeRow(tx, 'memberships', scope, id, { roles }).execute();
  if (known.roles.includes('admin') && !roles.includes('admin')) await endHandedOn(tx, deps, scope, known.account_id);
  await endPairing(tx, scope);
  await record(tx, scope, [], [{ kind: 'memberships', id, method: 'PUT' }]);
  return membershipNow(tx, scope.tenantId, id);
};

/** Answers whose membership it was: their sign-ins for this company end after the commit. */
export const removeMember = async (tx: Tx, deps: Deps, scope: Scope, id: string): Promise<string> => {
  await keepsAdmin(tx, scope.tenantId, id);
  await takeTheirTurn(tx, scope.tenantId, id);
  const gone = await tx
    .deleteFrom('memberships')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returning('account_id')
    .executeTakeFirstOrThrow(absent);
  // A directory that says them once more does not undo what a person decided.
  await tx
    .updateTable('directory_people')
    .set({ problem: 'removed-here', updated_at: scope.now })
    .where('tenant_id', '=', scope.tenantId)
    .where('account_id', '=', gone.account_id)
    .execute();
  await endHandedOn(tx, deps, scope, gone.account_id);
  await endPairing(tx, scope);
  await record(tx, scope, [], [{ kind: 'memberships', id, method: 'DELETE' }]);
  return gone.account_id;
};
