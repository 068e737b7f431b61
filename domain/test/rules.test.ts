import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doorTagOf, pickupCodeOf, readScan } from '../codes.ts';
import { effectiveDeadline, isMoment, isOverdue } from '../deadlines.ts';
import {
  believe,
  bestFit,
  inDoubt,
  lockerState,
  ranked,
  standingOf,
  type Candidate,
  type DrawnLocker,
  type Evidence,
  type Wish,
} from '../locker.ts';
import {
  allowedMoves,
  fateByClock,
  fateWithoutGoods,
  holdFor,
  letGo,
  movePayment,
  paymentOfOne,
  PROVIDERS,
  wantsEnd,
  type PaymentFacts,
  type PaymentMove,
} from '../payment.ts';
import { dependsOnPerson, type Policy, policyFor, reminderDue, rulesFor, rulesOf } from '../policy.ts';
import { bareAmount, checkPrice, formatPrice } from '../price.ts';
import { beginsNumber, checkReceiver, isNumberOf, mayBeNumber } from '../receiver.ts';
import { HISTORY_EVENTS } from '../history.ts';
import { ACTIONS, OCCUPATION_TYPES, PAYMENT_STATES, ROLES, SCOPES, SERVICES, STAGES, scopeOf, scopeUrn, stageName } from '../terms.ts';
import type { ContentState, PaymentState, Stage } from '../terms.ts';
import { NOW, minutes } from './samples.ts';
import { beginsWord, piecesOf, wordsOf } from '../words.ts';

