import { isStock, MAX_PIECES } from './doors.ts';
import { isLockerFor } from './locker.ts';
import { isAsked, STAGES } from './terms.ts';
import type { ContentReason, Context, Effect, Occupation, RefusalCode } from './occupation-types.ts';
import {
  type Change,
  type Behaviours,
  assumed,
  believed,
  content,
  denied,
  emptied,
  isSettled,
  isPieces,
  mayHaveBeenFilled,
  mayHoldSomething,
  movesTo,
  notOffered,
  quantityRefusal,
  reservation,
} from './change.ts';

/** What goes in: fills, refills, moves, returns of what was lent, and starting over. */
export const FILLING = {
  fill: {
    // The server fills by itself only some seconds after the door was sensed closed, and never against a sensor or the word of who found it full.
    guard: (o, { quantity }, ctx) => {
      if (ctx.openLoan) return 'open-loan';
      // Who came with a link has to have opened and closed the door; staff may know better.
      if (ctx.as === 'holder' && o.doorOpenedAt === null) return 'not-yet';
      if (ctx.as === 'holder' && o.doorClosedAt === null) return 'door-open';
      if (isAway(ctx)) return 'not-yet';
      if (ctx.as === 'server' && !(isSettled(o, ctx) && fillsByItself(o, ctx))) return 'not-yet';
      return quantityRefusal(o, quantity);
    },
    change: (o, { quantity }, ctx) => ({
      patch: { quantity: filledQuantity(o, quantity), held: 0, claimedBy: null },
      effects: [
        believed(o, 'occupied', 'filled', ctx),
        ...(o.type === 'drop-off' ? [{ kind: 'tell-staff', reason: 'dropped-off' } as const] : []),
        ...(o.type === 'recall' ? [{ kind: 'tell-staff', reason: 'brought-back' } as const] : []),
        ...lowFrom(o, filledQuantity(o, quantity)),
        ...callThere(o, ctx),
      ],
      data: { ...(isStock(o.type) ? { quantity: filledQuantity(o, quantity) } : {}), ...assumed('occupied', ctx) },
    }),
  },
  refill: {
    guard: (o, { quantity }) => (isPieces(quantity ?? 0) && o.quantity + (quantity ?? 0) <= MAX_PIECES ? null : 'quantity'),
    // Whoever puts more in says nothing of what was there before: a doubt about it stays until somebody has looked.
    change: (o, { quantity }, ctx) => ({
      patch: { quantity: o.quantity + (quantity ?? 0) },
      effects: [...(ctx.mayBeGone ? [] : [content(o, 'occupied', 'filled')]), ...lowFrom(o, o.quantity + (quantity ?? 0))],
      data: { quantity: quantity ?? 0 },
    }),
  },
  move: {
    guard: (o, { quantity, lockerId }, ctx) => {
      if (ctx.openLoan) return 'open-loan';
      return quantityRefusal(o, quantity) ?? targetRefusal(o, ctx, lockerId ?? '');
    },
    change: (o, { quantity }, ctx) => {
      const { patch, effects } = goOver(o, ctx, 'filled');
      return {
        patch: { ...patch, quantity: filledQuantity(o, quantity), held: 0, claimedBy: null },
        effects: [...effects, ...callThere(o, ctx)],
      };
    },
  },
  'nothing-inside': {
    guard: (_o, _command, ctx) => (isAway(ctx) ? 'not-yet' : null),
    change: (o, _command, ctx) => {
      const { patch, effects } = reservation(ctx);
      return { patch: { ...patch }, effects: [emptied(o, 'nothing-inside', ctx), ...(effects ?? [])], data: denied(ctx) };
    },
  },
  'bring-back': {
    // A borrower alone at the wall has to open, put in and close; staff may know better.
    guard: (o, { lockerId }, ctx) => {
      if (movesTo(o, lockerId)) {
        // Another locker's door is another record; only staff, who stand there, may say that it lies there.
        return ctx.as === 'holder' ? 'not-allowed' : targetRefusal(o, ctx, lockerId);
      }
      if (ctx.as !== 'holder') return null;
      // Taken out by staff it was lent to nobody.
      if (!ctx.openLoan) return 'not-allowed';
      if (o.doorClosedAt === null) return 'door-open';
      return isAway(ctx) ? 'not-yet' : null;
    },
    change: (o, { lockerId, condition }, ctx, row) => {
      // Sensed to be empty behind a door that was not opened for it since it went out: not even somebody's word puts it there.
      const isDenied = ctx.openLoan && ctx.sensed === 'empty' && o.doorOpenedAt === null;
      const inside = isDenied ? content(o, 'unknown', 'not-sensed') : believed(o, 'occupied', 'put-back', ctx);
      const moved = movesTo(o, lockerId) ? goOver(o, ctx, 'put-back') : { patch: {}, effects: [inside] };
      const loan: Effect[] = ctx.openLoan ? [{ kind: 'close-loan', endedBy: 'returned', condition: condition ?? null }] : [];
      return {
        // The next borrower is another one: the last one's name and link end here, with their time to fetch it and what was wrong with reaching them.
        patch: { ...moved.patch, claimedBy: null, receiver: null, pickupBy: null, contactError: null, quantity: 1 },
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
  // To be put into another locker, which stays empty until its door was there for that.
  'go-over': {
    guard: (o, { lockerId }, ctx) => (ctx.openLoan ? 'content-inside' : targetRefusal(o, ctx, lockerId ?? '')),
    change: (o, _command, ctx) => {
      const { patch, effects } = reservation(ctx);
      const over = leave(o, ctx);
      return {
        patch: {
          ...over.patch,
          ...patch,
          doorOpenedAt: null,
          doorClosedAt: null,
          ...(o.stage === STAGES.VACANT ? notOffered(o, ctx.out?.move) : {}),
        },
        effects: [...over.effects, ...(o.stage === STAGES.VACANT ? asksAgain(o) : []), ...(effects ?? [])],
      };
    },
  },
  reset: {
    guard: (_o, _command, ctx) => (ctx.openLoan ? 'content-inside' : null),
    change: (o, _command, ctx) => {
      const { patch, effects } = reservation(ctx);
      return {
        patch: { ...patch, ...(o.stage === STAGES.VACANT ? notOffered(o, ctx.out?.move) : {}) },
        effects: [
          // Its door was open: something may lie inside that nobody recorded.
          ...(mayHaveBeenFilled(o, ctx) ? [content(o, 'unknown', 'reset')] : []),
          ...asksAgain(o),
          ...(effects ?? []),
        ],
      };
    },
  },
} satisfies Partial<Behaviours>;

/** The door was opened for staff: what for, and what came of it, whoever holds the link at home does not know. */
const isAway = ({ as, openedByHolder }: Context): boolean => as === 'holder' && !openedByHolder;

/** Filled up to its level or less: who takes from it crosses no level any more, so nobody would be told later. */
const lowFrom = ({ type, refillLevel }: Occupation, pieces: number): Effect[] =>
  type === 'consumable' && refillLevel !== null && pieces <= refillLevel ? [{ kind: 'tell-staff', reason: 'refill' }] : [];

/** Whoever was to fetch it hears where it lies now. What is stored is its owner's to fetch at any time, also where they were told that it is out. */
const callThere = ({ type, receiver }: Occupation, { out }: Context): Effect[] =>
  out !== null && receiver !== null && !isAsked(type) && (type === 'storage' || (out.move && out.offered)) ? [{ kind: 'call-there' }] : [];

function targetRefusal(o: Occupation, ctx: Context, lockerId: string): RefusalCode | null {
  const target = ctx.target;
  if (target !== null && !isLockerFor(target, o.service)) return 'service-not-allowed';
  if (target === null || target.id !== lockerId || !target.free) return 'locker-taken';
  if (target.outOfService) return 'out-of-service';
  return target.inDoubt ? 'locker-in-doubt' : null;
}

/** Whoever is asked to bring it comes with the same link. */
const asksAgain = ({ type }: Occupation): Effect[] => (isAsked(type) ? [{ kind: 'secrets-wake' }] : []);

/** Fields and effects of leaving its locker for the target. */
function leave(o: Occupation, ctx: Context): Required<Omit<Change, 'data'>> {
  const target = ctx.target;
  if (target === null) return { patch: {}, effects: [] };
  return {
    patch: { lockerId: target.id, doorTag: target.doorTag },
    effects: [
      ...(mayHoldSomething(o, ctx) ? [content(o, 'unknown', 'aborted')] : []),
      { kind: 'release-locker', lockerId: o.lockerId },
      { kind: 'take-locker', lockerId: target.id },
    ],
  };
}

/** The same, where somebody says that it lies in the target. */
function goOver(o: Occupation, ctx: Context, why: ContentReason): Required<Omit<Change, 'data'>> {
  const { patch, effects } = leave(o, ctx);
  const lies: Effect[] = ctx.target === null ? [] : [{ kind: 'content', lockerId: ctx.target.id, content: 'occupied', why }];
  return { patch, effects: [...effects, ...lies] };
}

/** Doubts that silence does not settle: who found it full, a sensor that never sensed it empty, a cabinet that nobody could hear. */
const KEEPS_FROM_FILLING: readonly ContentReason[] = ['not-empty', 'still-sensed', 'silent'];

/**
 * Whether a door that was shut on it fills it, where nobody says anything. Of a stock that was emptied and begun anew nobody has said how
 * many go in, and silence says no number.
 */
export const fillsByItself = (
  { type, quantity }: Pick<Occupation, 'type' | 'quantity'>,
  { sensed, unheard, doubt, spoken }: Pick<Context, 'sensed' | 'unheard' | 'doubt' | 'spoken'>,
): boolean =>
  !(isStock(type) && quantity === 0) &&
  sensed !== 'empty' &&
  unheard !== 'empty' &&
  !KEEPS_FROM_FILLING.some((why) => why === doubt) &&
  !spoken;

/** Pieces inside after a fill. The locker was empty before, so what is put in is all there is. */
function filledQuantity(o: Occupation, quantity: number | undefined): number {
  if (!isStock(o.type)) return 1;
  return quantity ?? o.quantity;
}
