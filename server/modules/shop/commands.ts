import type { z } from 'zod';
import type { shops, Storefront } from '@hatchway/contract/shop.ts';
import type { Pickup } from '@hatchway/contract/pickup.ts';
import { pickupCodeOf } from '@hatchway/domain/codes.ts';
import { holdFor } from '@hatchway/domain/payment.ts';
import { total } from '@hatchway/domain/price.ts';
import { shopNameOf } from '@hatchway/domain/shop.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { mustBeSeen, Problem, ruled } from '../../http/problem.ts';
import { limited } from '../../http/rate-limit.ts';
import { newId } from '../../ids.ts';
import { phoneAt } from '../../phone.ts';
import type { Scope } from '../../scope.ts';
import { insertRow } from '../../rows.ts';
import { loadRow } from '../occupations/commands.ts';
import { companyFacts } from '../occupations/context-queries.ts';
import { lockOccupation, toOccupation } from '../occupations/row-queries.ts';
import { beginPayment, cancelUnpaid } from '../payments/commands.ts';
import { findHash } from '../payments/provider-queries.ts';
import { newPurchase, purchaseOf } from '../pickup/purchase-commands.ts';
import { goodsOf, shopOf, shopRow, standingOf, storefrontOf } from './queries.ts';

type BodyOf<P extends string> = z.output<
  Extract<(typeof shops)[number], { path: P; body: z.ZodType }> extends { body: infer B extends z.ZodType } ? B : never
>;

/** Throws `stale`, `name-taken` (another company's shop has it, or had it printed on its walls), `rule` (open without a name). */
export const changeStorefront = async (tx: Tx, deps: Deps, scope: Scope, change: BodyOf<'/storefront'>): Promise<Storefront> => {
  const { tenantId, now } = scope;
  await insertRow(tx, 'shops', scope, newId(), { version: 0 })
    .onConflict((conflict) => conflict.constraint('shops_one').doNothing())
    .execute();
  await tx.selectFrom('shops').select('id').where('tenant_id', '=', tenantId).forUpdate().executeTakeFirstOrThrow();
  const row = await shopRow(tx, tenantId);
  if (!row) throw new Error('the shop that was made is gone');
  mustBeSeen(row, change.version);
  const name = change.name === undefined ? row.ref : shopNameOf(change.name);
  if (change.open && name === null)
    throw new Problem('rule', 'A shop needs a name before it opens', { errors: [{ pointer: '/name', detail: 'missing' }] });
  if (name !== null && name !== row.ref) await takeName(tx, scope, row.id, name);
  await tx
    .updateTable('shops')
    .set((eb) => ({
      ...(change.open === undefined ? {} : { open: change.open }),
      ...(change.hours === undefined ? {} : { hours: jsonb(change.hours) }),
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where('tenant_id', '=', tenantId)
    .execute();
  if (row.open && change.open === false) await cancelBegun(tx, deps, scope);
  await record(tx, scope, [], [{ kind: 'storefront', id: tenantId, method: 'PUT' }]);
  return storefrontOf(tx, deps, tenantId, now);
};

/** What was begun and not approved: nobody pays a shop that is closed. What is paid for is fetched as before. */
const cancelBegun = async (tx: Tx, deps: Deps, scope: Scope): Promise<void> => {
  const begun = await tx
    .selectFrom('payments as p')
    .innerJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'p.tenant_id').onRef('o.id', '=', 'p.occupation_id'))
    .select('p.id')
    .where('p.tenant_id', '=', scope.tenantId)
    .where('p.state', '=', 'initiated')
    .where('p.key_hash', 'is not', null)
    .where('o.type', '=', 'sale')
    .orderBy('p.id')
    .execute();
  for (const { id } of begun) await cancelUnpaid(tx, deps, scope, id, 'closed');
};

/** Names are never given up: what was printed on a wall leads to the same shop for ever. */
const takeName = async (tx: Tx, scope: Scope, id: string, name: string): Promise<void> => {
  const { tenantId, now } = scope;
  const made = await tx
    .insertInto('public_refs')
    .values({ kind: 'shop', ref: name, tenant_id: tenantId, target_id: id, created_at: now })
    .onConflict((conflict) => conflict.columns(['kind', 'ref']).doNothing())
    .returning('ref')
    .executeTakeFirst();
  if (made) return;
  const again = await tx
    .updateTable('public_refs')
    .set({ created_at: now })
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'shop')
    .where('ref', '=', name)
    .returning('ref')
    .executeTakeFirst();
  if (!again) throw new Problem('name-taken', 'Another shop has this name', { errors: [{ pointer: '/name', detail: 'taken' }] });
};

