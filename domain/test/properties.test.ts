import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStock } from '../doors.ts';
import { HISTORY_EVENTS } from '../history.ts';
import { allowedActions } from '../offered.ts';
import { register } from '../register.ts';
import { transition } from '../transition.ts';
import { REFUSALS, type Answer, type Command, type Context, type Effect, type Occupation } from '../occupation-types.ts';
import { holdFor } from '../payment.ts';
import { rulesFor } from '../policy.ts';
import { OCCUPATION_TYPES, STAGES, isActive, isAsked, isStage, type OccupationType } from '../terms.ts';
import { HOLDER, NOW, STAFF, context } from './samples.ts';

/** The world around one occupation, moved by its effects the way a server would. */
interface World {
  readonly occupation: Occupation;
  readonly now: number;
  readonly openLoan: boolean;
  readonly lockers: ReadonlySet<string>;
  /** What the payment at hand set aside is set aside still. */
  readonly holds: boolean;
}

const receiver = { name: 'Ola', tlf: '+4799999999', email: null };
const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('fill' as const) }),
  fc.record({ kind: fc.constant('fill' as const), quantity: fc.integer({ min: -1, max: 6 }) }),
  fc.record({ kind: fc.constant('fill' as const), lockerId: fc.constantFrom('l1', 'l2', 'l3') }),
  fc.record({ kind: fc.constant('reset' as const), lockerId: fc.constantFrom('l1', 'l2', 'l3') }),
  fc.record({ kind: fc.constant('return' as const), lockerId: fc.constantFrom('l1', 'l2', 'l3') }),
  fc.record({ kind: fc.constant('claim' as const), quantity: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ kind: fc.constant('claim' as const), receiver: fc.constant({ name: 'Kari', tlf: null, email: 'kari@example.test' }) }),
  fc.record({ kind: fc.constant('delete' as const), reason: fc.constantFrom('lost', 'returned-elsewhere', 'tired of it') }),
  fc.record({ kind: fc.constant('door-opened' as const), named: fc.boolean(), unexpected: fc.boolean() }),
  fc.record({ kind: fc.constant('claim-failed' as const), why: fc.constantFrom('refused', 'no-answer', 'time', 'outage') }),
  fc.constantFrom<Command>(
    { kind: 'publish' },
    { kind: 'send' },
    { kind: 'send', receiver },
    { kind: 'empty' },
    { kind: 'reset' },
    { kind: 'finnish' },
    { kind: 'finnish' },
    { kind: 'extract' },
    { kind: 'return' },
    { kind: 'claim' },
    { kind: 'claim' },
    { kind: 'delete' },
    { kind: 'amend', note: 'x', receiver },
    { kind: 'door-closed' },
    { kind: 'nothing-inside' },
    { kind: 'message-accepted' },
    { kind: 'message-failed', error: 'gone' },
    { kind: 'expire-reservation' },
    { kind: 'archive' },
  ),
);
const steps = fc.record({
  command: commands,
  as: fc.constantFrom('staff' as const, 'staff' as const, 'holder' as const, 'link' as const, 'server' as const),
  wait: fc.constantFrom(0, 1_000, 40_000, 3_600_000, 100 * 86_400_000),
  paid: fc.constantFrom(null, 1, 2),
  late: fc.boolean(),
  sensed: fc.constantFrom(null, 'empty' as const, 'occupied' as const, 'unknown' as const),
  wasSilent: fc.boolean(),
  unanswered: fc.boolean(),
  free: fc.boolean(),
  version: fc.constantFrom(null, 'current' as const, 'old' as const),
});
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

const starts = fc.record({
  type: fc.constantFrom<OccupationType>(...OCCUPATION_TYPES),
  quantity: fc.integer({ min: 1, max: 4 }),
  priced: fc.boolean(),
  inspectReturns: fc.boolean(),
  staffConfirmsClaim: fc.boolean(),
  withReceiver: fc.boolean(),
});
type Start = typeof starts extends fc.Arbitrary<infer T> ? T : never;

function rulesOf(start: Start): Context['rules'] {
  return { ...rulesFor(null, start.type), inspectReturns: start.inspectReturns, staffConfirmsClaim: start.staffConfirmsClaim };
}

