import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Facts } from '@hatchway/domain/access.ts';
import { scopeOf as scopeNamed, type Scope as LockerScope } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { record, recordRows } from '../../events/record.ts';
import { takeTurn } from '../../held.ts';
import { throwUnlessRaises } from '../../http/access.ts';
import { absent, mustBeSeen, ruled } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow, lockRow } from '../../rows.ts';
import { known } from '../references.ts';
import { toPermission, type Permission } from './queries.ts';

type Input = { name: string; scopes: string[]; groups: string[]; lockers: string[] };

/** URN or short word; kept as the short word. Throws Problem `rule` for a scope that does not exist. */
const scopesOf = (scopes: readonly string[]): LockerScope[] => [
  ...new Set(
    scopes.map((scope, at) => {
      const found = scopeNamed(scope);
      if (!found) throw ruled('There is no such scope', `/scopes/${at}`);
      return found;
    }),
  ),
];

const columns = async (tx: Tx, tenantId: string, input: Input) => ({
  name: input.name,
  scopes: scopesOf(input.scopes),
  group_ids: await known(tx, tenantId, 'groups', input.groups, '/groups'),
  locker_ids: await known(tx, tenantId, 'lockers', input.lockers, '/lockers'),
});

/** Throws through `permissions_name` (name-taken), and `forbidden` for scopes that are not the caller's to give. */
export const createPermission = async (tx: Tx, scope: Scope, facts: Facts, input: Input): Promise<Permission> => {
  throwUnlessRaises({ scopes: scopesOf(input.scopes) }, facts, '/scopes');
  const row = await insertRow(tx, 'permissions', scope, newId(), await columns(tx, scope.tenantId, input))
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(tx, scope, [], [{ kind: 'permissions', id: row.id, method: 'POST' }]);
  return toPermission(row);
};

/** At what these permissions give, through whichever group. */
const takePermissionTurn = async (tx: Tx, tenantId: string, which: RawBuilder<SqlBool>, ...groups: readonly string[]): Promise<void> => {
  const rows = await tx.selectFrom('permissions').select('group_ids').where('tenant_id', '=', tenantId).where(which).execute();
  await takeTurn(tx, tenantId, ...new Set([...groups, ...rows.flatMap((row) => row.group_ids)]));
};

/** At what a group gives, and what the permissions that it is taken out of give through others. */
export const takeGroupTurn = (tx: Tx, tenantId: string, groupId: string): Promise<void> =>
  takePermissionTurn(tx, tenantId, sql`${groupId}::uuid = any(group_ids)`, groupId);

/**
 * Throws `stale`: what was withdrawn meanwhile is not given back by a form that still shows it. Whatever it grants after the change is
 * given by whoever changed it, unless it only grants less.
 */
export const changePermission = async (
  tx: Tx,
  scope: Scope,
  facts: Facts,
  id: string,
  input: Input & { version?: number | undefined },
): Promise<Permission> => {
  await takePermissionTurn(tx, scope.tenantId, sql`id = ${id}::uuid`);
  const known = await lockRow(tx, 'permissions', scope.tenantId, id, ['version', 'scopes', 'group_ids', 'locker_ids']);
  mustBeSeen(known, input.version);
  const changed = await columns(tx, scope.tenantId, input);
  const within = (now: readonly string[], before: readonly string[]) => now.every((one) => before.includes(one));
  const less =
    within(changed.scopes, known.scopes) && within(changed.group_ids, known.group_ids) && within(changed.locker_ids, known.locker_ids);
  if (!less) throwUnlessRaises({ scopes: changed.scopes }, facts, '/scopes');
  const row = await changeRow(tx, 'permissions', scope, id, changed).returningAll().executeTakeFirstOrThrow();
  await record(tx, scope, [], [{ kind: 'permissions', id, method: 'PUT' }]);
  return toPermission(row);
};

export const deletePermission = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  await takePermissionTurn(tx, scope.tenantId, sql`id = ${id}::uuid`);
  await tx
    .deleteFrom('permissions')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirstOrThrow(absent);
  await record(tx, scope, [], [{ kind: 'permissions', id, method: 'DELETE' }]);
};

/** The permissions that reach people through this group. */
export const permissionsOf = (tx: Tx, tenantId: string, groupId: string): Promise<{ id: string; scopes: LockerScope[] }[]> =>
  tx
    .selectFrom('permissions')
    .select(['id', 'scopes'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`${groupId}::uuid = any(group_ids)`)
    .execute();

/** These permissions name the group, and no other does. */
export const grantThrough = async (tx: Tx, scope: Scope, groupId: string, ids: readonly string[]): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    update permissions set updated_at = ${scope.now}, version = version + 1,
      group_ids = case when id = any(${ids}::uuid[]) then group_ids || ${groupId}::uuid else array_remove(group_ids, ${groupId}::uuid) end
    where tenant_id = ${scope.tenantId} and (id = any(${ids}::uuid[])) <> (${groupId}::uuid = any(group_ids))
    returning id`.execute(tx);
  await recordRows(tx, scope, 'permissions', 'PUT', rows);
};

/** A deleted group is taken out of every permission; one without groups grants nothing. */
export const forgetGroup = async (tx: Tx, scope: Scope, groupId: string): Promise<void> => {
  const rows = await tx
    .updateTable('permissions')
    .set((eb) => ({ group_ids: sql`array_remove(group_ids, ${groupId}::uuid)`, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where(sql<boolean>`${groupId}::uuid = any(group_ids)`)
    .returning('id')
    .execute();
  await recordRows(tx, scope, 'permissions', 'PUT', rows);
};
