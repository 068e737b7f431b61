import type { z } from 'zod';
import type { offers } from '@hatchway/contract/offers.ts';
import type { Pickup } from '@hatchway/contract/pickup.ts';
import { paymentOfOne } from '@hatchway/domain/payment.ts';
import { isPriced, total } from '@hatchway/domain/price.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf, type Caller } from '../../http/caller.ts';
import { absent, Problem } from '../../http/problem.ts';
import { limited } from '../../http/rate-limit.ts';
import type { Again } from '../../http/serve.ts';
import { phoneAt } from '../../phone.ts';
import { failsNow } from '../lockers/queries.ts';
import { apply, loadRow, problemOfRefusal } from '../occupations/commands.ts';
import { takersFacts } from '../occupations/person-queries.ts';
import { lockOccupation, toOccupation, type OccupationRow } from '../occupations/row-queries.ts';
import { beginPayment } from '../payments/commands.ts';
import { mineOf, ownPayment, policiesOf, refusalToTake, themselves, throwIfSuspended } from './offer-queries.ts';
import { newPurchase, purchaseOf } from './purchase-commands.ts';

type BodyOf<P extends string> = z.output<
  Extract<(typeof offers)[number], { path: P; body: z.ZodType }> extends { body: infer B extends z.ZodType } ? B : never
>;

/**
 * Claims in the caller's own name, so that the occupation's link becomes theirs; what they have already they go on with. Throws Problem
 * `not-found` for what is offered to nobody, and whatever the rule refuses with.
 */
export const take = async (
  tx: Tx,
  deps: Deps,
  caller: Caller,
  { id: occupationId, quantity }: { id: string; quantity?: number | undefined },
  now: string,
): Promise<{ token: string }> => {
  const { tenantId, accountId } = caller;
  if (tenantId === '') throw absent();
  if (!(await lockOccupation(tx, tenantId, occupationId))) throw absent();
  await throwIfSuspended(tx, tenantId);
  const row = await loadRow(tx, tenantId, occupationId);
  if (mineOf(row, accountId) === null) {
    const o = toOccupation(row);
    if (o.type !== 'lending' && o.type !== 'consumable') throw absent();
    // Somebody is at it, or has it: theirs, and nobody's business.
    if (o.stage === STAGES.CLAIMING) throw new Problem('in-use');
    if (o.receiver !== null) throw absent();
    if (row.connection === 'offline') throw new Problem('cabinet-offline');
    if (row.out_of_service !== null) throw new Problem('out-of-service');
    const receiver = await themselves(tx, caller);
    const claim = { kind: 'claim', receiver, ...(quantity === undefined ? {} : { quantity }) } as const;
    await apply(tx, deps, scopeOf(caller, now), occupationId, claim, { as: 'holder' });
  }
  const given = await tx
    .selectFrom('occupations')
    .select('token_sealed')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', occupationId)
    .executeTakeFirst();
  if (!given?.token_sealed) throw new Problem('in-use');
  const token = deps.seal.open(given.token_sealed);
  if (token === null) throw new Problem('in-use');
  return { token };
};

/** So many payments one account begins in ten minutes: more than anybody takes by hand. */
const BEGUN = { most: 30, seconds: 600 };

/** Throws Problem where it cannot be paid for now: `in-use`, `out-of-service`, `cabinet-offline`, `locker-in-doubt`, or what the rules refuse with. */
const throwHeldBack = async (tx: Tx, row: OccupationRow, accountId: string, now: string): Promise<void> => {
  const { tenant_id: tenantId } = row;
  if (row.connection === 'offline') throw new Problem('cabinet-offline');
  if (row.out_of_service !== null) throw new Problem('out-of-service');
  const policies = await policiesOf(tx, tenantId, [row]);
  const [taker] = await takersFacts(tx, tenantId, policies, [accountId]);
  const refused = taker === undefined ? 'not-in-group' : refusalToTake(row, policies, taker, now);
  const told = { action: 'claim', stage: null } as const;
  if (refused !== null && refused !== 'payment-needed') throw problemOfRefusal({ code: refused, ...told });
  // Somebody else has paid for the one thing there is.
  if (paymentOfOne(toOccupation(row), row.payments) !== null) throw new Problem('in-use');
  // Until staff have opened that door, nobody pays for what lies behind it.
  if (row.locker_id !== null && (await failsNow(tx, tenantId, row.locker_id))) throw new Problem('locker-in-doubt');
};

/** Who is told what becomes of the money: the account, with the number that it has or that was typed. */
const payerOf = ({ accountId, country }: Caller, { name, tlf, email }: Receiver, typed: string | undefined) => ({
  accountId,
  name,
  email,
  tlf: tlf ?? (typed ? phoneAt(typed, country, '/tlf', 'sms') : null),
});

/**
 * Begins to pay for what is offered, or goes on with the payment that they began for it. As in the shop, nothing is set aside before the
 * money is reserved, and the key that it answers opens the door then. Throws `not-found` for what is offered to nobody or costs nothing,
 * `stale` (it costs another sum now), whatever the rules refuse with, and as `beginPayment` does.
 */
export const payOffer = async (
  deps: Deps,
  { tenantId, accountId }: Caller,
  again: Again,
  asked: BodyOf<'/pickup/take/pay'>,
  now: string,
): Promise<{ purchase: string; pickup: Pickup }> => {
  if (tenantId === '') throw absent();
  await deps.db.open((tx) => limited(tx, { bucket: `offer-pay:${accountId}`, ...BEGUN }, now));
  const made = newPurchase(deps, tenantId);
  const begun = await deps.db.tenant(tenantId, async (tx) => {
    const caller = await again(tx, 'rights');
    if (!(await lockOccupation(tx, tenantId, asked.id))) throw absent();
    await throwIfSuspended(tx, tenantId);
    const row = await loadRow(tx, tenantId, asked.id);
    const own = ownPayment(row, accountId);
    if (own !== null) return { paymentId: own.id, purchase: await keyOf(tx, deps, tenantId, own.id) };
    const o = toOccupation(row);
    if ((o.type !== 'lending' && o.type !== 'consumable') || !isPriced(o.price)) throw absent();
    if (o.stage === STAGES.CLAIMING) throw new Problem('in-use');
    if (o.receiver !== null) throw absent();
    await throwHeldBack(tx, row, accountId, now);
    const due = total(o.price, asked.quantity);
    if (due.amount !== asked.amount || due.currency !== asked.currency)
      throw new Problem('stale', 'It costs another sum now', { data: { ...due } });
    const payer = payerOf(caller, await themselves(tx, caller), asked.tlf);
    const begin = { row, o, provider: 'vipps', quantity: asked.quantity, payer, key: made.key } as const;
    return { paymentId: await beginPayment(tx, deps, scopeOf(caller, now), begin), purchase: made.purchase };
  });
  return purchaseOf(deps, { tenantId, occupationId: asked.id, ...begun });
};

/** The key of a payment that was begun before. Throws Problem `in-use` where it has none that can be read. */
const keyOf = async (tx: Tx, { seal }: Deps, tenantId: string, id: string): Promise<string> => {
  const row = await tx
    .selectFrom('payments')
    .select('key_sealed')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  const purchase = row?.key_sealed ? seal.open(row.key_sealed) : null;
  if (purchase === null) throw new Problem('in-use');
  return purchase;
};