function begin(start: Start): World {
  const stock = start.type === 'consumable' || start.type === 'sale';
  const answer = register(
    {
      id: 'o1',
      tenantId: 't1',
      type: start.type,
      service: null,
      assetId: null,
      assetText: null,
      orderRef: null,
      externalRef: null,
      receiver: start.withReceiver ? receiver : null,
      quantity: stock ? start.quantity : null,
      refillLevel: null,
      loanHours: null,
      price: { amount: 1_000, currency: 'NOK' },
      pickupBy: null,
      note: null,
    },
    {
      now: NOW,
      actor: STAFF,
      rules: rulesOf(start),
      activeOfPerson: 0,
      lendable: true,
      locker: { id: 'l1', doorTag: 'A-01', free: true, inDoubt: false, outOfService: false, services: [] },
    },
  );
  if (!answer.ok) throw new Error(answer.refusal.code);
  // No sale begins for nothing any more; those that began so before are walked all the same.
  const occupation = { ...answer.occupation, price: { amount: start.priced ? 1_000 : 0, currency: 'NOK' } };
  return { occupation, now: Date.parse(NOW), openLoan: false, lockers: held(new Set(), answer.effects), holds: true };
}

function held(before: ReadonlySet<string>, effects: readonly Effect[]): ReadonlySet<string> {
  const after = new Set(before);
  for (const effect of effects) {
    if (effect.kind === 'release-locker' && !after.delete(effect.lockerId)) after.add(`released twice: ${effect.lockerId}`);
    if (effect.kind === 'take-locker') after.add(effect.lockerId);
  }
  return after;
}

function ask(world: World, step: Step, start: Start): { answer: Answer; ctx: Context } {
  const { occupation } = world;
  const lockerId = step.command.kind === 'fill' || step.command.kind === 'return' ? step.command.lockerId : undefined;
  const ctx = context({
    now: new Date(world.now + step.wait).toISOString(),
    actor: step.as === 'holder' ? HOLDER : STAFF,
    as: step.as,
    rules: rulesOf(start),
    openLoan: world.openLoan,
    payment: step.paid === null ? null : { id: 'pay', state: 'reserved', quantity: step.paid, holds: world.holds, paid: false },
    sensed: step.sensed,
    wasSilent: step.wasSilent,
    unanswered: step.unanswered,
    target:
      lockerId === undefined
        ? null
        : { id: lockerId, doorTag: lockerId, free: step.free, inDoubt: false, outOfService: false, services: [] },
    expectedVersion: step.version === null ? null : occupation.version - (step.version === 'old' ? 1 : 0),
  });
  return { answer: transition(occupation, step.command, ctx), ctx };
}

/** Somebody pays: its pieces are held, as long as there are so many; or they come so late that they were let go again. */
function withPayment(world: World, step: Step): World {
  if (step.paid === null) return world;
  const hold = step.late ? null : holdFor(world.occupation, step.paid);
  return hold?.ok ? { ...world, holds: true, occupation: { ...world.occupation, held: hold.held } } : { ...world, holds: false };
}

function after(world: World, step: Step, answer: Answer): World {
  const now = world.now + step.wait;
  if (!answer.ok) return { ...world, now };
  const loan = answer.effects.findLast((effect) => effect.kind === 'open-loan' || effect.kind === 'close-loan');
  return {
    occupation: answer.occupation,
    now,
    holds: world.holds,
    openLoan: loan === undefined ? world.openLoan : loan.kind === 'open-loan',
    lockers: held(world.lockers, answer.effects),
  };
}

