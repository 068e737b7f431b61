import { MINUTE, later } from './deadlines.ts';
import { isStock, MAX_PIECES } from './doors.ts';
import type { Receiver } from './receiver.ts';
import { STAGES, type ContentState, type Stage } from './terms.ts';
import type { Row, Trigger } from './lifecycle.ts';
import { settlesAt, wasSensedToGo } from './witness.ts';
import type { Command, CommandKind, ContentReason, Context, Effect, Occupation, RefusalCode } from './occupation-types.ts';

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

export type Behaviours = { readonly [T in Trigger]: Behaviour<KindOf<T>> };
type KindOf<T extends Trigger> = T extends 'refill' | 'move'
  ? 'fill'
  : T extends 'request' | 'remind'
    ? 'send'
    : T extends 'put-back' | 'bring-back'
      ? 'return'
      : T extends 'go-over'
        ? 'reset'
        : Extract<T, CommandKind>;

/**
 * It is offered to nobody any more: nobody's to fetch, by no time, and there is nobody to be reached. Until when a storage is kept was
 * agreed with its owner, though, whichever locker it lies in, and until when something is fetched stays so where it is `moved`.
 */
export const notOffered = ({ type, pickupBy }: Occupation, moved = false) =>
  ({ claimedBy: null, contactError: null, pickupBy: type === 'storage' || moved ? pickupBy : null, pickupFrom: null }) as const;

export const isPieces = (value: number): boolean => Number.isSafeInteger(value) && value >= 1 && value <= MAX_PIECES;

export const content = (o: Occupation, state: ContentState, why: ContentReason): Effect => ({
  kind: 'content',
  lockerId: o.lockerId,
  content: state,
  why,
});

/** Somebody says so. Where its sensor still senses something the next one would put theirs onto it: a look settles which of the two is wrong. */
export const emptied = (o: Occupation, why: ContentReason, { sensed }: Context): Effect =>
  sensed === 'occupied' ? content(o, 'unknown', 'still-sensed') : content(o, 'empty', why);

/** The history calls no locker empty by a word that its sensor denies. */
export const denied = ({ sensed }: Context): { readonly denied?: true } => (sensed === 'occupied' ? { denied: true } : {});

/**
 * Its door was open since it was empty (to be filled, refilled, given back), or may have been and nobody heard of it; nobody said what came
 * of it, and no sensor senses nothing.
 */
export const mayHaveBeenFilled = (o: Occupation, ctx: Context): boolean =>
  (o.doorOpenedAt !== null || ctx.unanswered) && ctx.sensed !== 'empty';

/** Content was put in and not said to be out, or may have been put in. */
export const mayHoldSomething = (o: Occupation, ctx: Context): boolean =>
  (o.stage !== STAGES.RESERVED && o.stage !== STAGES.VACANT) || mayHaveBeenFilled(o, ctx);

/**
 * What is believed after somebody put in, took or put back: not what a silent cabinet hid, nor what the sensor denies. Staff who say that
 * something lies there are believed above a sensor that senses nothing: a letter is soon too thin for it. The clock's silence settles no
 * doubt that came up meanwhile: a sensor or somebody's word does.
 */
export function believed(o: Occupation, state: 'empty' | 'occupied', why: ContentReason, ctx: Context): Effect {
  if (ctx.wasSilent) return content(o, 'unknown', 'silent');
  if (ctx.as === 'server' && ctx.doubt !== null && ctx.sensed !== state) return content(o, 'unknown', ctx.doubt);
  const because = assumed(state, ctx).assumed === true ? unsaid(why) : why;
  if (state === 'empty') return emptied(o, because, ctx);
  return ctx.sensed === 'empty' && ctx.as !== 'staff' ? content(o, 'unknown', 'not-sensed') : content(o, state, because);
}

/** Nobody said it: where the content is told, it is not told as if somebody had. */
const unsaid = (why: ContentReason): ContentReason => (why === 'filled' || why === 'taken' ? `assumed-${why}` : why);

/** Silence alone: nobody said it, and no sensor sensed what it comes to. The history tells it apart from somebody's word. */
export const assumed = (state: 'empty' | 'occupied', ctx: Context): { readonly assumed?: true } =>
  ctx.as === 'server' && !(state === 'empty' ? wasSensedToGo(ctx) : ctx.sensed === state) ? { assumed: true } : {};

/** The door of a visit was shut long enough for silence to settle it. */
export const isSettled = (o: Occupation, ctx: Context): boolean => {
  const at = settlesAt(o, ctx);
  return at !== null && Date.parse(at) <= Date.parse(ctx.now);
};

export const hasPassed = (since: string | null, ms: number, now: string): boolean =>
  since !== null && Date.parse(since) + ms <= Date.parse(now);

/** Whether a fill, return or start goes to another locker than its own. */
export function movesTo(o: Occupation, lockerId: string | undefined): lockerId is string {
  return lockerId !== undefined && lockerId !== o.lockerId;
}

export function quantityRefusal(o: Occupation, quantity: number | undefined): RefusalCode | null {
  // Of a stock that was emptied and begun anew nobody has said how many go in.
  if (quantity === undefined) return isStock(o.type) && o.quantity === 0 ? 'quantity' : null;
  return isStock(o.type) ? (isPieces(quantity) ? null : 'quantity') : quantity === 1 ? null : 'quantity';
}

export const reservation = (ctx: Context): Change => {
  const until = later(ctx.now, ctx.rules.reserveMinutes * MINUTE);
  return {
    patch: { reservedFrom: ctx.now, reservedUntil: until },
    effects: [{ kind: 'look-again', command: 'expire-reservation', at: until }],
  };
};

/** A message is under way to its receiver, or has been taken by the provider. */
export const TOLD: readonly Stage[] = [STAGES.CONTACTING, STAGES.CONTACTED];

/** Somebody else than before is reached: whoever got the old link must not open with it. */
export function newAddress(before: Receiver | null, after: Receiver): boolean {
  return before !== null && (before.tlf !== after.tlf || before.email !== after.email);
}

export const newSecrets = (ctx: Context): Effect[] => [{ kind: 'secrets-die', at: ctx.now }, { kind: 'secrets-wake' }];
