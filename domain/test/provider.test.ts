import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movePayment, type PaymentFacts } from '../payment.ts';
import {
  expectedOf,
  hearProvider,
  isBehind,
  isPlausible,
  nextLook,
  pauseAfter,
  readProvider,
  remainderOf,
  requestStage,
  takesSum,
  type PaymentRequest,
  type ProviderWord,
  captureBy,
  nearsEndSince,
} from '../provider.ts';
import { PAYMENT_STATES, type PaymentState } from '../terms.ts';

const sums = (authorized: number, captured = 0, refunded = 0, cancelled = 0) => ({ authorized, captured, refunded, cancelled });
const WORDS: Readonly<Record<string, readonly [ProviderWord, PaymentState, string | null]>> = {
  created: [{ state: 'created', ...sums(0) }, 'initiated', null],
  authorized: [{ state: 'authorized', ...sums(100) }, 'reserved', null],
  'authorized, no sum yet': [{ state: 'authorized', ...sums(0) }, 'initiated', null],
  'captured in part': [{ state: 'authorized', ...sums(100, 40) }, 'captured', null],
  captured: [{ state: 'authorized', ...sums(100, 100) }, 'captured', null],
  'captured in part, the rest released': [{ state: 'authorized', ...sums(100, 40, 0, 60) }, 'captured', null],
  'refunded in part': [{ state: 'authorized', ...sums(100, 100, 30) }, 'refunded', null],
  refunded: [{ state: 'authorized', ...sums(100, 100, 100) }, 'refunded', null],
  'released in part': [{ state: 'authorized', ...sums(100, 0, 0, 30) }, 'reserved', null],
  released: [{ state: 'authorized', ...sums(100, 0, 0, 100) }, 'cancelled', 'released'],
  aborted: [{ state: 'aborted', ...sums(0) }, 'cancelled', 'payer'],
  expired: [{ state: 'expired', ...sums(0) }, 'cancelled', 'time'],
  // The provider's own sample: nothing authorised, the whole cancelled.
  terminated: [{ state: 'terminated', ...sums(0, 0, 0, 100) }, 'cancelled', 'merchant'],
};
const OURS: Readonly<Record<PaymentState, PaymentFacts>> = {
  initiated: { state: 'initiated', amount: 100, captured: 0, refunded: 0 },
  reserved: { state: 'reserved', amount: 100, captured: 0, refunded: 0 },
  captured: { state: 'captured', amount: 100, captured: 100, refunded: 0 },
  cancelled: { state: 'cancelled', amount: 100, captured: 0, refunded: 0 },
  refunded: { state: 'refunded', amount: 100, captured: 100, refunded: 30 },
};

