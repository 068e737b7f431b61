import { isStock } from './doors.ts';
import { OFFERED } from './lifecycle.ts';
import { STAGES, type OccupationType, type PaymentState, type Stage } from './terms.ts';

export const PROVIDERS = ['manual', 'vipps'] as const;
/** manual: money that staff took by hand or on a terminal; Hatchway knows of it what they say. */
export type Provider = (typeof PROVIDERS)[number];

/**
 * Why a person has to see to a payment of a provider's, in words of our own; anything else is the provider's. `not-captured`: its goods went
 * out, and there is nothing to capture. `door-unknown`: its door may have opened, and nobody saw. `released`: its provider gave it back while
 * its customer was at the door. `unknown-there`: its provider does not know it.
 */
export const PAYMENT_TROUBLES = ['not-captured', 'door-unknown', 'released', 'unknown-there', 'not-connected'] as const;
export type PaymentTrouble = (typeof PAYMENT_TROUBLES)[number];
export const isPaymentTrouble = (word: string): word is PaymentTrouble => (PAYMENT_TROUBLES as readonly string[]).includes(word);

/** Amounts in minor units of one currency: 0 ≤ refunded ≤ captured ≤ amount. */
export interface PaymentFacts {
  readonly state: PaymentState;
  readonly amount: number;
  readonly captured: number;
  readonly refunded: number;
}

/** What the provider said happened, or what staff noted of a payment made by hand. No amount means: all that is left. */
export type PaymentMove =
  | { readonly kind: 'reserve' }
  | { readonly kind: 'capture'; readonly amount?: number }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'refund'; readonly amount?: number };

export type PaymentAnswer =
  | { readonly ok: true; readonly payment: PaymentFacts }
  | { readonly ok: false; readonly code: 'payment-transition' | 'amount'; readonly state: PaymentState };

const FROM: Readonly<Record<PaymentMove['kind'], readonly PaymentState[]>> = {
  reserve: ['initiated'],
  capture: ['reserved'],
  cancel: ['initiated', 'reserved'],
  // A payment refunded in part takes further parts until all that was captured has gone back.
  refund: ['captured', 'refunded'],
};

/**
 * The payment after the move. Refuses `payment-transition` where the state doesn't know the move or nothing is left to refund, and
 * `amount` where the amount is no whole number above 0 or more than is left. A refused move changes nothing.
 */
export function movePayment(payment: PaymentFacts, move: PaymentMove): PaymentAnswer {
  const no = (code: 'payment-transition' | 'amount'): PaymentAnswer => ({ ok: false, code, state: payment.state });
  if (!FROM[move.kind].includes(payment.state)) return no('payment-transition');
  switch (move.kind) {
    case 'reserve':
      return { ok: true, payment: { ...payment, state: 'reserved' } };
    case 'cancel':
      return { ok: true, payment: { ...payment, state: 'cancelled' } };
    case 'capture': {
      const amount = move.amount ?? payment.amount;
      if (!isPart(amount, payment.amount)) return no('amount');
      return { ok: true, payment: { ...payment, state: 'captured', captured: amount } };
    }
    case 'refund': {
      const left = payment.captured - payment.refunded;
      if (left === 0) return no('payment-transition');
      const amount = move.amount ?? left;
      if (!isPart(amount, left)) return no('amount');
      return { ok: true, payment: { ...payment, state: 'refunded', refunded: payment.refunded + amount } };
    }
  }
}

/**
 * The same, moved by a person: `claimed` where a claim stands on the payment, or a storage between its visits. Such a one is not cancelled
 * from outside (`payment-transition`): its customer stands at the door, or was there before, and what they have would be paid by nobody.
 */
export function moveByHand(payment: PaymentFacts & { readonly claimed: boolean }, move: PaymentMove): PaymentAnswer {
  if (move.kind === 'cancel' && payment.claimed) return { ok: false, code: 'payment-transition', state: payment.state };
  return movePayment(payment, move);
}

function isPart(amount: number, whole: number): boolean {
  return Number.isSafeInteger(amount) && amount > 0 && amount <= whole;
}

/** What is set aside for it stays so: captured by hand, its customer waits for the goods as before. */
export const keepsHold = ({ kind }: PaymentMove): boolean => kind === 'reserve' || kind === 'capture';

/** Moves that would succeed, for the screens. */
export function allowedMoves(payment: PaymentFacts & { readonly claimed?: boolean }): readonly PaymentMove['kind'][] {
  const facts = { ...payment, claimed: payment.claimed ?? false };
  return (['reserve', 'capture', 'cancel', 'refund'] as const).filter((kind) => moveByHand(facts, { kind }).ok);
}

/** Neither captured nor cancelled. */
function isOpenPayment(state: PaymentState): boolean {
  return state === 'initiated' || state === 'reserved';
}

