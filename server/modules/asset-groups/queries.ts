import { sql } from 'kysely';
import type { AssetGroup } from '@hatchway/contract/asset-groups.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Tx } from '../../db/database.ts';
import { page, wordsIn, type ListSpec } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';

const groupRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('asset_groups as g')
    .where('g.tenant_id', '=', tenantId)
    .select([
      'g.id',
      'g.tenant_id',
      'g.name',
      'g.description',
      'g.version',
      'g.created_at',
      'g.updated_at',
      sql<number>`(select count(*)::int from asset_group_members m where m.tenant_id = g.tenant_id and m.asset_group_id = g.id)`.as(
        'count',
      ),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof groupRows>['executeTakeFirstOrThrow']>>;

const toGroup = (row: Row): AssetGroup => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  description: row.description,
  count: row.count,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const listOf = (tenantId: string): ListSpec => ({
  fields: { id: sql.ref('g.id'), name: sql.ref('g.name') },
  sorts: { createdAt: { column: sql.ref('g.created_at'), type: 'timestamptz' }, name: { column: sql`lower(g.name)`, type: 'text' } },
  id: sql.ref('g.id'),
  text: wordsIn(tenantId, sql`g.name || ' ' || g.description`),
});

export const listAssetGroups = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(tx, groupRows(tx, tenantId), listOf(tenantId), query, tenantId, toGroup);

export const oneAssetGroup = async (tx: Tx, tenantId: string, id: string): Promise<AssetGroup> =>
  toGroup(await groupRows(tx, tenantId).where('g.id', '=', id).executeTakeFirstOrThrow(absent));
