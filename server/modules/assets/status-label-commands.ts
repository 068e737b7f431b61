import type { StatusLabel, StatusLabelChange, StatusLabelInput } from '@hatchway/contract/assets.ts';
import type { Tx } from '../../db/database.ts';
import { record, type Change } from '../../events/record.ts';
import { absent, mustBeSeen, Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow } from '../../rows.ts';
import { labelNow } from './status-label-queries.ts';

/** All of them, in one order: two who each make another one the default wait for each other. */
const locked = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('status_labels')
    .select(['id', 'default_label', 'version'])
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .forUpdate()
    .execute();

const told = (id: string, method: Change['method']): Change => ({ kind: 'statuslabels', id, method });

/** Answers the one that was it: it changes too. */
const giveUpDefault = async (tx: Tx, scope: Scope, except: string): Promise<Change[]> => {
  const rows = await tx
    .updateTable('status_labels')
    .set((eb) => ({ default_label: false, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('default_label', '=', true)
    .where('id', '<>', except)
    .returning('id')
    .execute();
  return rows.map(({ id }) => told(id, 'PUT'));
};

/** Throws through `status_labels_name` (name-taken). */
export const createStatusLabel = async (tx: Tx, scope: Scope, input: StatusLabelInput): Promise<StatusLabel> => {
  await locked(tx, scope.tenantId);
  const id = newId();
  const before = input.default_label ? await giveUpDefault(tx, scope, id) : [];
  await insertRow(tx, 'status_labels', scope, id, input).execute();
  await record(tx, scope, [], [told(id, 'POST'), ...before]);
  return labelNow(tx, scope.tenantId, id);
};

/** Throws `stale`, and through `status_labels_name` (name-taken). */
export const changeStatusLabel = async (
  tx: Tx,
  scope: Scope,
  id: string,
  { version: seen, ...input }: StatusLabelChange,
): Promise<StatusLabel> => {
  const known = (await locked(tx, scope.tenantId)).find((label) => label.id === id);
  if (!known) throw absent();
  mustBeSeen(known, seen);
  const before = input.default_label ? await giveUpDefault(tx, scope, id) : [];
  await changeRow(tx, 'status_labels', scope, id, input).execute();
  await record(tx, scope, [], [told(id, 'PUT'), ...before]);
  return labelNow(tx, scope.tenantId, id);
};

/**
 * Throws `in-use-elsewhere` while an asset carries it or new ones get it (they would get none, and without a label nothing keeps them in), and
 * `rule` for the last: a company keeps one to give its things.
 */
export const deleteStatusLabel = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  const known = await locked(tx, scope.tenantId);
  const label = known.find((one) => one.id === id);
  if (!label) throw absent();
  if (known.length === 1) throw new Problem('rule', 'The last status label stays');
  if (label.default_label) throw new Problem('in-use-elsewhere', 'New assets get this label');
  const { assets_count } = await labelNow(tx, scope.tenantId, id);
  if (assets_count > 0) throw new Problem('in-use-elsewhere', 'Assets carry this label', { data: { assets: assets_count } });
  await tx.deleteFrom('status_labels').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
  await record(tx, scope, [], [told(id, 'DELETE')]);
};
