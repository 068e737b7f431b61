import { HOLD_FOR } from './deadlines.ts';
import { movePayment, type PaymentFacts, type PaymentMove } from './payment.ts';
import type { PaymentState } from './terms.ts';

/** A payment as its provider tells it: a state that never moves after `authorized`, and sums in minor units. */
export interface ProviderWord {
  readonly state: 'created' | 'authorized' | 'aborted' | 'expired' | 'terminated';
  readonly authorized: number;
  readonly captured: number;
  readonly refunded: number;
  readonly cancelled: number;
}

/** Who ended a payment before any of it was captured: the payer, the company, the clock, or the company after it was reserved. */
export type ProviderEnd = 'payer' | 'merchant' | 'time' | 'released';

/** What the provider says, in our own states. `end`: why it is cancelled. Of a terminated payment the sums say nothing, so its state is asked first. */
export function readProvider(
  word: ProviderWord,
): Pick<PaymentFacts, 'state' | 'captured' | 'refunded'> & { readonly end: ProviderEnd | null } {
  const none = { captured: 0, refunded: 0 };
  switch (word.state) {
    case 'created':
      return { state: 'initiated', ...none, end: null };
    case 'aborted':
      return { state: 'cancelled', ...none, end: 'payer' };
    case 'expired':
      return { state: 'cancelled', ...none, end: 'time' };
    case 'terminated':
      return { state: 'cancelled', ...none, end: 'merchant' };
    case 'authorized': {
      const { captured, refunded } = word;
      if (captured > 0) return { state: refunded > 0 ? 'refunded' : 'captured', captured, refunded, end: null };
      // Authorised, and no sum is told yet: nothing is known to be reserved.
      if (word.authorized === 0) return { state: 'initiated', ...none, end: null };
      if (word.cancelled >= word.authorized) return { state: 'cancelled', ...none, end: 'released' };
      return { state: 'reserved', ...none, end: null };
    }
  }
}

/** Sums that no payment of this amount can have: such an answer is not believed. */
export function isPlausible(word: ProviderWord, amount: number): boolean {
  const sums = [word.authorized, word.captured, word.refunded, word.cancelled];
  return sums.every((sum) => Number.isSafeInteger(sum) && sum >= 0) && word.captured <= amount && word.refunded <= word.captured;
}

/**
 * An answer that is older than what is known: a provider's payment never goes back from approved, and its sums only grow. It says nothing,
 * and the provider is asked again.
 */
export function isBehind(payment: PaymentFacts, word: ProviderWord): boolean {
  const said = readProvider(word);
  if (said.captured < payment.captured || said.refunded < payment.refunded) return true;
  return said.state === 'initiated' && payment.state !== 'initiated';
}

export interface ProviderNews {
  readonly payment: PaymentFacts;
  /** What happened since it was last heard, in order, each with how much went over. */
  readonly steps: readonly { readonly state: PaymentState; readonly amount: number }[];
  readonly end: ProviderEnd | null;
}

/** The payment after its provider was heard. The provider's word holds, whatever was believed before, and hearing it twice changes nothing. */
export function hearProvider(payment: PaymentFacts, word: ProviderWord): ProviderNews {
  const { state, captured, refunded, end } = readProvider(word);
  const steps: { state: PaymentState; amount: number }[] = [];
  const isNew = payment.state === 'initiated' || payment.state === 'cancelled';
  if (isNew && (state === 'reserved' || captured > 0)) steps.push({ state: 'reserved', amount: payment.amount });
  if (captured > payment.captured) steps.push({ state: 'captured', amount: captured - payment.captured });
  if (refunded > payment.refunded) steps.push({ state: 'refunded', amount: refunded - payment.refunded });
  if (state === 'cancelled' && payment.state !== 'cancelled') steps.push({ state: 'cancelled', amount: payment.amount });
  return { payment: { ...payment, state, captured, refunded }, steps, end };
}

export type OperationKind = 'create' | 'capture' | 'cancel' | 'refund';
/** wanted: written down, not sent. sent: its answer is awaited. unknown: none came, and the provider is asked what became of it. */
export type OperationState = 'wanted' | 'sent' | 'unknown' | 'done' | 'refused';
export interface Operation {
  readonly kind: OperationKind;
  /** Minor units. */
  readonly amount: number;
}

