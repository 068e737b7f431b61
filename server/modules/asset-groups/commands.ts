import { sql, type SqlBool } from 'kysely';
import type { AssetGroup, AssetGroupChange, AssetGroupInput } from '@hatchway/contract/asset-groups.ts';
import type { Tx } from '../../db/database.ts';
import { record, type Change } from '../../events/record.ts';
import { mustBeSeen } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow, lockRow } from '../../rows.ts';
import { oneAssetGroup } from './queries.ts';

const change = (id: string, method: Change['method']): Change => ({ kind: 'asset-groups', id, method });

/** Throws through `asset_groups_name` (name-taken). */
export const createAssetGroup = async (tx: Tx, scope: Scope, input: AssetGroupInput): Promise<AssetGroup> => {
  const id = newId();
  await insertRow(tx, 'asset_groups', scope, id, input).execute();
  await record(tx, scope, [], [change(id, 'POST')]);
  return oneAssetGroup(tx, scope.tenantId, id);
};

const locked = (tx: Tx, tenantId: string, id: string) => lockRow(tx, 'asset_groups', tenantId, id, ['version']);

/** Throws `stale`, and through `asset_groups_name` (name-taken). */
export const changeAssetGroup = async (
  tx: Tx,
  scope: Scope,
  id: string,
  { version: seen, ...input }: AssetGroupChange,
): Promise<AssetGroup> => {
  mustBeSeen(await locked(tx, scope.tenantId, id), seen);
  await changeRow(tx, 'asset_groups', scope, id, input).execute();
  await record(tx, scope, [], [change(id, 'PUT')]);
  return oneAssetGroup(tx, scope.tenantId, id);
};

/** Its assets stay, each a version further: whoever is about to save one with this group in it hears of that first. */
export const deleteAssetGroup = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  const { tenantId, now } = scope;
  await locked(tx, tenantId, id);
  const left = await tx
    .updateTable('assets as a')
    .set((eb) => ({ updated_at: now, version: eb('a.version', '+', 1) }))
    .where('a.tenant_id', '=', tenantId)
    .where(
      sql<SqlBool>`exists (select 1 from asset_group_members m
        where m.tenant_id = a.tenant_id and m.asset_id = a.id and m.asset_group_id = ${id})`,
    )
    .returning('a.id')
    .execute();
  await tx.deleteFrom('asset_groups').where('tenant_id', '=', tenantId).where('id', '=', id).execute();
  const assets = left.map((asset): Change => ({ kind: 'assets', id: asset.id, method: 'PUT' }));
  await record(tx, scope, [], [change(id, 'DELETE'), ...assets]);
};
