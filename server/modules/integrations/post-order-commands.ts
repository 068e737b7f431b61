import type { OutputOf } from '@hatchway/contract/route.ts';
import type { order, postedOrder } from '@hatchway/contract/integrations.ts';
import { postedNumber } from '@hatchway/domain/shop-order.ts';
import type { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { ruled } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import { phoneAt } from '../../phone.ts';
import type { Scope } from '../../scope.ts';
import { tellOfOrders } from './order-commands.ts';
import { oneOrder } from './order-queries.ts';

/**
 * How an order of an outside shop stands now; told again it is the same order. The newest change holds, in whatever order they come, and
 * what is not given stays. A time that lies ahead counts as now, or it would hold against all that follows. Throws `rule`.
 */
export const postOrder = async (tx: Tx, deps: Deps, scope: Scope, told: z.output<typeof postedOrder>): Promise<OutputOf<typeof order>> => {
  const { tenantId, now } = scope;
  const number = postedNumber(told.shop, told.number);
  const modifiedAt = told.modifiedAt !== undefined && told.modifiedAt < now ? told.modifiedAt : now;
  const { country } = await tx.selectFrom('companies').select('country').where('id', '=', tenantId).executeTakeFirstOrThrow();
  const { customer, lines, status } = told;
  const said = {
    ...(customer === undefined
      ? {}
      : {
          name: customer.name,
          tlf: customer.tlf ? phoneAt(customer.tlf, country, '/customer/tlf', 'call') : null,
          email: customer.email ?? null,
        }),
    ...(lines === undefined ? {} : { lines: jsonb(lines) }),
    ...(status === undefined ? {} : { status }),
    ...(told.orderedAt === undefined ? {} : { ordered_at: told.orderedAt }),
    modified_at: modifiedAt,
    updated_at: now,
  };
  const changed = await tx
    .updateTable('shop_orders')
    .set(said)
    .where('tenant_id', '=', tenantId)
    .where('integration_id', 'is', null)
    .where('ref', '=', number)
    .where('modified_at', '<=', modifiedAt)
    .returning('status')
    .executeTakeFirst();
  const known = changed ? undefined : await oneOrder(tx, tenantId, number);
  if (known) return known;
  if (!changed) {
    if (customer === undefined) throw ruled('a new order needs its customer', '/customer');
    const fresh = { status: 'open', ordered_at: modifiedAt, ...said, name: customer.name, created_at: now };
    const made = await tx
      .insertInto('shop_orders')
      .values({ tenant_id: tenantId, id: newId(), integration_id: null, shop: told.shop, ref: number, number, ...fresh })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'ref']).where('integration_id', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst();
    // Told twice at once: the other one is there now, and is asked which change is the newer.
    if (!made) return postOrder(tx, deps, scope, told);
  }
  if (status !== undefined) await tellOfOrders(tx, deps, scope, [number]);
  const seen = await oneOrder(tx, tenantId, number);
  if (!seen) throw new Error('the order that was written is gone');
  return seen;
};