/** The payment as it will be once everything asked of its provider is carried out: what more may be asked goes by that. */
export function expectedOf(payment: PaymentFacts, open: readonly Operation[]): PaymentFacts {
  return open.reduce((before, { kind, amount }) => {
    if (kind === 'create') return before;
    const move: PaymentMove = kind === 'cancel' ? { kind } : { kind, amount };
    const after = movePayment(before, move);
    return after.ok ? after.payment : before;
  }, payment);
}

/** What is reserved beyond what was captured is given back at once: nothing more will be taken of it. 0: nothing is. */
export function remainderOf(word: ProviderWord): number {
  return word.state === 'authorized' && word.captured > 0 ? Math.max(0, word.authorized - word.captured - word.cancelled) : 0;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/**
 * When its provider is next asked, should no webhook tell: soon while the payer has it before them, seldom while it is reserved, daily
 * while its captured money may be given back elsewhere. `since`: when it was begun, or last changed where it is no longer initiated.
 * Null: never again.
 */
export function nextLook({ state, since, now }: { state: PaymentState; since: string; now: string }): string | null {
  const age = Date.parse(now) - Date.parse(since);
  const after = (ms: number) => new Date(Date.parse(now) + ms).toISOString();
  switch (state) {
    case 'initiated':
      return after(age < MINUTE ? 3 * SECOND : age < 15 * MINUTE ? 15 * SECOND : 10 * MINUTE);
    case 'reserved':
      return after(10 * MINUTE);
    case 'captured':
    case 'refunded':
      return age < 30 * DAY ? after(DAY) : null;
    case 'cancelled':
      // A payer who approved in the last moment is met once more.
      return age < 10 * MINUTE ? after(2 * MINUTE) : null;
  }
}

/** How long to wait before the next try, in ms: a provider that is away is asked again and again, more and more seldom, and never given up. */
export function pauseAfter(attempts: number): number {
  return Math.min(30 * MINUTE, 2 * SECOND * 2 ** Math.min(attempts, 10));
}

/** Days within which what is reserved must be captured, by currency: after them the provider gives it back by itself. */
export function captureDays(currency: string): number {
  return currency === 'NOK' ? 180 : 14;
}

/** Whether it takes such a sum at all: it wants 100 of the minor unit, in money of its own countries. */
export function takesSum({ amount, currency }: { readonly amount: number; readonly currency: string }): boolean {
  return amount >= 100 && ['NOK', 'DKK', 'EUR'].includes(currency);
}

/**
 * How far the request on a payer's phone has come. `withdrawing`: they are not to approve it any more, and the provider has not said yet
 * that they did not. `late`: they approved it when its goods were gone, and the money is given back. `failed`: the provider never sent it.
 */
export type RequestStage = 'sending' | 'sent' | 'withdrawing' | 'approved' | 'late' | 'declined' | 'unanswered' | 'failed';

export interface PaymentRequest extends PaymentFacts {
  readonly pending: readonly Operation[];
  readonly lastError: string | null;
  readonly createdAt: string;
  readonly events: readonly { readonly at: string; readonly state: PaymentState }[];
}

export function requestStage(request: PaymentRequest): RequestStage {
  const asked = (kind: OperationKind) => request.pending.some((one) => one.kind === kind);
  switch (request.state) {
    case 'initiated':
      if (asked('cancel')) return 'withdrawing';
      return asked('create') ? 'sending' : 'sent';
    case 'cancelled': {
      // Approved before it was given back, it was no payer who declined.
      if (request.events.some(({ state }) => state === 'reserved')) return 'late';
      if (request.lastError !== null) return 'failed';
      const end = request.events.findLast(({ state }) => state === 'cancelled');
      return end && Date.parse(end.at) - Date.parse(request.createdAt) >= HOLD_FOR ? 'unanswered' : 'declined';
    }
    case 'reserved':
      return asked('cancel') ? 'late' : 'approved';
    case 'captured':
    case 'refunded':
      return 'approved';
  }
}

/** Until when what was reserved then can be captured. */
export function captureBy(reservedAt: string, currency: string): string {
  return new Date(Date.parse(reservedAt) + captureDays(currency) * DAY).toISOString();
}

/** Days before that in which staff are to see to it. */
const noticeDays = (currency: string): number => (captureDays(currency) > 14 ? 7 : 3);

/** What was reserved then or before nears its end now. */
export function nearsEndSince(now: string, currency: string): string {
  return new Date(Date.parse(now) - (captureDays(currency) - noticeDays(currency)) * DAY).toISOString();
}
