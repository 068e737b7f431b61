import { sql, type SqlBool } from 'kysely';
import { isCalledOff } from '@hatchway/domain/shop-order.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { recordRows } from '../../events/record.ts';
import { newId } from '../../ids.ts';
import { phoneNumber } from '../../phone.ts';
import type { ShopOrder } from '../../providers/woo.ts';
import type { Scope } from '../../scope.ts';
import { activeNow } from '../../stages.ts';
import { alertStaff } from '../messages/alert-commands.ts';
import { orderCalledOff } from './order-queries.ts';

/**
 * Writes down orders as the shop told them. The newest change holds, in whatever order they come. A shop tells time by the second: of two
 * changes within one, what was `read` just now holds, and of what was `told` nobody knows which came first. Says whether that was so.
 */
export const hearOrders = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  integrationId: string,
  orders: readonly ShopOrder[],
  how: 'told' | 'read',
): Promise<boolean> => {
  const { tenantId, now } = scope;
  const { country } = await tx.selectFrom('companies').select('country').where('id', '=', tenantId).executeTakeFirstOrThrow();
  let isTied = false;
  const changed: string[] = [];
  for (const order of orders) {
    const said = {
      number: order.number,
      status: order.status,
      name: order.name,
      tlf: phoneNumber(order.phone, country)?.number ?? null,
      email: order.email || null,
      lines: jsonb(order.lines),
      ordered_at: order.orderedAt,
      modified_at: order.modifiedAt,
      updated_at: now,
    };
    const written = await tx
      .insertInto('shop_orders')
      .values({ tenant_id: tenantId, id: newId(), integration_id: integrationId, ref: order.ref, ...said, created_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'integration_id', 'ref'])
          .doUpdateSet(said)
          .where((eb) => eb('shop_orders.modified_at', how === 'read' ? '<=' : '<', eb.ref('excluded.modified_at'))),
      )
      .returning('id')
      .executeTakeFirst();
    if (written) changed.push(order.number);
    isTied ||= !written && (await differsNow(tx, tenantId, integrationId, order));
  }
  await tellOfOrders(tx, deps, scope, changed);
  return isTied;
};

/** Changed in the same second as what is known, and not the same. */
const differsNow = async (tx: Tx, tenantId: string, integrationId: string, order: ShopOrder): Promise<boolean> => {
  const known = await tx
    .selectFrom('shop_orders')
    .select(['status', 'modified_at'])
    .where('tenant_id', '=', tenantId)
    .where('integration_id', '=', integrationId)
    .where('ref', '=', order.ref)
    .executeTakeFirst();
  return known !== undefined && known.status !== order.status && Date.parse(known.modified_at) === Date.parse(order.modifiedAt);
};

/** Of a deleted order the shop says nothing but which: anything that it says of it later, with a time, holds over this. */
export const hearDeleted = async (tx: Tx, deps: Deps, scope: Scope, integrationId: string, ref: string): Promise<void> => {
  const { tenantId, now } = scope;
  const known = await tx
    .updateTable('shop_orders')
    .set({ status: 'trash', updated_at: now })
    .where('tenant_id', '=', tenantId)
    .where('integration_id', '=', integrationId)
    .where('ref', '=', ref)
    .returning('number')
    .executeTakeFirst();
  if (known) await tellOfOrders(tx, deps, scope, [known.number]);
};

/**
 * How these orders stand now is shown with what runs for them. Staff hear once of each parcel that lies in a locker for one that the shop
 * called off: nobody is to have it.
 */
export const tellOfOrders = async (tx: Tx, deps: Deps, scope: Scope, numbers: readonly string[]): Promise<void> => {
  if (numbers.length === 0) return;
  const uses = await tx
    .selectFrom('occupations as o')
    .select(['o.id', 'o.stage', orderCalledOff.as('called_off')])
    .where('o.tenant_id', '=', scope.tenantId)
    .where(activeNow)
    .where(sql<SqlBool>`o.order_ref = any(${[...new Set(numbers)]})`)
    .execute();
  await recordRows(tx, scope, 'occupations', 'PUT', uses);
  const lie = uses.filter(({ stage, called_off: isOff }) => isOff && stage >= STAGES.FILLED && stage < STAGES.VACANT);
  for (const { id } of lie)
    await alertStaff(tx, deps, scope, { event: 'order-cancelled', cause: `staff-order-cancelled:${id}`, occupationId: id });
};

/** Of one that was called off before its parcel was put in the shop says no more: whoever puts it in asks. A word of the shop's waits meanwhile. */
export const tellIfCalledOff = async (tx: Tx, deps: Deps, scope: Scope, number: string): Promise<void> => {
  const known = await tx
    .selectFrom('shop_orders')
    .select('status')
    .where('tenant_id', '=', scope.tenantId)
    .where('number', '=', number)
    .orderBy('ordered_at', 'desc')
    .limit(1)
    .forShare()
    .executeTakeFirst();
  if (known && isCalledOff(known.status)) await tellOfOrders(tx, deps, scope, [number]);
};

/** Who ordered what is kept as long as who was handed what. */
export const forgetOrders = (deps: Deps, { tenantId }: Scope, before: string): Promise<unknown> =>
  deps.db.tenant(tenantId, (tx) =>
    tx.deleteFrom('shop_orders').where('tenant_id', '=', tenantId).where('modified_at', '<', before).execute(),
  );