describe('a provider’s word', () => {
  it.each(Object.entries(WORDS))('is read: %s', (_name, [word, state, end]) => {
    expect(readProvider(word)).toMatchObject({ state, end });
  });

  it.each(PAYMENT_STATES.flatMap((ours) => Object.keys(WORDS).map((name) => [ours, name] as const)))(
    'holds: ours %s, theirs %s',
    (ours, name) => {
      const [word, state] = WORDS[name] ?? [];
      if (word === undefined) throw new Error(name);
      const news = hearProvider(OURS[ours], word);
      expect(news.payment).toEqual({ amount: 100, state, captured: readProvider(word).captured, refunded: readProvider(word).refunded });
      // What is new is told, each once, and heard again it is no news.
      expect(hearProvider(news.payment, word).steps).toEqual([]);
      const isEntered = state !== ours && state !== 'initiated' && ours !== 'captured' && ours !== 'refunded';
      expect(news.steps.at(-1)?.state ?? null).toBe(isEntered || news.steps.length > 0 ? state : null);
    },
  );

  it('tells what was missed in between, with how much went over', () => {
    const [word] = WORDS['refunded in part'] ?? [];
    if (word === undefined) throw new Error('word');
    expect(hearProvider(OURS.initiated, word).steps).toEqual([
      { state: 'reserved', amount: 100 },
      { state: 'captured', amount: 100 },
      { state: 'refunded', amount: 30 },
    ]);
    expect(hearProvider(OURS.captured, word).steps).toEqual([{ state: 'refunded', amount: 30 }]);
    // A payer who approved what had ended already.
    expect(hearProvider(OURS.cancelled, { state: 'authorized', ...sums(100) }).steps).toEqual([{ state: 'reserved', amount: 100 }]);
  });

  it('says nothing where it is older than what is known', () => {
    const created = { state: 'created', ...sums(0) } as const;
    expect([isBehind(OURS.initiated, created), isBehind(OURS.reserved, created), isBehind(OURS.cancelled, created)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(isBehind(OURS.captured, { state: 'authorized', ...sums(100) })).toBe(true);
    expect(isBehind(OURS.refunded, { state: 'authorized', ...sums(100, 100) })).toBe(true);
    expect(isBehind(OURS.reserved, { state: 'authorized', ...sums(100, 0, 0, 100) })).toBe(false);
  });

  it('is not believed where its sums cannot be', () => {
    expect(isPlausible({ state: 'authorized', ...sums(100, 100, 100) }, 100)).toBe(true);
    expect(isPlausible({ state: 'authorized', ...sums(100, 101) }, 100)).toBe(false);
    expect(isPlausible({ state: 'authorized', ...sums(100, 50, 51) }, 100)).toBe(false);
    expect(isPlausible({ state: 'authorized', ...sums(-1) }, 100)).toBe(false);
    expect(isPlausible({ state: 'authorized', ...sums(0.5) }, 100)).toBe(false);
  });

  it('leaves a rest to be given back where a part was captured', () => {
    expect(remainderOf({ state: 'authorized', ...sums(100, 40) })).toBe(60);
    expect(remainderOf({ state: 'authorized', ...sums(100, 40, 0, 60) })).toBe(0);
    expect(remainderOf({ state: 'authorized', ...sums(100) })).toBe(0);
  });
});

describe('what is asked of a provider', () => {
  it('counts before it is answered, so that nothing is asked for twice', () => {
    const captured = expectedOf(OURS.reserved, [{ kind: 'capture', amount: 100 }]);
    expect(movePayment(captured, { kind: 'capture' })).toMatchObject({ ok: false });
    expect(movePayment(captured, { kind: 'cancel' })).toMatchObject({ ok: false });
    const refunded = expectedOf(OURS.captured, [{ kind: 'refund', amount: 60 }]);
    expect(movePayment(refunded, { kind: 'refund', amount: 41 })).toMatchObject({ ok: false, code: 'amount' });
    expect(movePayment(refunded, { kind: 'refund', amount: 40 })).toMatchObject({ ok: true });
    expect(expectedOf(OURS.initiated, [{ kind: 'create', amount: 100 }])).toEqual(OURS.initiated);
    // The rest of a part is given back without a word about what was captured.
    expect(expectedOf(OURS.captured, [{ kind: 'cancel', amount: 60 }])).toEqual(OURS.captured);
  });

  it('never comes to more than there is, in any order of moves, answers and clocks', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('capture' as const, 'refund' as const), amount: fc.integer({ min: 1, max: 120 }) }),
      fc.constant({ kind: 'cancel' as const }),
      fc.constant({ kind: 'answer' as const }),
      fc.constant({ kind: 'approve' as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let theirs: ProviderWord = { state: 'created', ...sums(0) };
        let ours = OURS.initiated;
        let open: { kind: 'capture' | 'refund' | 'cancel'; amount: number }[] = [];
        for (const one of steps) {
          if (one.kind === 'approve') {
            if (theirs.state === 'created') theirs = { state: 'authorized', ...sums(100) };
          } else if (one.kind === 'answer') {
            for (const { kind, amount } of open) theirs = carriedOut(theirs, kind, amount);
            open = [];
            ours = hearProvider(ours, theirs).payment;
          } else {
            const answer = movePayment(expectedOf(ours, open), one);
            if (answer.ok) open.push({ kind: one.kind, amount: 'amount' in one ? one.amount : 100 });
          }
          expect(ours.captured <= 100 && ours.refunded <= ours.captured).toBe(true);
          expect(theirs.captured + theirs.cancelled <= 100 && theirs.refunded <= theirs.captured).toBe(true);
        }
      }),
    );
  });

  it('is asked for again and again, more and more seldom', () => {
    const pauses = Array.from({ length: 20 }, (_, n) => pauseAfter(n));
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(pauses.at(-1)).toBe(30 * 60_000);
  });

  it('is looked at soon while the payer has it, and never again once nothing can come of it', () => {
    const now = '2026-11-28T12:00:00.000Z';
    const ago = (minutes: number) => new Date(Date.parse(now) - minutes * 60_000).toISOString();
    const waits = (state: PaymentState, minutes: number) => {
      const at = nextLook({ state, since: ago(minutes), now });
      return at === null ? null : (Date.parse(at) - Date.parse(now)) / 1000;
    };
    expect([waits('initiated', 0), waits('initiated', 5), waits('initiated', 60)]).toEqual([3, 15, 600]);
    expect([waits('reserved', 0), waits('captured', 60), waits('captured', 60 * 24 * 31)]).toEqual([600, 86_400, null]);
    expect([waits('cancelled', 1), waits('cancelled', 11)]).toEqual([120, null]);
  });
});