describe('payments', () => {
  const at = (state: PaymentFacts['state']): PaymentFacts => ({
    state,
    amount: 100,
    captured: state === 'captured' || state === 'refunded' ? 100 : 0,
    refunded: state === 'refunded' ? 40 : 0,
  });
  const TABLE: Record<string, string> = {
    'initiated reserve': 'reserved',
    'reserved capture': 'captured',
    'initiated cancel': 'cancelled',
    'reserved cancel': 'cancelled',
    'captured refund': 'refunded',
    'refunded refund': 'refunded',
  };
  const MOVES = ['reserve', 'capture', 'cancel', 'refund'] as const;
  it.each(PAYMENT_STATES.flatMap((state) => MOVES.map((kind) => [state, kind] as const)))('%s, %s', (state, kind) => {
    const answer = movePayment(at(state), { kind });
    expect(answer.ok ? answer.payment.state : answer.code).toBe(TABLE[`${state} ${kind}`] ?? 'payment-transition');
    expect(allowedMoves(at(state)).includes(kind)).toBe(answer.ok);
  });
  it('refunds in parts, never above what was captured', () => {
    const part = movePayment(at('captured'), { kind: 'refund', amount: 60 });
    if (!part.ok) throw new Error(part.code);
    expect(part.payment).toMatchObject({ state: 'refunded', refunded: 60 });
    expect(movePayment(part.payment, { kind: 'refund', amount: 41 })).toMatchObject({ ok: false, code: 'amount' });
    expect(movePayment(part.payment, { kind: 'refund' })).toMatchObject({ ok: true, payment: { refunded: 100 } });
    for (const amount of [0, -1, 0.5, Number.NaN])
      expect(movePayment(at('captured'), { kind: 'refund', amount })).toMatchObject({ code: 'amount' });
    expect(movePayment(at('reserved'), { kind: 'capture', amount: 101 })).toMatchObject({ code: 'amount' });
  });
  it('keep 0 ≤ refunded ≤ captured ≤ amount whatever comes', () => {
    const moves: fc.Arbitrary<PaymentMove> = fc.oneof(
      fc.record({ kind: fc.constantFrom(...MOVES) }),
      fc.record({ kind: fc.constantFrom('capture' as const, 'refund' as const), amount: fc.integer({ min: -5, max: 120 }) }),
    );
    fc.assert(
      fc.property(fc.array(moves), (sequence) => {
        let payment = at('initiated');
        for (const move of sequence) {
          const answer = movePayment(payment, move);
          if (answer.ok) payment = answer.payment;
          expect([payment.refunded >= 0, payment.refunded <= payment.captured, payment.captured <= payment.amount]).toEqual([
            true,
            true,
            true,
          ]);
        }
      }),
    );
  });
  it('hold what is left, and let go', () => {
    const stock = { type: 'sale', stage: STAGES.ACQUIRABLE, quantity: 3, held: 1 } as const;
    expect(holdFor(stock, 2)).toEqual({ ok: true, held: 3 });
    expect(holdFor(stock, 3)).toEqual({ ok: false, code: 'sold-out' });
    expect(holdFor({ ...stock, stage: STAGES.CLAIMING }, 1)).toEqual({ ok: true, held: 2 });
    expect(holdFor({ ...stock, stage: STAGES.VACANT }, 1)).toEqual({ ok: false, code: 'not-on-offer' });
    expect(holdFor({ ...stock, type: 'storage', quantity: 1, held: 0 }, 1)).toEqual({ ok: true, held: 0 });
    expect(holdFor(stock, 0)).toEqual({ ok: false, code: 'quantity' });
    expect([letGo(stock, 1), letGo(stock, 2)]).toEqual([0, 0]);
  });
  it('are for one thing one alone, unless the money went back or it was only begun', () => {
    const one = { type: 'delivery', claimPaymentId: 'kept' } as const;
    const made = (state: PaymentState, id = 'a', paid = state === 'captured') => [{ id, state, paid }];
    const STANDING = PAYMENT_STATES.filter((state) => paymentOfOne(one, made(state)) !== null);
    expect(STANDING).toEqual(['reserved']);
    // What an earlier claim left with it lets whoever paid in again, until all of it has gone back.
    expect(paymentOfOne(one, made('captured', 'kept'))).toBe('kept');
    expect(paymentOfOne(one, made('refunded', 'kept', true))).toBe('kept');
    expect(paymentOfOne(one, made('refunded', 'kept'))).toBeNull();
    expect(paymentOfOne(one, made('reserved'), 'a')).toBeNull();
    expect(paymentOfOne({ ...one, type: 'sale' }, made('reserved'))).toBeNull();
  });
  // Money that a person noted is ended by a person: a clock that wrote "cancelled" would say that it was given back.
  const FATES: Record<string, string> = {
    'manual initiated': 'cancel',
    'manual reserved': 'let-go',
    'vipps initiated': 'cancel',
    'vipps reserved': 'cancel',
    // its goods were nobody's word either
    'manual captured': 'let-go',
    'vipps captured': 'let-go',
  };
  it.each(PROVIDERS.flatMap((provider) => PAYMENT_STATES.map((state) => [provider, state] as const)))(
    'lose their pieces: %s, %s',
    (provider, state) => {
      const fate = FATES[`${provider} ${state}`] ?? 'none';
      const standing = { provider, state, claimed: false, refused: false, nearsEnd: false };
      expect(fateWithoutGoods(standing)).toBe(fate);
      expect(fateByClock({ ...standing, heldUntil: minutes(10) }, minutes(9))).toBe('none');
      expect(fateByClock({ ...standing, heldUntil: minutes(10) }, minutes(10))).toBe(fate);
      expect(fateByClock({ ...standing, heldUntil: null }, minutes(99))).toBe('none');
      expect(fateByClock({ ...standing, claimed: true, heldUntil: minutes(10) }, minutes(99))).toBe('none');
      expect(fateWithoutGoods({ ...standing, claimed: true })).toBe('none');
      expect(wantsEnd({ ...standing, holds: false })).toBe(fate === 'let-go' && state === 'reserved');
      expect(wantsEnd({ ...standing, holds: true })).toBe(false);
      expect(wantsEnd({ ...standing, claimed: true, holds: false })).toBe(false);
      expect(wantsEnd({ ...standing, holds: true, refused: true })).toBe(provider === 'vipps');
      expect(wantsEnd({ ...standing, holds: true, nearsEnd: true })).toBe(provider === 'vipps' && state === 'reserved');
      expect(wantsEnd({ ...standing, claimed: true, holds: false, nearsEnd: true })).toBe(provider === 'vipps' && state === 'reserved');
    },
  );
  it('that are in hand are ended by nothing but somebody’s word, and end with one word then', () => {
    const what = fc.record({
      provider: fc.constantFrom(...PROVIDERS),
      state: fc.constantFrom(...PAYMENT_STATES),
      claimed: fc.boolean(),
      holds: fc.boolean(),
      wait: fc.integer({ min: 0, max: 100_000 }),
    });
    fc.assert(
      fc.property(what, ({ provider, state, claimed, holds, wait }) => {
        const standing = { provider, state, claimed, refused: false, nearsEnd: false };
        const fates = [fateByClock({ ...standing, heldUntil: minutes(10) }, minutes(wait)), fateWithoutGoods(standing)];
        const inHand = provider === 'manual' && state === 'reserved';
        const words = allowedMoves({ ...at(state), claimed });
        expect({
          endedByNobody: inHand && fates.includes('cancel'),
          // what loses its hold with its money left as it stands is one that wants an end
          forgotten: fates.includes('let-go') && state !== 'captured' && !wantsEnd({ ...standing, holds: false }),
          endless: wantsEnd({ ...standing, holds }) && !(words.includes('capture') && words.includes('cancel')),
        }).toEqual({ endedByNobody: false, forgotten: false, endless: false });
      }),
    );
    expect(allowedMoves(at('reserved'))).toEqual(['capture', 'cancel']);
  });
});

