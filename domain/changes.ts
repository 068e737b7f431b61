import { DAY, FILL_AFTER, HOUR, MINUTE, SECOND, isMoment, isReached, later } from './deadlines.ts';
import { isStock } from './doors.ts';
import type { Row, Trigger } from './lifecycle.ts';
import type { Command, CommandKind, ContentReason, Context, Effect, Occupation, RefusalCode } from './occupation-types.ts';
import { tooMany } from './policy.ts';
import { isPriced } from './price.ts';
import { isContactable, type Receiver } from './receiver.ts';
import { STAGES, type ContentState } from './terms.ts';

/** What a trigger does beside the row of the table: its guard, and the fields and effects that are its own. */
export interface Change {
  readonly patch?: Partial<Occupation>;
  readonly effects?: readonly Effect[];
  /** Facts for the history, beside what every event of an occupation carries. */
  readonly data?: Readonly<Record<string, unknown>>;
}
export interface Behaviour<K extends CommandKind = CommandKind> {
  /** Why not, although the table would; null when nothing stands against it. */
  readonly guard?: (o: Occupation, command: Extract<Command, { kind: K }>, ctx: Context, row: Row) => RefusalCode | null;
  readonly change?: (o: Occupation, command: Extract<Command, { kind: K }>, ctx: Context, row: Row) => Change;
}

const MAX_PIECES = 100_000;
const isPieces = (value: number): boolean => Number.isSafeInteger(value) && value >= 1 && value <= MAX_PIECES;

const content = (o: Occupation, state: ContentState, why: ContentReason): Effect => ({
  kind: 'content',
  lockerId: o.lockerId,
  content: state,
  why,
});
/** What is believed after somebody took or put back: not what a silent cabinet hid, nor what the sensor denies, staff's word aside. */
function believed(o: Occupation, state: 'empty' | 'occupied', why: ContentReason, ctx: Context): Effect {
  if (ctx.wasSilent) return content(o, 'unknown', 'silent');
  const denied = ctx.sensed === (state === 'empty' ? 'occupied' : 'empty');
  return denied && ctx.as !== 'staff' ? content(o, 'unknown', 'sensor') : content(o, state, why);
}
const hasPassed = (since: string | null, ms: number, now: string): boolean => since !== null && Date.parse(since) + ms <= Date.parse(now);

/** Whether a fill or return goes to another locker than its own. */
export function movesTo(o: Occupation, lockerId: string | undefined): lockerId is string {
  return lockerId !== undefined && lockerId !== o.lockerId;
}

function targetRefusal(ctx: Context, lockerId: string): RefusalCode | null {
  const target = ctx.target;
  if (target === null || target.id !== lockerId || !target.free) return 'locker-taken';
  if (target.outOfService) return 'out-of-service';
  return target.inDoubt ? 'locker-in-doubt' : null;
}

/** Fields and effects of going over to the target locker, whose content is then known. */
function goOver(o: Occupation, ctx: Context, why: ContentReason): Required<Omit<Change, 'data'>> {
  const target = ctx.target;
  if (target === null) return { patch: {}, effects: [] };
  return {
    patch: { lockerId: target.id, doorTag: target.doorTag },
    effects: [
      { kind: 'release-locker', lockerId: o.lockerId },
      { kind: 'take-locker', lockerId: target.id },
      { kind: 'content', lockerId: target.id, content: 'occupied', why },
    ],
  };
}

/** Pieces inside after a fill. The locker was empty before, so what is put in is all there is. */
function filledQuantity(o: Occupation, quantity: number | undefined): number {
  if (!isStock(o.type)) return 1;
  return quantity ?? (o.quantity > 0 ? o.quantity : Math.max(1, o.refillLevel ?? 1));
}

function quantityRefusal(o: Occupation, quantity: number | undefined): RefusalCode | null {
  if (quantity === undefined) return null;
  return isStock(o.type) ? (isPieces(quantity) ? null : 'quantity') : quantity === 1 ? null : 'quantity';
}

/** Somebody else than before is reached: whoever got the old link must not open with it. */
function newAddress(before: Receiver | null, after: Receiver): boolean {
  return before !== null && (before.tlf !== after.tlf || before.email !== after.email);
}
const newSecrets = (ctx: Context): Effect[] => [{ kind: 'secrets-die', at: ctx.now }, { kind: 'secrets-wake' }];

