import { sql } from 'kysely';
import type { AssetImport, ImportedRow } from '@hatchway/contract/assets.ts';
import { identifiersIn } from '@hatchway/contract/csv.ts';
import { identifierForm } from '@hatchway/domain/identifier.ts';
import { TryAgain, type Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record, type Change } from '../../events/record.ts';
import { malformedAt, Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { identifierKey, inOrder, rowOf } from './identifiers.ts';
import { plan, type Content, type KnownAsset, type Lookups, type Planned } from './import-plan.ts';
import { readTable, type Table } from './import-table.ts';
import { defaultLabel } from './status-label-queries.ts';

const AT_ONCE = 500;
const TOLD = 100;
/** A call lasts two minutes at most, and its own work comes after the wait. */
const TURN_MS = 60_000;
/** A unique value stands there already. */
const TAKEN = '23505';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const inChunks = async <T>(rows: readonly T[], each: (chunk: readonly T[]) => Promise<unknown>): Promise<void> => {
  for (let at = 0; at < rows.length; at += AT_ONCE) await each(rows.slice(at, at + AT_ONCE));
};

/** Every cell that may name an asset, whatever column it stands in: looked up at once, and matched by the plan. */
const wordsOf = ({ columns, lines }: Table, fits: (as: string) => boolean): string[] => [
  ...new Set(
    columns.flatMap(({ as }, at) =>
      as !== null && fits(as)
        ? lines.flatMap(({ cells }) => {
            const cell = cells[at] ?? '';
            return as === 'identifiers' ? identifiersIn(cell).map(({ value }) => value) : [cell];
          })
        : [],
    ),
  ),
];

const lookUp = async (tx: Tx, scope: Scope, table: Table, locking: boolean): Promise<Lookups> => {
  const { tenantId } = scope;
  const standard = await defaultLabel(tx, scope.tenantId);
  const carried = await tx
    .selectFrom('asset_identifiers')
    .select(['kind', 'value', 'asset_id'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`form = any(${wordsOf(table, (as) => as.startsWith('identifier')).map(identifierForm)})`)
    .execute();
  const external = await tx
    .selectFrom('assets')
    .select(['id', 'external_id'])
    .where('tenant_id', '=', tenantId)
    .where('source', '=', 'local')
    .where(sql<boolean>`external_id = any(${wordsOf(table, (as) => as === 'externalId')})`)
    .execute();
  const ids = new Set([
    ...wordsOf(table, (as) => as === 'id')
      .filter((id) => UUID.test(id))
      .map((id) => id.toLowerCase()),
    ...carried.map((row) => row.asset_id),
    ...external.map((row) => row.id),
  ]);
  let rows = tx
    .selectFrom('assets as a')
    .select(['a.id', 'a.name', 'a.source', 'a.external_id', 'a.identifiers', 'a.status_label_id', 'a.data'])
    .select(
      sql<string[]>`array(select m.asset_group_id from asset_group_members m where m.tenant_id = a.tenant_id and m.asset_id = a.id
        order by m.asset_group_id)`.as('group_ids'),
    )
    .where('a.tenant_id', '=', tenantId)
    .where(sql<boolean>`a.id = any(${[...ids]}::uuid[])`)
    .orderBy('a.id');
  if (locking) rows = rows.forUpdate();
  const assets = (await rows.execute()).map((row): [string, KnownAsset] => [
    row.id,
    {
      id: row.id,
      isOurs: row.source === 'local',
      name: row.name,
      externalId: row.external_id,
      identifiers: row.identifiers,
      labelId: row.status_label_id,
      groupIds: row.group_ids,
      data: row.data,
    },
  ]);
  const named = async (from: 'status_labels' | 'asset_groups'): Promise<Map<string, string>> => {
    const found = await tx.selectFrom(from).select(['id', 'name']).where('tenant_id', '=', tenantId).forKeyShare().execute();
    return new Map(
      found.flatMap(({ id, name }): [string, string][] => [
        [id, id],
        [name.toLowerCase(), id],
      ]),
    );
  };
  return {
    assets: new Map(assets),
    byExternalId: new Map(external.map((row) => [row.external_id ?? '', row.id])),
    byIdentifier: new Map(carried.map((row) => [identifierKey(row), row.asset_id])),
    labels: await named('status_labels'),
    groups: await named('asset_groups'),
    defaultLabel: standard,
  };
};

type Kept = { id: string; content: Content };

const insert = (tx: Tx, { tenantId, now }: Scope, rows: readonly Kept[]) =>
  tx
    .insertInto('assets')
    .values(
      rows.map(({ id, content }) => ({
        tenant_id: tenantId,
        id,
        name: content.name,
        data: jsonb(content.data),
        identifiers: jsonb(content.identifiers),
        status_label_id: content.labelId,
        external_id: content.externalId,
        created_at: now,
        updated_at: now,
      })),
    )
    .execute();

const update = (tx: Tx, { tenantId, now }: Scope, rows: readonly Kept[]) => {
  const given = JSON.stringify(
    rows.map(({ id, content }) => ({
      id,
      name: content.name,
      data: content.data,
      identifiers: content.identifiers,
      label: content.labelId,
      external: content.externalId,
    })),
  );
  return sql`update assets a set name = x.name, data = x.data, identifiers = x.identifiers, status_label_id = x.label,
      external_id = x.external, version = a.version + 1, updated_at = ${now}
    from jsonb_to_recordset(${given}::jsonb) as x(id uuid, name text, data jsonb, identifiers jsonb, label uuid, external text)
    where a.tenant_id = ${tenantId} and a.id = x.id`.execute(tx);
};

/** Identifiers and groups of rows whose old ones were taken away. */
const tie = async (tx: Tx, { tenantId, now }: Scope, rows: readonly Kept[]): Promise<void> => {
  const carried = rows.flatMap(({ id, content }) =>
    content.identifiers.map((one) => ({ tenant_id: tenantId, asset_id: id, ...rowOf(one) })),
  );
  await inChunks(inOrder(carried), (chunk) =>
    tx
      .insertInto('asset_identifiers')
      .values([...chunk])
      .execute(),
  );
  const joined = rows.flatMap(({ id, content }) =>
    content.groupIds.map((group) => ({ tenant_id: tenantId, asset_group_id: group, asset_id: id, created_at: now })),
  );
  await inChunks(joined, (chunk) =>
    tx
      .insertInto('asset_group_members')
      .values([...chunk])
      .execute(),
  );
};

const write = async (tx: Tx, scope: Scope, planned: readonly Planned[]): Promise<Map<Planned, string>> => {
  const made = planned.filter((row) => row.fate === 'made').map((row) => ({ row, id: newId() }));
  const keep = (row: Planned, id: string): Kept[] => (row.content ? [{ id, content: row.content }] : []);
  const fresh = made.flatMap(({ row, id }) => keep(row, id));
  const changed = planned.filter((row) => row.fate === 'changed').flatMap((row) => keep(row, row.assetId ?? ''));
  await inChunks(fresh, (chunk) => insert(tx, scope, chunk));
  await inChunks(changed, (chunk) => update(tx, scope, chunk));
  const ids = changed.map(({ id }) => id);
  for (const table of ['asset_identifiers', 'asset_group_members'] as const)
    await tx
      .deleteFrom(table)
      .where('tenant_id', '=', scope.tenantId)
      .where(sql<boolean>`asset_id = any(${ids}::uuid[])`)
      .execute();
  await tie(tx, scope, [...fresh, ...changed]);
  const told = (method: Change['method'], rows: readonly Kept[]) => rows.map(({ id }): Change => ({ kind: 'assets', id, method }));
  await record(tx, scope, [], [...told('POST', fresh), ...told('PUT', changed)]);
  return new Map(made.map(({ row, id }) => [row, id]));
};

/**
 * One file of a company at a time. Whoever comes second would wait inside its first insert, for as long as one statement may last, and
 * with a connection in its hand; a file may take longer than that on a busy machine.
 */
const takeTurn = async (tx: Tx, tenantId: string): Promise<void> => {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${tenantId} import`}, 0)) as got`.execute(tx);
  if (!rows[0]?.got) throw new TryAgain(new Problem('unavailable', 'Another file is being imported', { retryAfter: 5 }), TURN_MS);
};

/** Between the plan and here somebody else wrote one of the same: what is planned anew on theirs knows it, and says of which row. */
const planAnew = (error: unknown): never => {
  throw error instanceof Error && 'code' in error && error.code === TAKEN ? new TryAgain(error) : error;
};

const wireOf = ({ content: _content, ...row }: Planned): ImportedRow => row;

/**
 * All or nothing: throws `import-refused` with the first refused rows where any is. A dry run says the same of every row and changes
 * nothing. Throws `rule` for a file that cannot be read at all.
 */
export const importAssets = async (tx: Tx, scope: Scope, file: Uint8Array | string | null, dryRun: boolean): Promise<AssetImport> => {
  if (file === null) throw malformedAt('/file', 'is missing');
  if (!dryRun) await takeTurn(tx, scope.tenantId);
  const table = await readTable(file);
  const planned = plan(table, await lookUp(tx, scope, table, !dryRun));
  const count = (fate: ImportedRow['fate']): number => planned.filter((row) => row.fate === fate).length;
  const refused = planned.filter((row) => row.fate === 'refused');
  if (refused.length > 0 && !dryRun)
    throw new Problem('import-refused', `${refused.length} of ${planned.length} rows are refused, the first in line ${refused[0]?.line}`, {
      data: { refused: refused.length, rows: refused.slice(0, TOLD).map(wireOf) },
    });
  const ids = dryRun ? new Map<Planned, string>() : await write(tx, scope, planned).catch(planAnew);
  return {
    dryRun,
    columns: table.columns,
    made: count('made'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    refused: refused.length,
    rows: planned.map((row) => ({ ...wireOf(row), assetId: ids.get(row) ?? row.assetId })),
  };
};
