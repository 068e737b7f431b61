import { randomUUID } from 'node:crypto';
import { openJournal } from '../journal.ts';
import { createListeners } from '../listeners.ts';
import { DEMO_MERCHANT, type Merchant } from './merchant.ts';
import type { Amount, Order } from './order.ts';
import { isRefusal, refuse, type Refusal } from './refusals.ts';

type State = 'CREATED' | 'AUTHORIZED' | 'ABORTED' | 'EXPIRED' | 'TERMINATED';
type EventName = State | 'CANCELLED' | 'CAPTURED' | 'REFUNDED';
export type PaymentEvent = {
  reference: string;
  pspReference: string;
  name: EventName;
  amount: Amount;
  timestamp: string;
  idempotencyKey?: string;
  success: boolean;
};
export type Payment = {
  msn: string;
  /** Known to whoever was sent to the payer's page, and to nobody else. */
  token: string;
  order: Order;
  state: State;
  pspReference: string;
  expiresAt: number;
  authorizedAt: number | null;
  sub: string | null;
  /** In øre or cents. Only these move once it is AUTHORIZED. */
  authorized: number;
  cancelled: number;
  captured: number;
  refunded: number;
  events: PaymentEvent[];
};
export type Webhook = { id: string; msn: string; url: string; events: string[]; secret: string };
type Answer = { msn: string; key: string; asked: string; status: number; body: unknown };
type Line = { merchant: Merchant } | { payment: Payment } | { webhook: Webhook } | { webhookGone: string } | { answer: Answer };
export type Done = { status: number; body: unknown };

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How long a payer has, unless the merchant said otherwise. */
const TO_ACCEPT = 10 * MINUTE;
/** How long a reservation can be captured: half a year in Norway, two weeks in Denmark and Finland. */
const TO_CAPTURE: Record<string, number> = { NOK: 180 * DAY };
const TO_REFUND = 365 * DAY;
/** A demo has no use for more; older payments fall out at the next start. */
const KEPT = 1000;

const remaining = (payment: Payment): number => payment.authorized - payment.captured - payment.cancelled;
const captureEnds = (payment: Payment): number => (payment.authorizedAt ?? 0) + (TO_CAPTURE[payment.order.amount.currency] ?? 14 * DAY);
const notFound = (msn: string, reference: string) =>
  refuse(404, '5090', 'Reference not found', `${msn} has no payment with the reference ${reference}`);

/** What GET answers. */
export function viewOf(payment: Payment, pageOf: (payment: Payment) => string | null): Record<string, unknown> {
  const redirectUrl = pageOf(payment);
  return {
    ...sumsOf(payment, payment.pspReference),
    paymentMethod: payment.order.paymentMethod,
    profile: payment.sub === null ? {} : { sub: payment.sub },
    ...(redirectUrl === null ? {} : { redirectUrl }),
    ...(payment.order.metadata === null ? {} : { metadata: payment.order.metadata }),
  };
}

