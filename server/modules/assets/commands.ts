import type { z } from 'zod';
import type { Asset, assets } from '@hatchway/contract/assets.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record } from '../../events/record.ts';
import type { Picture } from '../../http/picture.ts';
import { mustBeSeen, Problem, unknownReference } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { activeBy } from '../../stages.ts';
import { changeRow, insertRow, lockRow } from '../../rows.ts';
import { giveIdentifiers, readIdentifiers } from './identifiers.ts';
import { dropPicture, keepPicture } from '../pictures.ts';
import { known as knownIds } from '../references.ts';
import { writtenAsset } from './queries.ts';
import { defaultLabel } from './status-label-queries.ts';

type BodyOf<M extends string, P extends string> = z.output<
  Extract<(typeof assets)[number], { method: M; path: P }> extends { body: infer B extends z.ZodType } ? B : never
>;

/** Locked for key share, as a foreign key does it: a label cannot be deleted between this look and the commit. */
const knownLabel = async (tx: Tx, tenantId: string, id: string | null): Promise<void> => {
  if (id === null) return;
  await tx
    .selectFrom('status_labels')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => unknownReference('/statusLabelId'));
};

/** Locked as they are read, and always before the asset: whoever deletes a group takes its row first and then its assets'. */
const knownGroups = (tx: Tx, tenantId: string, ids: readonly string[] | undefined): Promise<string[]> =>
  knownIds(tx, tenantId, 'asset_groups', ids ?? [], '/assetGroupIds');

const join = async (tx: Tx, scope: Scope, assetId: string, groupIds: readonly string[]): Promise<void> => {
  if (groupIds.length === 0) return;
  await tx
    .insertInto('asset_group_members')
    .values(groupIds.map((id) => ({ tenant_id: scope.tenantId, asset_group_id: id, asset_id: assetId, created_at: scope.now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
/** Leaves every group that is not named. */
const leave = async (tx: Tx, tenantId: string, assetId: string, groupIds: readonly string[]): Promise<void> => {
  let rows = tx.deleteFrom('asset_group_members').where('tenant_id', '=', tenantId).where('asset_id', '=', assetId);
  if (groupIds.length > 0) rows = rows.where('asset_group_id', 'not in', groupIds);
  await rows.execute();
};

export const createAsset = async (tx: Tx, scope: Scope, input: BodyOf<'POST', '/assets'>, picture: Picture | null): Promise<Asset> => {
  const labelId = input.statusLabelId === undefined ? await defaultLabel(tx, scope.tenantId) : input.statusLabelId;
  await knownLabel(tx, scope.tenantId, labelId);
  const groupIds = await knownGroups(tx, scope.tenantId, input.assetGroupIds);
  const id = newId();
  const carried = await readIdentifiers(tx, scope.tenantId, id, input);
  await insertRow(tx, 'assets', scope, id, {
    name: input.name,
    data: jsonb(input.data),
    identifiers: jsonb(input.identifiers),
    status_label_id: labelId,
    external_id: input.externalId ?? null,
    image_file_id: picture ? await keepPicture(tx, scope, picture) : null,
  }).execute();
  await giveIdentifiers(tx, scope.tenantId, id, carried);
  await join(tx, scope, id, groupIds);
  await record(tx, scope, [], [{ kind: 'assets', id, method: 'POST' }]);
  return writtenAsset(tx, scope.tenantId, id);
};

const locked = async (tx: Tx, tenantId: string, id: string) => {
  const columns = ['name', 'source', 'version', 'status_label_id', 'image_file_id', 'external_id', 'data', 'identifiers'] as const;
  const row = await lockRow(tx, 'assets', tenantId, id, columns);
  if (row.source !== 'local') throw new Problem('changed-there', 'It belongs to the asset tool, and is changed there');
  return row;
};

/** Throws `changed-there` for an asset of a tool, and `stale` where somebody wrote since; a picture is kept unless a new one comes. */
export const changeAsset = async (
  tx: Tx,
  scope: Scope,
  id: string,
  input: BodyOf<'PUT', '/assets/{_id}'>,
  picture: Picture | null,
): Promise<Asset> => {
  const { tenantId } = scope;
  const groupIds = await knownGroups(tx, tenantId, input.assetGroupIds);
  const known = await locked(tx, tenantId, id);
  mustBeSeen(known, input.version);
  const labelId = input.statusLabelId === undefined ? known.status_label_id : input.statusLabelId;
  await knownLabel(tx, tenantId, labelId);
  const { data = known.data, identifiers = known.identifiers } = input;
  const carried = await readIdentifiers(tx, tenantId, id, { ...input, identifiers });
  if (picture && known.image_file_id) await dropPicture(tx, tenantId, known.image_file_id);
  await changeRow(tx, 'assets', scope, id, {
    name: input.name ?? known.name,
    data: jsonb(data),
    identifiers: jsonb(identifiers),
    status_label_id: labelId,
    external_id: input.externalId === undefined ? known.external_id : input.externalId,
    image_file_id: picture ? await keepPicture(tx, scope, picture) : known.image_file_id,
  }).execute();
  await giveIdentifiers(tx, tenantId, id, carried);
  if (input.assetGroupIds) {
    await leave(tx, tenantId, id, groupIds);
    await join(tx, scope, id, groupIds);
  }
  await record(tx, scope, [], [{ kind: 'assets', id, method: 'PUT' }]);
  return writtenAsset(tx, tenantId, id);
};

/**
 * Throws `in-use-elsewhere` while it lies in a locker or is lent out. Its row is locked first: whoever registers it at the same time
 * needs a key share on it, and so comes wholly before or after.
 */
export const deleteAsset = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  const { tenantId } = scope;
  const known = await locked(tx, tenantId, id);
  const held = await tx
    .selectFrom('occupations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('asset_id', '=', id)
    .where(activeBy('stage'))
    .union(
      tx.selectFrom('loans').select('id').where('tenant_id', '=', tenantId).where('asset_id', '=', id).where('returned_at', 'is', null),
    )
    .limit(1)
    .executeTakeFirst();
  if (held) throw new Problem('in-use-elsewhere', 'The asset lies in a locker or is lent out');
  await tx.deleteFrom('assets').where('tenant_id', '=', tenantId).where('id', '=', id).execute();
  if (known.image_file_id) await dropPicture(tx, tenantId, known.image_file_id);
  await record(tx, scope, [], [{ kind: 'assets', id, method: 'DELETE' }]);
};

/** Answers the asset as it is then; where there was no picture it changes nothing. */
export const removeImage = async (tx: Tx, scope: Scope, id: string): Promise<Asset> => {
  const { tenantId } = scope;
  const known = await locked(tx, tenantId, id);
  if (known.image_file_id) {
    await changeRow(tx, 'assets', scope, id, { image_file_id: null }).execute();
    await dropPicture(tx, tenantId, known.image_file_id);
    await record(tx, scope, [], [{ kind: 'assets', id, method: 'PUT' }]);
  }
  return writtenAsset(tx, tenantId, id);
};
