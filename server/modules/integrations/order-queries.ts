import { sql } from 'kysely';
import type { z } from 'zod';
import type { order } from '@hatchway/contract/integrations.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import { CALLED_OFF, ENDED_ORDERS } from '@hatchway/domain/shop-order.ts';
import type { Tx } from '../../db/database.ts';
import { page, type ListSpec } from '../../http/list.ts';
import { activeNow } from '../../stages.ts';

const LIST: ListSpec = {
  fields: { id: sql.ref('o.ref'), number: sql.ref('o.number'), status: sql.ref('o.status') },
  sorts: { createdAt: { column: sql.ref('o.ordered_at'), type: 'timestamptz' } },
  id: sql.ref('o.id'),
};

const rowsOf = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('shop_orders as o')
    .leftJoin('integrations as i', (join) => join.onRef('i.tenant_id', '=', 'o.tenant_id').onRef('i.id', '=', 'o.integration_id'))
    .where('o.tenant_id', '=', tenantId)
    .select(['o.id', 'o.ref', 'o.number', 'o.shop', 'o.status', 'o.name', 'o.tlf', 'o.email', 'o.lines', 'o.ordered_at', 'o.modified_at'])
    .select(sql<string>`greatest(i.last_sync_at, o.updated_at)`.as('as_of'));
type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>;
const toOrder = (row: Row): z.output<typeof order> => ({
  id: row.ref,
  number: row.number,
  shop: row.shop,
  status: row.status,
  customer: { name: row.name, tlf: row.tlf, email: row.email },
  lines: row.lines,
  createdAt: row.ordered_at,
  modifiedAt: row.modified_at,
  asOf: row.as_of,
});

/** Open orders as the shop last told them, with how fresh that is: also while the shop is away. */
export const listOrders = (tx: Tx, tenantId: string, query: ListQuery) => {
  const spec: ListSpec = { ...LIST, text: (words) => sql`o.words @@ (select words_wanted(${tenantId}, ${words}))` };
  return page(tx, rowsOf(tx, tenantId).where('o.status', 'not in', [...ENDED_ORDERS]), spec, query, tenantId, toOrder);
};

/** One that was posted, however it stands. */
export const oneOrder = async (tx: Tx, tenantId: string, number: string): Promise<z.output<typeof order> | undefined> => {
  const row = await rowsOf(tx, tenantId).where('o.integration_id', 'is', null).where('o.ref', '=', number).executeTakeFirst();
  return row && toOrder(row);
};

/** Of an occupation `o` that runs: its order, the newest of that number, is called off by what its shop told last. Any word of a later order of the same number holds over it. */
export const orderCalledOff = sql<boolean>`coalesce(case when o.order_ref is not null and ${activeNow} then (
  select q.status in (${sql.join(CALLED_OFF.map((status) => sql.lit(status)))}) from shop_orders q
  where q.tenant_id = o.tenant_id and q.number = o.order_ref order by q.ordered_at desc limit 1) end, false)`;

type Shop = { shop: string | null; asOf: string | null };
/** The connected shop, once it was seen to work, and each that posted an order that is still known. */
export const orderShops = async (tx: Tx, tenantId: string): Promise<Shop[]> => {
  const connected = await tx
    .selectFrom('integrations')
    .select('last_sync_at')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'woo')
    .where('state', 'in', ['active', 'failing'])
    .execute();
  const posting = await tx
    .selectFrom('shop_orders')
    .select((eb) => ['shop', eb.fn.max('updated_at').as('as_of')])
    .where('tenant_id', '=', tenantId)
    .where('integration_id', 'is', null)
    .groupBy('shop')
    .orderBy('shop')
    .limit(100)
    .execute();
  return [
    ...connected.map(({ last_sync_at: asOf }) => ({ shop: null, asOf })),
    ...posting.map(({ shop, as_of: asOf }) => ({ shop, asOf })),
  ];
};