/** What each change answers: the state stays AUTHORIZED, the sums tell what became of the money. */
function sumsOf(payment: Payment, pspReference: string): Record<string, unknown> {
  const { currency } = payment.order.amount;
  const of = (value: number): Amount => ({ currency, value });
  return {
    amount: payment.order.amount,
    state: payment.state,
    aggregate: {
      authorizedAmount: of(payment.authorized),
      cancelledAmount: of(payment.cancelled),
      capturedAmount: of(payment.captured),
      refundedAmount: of(payment.refunded),
    },
    pspReference,
    reference: payment.order.reference,
  };
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * The provider's books. In memory, and as JSON lines in `folder` where one is given, so that a restart forgets no money. Time passes by
 * `now` alone: what ran out is noticed when it is looked at, and by `sweep`.
 */
export function createLedger({ folder, now = Date.now }: { folder?: string; now?: () => number } = {}) {
  const merchants = new Map<string, Merchant>([[DEMO_MERCHANT.msn, DEMO_MERCHANT]]);
  const payments = new Map<string, Payment>();
  const webhooks = new Map<string, Webhook>();
  const answers = new Map<string, Answer>();
  const { on, tell } = createListeners<[payment: Payment, event: PaymentEvent]>();

  const idOf = (msn: string, reference: string) => `${msn} ${reference}`;
  const place = (line: Line) => {
    if ('merchant' in line) merchants.set(line.merchant.msn, line.merchant);
    else if ('payment' in line) payments.set(idOf(line.payment.msn, line.payment.order.reference), line.payment);
    else if ('webhook' in line) webhooks.set(line.webhook.id, line.webhook);
    else if ('webhookGone' in line) webhooks.delete(line.webhookGone);
    else answers.set(idOf(line.answer.msn, line.answer.key), line.answer);
  };
  const keep = openJournal(folder, 'vipps.jsonl', place, () => [
    ...[...merchants.values()].map((merchant) => ({ merchant })),
    ...[...payments.values()].slice(-KEPT).map((payment) => ({ payment })),
    ...[...webhooks.values()].map((webhook) => ({ webhook })),
    ...[...answers.values()].slice(-4 * KEPT).map((answer) => ({ answer })),
  ]);

  type Change = { payment: Payment; event: PaymentEvent };
  const noted = (payment: Payment, name: EventName, value: number, key?: string, success = true): Change => {
    const { reference, amount } = payment.order;
    const timestamp = new Date(now()).toISOString();
    const pspReference = name === 'CREATED' ? payment.pspReference : randomUUID();
    const tail = key === undefined ? {} : { idempotencyKey: key };
    const event = { reference, pspReference, name, amount: { currency: amount.currency, value }, timestamp, ...tail, success };
    payment.events.push(event);
    return { payment, event };
  };
  const happen = ({ payment, event }: Change) => {
    keep({ payment });
    tell(payment, event);
  };

  /** What time alone does to a payment. */
  const settle = (payment: Payment) => {
    const left = remaining(payment);
    if (payment.state === 'CREATED' && payment.expiresAt <= now()) {
      payment.state = 'EXPIRED';
      happen(noted(payment, 'EXPIRED', payment.order.amount.value));
    } else if (payment.state === 'AUTHORIZED' && left > 0 && captureEnds(payment) <= now()) {
      payment.cancelled += left;
      happen(noted(payment, 'CANCELLED', left));
    }
  };
  const find = (msn: string, reference: string): Payment | undefined => {
    const payment = payments.get(idOf(msn, reference));
    if (payment) settle(payment);
    return payment;
  };

  /**
   * Does a change once for each key: the same again gets the same answer, another one under the same key is refused with `code`. Only what
   * was done is remembered, so what was refused can be asked again.
   */
  const once = (msn: string, key: string, asked: string, code: string, change: () => (Change & Done) | Refusal): Done | Refusal => {
    const before = answers.get(idOf(msn, key));
    if (before)
      return before.asked === asked ? before : refuse(409, code, 'Idempotency error', `The key ${key} was used for something else before`);
    const done = change();
    if (isRefusal(done)) return done;
    // In one go, so that no payment is kept without the answer that its repetition gets.
    keep({ payment: done.payment }, { answer: { msn, key, asked, status: done.status, body: done.body } });
    tell(done.payment, done.event);
    return done;
  };

  const change = (name: 'CAPTURED' | 'REFUNDED' | 'CANCELLED' | 'TERMINATED', payment: Payment, value: number, key: string) => {
    if (name === 'CAPTURED') payment.captured += value;
    else if (name === 'REFUNDED') payment.refunded += value;
    else payment.cancelled += value;
    if (name === 'TERMINATED') payment.state = 'TERMINATED';
    const made = noted(payment, name, value, key);
    return { ...made, status: 200, body: sumsOf(payment, made.event.pspReference) };
  };

  const capture = (payment: Payment, { currency, value }: Amount, key: string) => {
    if (payment.state === 'CREATED') return refuse(400, '6080', 'Cannot capture before reservation');
    if (payment.state === 'TERMINATED') return refuse(400, '6070', 'Cannot capture a cancelled payment');
    if (payment.state !== 'AUTHORIZED') return refuse(400, '6200', 'Payment cannot be captured', `Its state is ${payment.state}`);
    if (currency !== payment.order.amount.currency) return refuse(400, '4040', 'Invalid amount', 'The currency is another one');
    if (captureEnds(payment) <= now()) return refuse(400, '6100', 'Capture period expired');
    if (payment.cancelled > 0) return refuse(400, '6070', 'Cannot capture a cancelled payment');
    if (remaining(payment) === 0) return refuse(400, '6170', 'Payment already captured');
    if (value === 0) return refuse(400, '4040', 'Invalid amount');
    if (value > remaining(payment)) return refuse(400, '6090', 'Capture amount too high');
    return change('CAPTURED', payment, value, key);
  };

  const refund = (payment: Payment, { currency, value }: Amount, key: string) => {
    if (payment.state === 'CREATED') return refuse(400, '6020', 'Attempted refund before reservation');
    if (payment.captured === 0) return refuse(400, '6210', 'Payment cannot be refunded', 'Nothing was captured');
    if (currency !== payment.order.amount.currency || value === 0) return refuse(400, '4040', 'Invalid amount');
    if ((payment.authorizedAt ?? 0) + TO_REFUND <= now()) return refuse(400, '6220', 'Refund period expired');
    if (payment.captured === payment.refunded) return refuse(400, '6180', 'Payment already refunded');
    if (value > payment.captured - payment.refunded) return refuse(400, '6150', 'Not enough refundable');
    return change('REFUNDED', payment, value, key);
  };

  const cancel = (payment: Payment, transactionOnly: boolean, key: string) => {
    if (payment.state === 'CREATED') return change('TERMINATED', payment, payment.order.amount.value, key);
    if (payment.state !== 'AUTHORIZED') return refuse(400, '6190', 'Payment cannot be cancelled', `Its state is ${payment.state}`);
    if (transactionOnly) return refuse(400, '6060', 'Cannot cancel authorized payment');
    if (captureEnds(payment) <= now()) return refuse(400, '6030', 'Cancel period expired');
    if (remaining(payment) > 0) return change('CANCELLED', payment, remaining(payment), key);
    return payment.cancelled > 0
      ? refuse(400, '6190', 'Payment cannot be cancelled', 'It was cancelled before')
      : refuse(400, '6040', 'Cannot cancel a captured payment');
  };

  type Ask = { msn: string; key: string; reference: string; asked: string };
  const adjust = ({ msn, key, reference, asked }: Ask, code: string, how: (payment: Payment) => (Change & Done) | Refusal) =>
    once(msn, key, asked, code, () => {
      const payment = find(msn, reference);
      return payment ? how(payment) : notFound(msn, reference);
    });

  return {
    now,
    merchants: (): Merchant[] => [...merchants.values()],
    addMerchant: (merchant: Merchant) => keep({ merchant }),
    /** Newest first. */
    payments: (): Payment[] => [...payments.values()].toReversed(),
    find: (msn: string, reference: string): Payment | Refusal => find(msn, reference) ?? notFound(msn, reference),
    withToken: (token: string): Payment | undefined => {
      const payment = [...payments.values()].find((one) => one.token === token);
      return payment && find(payment.msn, payment.order.reference);
    },
    create: ({ msn, key, asked }: Omit<Ask, 'reference'>, order: Order, answer: (payment: Payment) => unknown): Done | Refusal =>
      once(msn, key, asked, '4020', () => {
        if (find(msn, order.reference)) return refuse(409, '4150', 'Reference exists', `${order.reference} was used before`);
        const payment: Payment = {
          msn,
          token: randomUUID(),
          order,
          state: 'CREATED',
          pspReference: randomUUID(),
          expiresAt: order.expiresAt ?? now() + TO_ACCEPT,
          authorizedAt: null,
          sub: null,
          authorized: 0,
          cancelled: 0,
          captured: 0,
          refunded: 0,
          events: [],
        };
        return { ...noted(payment, 'CREATED', order.amount.value, key), status: 201, body: answer(payment) };
      }),
    capture: (ask: Ask, amount: Amount) => adjust(ask, '4010', (payment) => capture(payment, amount, ask.key)),
    refund: (ask: Ask, amount: Amount) => adjust(ask, '4150', (payment) => refund(payment, amount, ask.key)),
    cancel: (ask: Ask, transactionOnly: boolean) => adjust(ask, '4020', (payment) => cancel(payment, transactionOnly, ask.key)),
    /** What the payer does, or leaves undone. `decline`: the bank refuses the card; the payer may try another. */
    act: (payment: Payment, what: 'approve' | 'refuse' | 'decline' | 'expire'): Refusal | null => {
      settle(payment);
      if (payment.state !== 'CREATED') return refuse(400, '10010', 'Approve failed', `Its state is ${payment.state}`);
      const { value } = payment.order.amount;
      const key = payment.events[0]?.idempotencyKey;
      if (what === 'approve') {
        Object.assign(payment, { state: 'AUTHORIZED', authorizedAt: now(), authorized: value });
        if (payment.order.scope !== null) payment.sub = randomUUID();
        happen(noted(payment, 'AUTHORIZED', value, key));
      } else if (what === 'decline') happen(noted(payment, 'AUTHORIZED', value, key, false));
      else if (what === 'refuse') {
        payment.state = 'ABORTED';
        happen(noted(payment, 'ABORTED', value));
      } else {
        payment.expiresAt = now();
        settle(payment);
      }
      return null;
    },
    webhooks: (): Webhook[] => [...webhooks.values()],
    addWebhook: (webhook: Webhook) => keep({ webhook }),
    removeWebhook: (id: string) => keep({ webhookGone: id }),
    /** Lets time do its work on all of them. */
    sweep: () => payments.forEach(settle),
    /** Hears of each event once it is kept. */
    on,
  };
}
