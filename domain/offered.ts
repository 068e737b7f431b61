import { isStock } from './doors.ts';
import { transition } from './transition.ts';
import type { Command, Context, Occupation, Offered } from './occupation-types.ts';
import { STAGES, type Stage } from './terms.ts';

/** Next likely first, stage by stage; the rest follows in the order of `EVERY`. */
const LIKELY: Readonly<Record<Stage, readonly Offered[]>> = {
  [STAGES.RESERVED]: ['send', 'fill'],
  [STAGES.INITIATED]: ['fill', 'nothing-inside'],
  [STAGES.FILLED]: ['send', 'publish', 'extract'],
  [STAGES.ACQUIRABLE]: ['send', 'claim', 'extract'],
  [STAGES.CONTACTING]: ['claim', 'extract'],
  [STAGES.CONTACTED]: ['claim', 'send', 'extract'],
  [STAGES.CLAIMING]: ['finnish', 'return'],
  [STAGES.VACANT]: ['return', 'fill', 'move', 'delete'],
  [STAGES.TERMINATED]: [],
  [STAGES.ARCHIVED]: [],
};
const EVERY: readonly Offered[] = [
  'fill',
  'publish',
  'send',
  'claim',
  'finnish',
  'return',
  'extract',
  'nothing-inside',
  'move',
  'empty',
  'reset',
  'amend',
  'delete',
];

/** Let in, and its door was not seen open yet: that it was taken is not what comes next. A storage is not put back. */
const SHUT: readonly Offered[] = ['return', 'amend'];
const isShut = ({ stage, doorOpenedAt }: Occupation): boolean => stage === STAGES.CLAIMING && doorOpenedAt === null;

/**
 * The actions that would succeed now with no more said than they need (a fill or refill of one piece, a move to some free locker), the next
 * likely one first. It asks `transition` itself, so that a screen never offers what the server refuses. A lending with an open loan
 * doesn't list delete: that needs one of two reasons.
 */
export function allowedActions(occupation: Occupation, ctx: Context): readonly Offered[] {
  const likely = isShut(occupation) ? SHUT : LIKELY[occupation.stage];
  const order = [...likely, ...EVERY.filter((action) => !likely.includes(action))];
  const elsewhere: Context = {
    ...ctx,
    expectedVersion: null,
    target: { id: `not ${occupation.lockerId}`, doorTag: '', free: true, inDoubt: false, outOfService: false, services: [] },
  };
  return order.filter((action) => transition(occupation, attempt(action, occupation, elsewhere), elsewhere).ok);
}

function attempt(action: Offered, o: Occupation, ctx: Context): Command {
  if (action === 'move') return { kind: 'reset', lockerId: ctx.target?.id ?? '' };
  const inside = o.stage === STAGES.FILLED || o.stage === STAGES.ACQUIRABLE;
  return action === 'fill' && isStock(o.type) && (inside || o.quantity === 0) ? { kind: 'fill', quantity: 1 } : { kind: action };
}