describe('deadlines', () => {
  const clock = { since: NOW, until: minutes(30) };
  it.each([
    ['none', [], 30, false],
    ['one inside', [[5, 15]], 40, false],
    ['before it began', [[-20, -10]], 30, false],
    ['half before', [[-10, 10]], 40, false],
    ['after it was reached', [[40, 50]], 30, false],
    ['two that overlap', [[5, 15], [10, 20]], 45, false],
    ['the second inside only thanks to the first', [[25, 35], [36, 46]], 50, false],
    ['lasting', [[10, null]], 80, true],
  ] as const)('offline: %s', (_name, spans, at, standing) => {
    const offline = spans.map(([from, to]) => ({ from: minutes(from), to: to === null ? null : minutes(to) }));
    expect(effectiveDeadline(clock, offline, minutes(60))).toEqual({ at: minutes(at), standing });
  }); // prettier-ignore
  it('overdue: by stage; a loan whatever the cabinet does', () => {
    const clocks = {
      stage: STAGES.CONTACTED,
      reservedFrom: null,
      reservedUntil: null,
      pickupFrom: minutes(-60),
      pickupBy: minutes(-1),
      dueAt: null,
    };
    expect(isOverdue(clocks, [], NOW)).toBe(true);
    expect(isOverdue(clocks, [{ from: minutes(-30), to: null }], NOW)).toBe(false);
    expect(isOverdue({ ...clocks, stage: STAGES.TERMINATED }, [], NOW)).toBe(false);
    expect(isOverdue({ ...clocks, stage: STAGES.FILLED }, [], NOW)).toBe(false);
    expect(isOverdue({ ...clocks, stage: STAGES.VACANT, dueAt: minutes(-1) }, [{ from: minutes(-30), to: null }], NOW)).toBe(true);
    expect(isOverdue({ ...clocks, stage: STAGES.INITIATED, reservedFrom: minutes(-9), reservedUntil: minutes(-1) }, [], NOW)).toBe(true);
  });
  it('knows a moment', () => {
    expect(['2026-03-02T12:00:00Z', '2026-03-02T12:00:00.000+01:00'].every(isMoment)).toBe(true);
    expect(['2026-03-02', '2026-03-02T12:00:00', '2026-13-02T12:00:00Z', 'soon'].some(isMoment)).toBe(false);
  });
});

