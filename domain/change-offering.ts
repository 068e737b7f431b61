import { isMoment } from './deadlines.ts';
import { checkPrice, isPriced } from './price.ts';
import { ADDRESS_CHANGED, isContactable } from './receiver.ts';
import type { Context, Effect, Occupation } from './occupation-types.ts';
import { STAGES } from './terms.ts';
import { newAddress, newSecrets, TOLD, type Behaviours } from './change.ts';

/** Whoever it is for was told, be it that a claim runs of which nothing may come. */
const isTold = ({ stage, resumeStage, claimReplaced }: Occupation): boolean =>
  TOLD.includes(stage) || (stage === STAGES.CLAIMING && claimReplaced === null && resumeStage !== null && TOLD.includes(resumeStage));

/** Telling people about it, and correcting what they are told. */
export const OFFERING = {
  publish: { guard: (_o, _command, ctx) => (ctx.mayBeGone ? 'locker-in-doubt' : null) },
  send: {
    guard: (o, { receiver }, ctx) => {
      if (!isContactable(receiver ?? o.receiver)) return 'receiver-needed';
      // Nobody is told to come for what they would not be given.
      if (o.type === 'lending' && !ctx.lendable) return 'not-lendable';
      return ctx.mayBeGone ? 'locker-in-doubt' : null;
    },
    change: (o, { receiver, channel }, ctx) => ({
      patch: { contactError: null, ...(receiver === undefined ? {} : { receiver }) },
      effects: [
        // Offered to nobody by name before, it has no key yet that could be sent.
        ...(receiver !== undefined && newAddress(o.receiver, receiver) ? newSecrets(ctx) : [{ kind: 'secrets-wake' } as const]),
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
  remind: {
    guard: (o, { receiver }, ctx) => {
      if (!ctx.openLoan) return 'occupation-transition';
      // Who borrowed it by themselves is reached by their account.
      return (receiver ?? o.receiver) === null || isContactable(receiver ?? o.receiver) ? null : 'receiver-needed';
    },
    change: (o, { receiver, channel }, ctx) => ({
      patch: receiver === undefined ? {} : { receiver },
      effects: [
        ...(receiver === undefined ? [] : [{ kind: 'amend-borrower', receiver } as const]),
        ...(receiver !== undefined && newAddress(o.receiver, receiver) ? newSecrets(ctx) : []),
        { kind: 'notify', reason: 'reminder', channel: channel ?? null },
      ],
    }),
  },
  // What becomes of a message to the address before tells nothing of the one that was corrected since.
  'message-accepted': { change: (o) => ({ patch: { contactError: o.contactError === ADDRESS_CHANGED ? ADDRESS_CHANGED : null } }) },
  'message-failed': {
    change: (o, { error }) => ({ patch: { contactError: o.contactError === ADDRESS_CHANGED ? ADDRESS_CHANGED : error } }),
  },
  amend: {
    guard: (o, { receiver, pickupBy, dueAt, price }, ctx) => {
      if (receiver !== undefined && !isContactable(receiver)) return 'receiver-needed';
      // Goods cost something; what was paid or started to be paid before keeps its amount.
      if (price !== undefined && (o.type !== 'sale' || checkPrice(price) !== null || !isPriced(price))) return 'price';
      if (dueAt !== undefined && !ctx.openLoan) return 'deadline';
      for (const moment of [pickupBy, dueAt]) {
        if (moment !== undefined && !(isMoment(moment) && Date.parse(moment) > Date.parse(ctx.now))) return 'deadline';
      }
      return null;
    },
    change: (o, { receiver, pickupBy, dueAt, note, price }, ctx) => ({
      patch: {
        ...(receiver === undefined ? {} : { receiver }),
        // Told at an address that is another one now: its link is dead, and the new one knows nothing.
        ...(receiver !== undefined && isTold(o) && newAddress(o.receiver, receiver) ? { contactError: ADDRESS_CHANGED } : {}),
        ...(pickupBy === undefined ? {} : { pickupBy }),
        // The clock runs anew from here; of what lies ready for nobody yet, it runs once that does.
        ...(pickupBy === undefined || o.pickupFrom === null ? {} : { pickupFrom: ctx.now }),
        ...(note === undefined ? {} : { note }),
        ...(price === undefined ? {} : { price }),
      },
      effects: [
        ...(receiver === undefined ? [] : o.receiver === null ? lastKeyOver(ctx) : newAddress(o.receiver, receiver) ? newSecrets(ctx) : []),
        ...(dueAt === undefined ? [] : [{ kind: 'amend-loan', dueAt } as const]),
        ...(receiver === undefined || !ctx.openLoan ? [] : [{ kind: 'amend-borrower', receiver } as const]),
        // What waits to be said at the address before is taken back with it: nobody need wait for it to be called at the new one.
        ...(receiver !== undefined && o.stage === STAGES.CONTACTING && newAddress(o.receiver, receiver)
          ? [{ kind: 'settle-message' } as const]
          : []),
      ],
      // Which fields, and new deadlines; never whom it was for: history outlives the receiver's data.
      data: {
        fields: Object.entries({ receiver, pickupBy, dueAt, note, price }).flatMap(([field, value]) =>
          value === undefined ? [] : [field],
        ),
        ...(pickupBy === undefined ? {} : { pickupBy }),
        ...(dueAt === undefined ? {} : { dueAt }),
        ...(price === undefined ? {} : { price }),
      },
    }),
  },
} satisfies Partial<Behaviours>;

/** Nobody is named, yet who took their pieces last may still read so by their key: it is none of whoever is named now. */
const lastKeyOver = (ctx: Context): Effect[] => [{ kind: 'secrets-die', at: ctx.now }];
