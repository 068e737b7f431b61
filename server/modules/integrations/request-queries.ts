import { sql } from 'kysely';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Tx } from '../../db/database.ts';
import { page, type ListSpec } from '../../http/list.ts';

const LIST: ListSpec = {
  fields: { id: sql.ref('r.id'), number: sql.ref('r.ref') },
  sorts: { createdAt: { column: sql.ref('r.created_at'), type: 'timestamptz' } },
  id: sql.ref('r.id'),
};

/** Open requests as the tool last told them, with how fresh that is: also while the tool is away. */
export const listRequests = (tx: Tx, tenantId: string, query: ListQuery) => {
  const rows = tx
    .selectFrom('asset_requests as r')
    .innerJoin('integrations as i', (join) => join.onRef('i.tenant_id', '=', 'r.tenant_id').onRef('i.id', '=', 'r.integration_id'))
    .leftJoin('tool_assets as t', (join) =>
      join
        .onRef('t.tenant_id', '=', 'r.tenant_id')
        .onRef('t.integration_id', '=', 'r.integration_id')
        .onRef('t.ref', '=', 'r.asset_ref')
        .on('t.gone_at', 'is', null),
    )
    .leftJoin('assets as a', (join) => join.onRef('a.tenant_id', '=', 't.tenant_id').onRef('a.id', '=', 't.asset_id'))
    .where('r.tenant_id', '=', tenantId)
    .where('r.state', '=', 'open')
    .select([
      'r.id',
      'r.ref',
      'r.what',
      'r.name',
      'r.tlf',
      'r.email',
      'r.until',
      'r.created_at',
      'a.id as asset_id',
      'a.name as asset_name',
    ])
    .select(sql<string>`greatest(i.last_sync_at, r.seen_at)`.as('as_of'));
  const spec: ListSpec = { ...LIST, text: (words) => sql`r.words @@ (select words_wanted(${tenantId}, ${words}))` };
  return page(tx, rows, spec, query, tenantId, (row) => ({
    id: row.id,
    number: row.ref,
    what: row.what,
    asset: row.asset_id === null || row.asset_name === null ? null : { id: row.asset_id, name: row.asset_name },
    person: { name: row.name, tlf: row.tlf, email: row.email },
    until: row.until,
    createdAt: row.created_at,
    asOf: row.as_of,
  }));
};