/** So many purchases one address begins in ten minutes: a street of customers behind one network, and no machine. */
const BEGUN = { most: 30, seconds: 600 };
const TRIES = { most: 10, seconds: 3600 };

type Visit = { address: string; now: string };
type Buy = { name: string; id: string } & BodyOf<'/shop/{name}/goods/{id}/buy'>;
/**
 * Begins to buy. Nothing is set aside before the money is reserved, so that nobody blocks goods by not paying; who has paid first gets
 * them. Throws `not-found` (no such shop, or not for sale there), `occupation-transition` (the shop is closed), `stale` (it costs another
 * sum now), and as `beginPayment` does.
 */
export const buy = async (deps: Deps, asked: Buy, { address, now }: Visit): Promise<{ purchase: string; code: string; pickup: Pickup }> => {
  const shop = await shopOf(deps, asked.name);
  const { tenantId } = shop;
  await deps.db.open((tx) => limited(tx, { bucket: `shop-buy:${address}`, ...BEGUN }, now));
  const made = newPurchase(deps, tenantId);
  const paymentId = await deps.db.tenant(tenantId, async (tx) => {
    // Nobody closes it while a purchase is being begun.
    await tx.selectFrom('shops').select('id').where('tenant_id', '=', tenantId).forShare().execute();
    const { state } = await standingOf(tx, deps, tenantId, now);
    if (state === 'not-payable') throw new Problem('not-connected');
    if (state !== 'open') throw new Problem('occupation-transition', 'The shop is closed', { data: { state } });
    if (!(await lockOccupation(tx, tenantId, asked.id))) throw new Problem('not-found');
    const row = await loadRow(tx, tenantId, asked.id);
    const o = toOccupation(row);
    // What bears somebody's name, or is of another kind, is nobody's to know of.
    if (o.type !== 'sale' || o.receiver !== null || o.price === null) throw new Problem('not-found');
    const due = total(o.price, asked.quantity);
    if (due.amount !== asked.amount || due.currency !== asked.currency)
      throw new Problem('stale', 'It costs another sum now', { data: { ...due } });
    if (row.out_of_service !== null) throw new Problem('out-of-service');
    if (row.connection === 'offline') throw new Problem('cabinet-offline');
    // Until staff have opened that door, nobody pays for what lies behind it.
    if ((await goodsOf(tx, tenantId, asked.id)).length === 0 && holdFor(o, asked.quantity).ok) throw new Problem('locker-in-doubt');
    const country = (await companyFacts(tx, tenantId)).country;
    if (!asked.tlf && !asked.email) throw ruled('A number or an address is needed, to tell them of it', '/tlf');
    const tlf = asked.tlf ? phoneAt(asked.tlf, country, '/tlf', 'sms') : null;
    const scope: Scope = { tenantId, now, actor: { kind: 'person', id: null, name: 'Customer' } };
    const key = { ...made.key, find: tlf === null ? null : findHash(deps, tenantId, tlf, made.code) };
    const payer = { ...(tlf === null ? {} : { tlf }), ...(asked.email ? { email: asked.email } : {}) };
    return beginPayment(tx, deps, scope, { row, o, provider: 'vipps', quantity: asked.quantity, payer, key });
  });
  return { code: made.code, ...(await purchaseOf(deps, { tenantId, occupationId: asked.id, paymentId, purchase: made.purchase })) };
};

/** Throws `not-found` (no such shop), `wrong-code` with what is left of the tries, `too-many-codes`. */
export const findPurchase = async (
  deps: Deps,
  { name, tlf: typed, code }: { name: string } & BodyOf<'/shop/{name}/find'>,
  { address, now }: Visit,
): Promise<{ purchase: string }> => {
  const { tenantId } = await shopOf(deps, name);
  const triesLeft = await deps.db.open((tx) => limited(tx, { bucket: `shop-find:${address}`, ...TRIES }, now, 'too-many-codes'));
  const found = await deps.db.tenant(tenantId, async (tx) => {
    const number = phoneAt(typed, (await companyFacts(tx, tenantId)).country, '/tlf', 'sms');
    await limited(tx, { bucket: `shop-find:${tenantId}:${number}`, most: 3 * TRIES.most, seconds: TRIES.seconds }, now, 'too-many-codes');
    const digits = pickupCodeOf(code);
    if (digits === null) return undefined;
    return tx
      .selectFrom('payments')
      .select('key_sealed')
      .where('tenant_id', '=', tenantId)
      .where('find_hash', '=', findHash(deps, tenantId, number, digits))
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
  });
  const purchase = found?.key_sealed ? deps.seal.open(found.key_sealed) : null;
  if (purchase === null) throw new Problem('wrong-code', undefined, { data: { triesLeft } });
  return { purchase };
};