describe('a request on a payer’s phone', () => {
  const BEGUN = '2026-11-28T12:00:00.000Z';
  const after = (seconds: number) => new Date(Date.parse(BEGUN) + seconds * 1000).toISOString();
  type Given = { pending?: ('create' | 'capture' | 'cancel')[]; reserved?: number; cancelled?: number; error?: string };
  const request = (state: PaymentState, { pending = [], reserved, cancelled, error }: Given = {}): PaymentRequest => ({
    ...OURS[state],
    pending: pending.map((kind) => ({ kind, amount: 100 })),
    lastError: error ?? null,
    createdAt: BEGUN,
    events: [
      { at: BEGUN, state: 'initiated' },
      ...(reserved === undefined ? [] : [{ at: after(reserved), state: 'reserved' as const }]),
      ...(cancelled === undefined ? [] : [{ at: after(cancelled), state: 'cancelled' as const }]),
    ],
  });

  it.each([
    ['sending', request('initiated', { pending: ['create'] })],
    ['sending', request('initiated', { pending: ['create'], error: '503' })],
    ['sent', request('initiated')],
    ['withdrawing', request('initiated', { pending: ['cancel'] })],
    ['withdrawing', request('initiated', { pending: ['create', 'cancel'] })],
    ['approved', request('reserved', { reserved: 30 })],
    ['approved', request('reserved', { reserved: 30, pending: ['capture'] })],
    ['approved', request('captured', { reserved: 30 })],
    ['approved', request('refunded', { reserved: 30 })],
    ['late', request('reserved', { reserved: 599, pending: ['cancel'] })],
    ['late', request('cancelled', { reserved: 599, cancelled: 700 })],
    ['declined', request('cancelled', { cancelled: 30 })],
    ['declined', request('cancelled', { cancelled: 599 })],
    ['unanswered', request('cancelled', { cancelled: 600 })],
    ['failed', request('cancelled', { cancelled: 2, error: '400 · Bad Request' })],
  ] as const)('is %s', (stage, given) => expect(requestStage(given)).toBe(stage));

  it.each([
    [100, 'NOK', true],
    [99, 'NOK', false],
    [12_900, 'DKK', true],
    [12_900, 'EUR', true],
    [12_900, 'SEK', false],
  ])('of %i in %s: %s', (amount, currency, may) => expect(takesSum({ amount, currency })).toBe(may));
});

/** What a provider does: nothing beyond what it holds. */
function carriedOut(word: ProviderWord, kind: 'capture' | 'refund' | 'cancel', amount: number): ProviderWord {
  if (word.state === 'created') return kind === 'cancel' ? { ...word, state: 'terminated', cancelled: 100 } : word;
  if (word.state !== 'authorized') return word;
  const left = word.authorized - word.captured - word.cancelled;
  if (kind === 'capture') return amount <= left ? { ...word, captured: word.captured + amount } : word;
  if (kind === 'cancel') return { ...word, cancelled: word.cancelled + left };
  return amount <= word.captured - word.refunded ? { ...word, refunded: word.refunded + amount } : word;
}

describe('what is reserved', () => {
  const reserved = '2026-01-01T12:00:00.000Z';
  it.each([
    ['NOK', '2026-06-30T12:00:00.000Z'],
    ['EUR', '2026-01-15T12:00:00.000Z'],
    ['DKK', '2026-01-15T12:00:00.000Z'],
  ])('in %s can be captured until %s', (currency, until) => expect(captureBy(reserved, currency)).toBe(until));
  it.each([
    ['NOK', '2026-06-23T12:00:00.000Z', true],
    ['NOK', '2026-06-23T11:59:59.999Z', false],
    ['NOK', '2026-06-30T12:00:00.000Z', true],
    ['NOK', '2027-01-01T00:00:00.000Z', true],
    ['NOK', '2026-01-12T12:00:00.000Z', false],
    ['EUR', '2026-01-12T12:00:00.000Z', true],
    ['EUR', '2026-01-12T11:59:59.999Z', false],
    ['DKK', '2026-01-12T12:00:00.000Z', true],
    ['DKK', '2026-01-08T12:00:00.000Z', false],
    ['DKK', '2026-01-01T12:00:00.000Z', false],
  ])('in %s, at %s nears its end: %s', (currency, now, near) =>
    expect(Date.parse(reserved) <= Date.parse(nearsEndSince(now, currency))).toBe(near),
  );
});