/** Every invariant that this step broke, by name. */
function breaches(before: World, next: World, step: Step, answer: Answer): readonly string[] {
  const was = before.occupation;
  if (!answer.ok) return REFUSALS.includes(answer.refusal.code) ? [] : ['a refusal outside the closed list'];
  const is = answer.occupation;
  const stock = is.type === 'consumable' || is.type === 'sale';
  const claiming = is.stage === STAGES.CLAIMING;
  const grew = is.version - was.version;
  const same = JSON.stringify({ ...was, version: 0 }) === JSON.stringify({ ...is, version: 0 });
  const ended = is.stage === STAGES.TERMINATED && was.stage !== is.stage;
  const hadContent = was.stage > STAGES.RESERVED && was.stage < STAGES.VACANT;
  const lockers = [...next.lockers];
  const held: Record<string, boolean> = {
    'an old version is refused': step.version !== 'old',
    // A version is one change: it never moves without one, nor by more than one, and no change comes without it.
    'the version grows by one with each change': same ? grew === 0 || answer.events.length > 0 : grew === 1,
    'an event comes with a new version': answer.events.length === 0 || grew === 1,
    'a change of stage is told, or is one that the table leaves untold':
      is.stage === was.stage || answer.events.length > 0 || untold(was, is),
    'events are known ones': answer.events.every((event) => HISTORY_EVENTS.includes(event.type)),
    'the stage is one': isStage(is.stage),
    'quantity is a whole number from 0': Number.isSafeInteger(is.quantity) && is.quantity >= 0,
    'held lies between 0 and quantity': is.held >= 0 && is.held <= is.quantity,
    'what is no stock is one piece, never held': stock || (is.quantity === 1 && is.held === 0),
    'a claim has its fields, and nothing else has': [is.resumeStage, is.claimOpenedAt, is.claimQuantity].every(
      (field) => (field !== null) === claiming,
    ),
    'a claim has its claimer': !claiming || is.claimedBy !== null,
    'a claim holds its pieces': !claiming || !stock || is.held >= (is.claimQuantity ?? 0),
    'a priced claim stands on a payment, save of what was brought':
      !claiming || is.price?.amount === 0 || isAsked(is.type) || is.claimPaymentId === 'pay',
    'a payment that was used before is not a stock’s, and in a claim':
      !is.claimPaymentUsed || (claiming && !stock && is.claimPaymentId !== null),
    'money goes back by nobody’s word but that of staff who put the goods back':
      (step.command.kind === 'return' && step.as === 'staff') ||
      answer.effects.every((effect) => effect.kind !== 'cancel-payment' && effect.kind !== 'refund-payment'),
    'an ended use keeps no payment': !ended || is.claimPaymentId === null,
    'whom a claim was for is forgotten with it, unless they took it':
      was.claimReplaced === null ||
      claiming ||
      (step.command.kind === 'finnish' && (is.type === 'lending' || (ended && (is.type === 'delivery' || is.type === 'sale')))) ||
      is.receiver === was.claimReplaced.receiver,
    'ended stays ended': isActive(was.stage) || is.stage === was.stage || is.stage === STAGES.ARCHIVED,
    'the locker is held until the end, and one alone': isActive(is.stage)
      ? lockers.length === 1 && lockers[0] === is.lockerId
      : lockers.length === 0,
    'nothing is held where nothing is on offer':
      claiming || (is.stage >= STAGES.ACQUIRABLE && is.stage <= STAGES.CONTACTED) || is.held === 0,
    'a loan runs only beside a vacant locker': !next.openLoan || (is.type === 'lending' && is.stage === STAGES.VACANT),
    'an end with content inside says what is believed': !ended || !hadContent || answer.effects.some((effect) => effect.kind === 'content'),
  };
  return Object.entries(held).flatMap(([name, holds]) => (holds ? [] : [name]));
}

/** Changes of stage without an event in the table: messages and their fate, claims that failed. */
function untold(was: Occupation, is: Occupation): boolean {
  const offered: readonly number[] = [STAGES.ACQUIRABLE, STAGES.CONTACTING, STAGES.CONTACTED];
  return offered.includes(is.stage) && (offered.includes(was.stage) || was.stage === STAGES.CLAIMING);
}

const plain: Omit<Step, 'command'> = {
  as: 'staff',
  wait: 200 * 86_400_000,
  paid: 1,
  late: false,
  sensed: null,
  wasSilent: false,
  unanswered: false,
  free: true,
  version: null,
};
const key = ({ occupation: o, openLoan }: World): string =>
  [
    o.stage,
    o.resumeStage,
    o.quantity,
    o.held,
    openLoan,
    o.doorOpenedAt !== null,
    o.doorClosedAt !== null,
    o.claimPaymentId,
    o.claimPaymentUsed,
    o.lockerId,
  ].join('/');

/** Every state that can be reached from the start by these commands, each with those one step on. */
function explore(from: World, start: Start, moves: readonly Command[]): Map<string, { world: World; next: string[] }> {
  const states = new Map<string, { world: World; next: string[] }>();
  const waiting = [from];
  for (let world = waiting.pop(); world !== undefined; world = waiting.pop()) {
    if (states.has(key(world))) continue;
    const here = world;
    const { type, quantity } = here.occupation;
    const further = moves.flatMap((move) => {
      // Of a stock begun anew, whoever fills it says how many.
      const command = move.kind === 'fill' && isStock(type) && quantity === 0 ? { ...move, quantity: 1 } : move;
      const step = { ...plain, command };
      const { answer } = ask(here, step, start);
      return answer.ok ? [after(here, step, answer)] : [];
    });
    states.set(key(here), { world: here, next: further.map(key) });
    waiting.push(...further);
  }
  return states;
}

