import { sql } from 'kysely';
import { oneLine } from '@hatchway/domain/text.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record, recordRows, type Change } from '../../events/record.ts';
import { newId } from '../../ids.ts';
import type { ToolAsset } from '../../providers/asset-tool.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow } from '../../rows.ts';
import { inUseHere } from './tool-use-queries.ts';

/** As it can be kept and stand on one line, whatever signs came. */
export const toldText = (told: string, most: number): string =>
  oneLine(
    told
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- naming control characters is the point
      .replaceAll(/[\u0000-\u001f\u007f]/g, ' '),
  ).slice(0, most);
const orNull = (told: string | null, most: number): string | null => (told === null ? null : toldText(told, most) || null);
/** What stands on the thing, as our assets carry it. */
const TAG = 'tag';

const kept = (told: ToolAsset) => {
  const identifier = orNull(told.identifier, 200);
  return {
    name: toldText(told.name, 200) || told.id,
    identifiers: identifier === null ? [] : [{ kind: TAG, value: identifier }],
    state: told.state,
    condition: orNull(told.condition, 100),
    holder: orNull(told.holder?.name ?? null, 200),
    until: told.until,
    url: told.url,
    modifiedAt: told.modifiedAt,
  };
};

/**
 * Writes down assets as the tool told them, asked from `began` on; of two who asked at once the newest change holds, by the tool's clock.
 * The integration's row is locked by the caller, so that they write one after the other. Nothing of ours is written over: an identifier
 * that ours carries stays theirs.
 */
export const hearAssets = async (tx: Tx, scope: Scope, integrationId: string, told: readonly ToolAsset[], began: string): Promise<void> => {
  const { tenantId, now } = scope;
  if (told.length === 0) return;
  const known = await tx
    .selectFrom('tool_assets as t')
    .innerJoin('assets as a', (join) => join.onRef('a.tenant_id', '=', 't.tenant_id').onRef('a.id', '=', 't.asset_id'))
    .select([
      't.ref',
      't.asset_id',
      't.state',
      't.condition',
      't.holder',
      't.until',
      't.url',
      't.modified_at',
      't.gone_at',
      't.state_at',
      't.seen_at',
    ])
    .select(['a.name', 'a.identifiers'])
    .where('t.tenant_id', '=', tenantId)
    .where('t.integration_id', '=', integrationId)
    .where(sql<boolean>`t.ref = any(${told.map(({ id }) => id)})`)
    .orderBy('a.id')
    .forNoKeyUpdate('a')
    .execute();
  const byRef = new Map(known.map((row) => [row.ref, row]));
  const changes: Change[] = [];
  for (const one of new Map(told.map((row) => [row.id, row])).values()) {
    const before = byRef.get(one.id);
    const { name, identifiers, modifiedAt, ...there } = kept(one);
    const common = { ...there, modified_at: modifiedAt, seen_at: now, gone_at: null, updated_at: now };
    if (before === undefined) {
      const id = newId();
      await insertRow(tx, 'assets', scope, id, {
        name,
        identifiers: jsonb(identifiers),
        source: 'tcm',
        external_id: one.id,
      }).execute();
      await tx
        .insertInto('tool_assets')
        .values({
          tenant_id: tenantId,
          asset_id: id,
          integration_id: integrationId,
          ref: one.id,
          ...common,
          state_at: now,
          created_at: now,
        })
        .execute();
      changes.push({ kind: 'assets', id, method: 'POST' });
      continue;
    }
    // An older word came later. What was asked for since may be older too: of a tool that was restored, or whose clock was put back.
    const isOlder = before.modified_at !== null && modifiedAt !== null && Date.parse(before.modified_at) > Date.parse(modifiedAt);
    if (isOlder && Date.parse(before.seen_at) >= Date.parse(began)) continue;
    const renamed = before.name !== name || JSON.stringify(before.identifiers) !== JSON.stringify(identifiers);
    const moved =
      before.gone_at !== null ||
      (['state', 'condition', 'holder', 'until', 'url'] as const).some((field) => before[field] !== there[field]);
    await tx
      .updateTable('tool_assets')
      .set({ ...common, state_at: before.state === there.state ? before.state_at : now })
      .where('tenant_id', '=', tenantId)
      .where('asset_id', '=', before.asset_id)
      .execute();
    if (!renamed && !moved) continue;
    await changeRow(tx, 'assets', scope, before.asset_id, { name, identifiers: jsonb(identifiers) }).execute();
    if (renamed)
      await tx.deleteFrom('asset_identifiers').where('tenant_id', '=', tenantId).where('asset_id', '=', before.asset_id).execute();
    changes.push({ kind: 'assets', id: before.asset_id, method: 'PUT' });
  }
  await carry(tx, tenantId, integrationId);
  if (changes.length > 0) await record(tx, scope, [], changes);
};

