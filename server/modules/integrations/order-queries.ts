import { sql } from 'kysely';
import type { ListQuery } from '@hatchway/contract/list.ts';
import { ENDED_ORDERS } from '@hatchway/domain/shop-order.ts';
import type { Tx } from '../../db/database.ts';
import { page, type ListSpec } from '../../http/list.ts';

const LIST: ListSpec = {
  fields: { id: sql.ref('o.ref'), number: sql.ref('o.number'), status: sql.ref('o.status') },
  sorts: { createdAt: { column: sql.ref('o.ordered_at'), type: 'timestamptz' } },
  id: sql.ref('o.id'),
};

/** Open orders as the shop last told them, with how fresh that is: also while the shop is away. */
export const listOrders = (tx: Tx, tenantId: string, query: ListQuery) => {
  const rows = tx
    .selectFrom('shop_orders as o')
    .innerJoin('integrations as i', (join) => join.onRef('i.tenant_id', '=', 'o.tenant_id').onRef('i.id', '=', 'o.integration_id'))
    .where('o.tenant_id', '=', tenantId)
    .where('o.status', 'not in', [...ENDED_ORDERS])
    .select(['o.id', 'o.ref', 'o.number', 'o.status', 'o.name', 'o.tlf', 'o.email', 'o.lines', 'o.ordered_at', 'o.modified_at'])
    .select(sql<string>`greatest(i.last_sync_at, o.updated_at)`.as('as_of'));
  const spec: ListSpec = { ...LIST, text: (words) => sql`o.words @@ words_wanted(${tenantId}, ${words})` };
  return page(tx, rows, spec, query, tenantId, (row) => ({
    id: row.ref,
    number: row.number,
    status: row.status,
    customer: { name: row.name, tlf: row.tlf, email: row.email },
    lines: row.lines,
    createdAt: row.ordered_at,
    modifiedAt: row.modified_at,
    asOf: row.as_of,
  }));
};
