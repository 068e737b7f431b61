import { identifierForm } from '@hatchway/domain/identifier.ts';
import { sql, type SqlBool } from 'kysely';
import type { Asset } from '@hatchway/contract/assets.ts';
import type { ToolSide } from '@hatchway/contract/asset-tool.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import { maySeeLoan, type Facts } from '@hatchway/domain/access.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import { OCCUPATION_TYPES, STAGES, type OccupationType } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { having, page, type ListSpec } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';
import { pictureOf } from '../pictures.ts';

const groupIds = sql<string[]>`array(select m.asset_group_id from asset_group_members m
  where m.tenant_id = a.tenant_id and m.asset_id = a.id order by m.asset_group_id)`;

/** What its tool says of it, and was told last. */
const toolSaid = sql<ToolSide | null>`(case when t.asset_id is null then null else jsonb_build_object(
  'kind', i.kind, 'url', t.url, 'state', t.state, 'condition', t.condition, 'holder', t.holder, 'until', t.until,
  'gone', t.gone_at is not null, 'asOf', to_char(greatest(i.last_sync_at, t.seen_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'told', (select jsonb_build_object('kind', q.kind, 'error', q.error,
      'state', case when q.state in ('done', 'refused') then q.state else 'waiting' end)
    from tool_operations q where q.tenant_id = t.tenant_id and q.asset_id = t.asset_id order by q.id desc limit 1)) end)`;

const assetRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('assets as a')
    // One at most: `loans_asset_out_once`.
    .leftJoin('loans as n', (join) =>
      join.onRef('n.tenant_id', '=', 'a.tenant_id').onRef('n.asset_id', '=', 'a.id').on('n.returned_at', 'is', null),
    )
    .leftJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'n.tenant_id').onRef('o.id', '=', 'n.occupation_id'))
    .leftJoin('tool_assets as t', (join) => join.onRef('t.tenant_id', '=', 'a.tenant_id').onRef('t.asset_id', '=', 'a.id'))
    .leftJoin('integrations as i', (join) => join.onRef('i.tenant_id', '=', 't.tenant_id').onRef('i.id', '=', 't.integration_id'))
    .where('a.tenant_id', '=', tenantId)
    .select([
      'a.id',
      'a.tenant_id',
      'a.name',
      'a.data',
      'a.identifiers',
      'a.status_label_id',
      'a.source',
      'a.external_id',
      'a.image_file_id',
      'a.version',
      'a.created_at',
      'a.updated_at',
      'n.id as loan_id',
      'n.occupation_id',
      'n.borrower_name',
      'n.due_at',
      'o.locker_id',
      groupIds.as('group_ids'),
      toolSaid.as('tool'),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof assetRows>['executeTakeFirstOrThrow']>>;

/** To whoever may not see its loan it is out until then, and nobody is named. */
export const unheld = (asset: Asset): Asset => ({ ...asset, holder: null, tool: asset.tool && { ...asset.tool, holder: null } });

const toAsset =
  (facts: Facts) =>
  (row: Row): Asset =>
    maySeeLoan(row.locker_id, facts) ? whole(row) : unheld(whole(row));

const whole = (row: Row): Asset => ({
  _id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  data: row.data,
  hasImage: row.image_file_id !== null,
  identifiers: row.identifiers,
  assetGroupIds: row.group_ids,
  statusLabelId: row.status_label_id,
  source: row.source,
  externalId: row.external_id,
  tool: row.tool,
  holder: row.loan_id && row.occupation_id ? { name: row.borrower_name ?? '', loanId: row.loan_id, occupationId: row.occupation_id } : null,
  dueAt: row.due_at,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** A scanned identifier, of whatever kind it is and however it was written. */
const carries = having(
  sql.ref('a.id'),
  'identifier',
  sql<SqlBool>`(a.identifiers = '[]')`,
  (values) =>
    sql`(select i.asset_id from asset_identifiers i where i.tenant_id = current_tenant() and i.form = any(${values.map((value) => identifierForm(String(value)))}))`,
);
const isIn = having(
  sql.ref('a.id'),
  'assetGroupIds',
  sql<SqlBool>`(not exists (select from asset_group_members m where m.tenant_id = a.tenant_id and m.asset_id = a.id))`,
  (values) =>
    sql`(select m.asset_id from asset_group_members m where m.tenant_id = current_tenant() and m.asset_group_id = any(${values}::uuid[]))`,
);

/** Whoever may register it here would be told at the end: that it is in use, without by what. */
const inUse = (types: readonly OccupationType[]) =>
  sql<SqlBool>`(exists (select from occupations u where u.tenant_id = a.tenant_id and u.asset_id = a.id
    and u.stage < ${STAGES.TERMINATED} and u.type = any(${types})))`;

const LIST: ListSpec = {
  fields: {
    _id: sql.ref('a.id'),
    name: sql.ref('a.name'),
    source: sql.ref('a.source'),
    statusLabelId: sql.ref('a.status_label_id'),
    identifier: carries,
    externalId: sql.ref('a.external_id'),
    assetGroupIds: isIn,
    lent: sql`(n.id is not null)`,
    out: sql`(n.id is not null or coalesce(t.state = 'out', false))`,
    inUse: inUse(OCCUPATION_TYPES),
    inUseAlone: inUse(OCCUPATION_TYPES.filter((type) => !isStock(type))),
    dueAt: sql.ref('n.due_at'),
  },
  sorts: {
    createdAt: { column: sql.ref('a.created_at'), type: 'timestamptz' },
    name: { column: sql.ref('a.sort_name'), type: 'text' },
    dueAt: { column: sql`coalesce(n.due_at, '9999-12-31T00:00:00Z'::timestamptz)`, type: 'timestamptz' },
  },
  id: sql.ref('a.id'),
  text: (words) => sql<SqlBool>`a.id in (select search_assets(${words}))`,
};

/** Its tool has not called it gone. Asked of `t.gone_at` the planner takes nearly all assets for gone where there are no tools, and sorts them all. */
const isThere = sql<SqlBool>`not exists (select from tool_assets g where g.tenant_id = a.tenant_id and g.asset_id = a.id and g.gone_at is not null)`;

export const listAssets = (tx: Tx, tenantId: string, facts: Facts, query: ListQuery) =>
  page(tx, assetRows(tx, tenantId).where(isThere), LIST, query, tenantId, toAsset(facts));

const byId = (tx: Tx, tenantId: string, id: string): Promise<Row> =>
  assetRows(tx, tenantId).where('a.id', '=', id).executeTakeFirstOrThrow(absent);
export const oneAsset = async (tx: Tx, tenantId: string, facts: Facts, id: string): Promise<Asset> =>
  toAsset(facts)(await byId(tx, tenantId, id));

/** For whoever has just written it: they see every loan. */
export const writtenAsset = async (tx: Tx, tenantId: string, id: string): Promise<Asset> => whole(await byId(tx, tenantId, id));

/** Whole, each with who may see its loan. */
export const assetsByIds = async (
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ asset: Asset; seesLoan: (facts: Facts) => boolean }[]> =>
  (
    await assetRows(tx, tenantId)
      .where(sql<SqlBool>`a.id = any(${ids})`)
      .execute()
  ).map((row) => ({ asset: whole(row), seesLoan: (facts) => maySeeLoan(row.locker_id, facts) }));

/** Throws `not-found` also for an asset without a picture. */
export const assetImage = async (tx: Tx, tenantId: string, id: string, width: number): Promise<{ bytes: Buffer; etag: string }> => {
  const row = await tx
    .selectFrom('assets')
    .select('image_file_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  const found = row?.image_file_id ? await pictureOf(tx, tenantId, row.image_file_id, width) : undefined;
  if (!found) throw absent();
  return found;
};