/** Of what one of ours carries too, a scan leads to ours: the tool's carries it once ours does not. */
const carry = async (tx: Tx, tenantId: string, integrationId: string): Promise<void> => {
  await sql`delete from asset_identifiers i using assets a
    where i.tenant_id = ${tenantId} and a.tenant_id = i.tenant_id and a.id = i.asset_id and a.source = 'tcm'
      and exists (select from asset_identifiers o join assets b on b.tenant_id = o.tenant_id and b.id = o.asset_id
        where o.tenant_id = i.tenant_id and o.form = i.form and b.source = 'local')`.execute(tx);
  await sql`insert into asset_identifiers (tenant_id, kind, value, asset_id)
    select distinct on (identifier_form(a.identifiers->0->>'value')) a.tenant_id, ${TAG}, a.identifiers->0->>'value', a.id
    from tool_assets t join assets a on a.tenant_id = t.tenant_id and a.id = t.asset_id
    where t.tenant_id = ${tenantId} and t.integration_id = ${integrationId} and t.gone_at is null and a.identifiers <> '[]'
      and not exists (select from asset_identifiers o where o.tenant_id = a.tenant_id and o.form = identifier_form(a.identifiers->0->>'value'))
    order by identifier_form(a.identifiers->0->>'value'), a.created_at, a.id
    on conflict do nothing`.execute(tx);
};

/** What a whole listing did not name is not there any more. It leaves the lists; where it is in use here, it stays known. */
export const noteGone = async (tx: Tx, scope: Scope, integrationId: string, began: string): Promise<void> => {
  const { tenantId, now } = scope;
  const gone = await tx
    .updateTable('tool_assets')
    .set({ gone_at: now, updated_at: now })
    .where('tenant_id', '=', tenantId)
    .where('integration_id', '=', integrationId)
    .where('seen_at', '<', began)
    .where('gone_at', 'is', null)
    .returning('asset_id as id')
    .execute();
  if (gone.length === 0) return;
  const ids = gone.map(({ id }) => id);
  await tx.deleteFrom('asset_identifiers').where('tenant_id', '=', tenantId).where('asset_id', 'in', ids).execute();
  await recordRows(tx, scope, 'assets', 'PUT', gone);
};

/** With the tool go its assets. One that is in use here stays, as one of ours: somebody has to deal with it. */
export const leaveAssets = async (tx: Tx, scope: Scope, integrationId: string): Promise<void> => {
  const { tenantId, now } = scope;
  const theirs = await tx
    .selectFrom('tool_assets as t')
    .innerJoin('assets as a', (join) => join.onRef('a.tenant_id', '=', 't.tenant_id').onRef('a.id', '=', 't.asset_id'))
    .select(['a.id', inUseHere('a').as('in_use')])
    .where('t.tenant_id', '=', tenantId)
    .where('t.integration_id', '=', integrationId)
    .orderBy('a.id')
    .forUpdate('a')
    .execute();
  const stay = theirs.filter((row) => row.in_use).map(({ id }) => id);
  const go = theirs.filter((row) => !row.in_use).map(({ id }) => id);
  if (stay.length > 0)
    await tx
      .updateTable('assets')
      .set((eb) => ({ source: 'local', external_id: null, version: eb('version', '+', 1), updated_at: now }))
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', stay)
      .execute();
  for (const table of ['tool_operations', 'tool_assets', 'asset_requests'] as const)
    await tx.deleteFrom(table).where('tenant_id', '=', tenantId).where('integration_id', '=', integrationId).execute();
  await tx
    .deleteFrom('assets')
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${go}::uuid[])`)
    .execute();
  await record(
    tx,
    scope,
    [],
    [
      ...stay.map((id): Change => ({ kind: 'assets', id, method: 'PUT' })),
      ...go.map((id): Change => ({ kind: 'assets', id, method: 'DELETE' })),
    ],
  );
};

/** What was gone there as long ago as data are kept, requests that are over, and what the tool was told. */
export const forgetTools = async (tx: Tx, { tenantId }: Scope, before: string): Promise<void> => {
  await tx
    .deleteFrom('tool_operations')
    .where('tenant_id', '=', tenantId)
    .where('state', 'in', ['done', 'refused'])
    .where('updated_at', '<', before)
    .execute();
  await tx
    .deleteFrom('asset_requests')
    .where('tenant_id', '=', tenantId)
    .where('state', '!=', 'open')
    .where('updated_at', '<', before)
    .execute();
  await sql`delete from assets a using tool_assets t where a.tenant_id = ${tenantId} and t.tenant_id = a.tenant_id and t.asset_id = a.id
    and t.gone_at < ${before} and not ${inUseHere('a')}`.execute(tx);
};