interface PaymentClaim {
  readonly provider: Provider;
  readonly state: PaymentState;
  /** A claim stands on it, or a storage between its visits. */
  readonly claimed: boolean;
}

/** Somebody of the staff said that the money is in their hands. Where it went since, no clock can tell. */
const isInHand = ({ provider, state }: Pick<PaymentClaim, 'provider' | 'state'>): boolean => provider === 'manual' && state === 'reserved';

/**
 * Money that waits for a person. Noted by one, while nothing is set aside for it any more and nobody is being let in: they hand the goods
 * out on it after all, capture it, or cancel it because they gave it back. Of a provider's: what it refused to do, or nobody knows, and
 * what it gives back by itself in a few days.
 */
export function wantsEnd(
  payment: PaymentClaim & { readonly holds: boolean; readonly refused: boolean; readonly nearsEnd: boolean },
): boolean {
  if (payment.provider !== 'manual') return payment.refused || (payment.state === 'reserved' && payment.nearsEnd);
  return isInHand(payment) && !payment.claimed && !payment.holds;
}

/** What becomes of a payment that loses its pieces with nobody deciding about its money: `let-go` leaves the money as it stands. */
type PaymentFate = 'none' | 'let-go' | 'cancel';

/**
 * The fate of a payment whose goods are gone: taken out, emptied, sold out, ended, or behind a door that stayed shut. To cancel one whose money is in hand would say that
 * it was given back, which nobody said. One with a claim on it is the claim's.
 */
export function fateWithoutGoods(payment: PaymentClaim): PaymentFate {
  if (payment.claimed) return 'none';
  if (isOpenPayment(payment.state)) return isInHand(payment) ? 'let-go' : 'cancel';
  return payment.state === 'captured' ? 'let-go' : 'none';
}

interface Stock {
  readonly type: OccupationType;
  readonly stage: Stage;
  readonly quantity: number;
  readonly held: number;
}
type HoldAnswer =
  | { readonly ok: true; readonly held: number }
  | { readonly ok: false; readonly code: 'quantity' | 'not-on-offer' | 'sold-out' };

/**
 * `held` after a new payment put its hand on so many pieces (things that are no stock aren't counted: held stays as it is). Refuses
 * `quantity` (no whole number above 0; more than 1 of what is no stock), `not-on-offer` (its stage is not an offered one; stock may be
 * paid for while another customer is at the door too), `sold-out` (fewer are left).
 */
export function holdFor(stock: Stock, quantity: number): HoldAnswer {
  if (!Number.isSafeInteger(quantity) || quantity < 1) return { ok: false, code: 'quantity' };
  const counted = isStock(stock.type);
  if (!counted && quantity > 1) return { ok: false, code: 'quantity' };
  if (!OFFERED.includes(stock.stage) && !(counted && stock.stage === STAGES.CLAIMING)) return { ok: false, code: 'not-on-offer' };
  if (!counted) return { ok: true, held: stock.held };
  return quantity > stock.quantity - stock.held ? { ok: false, code: 'sold-out' } : { ok: true, held: stock.held + quantity };
}

interface OneThing {
  readonly type: OccupationType;
  /** The payment that a claim stands on, or that an earlier claim left with it. */
  readonly claimPaymentId: string | null;
}
interface PaymentOfIt {
  readonly id: string;
  readonly state: PaymentState;
  /** Money that was captured and has not gone back. */
  readonly paid: boolean;
}

/**
 * The payment that somebody made for what is no stock, other than the one named: it is one thing, and paid for once. Reserved counts, and
 * captured where whoever paid is still let in on it. What was cancelled or has gone back, and what is only begun, leaves it to be paid.
 */
export function paymentOfOne({ type, claimPaymentId }: OneThing, payments: readonly PaymentOfIt[], except?: string): string | null {
  if (isStock(type)) return null;
  const other = payments.find(({ id, state, paid }) => id !== except && (state === 'reserved' || (paid && id === claimPaymentId)));
  return other?.id ?? null;
}

/**
 * `held` after a payment let go of its pieces (cancelled, or its hold grew old). Not to be called for the payment that a claim
 * stands on: that hold has become the claim's, and the lifecycle gives it back or spends it. Never below 0: what was extracted or
 * emptied meanwhile holds nothing any more.
 */
export function letGo(stock: Pick<Stock, 'type' | 'held'>, quantity: number): number {
  return isStock(stock.type) ? Math.max(0, stock.held - quantity) : stock.held;
}

/**
 * The fate of a payment by the clock: what was set aside for it is so until `heldUntil`, unless a claim stands on it. One that is not
 * paid is cancelled then; money in hand stays noted as it is.
 */
export function fateByClock(payment: PaymentClaim & { readonly heldUntil: string | null }, now: string): PaymentFate {
  const isOver = payment.heldUntil !== null && Date.parse(now) >= Date.parse(payment.heldUntil);
  return isOver ? fateWithoutGoods(payment) : 'none';
}