/** The pieces that the claim had promised itself, given back. */
function unclaim(o: Occupation): Partial<Occupation> {
  return isStock(o.type) ? { held: Math.max(0, o.held - (o.claimQuantity ?? 0)) } : {};
}

/** What becomes of the payment of a claim that comes to nothing. */
function payBack(o: Occupation, ctx: Context): Effect[] {
  if (o.claimPaymentId === null) return [];
  const captured = ctx.payment?.id === o.claimPaymentId && ctx.payment.state === 'captured';
  return [{ kind: captured ? 'refund-payment' : 'cancel-payment', paymentId: o.claimPaymentId }];
}

/** A claim cut off by staff: paid where the door was seen open (a refund is by hand), else let go. */
function settleClaim(o: Occupation): Effect[] {
  if (o.claimPaymentId === null) return [];
  const opened = o.stage !== STAGES.CLAIMING || o.doorOpenedAt !== null;
  return [{ kind: opened ? 'capture-payment' : 'cancel-payment', paymentId: o.claimPaymentId }];
}

const backToContacting = (row: Row, o: Occupation): Effect[] =>
  row.to === 'resume' && o.resumeStage === STAGES.CONTACTING ? [{ kind: 'settle-message' }] : [];

const reservation = (ctx: Context): Change => {
  const until = later(ctx.now, ctx.rules.reserveMinutes * MINUTE);
  return {
    patch: { reservedFrom: ctx.now, reservedUntil: until },
    effects: [{ kind: 'look-again', command: 'expire-reservation', at: until }],
  };
};

type Behaviours = { readonly [T in Trigger]: Behaviour<KindOf<T>> };
type KindOf<T extends Trigger> = T extends 'refill' | 'move'
  ? 'fill'
  : T extends 'request'
    ? 'send'
    : T extends 'put-back' | 'bring-back'
      ? 'return'
      : Extract<T, CommandKind>;