/** States from which no path leads to an end. */
function deadEnds(states: ReturnType<typeof explore>): readonly string[] {
  const good = new Set([...states].filter(([, { world }]) => !isActive(world.occupation.stage)).map(([name]) => name));
  for (let size = -1; size !== good.size;) {
    size = good.size;
    for (const [name, { next }] of states) if (next.some((one) => good.has(one))) good.add(name);
  }
  return [...states.keys()].filter((name) => !good.has(name));
}

const SERVICE: readonly Command[] = [
  { kind: 'door-opened', named: true },
  { kind: 'door-closed' },
  { kind: 'nothing-inside' },
  { kind: 'fill' },
  { kind: 'publish' },
  { kind: 'send', receiver },
  { kind: 'message-accepted' },
  { kind: 'message-failed', error: 'gone' },
  { kind: 'claim' },
  { kind: 'claim-failed', why: 'time' },
  { kind: 'finnish' },
  { kind: 'return' },
  { kind: 'extract' },
  { kind: 'empty' },
  { kind: 'reset' },
];
const EVERYTHING: readonly Command[] = [
  ...SERVICE,
  { kind: 'fill', lockerId: 'l2' },
  { kind: 'return', lockerId: 'l2' },
  { kind: 'reset', lockerId: 'l2' },
  { kind: 'delete' },
  { kind: 'delete', reason: 'lost' },
  { kind: 'expire-reservation' },
  { kind: 'archive' },
];
const begun = (type: OccupationType, priced: boolean): Start => ({
  type,
  quantity: 2,
  priced,
  inspectReturns: false,
  staffConfirmsClaim: false,
  withReceiver: true,
});
const CONTACTLESS: readonly OccupationType[] = ['consumable', 'sale', 'drop-off', 'recall'];

describe('every state that can be reached', () => {
  describe.each(OCCUPATION_TYPES)('of %s', (type) => {
    it.each([false, true])('has a way to an end (priced: %s), and every stage is reached', (priced) => {
      const states = explore(begin(begun(type, priced)), begun(type, priced), EVERYTHING);
      expect(deadEnds(states)).toEqual([]);
      const stages = new Set([...states.values()].map(({ world }) => world.occupation.stage));
      const never = CONTACTLESS.includes(type) ? [STAGES.CONTACTING, STAGES.CONTACTED] : [];
      expect([...stages].sort((a, b) => a - b)).toEqual(Object.values(STAGES).filter((stage) => !never.some((one) => one === stage)));
    });
  });

  // Lending and consumables go on for ever by design: there an end is somebody's decision (delete).
  it.each(['drop-off', 'storage', 'delivery', 'sale', 'recall'] as const)('of %s ends by service too, nobody giving up', (type) => {
    expect(deadEnds(explore(begin(begun(type, false)), begun(type, false), SERVICE))).toEqual([]);
  });
});

describe('random sequences of triggers', () => {
  it('never break an invariant', () => {
    fc.assert(
      fc.property(starts, fc.array(steps, { minLength: 5, maxLength: 60 }), (start, sequence) => {
        let world = begin(start);
        for (const step of sequence) {
          world = withPayment(world, step);
          const { answer } = ask(world, step, start);
          const next = after(world, step, answer);
          expect(breaches(world, next, step, answer)).toEqual([]);
          world = next;
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('offer exactly what would succeed', () => {
    fc.assert(
      fc.property(starts, fc.array(steps, { maxLength: 30 }), (start, sequence) => {
        let world = begin(start);
        for (const step of sequence) world = after(world, step, ask(world, step, start).answer);
        const ctx = context({ now: new Date(world.now).toISOString(), rules: rulesOf(start), openLoan: world.openLoan });
        const offered = allowedActions(world.occupation, ctx);
        expect(new Set(offered).size).toBe(offered.length);
        for (const action of [
          'publish',
          'send',
          'empty',
          'reset',
          'finnish',
          'extract',
          'return',
          'claim',
          'delete',
          'nothing-inside',
        ] as const) {
          expect(offered.includes(action)).toBe(transition(world.occupation, { kind: action }, ctx).ok);
        }
      }),
      { numRuns: 500 },
    );
  });
});
