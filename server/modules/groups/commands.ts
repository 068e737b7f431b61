import { sql } from 'kysely';
import type { z } from 'zod';
import type { group } from '@hatchway/contract/access.ts';
import type { Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import { record, type Change } from '../../events/record.ts';
import { takeTurn } from '../../held.ts';
import { throwUnlessRaises } from '../../http/access.ts';
import { absent, mustBeSeen, Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow, lockRow } from '../../rows.ts';
import { forgetGroup, permissionsOf, takeGroupTurn } from '../permissions/commands.ts';
import { writtenGroup } from './queries.ts';

type Group = z.infer<typeof group>;
type Input = { name: string; description: string };

const change = (id: string, method: Change['method']): Change => ({ kind: 'groups', id, method });

/** Throws through `groups_name` (name-taken). */
export const createGroup = async (tx: Tx, scope: Scope, input: Input): Promise<Group> => {
  const id = newId();
  await insertRow(tx, 'groups', scope, id, input).execute();
  await record(tx, scope, [], [change(id, 'POST')]);
  return writtenGroup(tx, scope.tenantId, id);
};

const locked = (tx: Tx, tenantId: string, id: string) => lockRow(tx, 'groups', tenantId, id, ['version']);

/** Throws `stale`, and through `groups_name` (name-taken). */
export const changeGroup = async (
  tx: Tx,
  scope: Scope,
  id: string,
  { version: seen, ...input }: { name: string; description?: string | undefined; version?: number | undefined },
): Promise<Group> => {
  mustBeSeen(await locked(tx, scope.tenantId, id), seen);
  await changeRow(tx, 'groups', scope, id, input).execute();
  await record(tx, scope, [], [change(id, 'PUT')]);
  return writtenGroup(tx, scope.tenantId, id);
};

/**
 * Its members lose what permissions gave them through it. Throws `in-use-elsewhere` while a policy names it: a policy that lost its
 * last group would be for everyone.
 */
export const deleteGroup = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  await takeGroupTurn(tx, scope.tenantId, id);
  await locked(tx, scope.tenantId, id);
  const policy = await tx
    .selectFrom('policies')
    .select('name')
    .where('tenant_id', '=', scope.tenantId)
    .where(sql<boolean>`${id}::uuid = any(group_ids)`)
    .executeTakeFirst();
  if (policy) throw new Problem('in-use-elsewhere', `The policy ${policy.name} names this group`);
  await forgetGroup(tx, scope, id);
  await tx
    .updateTable('directory_groups')
    .set({
      group_ids: sql`array_remove(group_ids, ${id}::uuid)`,
      own_group_id: sql`nullif(own_group_id, ${id}::uuid)`,
      updated_at: scope.now,
    })
    .where('tenant_id', '=', scope.tenantId)
    .where(sql<boolean>`${id}::uuid = any(group_ids || own_group_id)`)
    .execute();
  await tx.deleteFrom('groups').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
  await record(tx, scope, [], [change(id, 'DELETE')]);
};

/**
 * One more or one less in it. The group's version stays, so that whoever is about to rename it is not held up; its time tells screens that
 * its count is another. Whoever listens to rights hears of every permission that reaches its people through this group.
 */
export const membersChanged = async (tx: Tx, scope: Scope, groupId: string): Promise<void> => {
  await tx.updateTable('groups').set({ updated_at: scope.now }).where('tenant_id', '=', scope.tenantId).where('id', '=', groupId).execute();
  const rights = (await permissionsOf(tx, scope.tenantId, groupId)).map(({ id }): Change => ({ kind: 'permissions', id, method: 'PUT' }));
  await record(tx, scope, [], [change(groupId, 'PUT'), ...rights]);
};

/**
 * Repeating it changes nothing. Throws `not-found` for a group or person that is not of this company, `forbidden` where the group has
 * scopes that are not the caller's to give.
 */
export const addMember = async (tx: Tx, scope: Scope, facts: Facts, groupId: string, accountId: string): Promise<void> => {
  const { tenantId, now } = scope;
  await locked(tx, tenantId, groupId);
  const granted = await permissionsOf(tx, tenantId, groupId);
  throwUnlessRaises({ scopes: granted.flatMap(({ scopes }) => scopes) }, facts);
  await tx
    .selectFrom('memberships')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId)
    .forKeyShare()
    .executeTakeFirstOrThrow(absent);
  await tx
    .insertInto('group_members')
    .values({ tenant_id: tenantId, group_id: groupId, account_id: accountId, created_at: now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'group_id', 'account_id']).doUpdateSet({ by_hand: true }))
    .execute();
  await membersChanged(tx, scope, groupId);
};

/** Throws `by-directory` where the directory puts them there and takes them out again. */
export const removeMember = async (tx: Tx, scope: Scope, groupId: string, accountId: string): Promise<void> => {
  await takeTurn(tx, scope.tenantId, accountId);
  await locked(tx, scope.tenantId, groupId);
  const told = await tx
    .selectFrom('group_members')
    .select('by_directory')
    .where('tenant_id', '=', scope.tenantId)
    .where('group_id', '=', groupId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (told?.by_directory) throw new Problem('by-directory');
  await tx
    .deleteFrom('group_members')
    .where('tenant_id', '=', scope.tenantId)
    .where('group_id', '=', groupId)
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirstOrThrow(absent);
  await membersChanged(tx, scope, groupId);
};