export const BEHAVIOURS: Behaviours = {
  fill: {
    // The server fills by itself only some seconds after the door was sensed closed, and never against a sensor.
    guard: (o, { quantity }, ctx) => {
      if (ctx.openLoan) return 'open-loan';
      // Who came with a link has to have opened and closed the door; staff may know better.
      if (ctx.as === 'holder' && o.doorOpenedAt === null) return 'not-yet';
      if (ctx.as === 'holder' && o.doorClosedAt === null) return 'door-open';
      if (ctx.as === 'server' && (!hasPassed(o.doorClosedAt, FILL_AFTER, ctx.now) || ctx.sensed === 'empty')) return 'not-yet';
      return quantityRefusal(o, quantity);
    },
    change: (o, { quantity }) => ({
      patch: { quantity: filledQuantity(o, quantity), held: 0, claimedBy: null },
      effects: [
        content(o, 'occupied', 'filled'),
        ...(o.type === 'drop-off' ? [{ kind: 'tell-staff', reason: 'dropped-off' } as const] : []),
        ...(o.type === 'recall' ? [{ kind: 'tell-staff', reason: 'brought-back' } as const] : []),
      ],
      ...(isStock(o.type) ? { data: { quantity: filledQuantity(o, quantity) } } : {}),
    }),
  },
  refill: {
    guard: (o, { quantity }) => (isPieces(quantity ?? 0) && o.quantity + (quantity ?? 0) <= MAX_PIECES ? null : 'quantity'),
    change: (o, { quantity }) => ({
      patch: { quantity: o.quantity + (quantity ?? 0) },
      effects: [content(o, 'occupied', 'filled')],
      data: { quantity: quantity ?? 0 },
    }),
  },
  move: {
    guard: (o, { quantity, lockerId }, ctx) => {
      if (ctx.openLoan) return 'open-loan';
      return quantityRefusal(o, quantity) ?? targetRefusal(ctx, lockerId ?? '');
    },
    change: (o, { quantity }, ctx) => {
      const { patch, effects } = goOver(o, ctx, 'filled');
      return {
        patch: { ...patch, quantity: filledQuantity(o, quantity), held: 0, claimedBy: null },
        effects,
        data: { from: o.doorTag, to: ctx.target?.doorTag },
      };
    },
  },
  'nothing-inside': {
    change: (o, _command, ctx) => {
      const { patch, effects } = reservation(ctx);
      return { patch: { ...patch }, effects: [content(o, 'empty', 'nothing-inside'), ...(effects ?? [])] };
    },
  },

  publish: {},
  send: {
    guard: (o, { receiver }) => (isContactable(receiver ?? o.receiver) ? null : 'receiver-needed'),
    change: (o, { receiver, channel }, ctx) => ({
      patch: { contactError: null, ...(receiver === undefined ? {} : { receiver }) },
      effects: [
        ...(receiver !== undefined && newAddress(o.receiver, receiver) ? newSecrets(ctx) : []),
        { kind: 'notify', reason: 'ready', channel: channel ?? null },
      ],
    }),
  },
  request: {
    guard: (o, { receiver }) => (isContactable(receiver ?? o.receiver) ? null : 'receiver-needed'),
    change: (o, { receiver, channel }, ctx) => ({
      patch: receiver === undefined ? {} : { receiver },
      effects: [
        ...(receiver !== undefined && newAddress(o.receiver, receiver) ? newSecrets(ctx) : [{ kind: 'secrets-wake' } as const]),
        { kind: 'notify', reason: 'request', channel: channel ?? null },
      ],
    }),
  },
  'message-accepted': { change: () => ({ patch: { contactError: null } }) },
  'message-failed': { change: (_o, { error }) => ({ patch: { contactError: error } }) },

  claim: {
    guard: (o, { quantity }, ctx) => {
      if (o.type === 'lending' && !ctx.lendable) return 'not-lendable';
      if (tooMany(ctx.rules, ctx.activeOfPerson)) return 'too-many';
      if (isPriced(o.price) && ctx.payment?.state !== 'reserved') return 'payment-needed';
      const pieces = claimedPieces(o, quantity, ctx);
      if (quantityRefusal(o, quantity) !== null || !isPieces(pieces)) return 'quantity';
      if (isPriced(o.price)) return pieces > o.quantity || (quantity !== undefined && quantity !== pieces) ? 'quantity' : null;
      return isStock(o.type) && pieces > o.quantity - o.held ? 'quantity' : null;
    },
    change: (o, { quantity, receiver }, ctx) => {
      const pieces = claimedPieces(o, quantity, ctx);
      // A payment's pieces are held already, and its hold becomes the claim's; a claim without payment holds them itself.
      const held = isPriced(o.price) ? Math.max(o.held, pieces) : o.held + pieces;
      return {
        patch: {
          resumeStage: o.stage,
          claimedBy: ctx.actor,
          claimQuantity: pieces,
          claimPaymentId: isPriced(o.price) ? (ctx.payment?.id ?? null) : null,
          claimOpenedAt: ctx.now,
          ...(isStock(o.type) ? { held } : {}),
          ...(receiver === undefined ? {} : { receiver }),
        },
        effects: [{ kind: 'look-again', command: 'claim-failed', at: later(ctx.now, ctx.rules.claimSeconds * SECOND) }],
        ...(isStock(o.type) ? { data: { quantity: pieces } } : {}),
      };
    },
  },
  'claim-failed': {
    // Once its door was seen open a claim can be finished or put back, but it has not failed.
    guard: (o, { why }, ctx) => {
      if (o.doorOpenedAt !== null) return 'occupation-transition';
      return why === 'time' && !hasPassed(o.claimOpenedAt, ctx.rules.claimSeconds * SECOND, ctx.now) ? 'not-yet' : null;
    },
    change: (o, _command, ctx, row) => ({
      patch: { ...unclaim(o), claimPaymentId: null },
      effects: [...payBack(o, ctx), ...backToContacting(row, o)],
    }),
  },
  'door-opened': {
    change: (o, _command, ctx) => ({ patch: { doorOpenedAt: ctx.now, doorClosedAt: null } }),
  },
  'door-closed': {
    change: (o, _command, ctx) => ({ effects: ctx.wasSilent ? [content(o, 'unknown', 'silent')] : [] }),
  },

  finnish: {
    guard: (o, _command, ctx) => {
      if (o.type === 'storage') return ctx.as === 'server' ? 'not-allowed' : null;
      if (ctx.as === 'staff') return null;
      // Nobody took anything through a door that stayed shut: their word alone must not free the locker.
      if (o.doorOpenedAt === null) return 'not-yet';
      if (ctx.as === 'holder') return null;
      if (ctx.wasSilent) return null;
      const graceOver = hasPassed(o.doorClosedAt, ctx.rules.claimGraceSeconds * SECOND, ctx.now);
      return graceOver && !ctx.rules.staffConfirmsClaim ? null : 'not-yet';
    },
    change: (o, _command, ctx) => {
      const pieces = o.claimQuantity ?? 1;
      const left = isStock(o.type) ? o.quantity - pieces : 0;
      const low = isStock(o.type) && left <= (o.refillLevel ?? 0) && o.type === 'consumable';
      return {
        patch: { claimPaymentId: null, ...(isStock(o.type) ? { quantity: left, held: Math.max(0, o.held - pieces) } : {}) },
        effects: [
          believed(o, left > 0 ? 'occupied' : 'empty', 'taken', ctx),
          ...(o.claimPaymentId === null ? [] : [{ kind: 'capture-payment', paymentId: o.claimPaymentId } as const]),
          ...(low ? [{ kind: 'tell-staff', reason: 'refill' } as const] : []),
          ...(o.type === 'lending'
            ? [
                {
                  kind: 'open-loan',
                  dueAt: later(ctx.now, ctx.rules.loanHours * HOUR),
                  borrower: o.claimedBy ?? ctx.actor,
                  receiver: o.receiver,
                } as const,
              ]
            : []),
        ],
        ...(isStock(o.type) ? { data: { quantity: pieces } } : {}),
      };
    },
  },
  'put-back': {
    change: (o, { condition }, ctx, row) => ({
      patch: { ...unclaim(o), claimPaymentId: null },
      effects: [
        ...(o.doorOpenedAt === null ? [] : [believed(o, 'occupied', 'put-back', ctx)]),
        ...payBack(o, ctx),
        ...backToContacting(row, o),
      ],
      ...(condition === undefined ? {} : { data: { condition } }),
    }),
  },
  'bring-back': {
    // A borrower alone at the wall has to open, put in and close; staff may know better.
    guard: (o, { lockerId }, ctx) => {
      if (movesTo(o, lockerId)) {
        // Another locker's door is another record; only staff, who stand there, may say that it lies there.
        return ctx.as === 'holder' ? 'not-allowed' : targetRefusal(ctx, lockerId);
      }
      return ctx.as === 'holder' && o.doorClosedAt === null ? 'door-open' : null;
    },
    change: (o, { lockerId, condition }, ctx, row) => {
      const moved = movesTo(o, lockerId) ? goOver(o, ctx, 'put-back') : { patch: {}, effects: [believed(o, 'occupied', 'put-back', ctx)] };
      const loan: Effect[] = ctx.openLoan ? [{ kind: 'close-loan', endedBy: 'returned', condition: condition ?? null }] : [];
      return {
        // The next borrower is another one: the last one's name and link end here.
        patch: { ...moved.patch, claimedBy: null, receiver: null, quantity: 1 },
        effects: [
          ...moved.effects,
          ...loan,
          { kind: 'secrets-die', at: ctx.now },
          ...(row.when === 'inspect' ? [{ kind: 'tell-staff', reason: 'inspect' } as const] : []),
        ],
        ...(condition === undefined ? {} : { data: { condition } }),
      };
    },
  },

  extract: {
    change: (o, { reason }) => ({
      // `quantity` stays: it is what a move puts into the next locker.
      patch: { held: 0, pickupBy: null, pickupFrom: null, contactError: null, claimPaymentId: null },
      effects: [
        content(o, 'empty', 'taken-out'),
        { kind: 'secrets-sleep' },
        ...(o.receiver === null ? [] : [{ kind: 'tell-receiver', reason: 'taken-out' } as const]),
        ...settleStored(o),
      ],
      ...(reason === undefined ? {} : { data: { reason } }),
    }),
  },
  empty: {
    change: (o) => ({
      patch: {
        held: 0,
        ...(isStock(o.type) ? { quantity: 0 } : {}),
        claimedBy: null,
        pickupBy: null,
        pickupFrom: null,
        claimPaymentId: null,
      },
      effects: [
        content(o, 'empty', 'said-empty'),
        { kind: 'secrets-sleep' },
        ...settleClaim(o),
        { kind: 'cancel-open-payments', except: o.claimPaymentId },
      ],
    }),
  },
  reset: {
    guard: (_o, _command, ctx) => (ctx.openLoan ? 'content-inside' : null),
    change: (o, _command, ctx) => {
      const { patch, effects } = reservation(ctx);
      return {
        patch: { ...patch, claimedBy: null, contactError: null, pickupBy: null, pickupFrom: null },
        effects: [
          // Its door was open: something may lie inside that nobody recorded.
          ...(o.doorOpenedAt !== null && o.stage === STAGES.INITIATED ? [content(o, 'unknown', 'reset')] : []),
          ...(o.type === 'drop-off' || o.type === 'recall' ? [{ kind: 'secrets-wake' } as const] : []),
          ...(effects ?? []),
        ],
      };
    },
  },

  amend: {
    guard: (_o, { receiver, pickupBy, dueAt }, ctx) => {
      if (receiver !== undefined && !isContactable(receiver)) return 'receiver-needed';
      if (dueAt !== undefined && !ctx.openLoan) return 'deadline';
      for (const moment of [pickupBy, dueAt]) {
        if (moment !== undefined && !(isMoment(moment) && Date.parse(moment) > Date.parse(ctx.now))) return 'deadline';
      }
      return null;
    },
    change: (o, { receiver, pickupBy, dueAt, note }, ctx) => ({
      patch: {
        ...(receiver === undefined ? {} : { receiver }),
        ...(pickupBy === undefined ? {} : { pickupBy, pickupFrom: ctx.now }),
        ...(note === undefined ? {} : { note }),
      },
      effects: [
        ...(receiver !== undefined && newAddress(o.receiver, receiver) ? newSecrets(ctx) : []),
        ...(dueAt === undefined ? [] : [{ kind: 'amend-loan', dueAt } as const]),
      ],
      // Which fields, and new deadlines; never whom it was for: history outlives the receiver's data.
      data: {
        fields: Object.entries({ receiver, pickupBy, dueAt, note }).flatMap(([field, value]) => (value === undefined ? [] : [field])),
        ...(pickupBy === undefined ? {} : { pickupBy }),
        ...(dueAt === undefined ? {} : { dueAt }),
      },
    }),
  },
  delete: {
    guard: (_o, { reason }, ctx) => (ctx.openLoan && !isLoanEnd(reason) ? 'open-loan' : null),
    change: (o, { reason }, ctx) => ({
      effects: [
        ...(mayHoldSomething(o, ctx) ? [content(o, 'unknown', 'aborted')] : []),
        ...settleClaim(o),
        ...(ctx.openLoan && isLoanEnd(reason) ? [{ kind: 'close-loan', endedBy: reason, condition: null } as const] : []),
      ],
      ...(reason === undefined ? {} : { data: { reason } }),
    }),
  },
  'expire-reservation': {
    guard: (o, _command, ctx) =>
      o.reservedUntil !== null && isReached({ since: o.reservedFrom ?? o.createdAt, until: o.reservedUntil }, ctx.offline, ctx.now)
        ? null
        : 'not-yet',
  },
  archive: {
    guard: (o, _command, ctx) => (hasPassed(o.endedAt, ctx.retentionDays * DAY, ctx.now) ? null : 'not-yet'),
    change: () => ({ patch: { receiver: null, claimedBy: null, note: null, contactError: null } }),
  },
};

function isLoanEnd(reason: string | undefined): reason is 'lost' | 'returned-elsewhere' {
  return reason === 'lost' || reason === 'returned-elsewhere';
}

/** Content was put in and not said to be out; or a borrower had the door open and the thing may be back. */
function mayHoldSomething(o: Occupation, ctx: Context): boolean {
  if (o.stage === STAGES.RESERVED) return false;
  if (o.stage === STAGES.VACANT) return ctx.openLoan && o.doorOpenedAt !== null;
  return true;
}

/** Pieces that a claim takes: those that were paid for, else those asked for, else one. */
function claimedPieces(o: Occupation, quantity: number | undefined, ctx: Context): number {
  if (!isStock(o.type)) return 1;
  return isPriced(o.price) ? (ctx.payment?.quantity ?? 0) : (quantity ?? 1);
}

/** Extract of what was stored and paid for keeps that payment; open payments of others are let go. */
function settleStored(o: Occupation): Effect[] {
  return [
    ...(o.claimPaymentId === null ? [] : [{ kind: 'capture-payment', paymentId: o.claimPaymentId } as const]),
    { kind: 'cancel-open-payments', except: o.claimPaymentId },
  ];
}
