import { rolesByHand, rolesWith } from '@hatchway/domain/directory.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { takeTurn } from '../../held.ts';
import { Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow } from '../../rows.ts';
import { endPairing } from '../cabinets/pairing-commands.ts';
import { endHandedOn, isLastAdmin, removeMember } from './membership-commands.ts';

/** Members as a directory has them. `holdMembers` was called before. */
type With = { tx: Tx; deps: Deps; scope: Scope };

export const memberOf = ({ tx, scope }: With, accountId: string) =>
  tx
    .selectFrom('memberships')
    .select(['id', 'roles', 'directory_roles', 'kept_roles'])
    .where('tenant_id', '=', scope.tenantId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();

const heldOf = (row: { roles: string[]; directory_roles: string[]; kept_roles: string[] }) => ({
  roles: row.roles,
  directory: row.directory_roles,
  kept: row.kept_roles,
});
export const handGiven = (row: { roles: string[]; directory_roles: string[]; kept_roles: string[] }): string[] => rolesByHand(heldOf(row));

export const joinMember = async ({ tx, scope }: With, accountId: string, roles: string[]): Promise<void> => {
  const id = newId();
  await insertRow(tx, 'memberships', scope, id, { account_id: accountId, roles }).execute();
  await record(tx, scope, [], [{ kind: 'memberships', id, method: 'POST' }]);
};

/** What the directory gives from now on, beside what people gave. True where it would leave nobody who runs the company: they stay admin. */
export const giveRoles = async ({ tx, deps, scope }: With, accountId: string, given: readonly string[]): Promise<boolean> => {
  await takeTurn(tx, scope.tenantId, accountId);
  const row = await memberOf({ tx, deps, scope }, accountId);
  if (!row) return false;
  const held = heldOf(row);
  const wanted = rolesWith(held, given);
  const isLast = row.roles.includes('admin') && !wanted.roles.includes('admin') && (await isLastAdmin(tx, scope.tenantId, row.id));
  const next = isLast ? rolesWith(held, [...given, 'admin']) : wanted;
  const isSame = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((one) => b.includes(one));
  if (isSame(next.roles, held.roles) && isSame(next.directory, held.directory) && isSame(next.kept, held.kept)) return isLast;
  await changeRow(tx, 'memberships', scope, row.id, {
    roles: next.roles,
    directory_roles: next.directory,
    kept_roles: next.kept,
  }).execute();
  if (row.roles.includes('admin') && !next.roles.includes('admin')) await endHandedOn(tx, deps, scope, accountId);
  await endPairing(tx, scope);
  await record(tx, scope, [], [{ kind: 'memberships', id: row.id, method: 'PUT' }]);
  return isLast;
};

/** False where nobody would be left who runs the company. */
export const putOut = async ({ tx, deps, scope }: With, membershipId: string): Promise<boolean> => {
  try {
    await removeMember(tx, deps, scope, membershipId);
    return true;
  } catch (error) {
    // Asked before anything is written.
    if (error instanceof Problem && error.code === 'last-admin') return false;
    throw error;
  }
};
