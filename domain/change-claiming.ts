import { HOUR, SECOND, SECRETS_LIVE_ON, isMoment, later } from './deadlines.ts';
import { isStock } from './doors.ts';
import { tooMany } from './policy.ts';
import { isPriced } from './price.ts';
import { ADDRESS_CHANGED } from './receiver.ts';
import { OFFERED, type Row } from './lifecycle.ts';
import { isAsked, STAGES, type Stage } from './terms.ts';
import { piecesLeft } from './witness.ts';
import type { Receiver } from './receiver.ts';
import type { Command, Context, Effect, Occupation } from './occupation-types.ts';
import {
  type Behaviours,
  type Change,
  assumed,
  believed,
  content,
  denied,
  hasPassed,
  isSettled,
  isPieces,
  newAddress,
  newSecrets,
  quantityRefusal,
  TOLD,
} from './change.ts';

/** Claims: let in, seen at the door, finished, put back or failed. */
export const CLAIMING = {
  claim: {
    guard: (o, { quantity, dueAt }, ctx) => {
      // Staff see whose door it is that opens, and say for whom; whoever comes by a link, or for themselves, does not.
      if (ctx.takingOut || (ctx.opening && ctx.as !== 'staff')) return 'in-use';
      if (dueAt !== undefined && !(o.type === 'lending' && isMoment(dueAt) && Date.parse(dueAt) > Date.parse(ctx.now))) return 'deadline';
      if (o.type === 'lending' && !ctx.lendable) return 'not-lendable';
      if (ctx.as === 'holder' && isForGroups(o) && !ctx.rules.admits) return 'not-in-group';
      if (tooMany(ctx.rules, ctx.activeOfPerson)) return 'too-many';
      // Of what staff fetch nothing is to be paid, whatever price it was registered with.
      if (isPriced(o.price) && !isAsked(o.type) && ctx.payment?.state !== 'reserved' && !wasPaidOn(o, ctx))
        // Nobody is sent to pay for what may be gone; what was paid before is let in on.
        return ctx.mayBeGone ? 'locker-in-doubt' : 'payment-needed';
      const pieces = claimedPieces(o, quantity, ctx);
      if (quantityRefusal(o, quantity) !== null || !isPieces(pieces)) return 'quantity';
      if (isPriced(o.price)) {
        if (pieces > o.quantity || (quantity !== undefined && quantity !== pieces)) return 'quantity';
        return isStock(o.type) && !ctx.payment?.holds && pieces > o.quantity - o.held ? 'sold-out' : null;
      }
      return isStock(o.type) && pieces > o.quantity - o.held ? 'quantity' : null;
    },
    change: (o, { quantity, receiver, dueAt }, ctx) => {
      const pieces = claimedPieces(o, quantity, ctx);
      // A payment's pieces are held already, and its hold becomes the claim's; a claim without payment, or on one whose pieces were let
      // go meanwhile, holds them itself.
      const held = isPriced(o.price) && ctx.payment?.holds ? Math.max(o.held, pieces) : o.held + pieces;
      return {
        patch: {
          resumeStage: o.stage,
          claimedBy: ctx.actor,
          claimQuantity: pieces,
          claimPaymentId: isPriced(o.price) ? (ctx.payment?.id ?? null) : null,
          claimPaymentUsed: wasPaidOn(o, ctx),
          claimOpenedAt: ctx.now,
          ...(isStock(o.type) ? { held } : {}),
          ...(dueAt === undefined ? {} : { claimDueAt: dueAt }),
          ...(receiver === undefined ? {} : { receiver, claimReplaced: { receiver: o.receiver } }),
        },
        effects: [
          ...(receiver !== undefined && (o.receiver === null || newAddress(o.receiver, receiver)) ? newSecrets(ctx) : []),
          { kind: 'look-again', command: 'claim-failed', at: later(ctx.now, ctx.rules.claimSeconds * SECOND) },
        ],
        data: { ...(isStock(o.type) ? { quantity: pieces } : {}), ...letIn(receiver ?? forWhom(o), ctx) },
      };
    },
  },
  'claim-failed': {
    // Once its door was seen open a claim can be finished or put back, but it has not failed.
    guard: (o, { why }, ctx) => {
      if (o.doorOpenedAt !== null) return 'occupation-transition';
      if (why !== 'time') return null;
      // Pressed in the last moment: whoever stands there is not shut out while the door opens for them.
      return ctx.opening || !hasPassed(o.claimOpenedAt, ctx.rules.claimSeconds * SECOND, ctx.now) ? 'not-yet' : null;
    },
    change: (o, _command, ctx, row) => ({
      patch: { ...unclaim(o), ...(isKept(o, ctx) ? {} : { claimPaymentId: null }) },
      effects: [
        // Let go and seen by no sensor, or never answered for: whoever was let in may have been inside.
        ...(ctx.unanswered && ctx.sensed !== 'occupied' ? [content(o, 'unknown', 'unseen')] : []),
        ...letPaymentGo(o),
        ...backToContacting(row, o),
      ],
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
      // Nobody took anything through a door that stayed shut: there is nothing to say of it where it was not opened for them.
      if (ctx.as !== 'server') return o.doorOpenedAt !== null || ctx.unanswered ? null : 'not-yet';
      if (o.doorOpenedAt === null) return 'not-yet';
      if (ctx.wasSilent) return takesAWord(o, ctx) || stillThere(o, ctx) ? 'not-yet' : null;
      return clockMay(o, ctx) && !stillThere(o, ctx) ? null : 'not-yet';
    },
    change: (o, _command, ctx) => {
      const pieces = o.claimQuantity ?? 1;
      const left = isStock(o.type) ? o.quantity - pieces : 0;
      // At the level, not at each one taken below it: who refills was told then.
      const level = o.refillLevel ?? 0;
      const low = o.type === 'consumable' && o.quantity > level && left <= level;
      return {
        patch: {
          claimPaymentId: null,
          ...(isStock(o.type) ? { quantity: left, held: Math.max(0, o.held - pieces) } : {}),
        },
        effects: [
          isUnseen(o, ctx) ? content(o, 'unknown', 'unseen') : believed(o, left > 0 ? 'occupied' : 'empty', 'taken', ctx),
          ...(o.claimPaymentId === null ? [] : [{ kind: 'capture-payment', paymentId: o.claimPaymentId } as const]),
          ...(low ? [{ kind: 'tell-staff', reason: 'refill' } as const] : []),
          ...(o.type === 'lending'
            ? [
                {
                  kind: 'open-loan',
                  dueAt: dueAtOf(o, ctx),
                  borrower: o.claimedBy ?? ctx.actor,
                  receiver: o.receiver,
                } as const,
              ]
            : []),
        ],
        data: {
          ...(isStock(o.type) ? { quantity: pieces } : {}),
          ...letIn(forWhom(o), ctx),
          ...assumed('empty', ctx),
          ...(left > 0 ? {} : denied(ctx)),
          // Whoever ends a storage says that nothing lies there, not that they took something out just now.
          ...(o.type === 'storage' ? { saidEmpty: true } : {}),
        },
      };
    },
  },
  'put-back': {
    guard: (o, _command, ctx) => (ctx.as !== 'server' || (clockMay(o, ctx) && stillThere(o, ctx)) ? null : 'not-yet'),
    change: (o, { condition }, ctx, row) => ({
      patch: { ...unclaim(o), ...(ctx.as !== 'staff' && isKept(o, ctx) ? {} : { claimPaymentId: null }) },
      effects: [
        ...(o.doorOpenedAt === null ? [] : [believed(o, 'occupied', ctx.as === 'server' ? 'sensor' : 'put-back', ctx)]),
        // The clock lets go of the goods alone: whether a customer has their money or the seller, no sensor tells.
        ...(ctx.as === 'server' ? [] : payBack(o, ctx)),
        ...backToContacting(row, o),
      ],
      ...(condition === undefined ? {} : { data: { condition } }),
    }),
  },
} satisfies Partial<Behaviours>;

/** A sensor that is stuck, or silent, keeps nobody in a claim: the word of whoever was let in ends it, but does not free the locker alone. */
const isUnseen = ({ stage, doorClosedAt }: Occupation, { as }: Context): boolean =>
  stage === STAGES.CLAIMING && doorClosedAt === null && (as === 'holder' || as === 'link');

/** Undefined for staff themselves, who take out what was brought for them. */
const forWhom = ({ type, receiver, claimReplaced }: Occupation): Receiver | null | undefined =>
  isAsked(type) && claimReplaced === null ? undefined : receiver;

/** Where staff acted for somebody the history says so, and for whom: else it would read as if they had it themselves. */
function letIn(receiver: Receiver | null | undefined, ctx: Context): { staff?: true; receiver?: string } {
  if (ctx.as !== 'staff' || receiver === undefined) return {};
  return { staff: true, ...(receiver === null ? {} : { receiver: receiver.name }) };
}

/** What nobody was named for, and who borrows or uses up may take by themselves. For who was named, staff have answered. */
function isForGroups(o: Occupation): boolean {
  return o.receiver === null && (o.type === 'lending' || o.type === 'consumable');
}

/** An earlier claim left this payment with it; staff may have captured it meanwhile. */
function wasPaidOn(o: Occupation, { payment }: Context): boolean {
  return o.claimPaymentId !== null && o.claimPaymentId === payment?.id;
}

/**
 * What a storage was visited on, or a person captured for the one thing inside: whoever paid is let in on it again. Of a stock it is not,
 * since the next one there is another customer.
 */
function isKept(o: Occupation, { payment }: Context): boolean {
  if (o.claimPaymentUsed) return true;
  return !isStock(o.type) && payment !== null && payment.paid && o.claimPaymentId === payment.id;
}

/** Nobody said anything for long enough after the door was closed, and nobody has to. */
function clockMay(o: Occupation, ctx: Context): boolean {
  return isSettled(o, ctx) && endsByItself(o, ctx);
}

type Claimed = Pick<Occupation, 'type' | 'quantity' | 'claimQuantity'>;
type Heard = Pick<Context, 'unheard' | 'doubt' | 'spoken'>;
/** Whether silence ends a claim. */
export const endsByItself = (o: Claimed, { rules, ...heard }: Heard & Pick<Context, 'rules'>): boolean =>
  !rules.staffConfirmsClaim && !takesAWord(o, heard);

/**
 * Who said that nothing is inside took nothing, nor did who came where nothing was, or where something was sensed when it was last heard of:
 * save of a stock, of which more may rightly lie there, or be too thin for a sensor. What staff looked into they end.
 */
const takesAWord = (o: Claimed, { unheard, doubt, spoken }: Heard): boolean =>
  doubt === 'found-empty' || spoken || (piecesLeft(o) <= 0 && (doubt === 'not-sensed' || unheard === 'occupied'));

/** A sensor still senses what silence would call taken: nobody's silence outweighs it. Of stock more may rightly lie there. */
export function stillThere(o: Claimed, ctx: Pick<Context, 'sensed'>): boolean {
  return ctx.sensed === 'occupied' && piecesLeft(o) <= 0;
}

/** The pieces that the claim had promised itself, given back. */
function unclaim(o: Occupation): Partial<Occupation> {
  return isStock(o.type) ? { held: Math.max(0, o.held - (o.claimQuantity ?? 0)) } : {};
}

/**
 * Whoever a claim was for is forgotten again with it: the next one to take there must not do it in their name, nor they with what they
 * were given. Who took it for good, or has it on loan, is who it was for.
 */
export function unnamed(o: Occupation, { kind }: Command, stage: Stage, ctx: Context): Required<Omit<Change, 'data'>> {
  const lent = o.type === 'lending';
  const taken = stage === STAGES.TERMINATED && (o.type === 'delivery' || o.type === 'sale');
  if (o.claimReplaced === null || (kind === 'finnish' && (lent || taken))) return { patch: {}, effects: [] };
  const before = o.claimReplaced.receiver;
  const other = before !== null && o.receiver !== null && newAddress(before, o.receiver);
  // Who was told before, and is the one again, was sent a link that the claim for another has ended: they know of none that opens.
  const untold = other && OFFERED.includes(stage) && o.resumeStage !== null && TOLD.includes(o.resumeStage);
  // Who took their pieces of a stock sees for a while yet that they did. Any other key is over: the next one here must not be met by it.
  const die: Effect = { kind: 'secrets-die', at: kind === 'finnish' ? later(ctx.now, SECRETS_LIVE_ON) : ctx.now };
  return {
    patch: { receiver: before, ...(untold ? { contactError: ADDRESS_CHANGED } : {}) },
    effects: stage === STAGES.TERMINATED ? [] : before === null ? [die] : other ? newSecrets(ctx) : [],
  };
}

/** As was said when it was handed out, else by its own loan time, else by the policy's. A date that has passed meanwhile is none. */
function dueAtOf(o: Occupation, ctx: Context): string {
  const said = o.claimDueAt;
  if (said !== null && Date.parse(said) > Date.parse(ctx.now)) return new Date(said).toISOString();
  return later(ctx.now, (o.loanHours ?? ctx.rules.loanHours) * HOUR);
}

/**
 * The payment of a claim that came to nothing loses its goods, unless a storage was visited on it before: what becomes of its money is the
 * payment's own rule (`fateWithoutGoods`).
 */
export function letPaymentGo({ claimPaymentId, claimPaymentUsed }: Occupation): Effect[] {
  return claimPaymentId === null || claimPaymentUsed ? [] : [{ kind: 'let-payment-go', paymentId: claimPaymentId }];
}

/**
 * The payment of what was put back. By the word of staff, who have the money: what was captured goes back, all that has not gone back
 * already. Whoever holds the key alone says nothing of the money in a till.
 */
function payBack(o: Occupation, ctx: Context): Effect[] {
  if (ctx.as !== 'staff') return letPaymentGo(o);
  if (o.claimPaymentId === null) return [];
  const state = ctx.payment?.id === o.claimPaymentId ? ctx.payment.state : null;
  const captured = state === 'captured' || state === 'refunded';
  return [{ kind: captured ? 'refund-payment' : 'cancel-payment', paymentId: o.claimPaymentId }];
}

const backToContacting = (row: Row, o: Occupation): Effect[] =>
  row.to === 'resume' && o.resumeStage === STAGES.CONTACTING ? [{ kind: 'settle-message' }] : [];

/** Pieces that a claim takes: those that were paid for, else those asked for, else one. */
function claimedPieces(o: Occupation, quantity: number | undefined, ctx: Context): number {
  if (!isStock(o.type)) return 1;
  return isPriced(o.price) ? (ctx.payment?.quantity ?? 0) : (quantity ?? 1);
}
