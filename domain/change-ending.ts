import { letPaymentGo } from './change-claiming.ts';
import { DAY, isReached } from './deadlines.ts';
import { isStock } from './doors.ts';
import { OFFERED } from './lifecycle.ts';
import { STAGES } from './terms.ts';
import type { Context, Effect, Occupation } from './occupation-types.ts';
import { type Behaviours, content, denied, emptied, hasPassed, mayHoldSomething, notOffered } from './change.ts';

/** Taken out, emptied, ended, filed away. */
export const ENDING = {
  extract: {
    change: (o, { reason, move }, ctx) => ({
      // `quantity` stays: it is what a move puts into the next locker.
      patch: { held: 0, ...notOffered(o, move), claimPaymentId: null },
      effects: [emptied(o, 'taken-out', ctx), { kind: 'secrets-sleep' }, ...(move ? [] : tellOut(o)), ...settleStored(o)],
      data: {
        ...(reason === undefined ? {} : { reason }),
        ...(move ? { move } : {}),
        ...(OFFERED.includes(o.stage) ? { offered: true } : {}),
        ...denied(ctx),
      },
    }),
  },
  empty: {
    change: (o, _command, ctx) => ({
      patch: {
        held: 0,
        ...(isStock(o.type) ? { quantity: 0 } : {}),
        ...notOffered(o),
        pickupBy: null,
        claimPaymentId: null,
      },
      effects: [
        emptied(o, 'said-empty', ctx),
        { kind: 'secrets-sleep' },
        ...settleClaim(o),
        { kind: 'cancel-open-payments', except: o.claimPaymentId },
      ],
      data: denied(ctx),
    }),
  },
  delete: {
    guard: (_o, { reason }, ctx) => (ctx.openLoan && !isLoanEnd(reason) ? 'open-loan' : null),
    change: (o, { reason }, ctx) => ({
      // Its payment has an end of its own, which a person may yet have to say.
      patch: { claimPaymentId: null },
      effects: [
        ...(mayHoldSomething(o, ctx) ? [content(o, 'unknown', o.stage === STAGES.RESERVED ? 'unseen' : 'aborted')] : []),
        ...settleClaim(o),
        ...neverMoved(o, ctx),
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
    change: (o, _command, ctx) => ({
      effects: [...(mayHoldSomething(o, ctx) ? [content(o, 'unknown', 'unseen')] : []), ...neverMoved(o, ctx)],
    }),
  },
  archive: {
    guard: (o, _command, ctx) => (hasPassed(o.endedAt, ctx.retentionDays * DAY, ctx.now) ? null : 'not-yet'),
    change: () => ({
      // What was written of the thing and its order may name whom it is for; the name of an asset is the register's, and stays there.
      patch: { receiver: null, claimedBy: null, assetText: null, orderRef: null, externalRef: null, note: null, contactError: null },
    }),
  },
} satisfies Partial<Behaviours>;

const tellOut = ({ receiver }: Occupation): Effect[] => (receiver === null ? [] : [{ kind: 'tell-receiver', reason: 'taken-out' }]);

/** It was taken out to be moved, and lies in no locker as its use ends: now its receiver is told that it is out. */
const neverMoved = (o: Occupation, { out }: Context): Effect[] => (out?.move ? tellOut(o) : []);

/**
 * A claim cut off by staff: paid where the door was seen open, or a storage was visited on that payment before (a refund is by hand); else
 * it came to nothing, and they said so of the goods alone.
 */
function settleClaim(o: Occupation): Effect[] {
  if (o.stage === STAGES.CLAIMING && o.doorOpenedAt === null && !o.claimPaymentUsed) return letPaymentGo(o);
  return o.claimPaymentId === null ? [] : [{ kind: 'capture-payment', paymentId: o.claimPaymentId }];
}

function isLoanEnd(reason: string | undefined): reason is 'lost' | 'returned-elsewhere' {
  return reason === 'lost' || reason === 'returned-elsewhere';
}

/** Extract of what was stored and paid for keeps that payment; open payments of others are let go. */
function settleStored(o: Occupation): Effect[] {
  return [
    ...(o.claimPaymentId === null ? [] : [{ kind: 'capture-payment', paymentId: o.claimPaymentId } as const]),
    { kind: 'cancel-open-payments', except: o.claimPaymentId },
  ];
}