describe('policies', () => {
  const policy: Policy = {
    _id: 'b', name: 'House', ref: null, services: [], lockerIds: [], groupIds: [], reserveMinutes: null, pickupHours: null, loanHours: null,
    reminders: null, claimSeconds: null, claimGraceSeconds: null, maxActivePerPerson: null, price: null, inspectReturns: false,
    staffConfirmsClaim: false, loginHint: null,
  }; // prettier-ignore
  const wish = { ref: null, service: 'lending', lockerId: 'l1', groupIds: ['g1'] } as const;
  it('the most special one fits, the named one before all', () => {
    const byService = { ...policy, _id: 'c', services: ['lending'] as const };
    const byGroup = { ...policy, _id: 'd', groupIds: ['g1'] };
    const byLocker = { ...policy, _id: 'e', lockerIds: ['l1'] };
    const other = { ...policy, _id: 'a', ref: 'vip', lockerIds: ['l9'] };
    expect(policyFor([policy, byService, other], wish)?._id).toBe('c');
    expect(policyFor([policy, byService, byGroup], wish)?._id).toBe('d');
    expect(policyFor([byLocker, byService, byGroup], wish)?._id).toBe('e');
    expect(policyFor([policy, { ...policy, _id: 'a' }], wish)?._id).toBe('a');
    expect(policyFor([policy, other], { ...wish, ref: 'vip' })?._id).toBe('a');
    expect(policyFor([policy], { ...wish, ref: 'gone' })).toBeNull();
    expect(policyFor([byGroup], { ...wish, groupIds: [] })).toBeNull();
  });
  it('one for deliveries is for self-service too, until one names it; none for self-service is for deliveries', () => {
    const asked = { ...wish, service: 'selfservice' } as const;
    const deliveries = { ...policy, _id: 'c', services: ['delivery'] as const };
    const itself = { ...policy, _id: 'd', services: ['selfservice'] as const };
    const byGroup = { ...policy, _id: 'e', groupIds: ['g1'] };
    expect(policyFor([policy, deliveries], asked)?._id).toBe('c');
    expect(policyFor([policy, deliveries, itself], asked)?._id).toBe('d');
    expect(policyFor([itself, byGroup], asked)?._id).toBe('e');
    expect(policyFor([policy, itself], { ...wish, service: 'delivery' })?._id).toBe('b');
  });
  it('whose groups they ask for may take by themselves, and nobody where none says for whom', () => {
    const crew = { ...policy, _id: 'd', ref: 'crew', services: ['lending'] as const, groupIds: ['g1'] };
    const elsewhere = { ...crew, _id: 'e', lockerIds: ['l9'] };
    const admits = (policies: readonly Policy[], more: Partial<typeof wish> | { ref: string } = {}) =>
      rulesOf(policies, { ...wish, ...more }, 'lending').admits;
    const outside = { groupIds: ['g2'] as never };
    expect([admits([crew]), admits([crew], outside), admits([crew], { groupIds: [] as never })]).toEqual([true, false, false]);
    expect([admits([], outside), admits([elsewhere], outside), admits([policy], outside)]).toEqual([false, false, true]);
    expect([admits([crew, policy], outside), admits([crew, policy])]).toEqual([false, true]);
    expect([admits([policy, crew], { ref: 'crew', ...outside }), admits([policy, crew], { ref: 'crew' })]).toEqual([false, true]);
    expect(admits([policy], { ref: 'gone', ...outside })).toBe(false);
  });
  it('none is settled where it depends on who it is for', () => {
    const crew = { ...policy, _id: 'd', ref: 'crew', services: ['lending'] as const, groupIds: ['g1'] };
    const asks = (policies: readonly Policy[], ref: string | null = null) => dependsOnPerson(policies, { ...wish, ref });
    expect([asks([policy, crew]), asks([policy]), asks([{ ...crew, lockerIds: ['l9'] }]), asks([crew], 'crew')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
  it('fills gaps from the house', () => {
    expect(rulesFor({ ...policy, pickupHours: 5 }, 'delivery')).toMatchObject({
      policyRef: 'b',
      pickupHours: 5,
      claimSeconds: 120,
      claimGraceSeconds: 30,
    });
    expect(rulesFor(null, 'drop-off').reserveMinutes).toBeGreaterThan(rulesFor(null, 'delivery').reserveMinutes);
  });
  it('neither counts nor charges who is asked to bring something: they take nothing', () => {
    const price = { amount: 5_000, currency: 'NOK' };
    const free = OCCUPATION_TYPES.filter((type) => {
      const rules = rulesFor({ ...policy, price, maxActivePerPerson: 1 }, type);
      expect(rules.price === null).toBe(rules.maxActivePerPerson === null);
      return rules.price === null;
    });
    expect(free.toSorted()).toEqual(['drop-off', 'recall']);
  });
  const clock = { since: null, until: minutes(0) };
  it('reminds once for the latest time that has come', () => {
    expect(reminderDue([-24, 0, 24], clock, null, minutes(-25 * 60))).toBeNull();
    expect(reminderDue([-24, 0, 24], clock, null, minutes(-60))).toBe(-24);
    expect(reminderDue([-24, 0, 24], clock, -24, minutes(-60))).toBeNull();
    expect(reminderDue([-24, 0, 24], clock, null, minutes(60))).toBe(0);
    expect(reminderDue([], clock, null, minutes(60))).toBeNull();
  });
  it('reminds by a list that was changed neither twice nor of what a later one has told', () => {
    expect(reminderDue([24, 0, -24], clock, -24, minutes(-60))).toBeNull();
    expect(reminderDue([-48, -24, 0], clock, -24, minutes(-60))).toBeNull();
    expect(reminderDue([-24, -2, 0], clock, -24, minutes(-60))).toBe(-2);
    expect(reminderDue([-2], clock, 0, minutes(60))).toBeNull();
    expect(reminderDue([1], clock, 0, minutes(60))).toBe(1);
  });
  it('reminds nobody of what they were told a moment ago: a time before the clock began is none', () => {
    const day = { since: minutes(-24 * 60), until: minutes(0) };
    expect(reminderDue([-24, 0], day, null, minutes(-23 * 60))).toBeNull();
    expect(reminderDue([-24, -2], day, null, minutes(-60))).toBe(-2);
    expect(reminderDue([-24, 0], day, null, minutes(0))).toBe(0);
  });
});

describe('lockers', () => {
  const locker = (id: string, more: Partial<Candidate> = {}): Candidate => ({
    id, cabinetId: 'c1', doorTag: id, size: 'M', reach: 'middle', connection: 'online', door: 'closed', content: 'empty', outOfService: false,
    services: [], occupied: false, failing: false, linked: false, ...more,
  }); // prettier-ignore
  const wish: Wish = { size: 'M', service: 'delivery', cabinetId: null, not: [] };
  it('the smallest that will do, in reach, by tag', () => {
    const wall = [
      locker('A-10'),
      locker('A-9'),
      locker('A-1', { reach: 'high' }),
      locker('A-2', { size: 'L' }),
      locker('A-3', { size: 'S' }),
    ];
    expect(ranked(wall, wish).map((one) => one.id)).toEqual(['A-9', 'A-10', 'A-1', 'A-2']);
    expect(bestFit(wall, wish)).toEqual({ ok: true, lockerId: 'A-9', why: 'exact-size' });
    expect(bestFit(wall, { ...wish, size: null })).toEqual({ ok: true, lockerId: 'A-3', why: 'smallest-free' });
    expect(bestFit(wall, { ...wish, not: ['A-9', 'A-10', 'A-1'] })).toEqual({ ok: true, lockerId: 'A-2', why: 'next-size-up' });
    expect(bestFit(wall, { ...wish, size: 'XL' })).toEqual({ ok: false, code: 'too-small' });
    expect(bestFit(wall, { ...wish, cabinetId: 'c2' })).toEqual({ ok: false, code: 'no-locker' });
  });
  it.each<Partial<Candidate>>([
    { occupied: true, content: 'occupied' },
    { content: 'unknown' },
    { content: 'occupied' },
    { connection: 'offline' },
    { door: 'opened' },
    { door: 'unknown' },
    { outOfService: true },
  ])('never one that is %o', (odd) => {
    expect(bestFit([locker('A-1', odd)], wish)).toEqual({ ok: false, code: 'none-free' });
  });
  it('one that did not open when last asked only where nothing else is free', () => {
    const jammed = locker('A-1', { failing: true });
    expect(bestFit([jammed, locker('A-2', { size: 'L' })], wish)).toEqual({ ok: true, lockerId: 'A-2', why: 'next-size-up' });
    expect(bestFit([jammed, locker('A-2', { occupied: true })], wish)).toEqual({ ok: true, lockerId: 'A-1', why: 'exact-size' });
  });
  it('never one that somebody can open by a link; who chooses by hand finds it last', () => {
    const linked = locker('A-1', { linked: true });
    expect(bestFit([linked, locker('A-2', { size: 'L', failing: true })], wish)).toMatchObject({ ok: true, lockerId: 'A-2' });
    expect(bestFit([linked], wish)).toEqual({ ok: false, code: 'none-free' });
    expect(ranked([linked, locker('A-2', { size: 'L' })], wish).map(({ id }) => id)).toEqual(['A-2', 'A-1']);
  });
  it('never one for other services', () => {
    expect(bestFit([locker('A-1', { services: ['sale'] })], wish)).toEqual({ ok: false, code: 'no-locker' });
  });
  it('the order in which lockers come changes nothing', () => {
    const wall = ['A-1', 'A-2', 'A-3', 'B-1'].map((id, place) => locker(id, { size: place % 2 === 0 ? 'M' : 'L' }));
    fc.assert(
      fc.property(fc.shuffledSubarray(wall, { minLength: 4 }), (shuffled) => {
        expect(bestFit(shuffled, wish)).toEqual(bestFit(wall, wish));
      }),
    );
  });
  it('tells a door left open from one opened unasked, and lets neither hide that the graver came first', () => {
    const known = { content: 'empty', since: minutes(-9), why: 'taken' } as const;
    const left = believe(known, { kind: 'left-open' }, NOW);
    expect(left.why).toBe('left-open');
    expect(believe(left, { kind: 'unexpected-opening' }, NOW).why).toBe('unexpected-opening');
    const forced = believe(known, { kind: 'unexpected-opening' }, NOW);
    expect(believe(forced, { kind: 'left-open' }, NOW)).toEqual(forced);
  });
  it('what somebody found there is not made less by how its use then ended', () => {
    const known = { content: 'empty', since: minutes(-9), why: 'taken' } as const;
    const full = believe(known, { kind: 'not-empty' }, NOW);
    for (const why of ['unseen', 'silent', 'aborted', 'reset'] as const)
      expect(believe(full, { kind: 'occupation', content: 'unknown', why }, NOW)).toEqual(full);
    expect(believe(full, { kind: 'occupation', content: 'empty', why: 'said-empty' }, NOW)).toMatchObject({ content: 'empty' });
    const [left, none] = [believe(known, { kind: 'left-open' }, NOW), believe(known, { kind: 'found-empty' }, NOW)];
    // That it was empty a sensor may settle, once nobody is at it any more.
    expect(believe(none, { kind: 'occupation', content: 'unknown', why: 'aborted' }, NOW).why).toBe('aborted');
    expect(believe(left, { kind: 'occupation', content: 'unknown', why: 'unseen' }, NOW).why).toBe('unseen');
  });
  it('whoever found nothing inside is not overheard for what is noticed of the door after that', () => {
    const empty = believe({ content: 'occupied', since: minutes(-9), why: 'filled' }, { kind: 'found-empty' }, NOW);
    for (const kind of ['unexpected-opening', 'left-open', 'put-elsewhere'] as const)
      expect(believe(empty, { kind }, NOW, true)).toEqual(empty);
    const forced = { kind: 'occupation', content: 'unknown', why: 'unexpected-opening' } as const;
    expect(believe(empty, forced, NOW, true)).toEqual(empty);
    // Their claim is over, as a storage's owner's is once the door is shut: of what is noticed then they said nothing.
    expect(believe(empty, forced, NOW).why).toBe('unexpected-opening');
    expect(believe(empty, { kind: 'occupation', content: 'empty', why: 'said-empty' }, NOW, true)).toMatchObject({ content: 'empty' });
  });
  it('a sensor that bears out what somebody found says nothing of whose it is, or where it went; one that denies it is believed', () => {
    const known = { content: 'occupied', since: minutes(-9), why: 'filled' } as const;
    const [full, empty] = [believe(known, { kind: 'not-empty' }, NOW), believe(known, { kind: 'found-empty' }, NOW)];
    expect(believe(full, { kind: 'sensor', occupancy: 'occupied' }, NOW)).toEqual(full);
    expect(believe(full, { kind: 'sensor', occupancy: 'empty' }, NOW)).toMatchObject({ content: 'empty', why: 'sensor' });
    expect(believe(empty, { kind: 'sensor', occupancy: 'empty' }, NOW)).toEqual(empty);
    // A sensor that sensed nothing all the while has not sensed what they found either.
    expect(believe(full, { kind: 'sensor', occupancy: 'empty', unbroken: true }, NOW)).toEqual(full);
    for (const why of ['filled', 'put-back', 'word'] as const)
      expect(believe({ ...known, why }, { kind: 'sensor', occupancy: 'empty', unbroken: true }, NOW)).toEqual({ ...known, why });
    const never = believe(known, { kind: 'occupation', content: 'unknown', why: 'not-sensed' }, NOW);
    expect(believe(never, { kind: 'sensor', occupancy: 'empty' }, NOW)).toEqual(never);
    expect(believe(never, { kind: 'sensor', occupancy: 'occupied' }, NOW)).toMatchObject({ content: 'occupied', why: 'sensor' });
    const denied = believe(known, { kind: 'occupation', content: 'unknown', why: 'still-sensed' }, NOW);
    expect(believe(denied, { kind: 'sensor', occupancy: 'occupied' }, NOW)).toEqual(denied);
    expect(believe(denied, { kind: 'occupation', content: 'unknown', why: 'reset' }, NOW)).toEqual(denied);
    // That somebody was at the door makes neither less: the clock would count either as filled.
    for (const before of [full, denied]) {
      expect(believe(before, { kind: 'unexpected-opening' }, NOW)).toEqual(before);
      expect(believe(before, { kind: 'occupation', content: 'unknown', why: 'unexpected-opening' }, NOW)).toEqual(before);
    }
    expect(believe(denied, { kind: 'sensor', occupancy: 'empty' }, NOW)).toMatchObject({ content: 'empty', why: 'sensor' });
    expect(believe(empty, { kind: 'sensor', occupancy: 'occupied' }, NOW)).toMatchObject({ content: 'occupied', why: 'sensor' });
  });
  it.each<[Evidence, string]>([
    [{ kind: 'unexpected-opening' }, 'unknown'],
    [{ kind: 'left-open' }, 'unknown'],
    [{ kind: 'not-empty' }, 'unknown'],
    [{ kind: 'found-empty' }, 'unknown'],
    [{ kind: 'put-elsewhere' }, 'unknown'],
    [{ kind: 'sensor', occupancy: 'occupied' }, 'occupied'],
    [{ kind: 'sensor', occupancy: 'unknown' }, 'empty'],
    [{ kind: 'word', content: 'empty' }, 'empty'],
    [{ kind: 'occupation', content: 'occupied', why: 'filled' }, 'occupied'],
  ])('believes after %o: %s', (evidence, content) => {
    const before = { content: 'empty', since: minutes(-9), why: 'taken' } as const;
    const after = believe(before, evidence, NOW);
    expect(after.content).toBe(content);
    expect(after.since).toBe(content === 'empty' ? minutes(-9) : NOW);
  });
  it('is in doubt when nobody knows, or nobody explains', () => {
    expect(inDoubt('unknown', { stage: STAGES.CLAIMING, type: 'delivery' })).toBe(true);
    expect([inDoubt('occupied', null), inDoubt('empty', null)]).toEqual([true, false]);
  });
  it.each<[Stage, string, ContentState[]]>([
    [STAGES.RESERVED, 'delivery', ['occupied']],
    [STAGES.INITIATED, 'delivery', []],
    [STAGES.FILLED, 'delivery', ['empty']],
    [STAGES.ACQUIRABLE, 'sale', ['empty']],
    [STAGES.CONTACTING, 'delivery', ['empty']],
    [STAGES.CONTACTED, 'delivery', ['empty']],
    [STAGES.CLAIMING, 'delivery', []],
    [STAGES.VACANT, 'lending', ['occupied']],
    [STAGES.ACQUIRABLE, 'storage', []],
  ])('in stage %i of a %s what contradicts it is in doubt: %o', (stage, type, doubted) => {
    const contents = ['empty', 'occupied'] as const;
    expect(contents.filter((content) => inDoubt(content, { stage, type }))).toEqual(doubted);
  });
  const drawn: DrawnLocker = {
    connection: 'online',
    door: 'closed',
    lock: 'locked',
    opening: false,
    content: 'empty',
    outOfService: false,
    occupation: null,
  };
  it.each<[Partial<DrawnLocker>, string]>([
    [{}, 'free'],
    [{ outOfService: true, connection: 'offline' }, 'out-of-service'],
    [{ connection: 'offline', door: 'opened' }, 'offline'],
    [{ door: 'opened', content: 'unknown' }, 'open'],
    // Shut, but its lock did not catch. A lock that is let go so that the door opens is another matter.
    [{ lock: 'unlocked' }, 'not-locked'],
    [{ lock: 'unlocked', content: 'unknown' }, 'not-locked'],
    [{ lock: 'unlocked', opening: true }, 'free'],
    [{ lock: 'unlocked', door: 'opened' }, 'open'],
    [{ lock: 'unlocked', door: 'unknown' }, 'unknown'],
    [{ lock: 'unlocked', outOfService: true }, 'out-of-service'],
    [{ lock: 'unlocked', connection: 'offline' }, 'offline'],
    [{ lock: 'unknown' }, 'free'],
    [{ door: 'unknown' }, 'unknown'],
    [{ content: 'unknown', occupation: { type: 'delivery', stage: STAGES.FILLED, overdue: true } }, 'unknown'],
    [{ content: 'occupied', occupation: { type: 'delivery', stage: STAGES.CONTACTED, overdue: true } }, 'overdue'],
    [{ content: 'empty', occupation: { type: 'delivery', stage: STAGES.CONTACTED, overdue: true } }, 'unknown'],
    [{ occupation: { type: 'delivery', stage: STAGES.RESERVED, overdue: false } }, 'reserved'],
    [{ content: 'occupied', occupation: { type: 'delivery', stage: STAGES.FILLED, overdue: false } }, 'filled'],
    [{ content: 'occupied', occupation: { type: 'delivery', stage: STAGES.CONTACTED, overdue: false } }, 'ready'],
    [{ occupation: { type: 'delivery', stage: STAGES.CLAIMING, overdue: false } }, 'claiming'],
    [{ occupation: { type: 'delivery', stage: STAGES.VACANT, overdue: false } }, 'reserved'],
  ])('%o looks %s', (more, look) => {
    expect(lockerState({ ...drawn, ...more })).toBe(look);
  });
  it.each([
    [{}, 'free'],
    [{ door: 'opened' }, 'unready'],
    [{ door: 'unknown' }, 'unready'],
    [{ outOfService: {}, door: 'unknown' }, 'outOfService'],
    [{ occupation: {}, outOfService: {}, door: 'unknown' }, 'inUse'],
    [{ inDoubt: true, occupation: {}, outOfService: {} }, 'inDoubt'],
  ] as const)('%o is counted as %s and as nothing else', (more, standing) => {
    expect(standingOf({ door: 'closed', inDoubt: false, outOfService: null, occupation: null, ...more })).toBe(standing);
  });
});

describe('receivers', () => {
  it.each([
    ['99 99 99 99', true],
    ['+47 (0) 999 99 999', true],
    ['tel:004799999999', true],
    ['９９９９９９９９', true],
    ['12', false],
    ['99x99999', false],
    ['', false],
  ])('%j may be a number: %s', (typed, may) => expect(mayBeNumber(typed)).toBe(may));
  it.each([
    ['99 99 99 99', true],
    ['004799999999', true],
    ['+47 (0) 99999999', true],
    ['099999999', true],
    ['99999998', false],
    ['', false],
  ])('+4799999999 was typed as %j: %s', (typed, is) => expect(isNumberOf('+4799999999', typed)).toBe(is));
  it.each([
    ['912 34', true],
    ['+47 912', true],
    ['0047912', true],
    ['4791', true],
    ['091234567', true],
    ['+47 (0) 912', true],
    ['12 34', false],
    ['91', false],
    ['kari', false],
  ])('+4791234567 begins with %j: %s', (typed, begins) => expect(beginsNumber('+4791234567', typed)).toBe(begins));
  it.each([
    ['Kari 912 34 567 drill', ['Kari', '912 34 567', 'drill']],
    ['+47 (0) 912 34 567', ['+47 (0) 912 34 567']],
    ['A-04 0047 912', ['A-04', '0047 912']],
    ['INV-12 7', ['INV-12', '7']],
    ['  ', []],
  ])('%j is looked for as %j', (typed, pieces) => expect(piecesOf(typed)).toEqual(pieces));
  it.each([
    [{ name: 'Ola', tlf: '99999999' }, []],
    [{ name: 'Ola', email: 'ola@example.test' }, []],
    [{ name: '', email: 'ola@example.test' }, ['name']],
    [{ name: 'x'.repeat(100), email: 'ola@example.test' }, []],
    [{ name: 'x'.repeat(101), email: 'ola@example.test' }, ['name']],
    [{ name: '😀'.repeat(100), email: 'ola@example.test' }, []],
    [{ name: 'Ola' }, ['contact']],
    [{ name: 'Ola', tlf: '1', email: 'ola@x' }, ['tlf', 'email']],
    [{ name: ' ', tlf: ' ', email: null }, ['name', 'contact']],
    [{ name: 'Ola', email: `${'a'.repeat(250)}@example.test` }, ['email']],
  ])('%o lacks %o', (input, fields) => {
    const answer = checkReceiver(input);
    expect(answer.ok ? [] : answer.fields).toEqual(fields);
  });
  it('an address has one form, however it is typed', () => {
    expect(checkReceiver({ name: 'Ola', email: ' Ola.Ås@Example.TEST ' })).toMatchObject({ receiver: { email: 'ola.ås@example.test' } });
  });
});

describe('words and formats', () => {
  // shows R4.1
  it('stages have the specification’s numbers', () => {
    const numbers = { RESERVED: 0, INITIATED: 1, FILLED: 2, ACQUIRABLE: 3, CONTACTING: 4, CONTACTED: 5, CLAIMING: 6, VACANT: 7, TERMINATED: 98, ARCHIVED: 99 }; // prettier-ignore
    expect(STAGES).toEqual(numbers);
    expect(Object.values(STAGES).map(stageName)).toEqual(Object.keys(numbers));
  });
  // shows R1.4, R3.5, R3.11, R4.2, R6.2, R6.4
  it('the closed lists are the specification’s', () => {
    expect(OCCUPATION_TYPES).toEqual(['drop-off', 'storage', 'delivery', 'lending', 'consumable', 'sale', 'recall']);
    expect(ACTIONS).toEqual(['publish', 'return', 'empty', 'reset', 'send', 'finnish', 'extract', 'fill']);
    expect(PAYMENT_STATES).toEqual(['initiated', 'reserved', 'captured', 'cancelled', 'refunded']);
    expect(SERVICES).toEqual(['delivery', 'selfservice', 'storage', 'lending', 'consumable', 'sale', 'storefront', 'recall', 'drop-off', 'lock-control']); // prettier-ignore
    expect(SCOPES).toEqual(['manage', 'delivery', 'lending', 'sale', 'storage']);
    expect(ROLES).toEqual(['admin', 'all', 'asset_manager', 'manager', 'sale_manager', 'delivery_manager', 'lending_manager', 'consumable_manager', 'recall_manager', 'drop-off_manager']); // prettier-ignore
    const known = 'occupation_created occupation_filled occupation_refilled occupation_published occupation_assigned occupation_claiming occupation_claimed occupation_extract occupation_delivered occupation_borrowed occupation_returned occupation_consumed occupation_sold occupation_stored occupation_unstored occupation_terminated occupation_archived locker_reserved locker_opened locker_closed locker_empty locker_unknown locker_online locker_offline payment_initiated payment_reserved payment_captured payment_cancelled payment_refunded'; // prettier-ignore
    expect(known.split(' ').filter((event) => !HISTORY_EVENTS.some((one) => one === event))).toEqual([]);
  });
  it('scopes go both ways', () => {
    expect([scopeOf(scopeUrn('sale')), scopeOf('sale'), scopeOf('urn:pml:resources:locker:scopes:odd'), scopeOf('')]).toEqual([
      'sale',
      'sale',
      null,
      null,
    ]);
  });
  it('codes and tags', () => {
    expect([doorTagOf(' a-01 '), doorTagOf('å1'), doorTagOf('A--1'), doorTagOf(''), doorTagOf('A'.repeat(21))]).toEqual([
      'A-01',
      'Å1',
      null,
      null,
      null,
    ]);
    expect([pickupCodeOf('123 456'), pickupCodeOf('12345'), pickupCodeOf('１２３４５６')]).toEqual(['123456', null, '123456']);
  });
  it.each([
    ['https://h.test/p/abcdefghijklmnopqrstuvwx', 'token'],
    ['http://localhost:8080/c/1042', 'cabinet'],
    ['https://h.test/l/abcdefghijklmnopqrstuvwx?x=1', 'text'],
    ['https://h.test/p/short', 'text'],
    ['123456', 'code'],
    ['a-01', 'tag'],
    ['101', 'tag'],
    ['7038010009457', 'text'],
    ['what is this', 'text'],
  ])('%s scans as %s', (text, kind) => {
    expect(readScan(text).kind).toBe(kind);
  });
  it('prices are whole minor units', () => {
    expect([
      checkPrice({ amount: 0, currency: 'NOK' }),
      checkPrice({ amount: 1.5, currency: 'NOK' }),
      checkPrice({ amount: 1, currency: 'kr' }),
    ]).toEqual([null, 'amount', 'currency']);
    expect(formatPrice({ amount: 12_900, currency: 'NOK' })).toContain('129.00');
    expect(formatPrice({ amount: 129, currency: 'JPY' })).toContain('129');
    expect([bareAmount({ amount: 8_950, currency: 'NOK' }, 'nb'), bareAmount({ amount: 8_950, currency: 'JPY' }, 'nb')]).toEqual([
      '89,50',
      '8950',
    ]);
  });
});

describe('a word that is looked for', () => {
  it.each([
    ['nordmann-hansen', 'nord', true],
    ['nordmann-hansen', 'hans', true],
    ['nordmann-hansen', '-hans', true],
    ['nordmann-hansen', 'mann', false],
    ['mann nordmann', 'mann', true],
    ['rabatt 50%', '50%', true],
    ['rabatt 50%', '%', true],
    ['rabatt 50%', '0%', false],
    ['rabatt 50%', '_', false],
    ['åsåår', 'år', false],
  ])('in %j, %j: %j', (text, wanted, found) => expect(beginsWord(text, wanted)).toBe(found));
  it.each([
    ['Nordmann, Kari', ['nordmann', 'kari']],
    ['"Box (big)." #12 50% a_b +47', ['box', 'big', '#12', '50%', 'a_b', '+47']],
    [' ... ', ['...']],
    ['O’Brien A–1 −2', ["o'brien", 'a-1', '-2']],
    [',Kari .5 »Å«', ['kari', '5', 'å']],
    ['Andre\u0301 A\u030angstro\u0308m', ['andr\u00e9', '\u00e5ngstr\u00f6m']],
    ['', []],
  ])('%j is %j', (typed, words) => expect(wordsOf(typed)).toEqual(words));
});
