import { MINUTE, isMoment, later } from './deadlines.ts';
import { isStock, MAX_PIECES } from './doors.ts';
import { isLockerFor } from './locker.ts';
import type { Answer, Occupation, RefusalCode, RegisterContext, RegisterInput } from './occupation-types.ts';
import { tooMany } from './policy.ts';
import { checkPrice, isPriced } from './price.ts';
import { namesFor, STAGES, type OccupationType } from './terms.ts';

/** A year and a day: above that it is given away. */
const MAX_LOAN_HOURS = 24 * 366;
const isLoanTime = (hours: number): boolean => Number.isSafeInteger(hours) && hours >= 1 && hours <= MAX_LOAN_HOURS;

/**
 * Of a use that the same asset has already: whether it says that the asset lies there, or is on its way there. Goods may stand in many
 * lockers; what is recalled is out, and only another recall keeps a locker for it.
 */
export const liesThere = (type: OccupationType, other: OccupationType): boolean =>
  type === 'recall' ? other === 'recall' : !(isStock(type) && isStock(other));

/**
 * A new occupation in RESERVED. Refuses, in this order: `service-not-allowed` (the service is not one of that type, or the locker not
 * for it), `not-lendable` (a lending of what its label keeps in), `locker-taken`, `out-of-service`, `locker-in-doubt`, `too-many`, `quantity` (no whole number from 1 to 100,000; not 1 for
 * what is no stock; a refill level that is none), `price` (a sale without one or for nothing, or none at all), `deadline` (pickupBy not ahead; a
 * loan time that is none, or of what is not lent).
 */
export function register(input: RegisterInput, ctx: RegisterContext): Answer {
  const no = (code: RefusalCode): Answer => ({ ok: false, refusal: { code, stage: null, action: 'register' } });
  const { type } = input;
  const { locker, rules, now } = ctx;
  const service = input.service ?? type;
  if (!namesFor(service).includes(type)) return no('service-not-allowed');
  if (!isLockerFor(locker, service)) return no('service-not-allowed');
  if (type === 'lending' && !ctx.lendable) return no('not-lendable');
  if (!locker.free) return no('locker-taken');
  if (locker.outOfService) return no('out-of-service');
  if (locker.inDoubt) return no('locker-in-doubt');
  if (tooMany(rules, ctx.activeOfPerson)) return no('too-many');
  const quantity = input.quantity ?? 1;
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > (isStock(type) ? MAX_PIECES : 1)) return no('quantity');
  if (input.refillLevel !== null && !(Number.isSafeInteger(input.refillLevel) && input.refillLevel >= 0)) return no('quantity');
  const price = input.price ?? rules.price;
  if (price !== null && checkPrice(price) !== null) return no('price');
  // What costs nothing can be paid by nobody, and is given away unpaid by no sale.
  if (type === 'sale' && !isPriced(price)) return no('price');
  if (input.pickupBy !== null && !(isMoment(input.pickupBy) && Date.parse(input.pickupBy) > Date.parse(now))) return no('deadline');
  if (input.loanHours !== null && !(type === 'lending' && isLoanTime(input.loanHours))) return no('deadline');

  const reservedUntil = later(now, rules.reserveMinutes * MINUTE);
  const occupation: Occupation = {
    id: input.id,
    tenantId: input.tenantId,
    type,
    service,
    stage: STAGES.RESERVED,
    version: 1,
    resumeStage: null,
    lockerId: locker.id,
    doorTag: locker.doorTag,
    assetId: input.assetId,
    assetText: input.assetText,
    orderRef: input.orderRef,
    externalRef: input.externalRef,
    receiver: input.receiver,
    quantity,
    held: 0,
    refillLevel: input.refillLevel,
    loanHours: input.loanHours,
    price,
    policyRef: rules.policyRef,
    claimedBy: null,
    claimQuantity: null,
    claimPaymentId: null,
    claimPaymentUsed: false,
    claimDueAt: null,
    claimReplaced: null,
    claimOpenedAt: null,
    doorOpenedAt: null,
    doorClosedAt: null,
    reservedUntil,
    reservedFrom: now,
    pickupBy: input.pickupBy,
    pickupFrom: null,
    contactError: null,
    note: input.note,
    createdBy: ctx.actor,
    createdAt: now,
    endedAt: null,
  };
  return {
    ok: true,
    occupation,
    events: [{ type: 'occupation_created' }, { type: 'locker_reserved' }],
    effects: [
      { kind: 'take-locker', lockerId: locker.id },
      { kind: 'look-again', command: 'expire-reservation', at: reservedUntil },
    ],
  };
}
