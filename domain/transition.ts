import { movesTo, type Behaviour, type Change } from './change.ts';
import { doorMayOpen } from './doors.ts';
import { unnamed } from './change-claiming.ts';
import { fillsByItself } from './change-filling.ts';
import { BEHAVIOURS } from './changes.ts';
import { HOUR, SECRETS_LIVE_ON, later } from './deadlines.ts';
import { OFFERED, rowFor, type Condition, type Row, type Trigger } from './lifecycle.ts';
import type { Answer, Command, CommandKind, Context, DomainEvent, Effect, Occupation, RefusalCode } from './occupation-types.ts';
import { STAGES, isActive, isAsked, stageName, type OccupationType, type Stage } from './terms.ts';
import { settlesAt } from './witness.ts';

/** What who comes with a token, code or sign-in may do; the rest is for staff and the server. */
const HOLDER_MAY: Readonly<Record<OccupationType, readonly CommandKind[]>> = {
  delivery: ['claim', 'finnish', 'return'],
  storage: ['claim', 'finnish'],
  lending: ['claim', 'finnish', 'return'],
  consumable: ['claim', 'finnish', 'return'],
  sale: ['claim', 'finnish', 'return'],
  'drop-off': ['fill', 'nothing-inside'],
  recall: ['fill', 'nothing-inside'],
};

/**
 * What an access link to fetch with may do: as staff who take it out, but never on their word alone. A storage is its owner's; what is
 * lent or taken from stock is for who is known, and what is sold for who paid.
 */
export const LINK_MAY: Readonly<Record<OccupationType, readonly CommandKind[]>> = {
  delivery: ['claim', 'finnish', 'return'],
  storage: [],
  lending: [],
  consumable: [],
  sale: [],
  'drop-off': ['claim', 'finnish', 'return'],
  recall: ['claim', 'finnish', 'return'],
};

/**
 * The occupation after the command, with the history events and effects that belong to it; or why not. Never throws, reads no clock.
 * A row that the table lacks is refused `occupation-transition` (reset: `content-inside`; claim while claimed: `in-use`). Before that
 * `not-allowed` (holders: beyond HOLDER_MAY; links: beyond LINK_MAY) and `stale` (`expectedVersion`) are looked at, after it the trigger's guard in
 * change-*.ts. Device facts and late receipts are never refused: where the table doesn't know them, nothing changes.
 *
 * The caller writes locker_opened and locker_closed for a device fact whenever `events` doesn't hold it already.
 */
export function transition(occupation: Occupation, command: Command, ctx: Context): Answer {
  const no = (code: RefusalCode): Answer => ({
    ok: false,
    refusal: { code, stage: stageName(occupation.stage), action: command.kind },
  });
  if (ctx.as === 'holder' && !HOLDER_MAY[occupation.type].includes(command.kind)) return no('not-allowed');
  if (ctx.as === 'link' && !LINK_MAY[occupation.type].includes(command.kind)) return no('not-allowed');
  if (ctx.expectedVersion !== null && ctx.expectedVersion !== occupation.version) return no('stale');

  const trigger = triggerOf(occupation, command);
  const row = rowFor(trigger, occupation.type, occupation.stage, (condition) => holds(condition, occupation, command, ctx));
  if (row === null || isClosedWithoutOpening(occupation, command)) {
    if (command.kind === 'door-opened' || command.kind === 'door-closed') return noted(occupation, command, ctx);
    if (command.kind === 'message-accepted') return { ok: true, occupation, events: [], effects: [] };
    if (command.kind === 'reset') return no('content-inside');
    return no(command.kind === 'claim' && occupation.stage === STAGES.CLAIMING ? 'in-use' : 'occupation-transition');
  }
  // A PUT that names no field is no change, and no line in the history.
  if (command.kind === 'amend' && Object.keys(command).length === 1) return { ok: true, occupation, events: [], effects: [] };
  const behaviour = BEHAVIOURS[trigger] as Behaviour;
  const refused = behaviour.guard?.(occupation, command, ctx, row) ?? null;
  if (refused !== null) return no(refused);
  return settle(occupation, command, ctx, row, behaviour.change?.(occupation, command, ctx, row) ?? {});
}

function triggerOf(o: Occupation, command: Command): Trigger {
  switch (command.kind) {
    case 'fill':
      if (movesTo(o, command.lockerId)) return 'move';
      return command.quantity !== undefined && (o.stage === STAGES.FILLED || o.stage === STAGES.ACQUIRABLE) ? 'refill' : 'fill';
    case 'send':
      return isAsked(o.type) ? 'request' : o.stage === STAGES.VACANT ? 'remind' : 'send';
    case 'reset':
      return movesTo(o, command.lockerId) ? 'go-over' : 'reset';
    case 'return':
      // Put back is where it was taken from: that it lies elsewhere, no record says yet.
      return o.stage === STAGES.CLAIMING && !movesTo(o, command.lockerId) ? 'put-back' : 'bring-back';
    default:
      return command.kind;
  }
}

function holds(condition: Condition, o: Occupation, command: Command, ctx: Context): boolean {
  const left = o.quantity - (o.claimQuantity ?? 1);
  switch (condition) {
    case 'named':
      return command.kind === 'door-opened' && command.named && command.unexpected !== true;
    case 'named-or-unasked':
      return command.kind === 'door-opened' && (command.named || command.unexpected === true);
    case 'inspect':
      return ctx.rules.inspectReturns;
    case 'left':
      return left > 0;
    case 'none-left':
      return left <= 0;
  }
}

/** A door reported closed that was never seen open says nothing about a storage's owner having been there. */
function isClosedWithoutOpening(o: Occupation, command: Command): boolean {
  return command.kind === 'door-closed' && o.doorOpenedAt === null;
}

const CALLED_OPEN: readonly Stage[] = [STAGES.INITIATED, STAGES.CLAIMING, STAGES.VACANT];

/** A door fact that changes no stage: its time is kept where a later rule asks for it, and an opening nobody asked for is told. */
function noted(o: Occupation, command: Extract<Command, { kind: 'door-opened' | 'door-closed' }>, ctx: Context): Answer {
  if (!isActive(o.stage)) return { ok: true, occupation: o, events: [], effects: [] };
  if (command.kind === 'door-opened') {
    // Named in a stage that keeps the door shut: a lock that moved after its command was given up, for nobody knows whom.
    const effects = command.unexpected === true || (command.named && !doorMayOpen(o)) ? unexpected(o) : [];
    const kept = o.stage === STAGES.INITIATED || (o.stage === STAGES.VACANT && command.named);
    if (!kept) return { ok: true, occupation: o, events: [], effects };
    return { ok: true, occupation: written(o, { doorOpenedAt: ctx.now, doorClosedAt: null }), events: [], effects };
  }
  if (!CALLED_OPEN.includes(o.stage) || o.doorOpenedAt === null || o.doorClosedAt !== null) {
    return { ok: true, occupation: o, events: [], effects: [] };
  }
  const closed = written(o, { doorClosedAt: ctx.now });
  return { ok: true, occupation: closed, events: [], effects: afterClosing(closed, ctx) };
}

function afterClosing(o: Occupation, ctx: Context): Effect[] {
  // Opened and shut while nobody heard of it: whether something was put in meanwhile, a sensor or somebody's word has to tell.
  if (o.stage === STAGES.INITIATED && ctx.wasSilent && ctx.sensed !== 'occupied')
    return ctx.sensed === 'empty' ? [] : [{ kind: 'content', lockerId: o.lockerId, content: 'unknown', why: 'silent' }];
  const at = settlesAt(o, ctx);
  if (at === null) return [];
  if (o.stage === STAGES.INITIATED && fillsByItself(o, ctx)) return [{ kind: 'look-again', command: 'fill', at }];
  if (o.stage === STAGES.CLAIMING && !ctx.rules.staffConfirmsClaim) return [{ kind: 'look-again', command: 'finnish', at }];
  return [];
}

function unexpected(o: Occupation): Effect[] {
  return [
    { kind: 'content', lockerId: o.lockerId, content: 'unknown', why: 'unexpected-opening' },
    { kind: 'tell-staff', reason: 'unexpected-opening' },
  ];
}

/** What follows from the change of stage alone, laid over what the trigger did. */
function settle(o: Occupation, command: Command, ctx: Context, row: Row, change: Change): Answer {
  const stage = row.to === 'same' ? o.stage : row.to === 'resume' ? (o.resumeStage ?? STAGES.ACQUIRABLE) : row.to;
  const moved = stage !== o.stage;
  const left = o.stage === STAGES.CLAIMING && moved ? unnamed(o, command, stage, ctx) : null;
  const effects: Effect[] = [...(change.effects ?? []), ...(left?.effects ?? [])];
  const patch: Partial<Occupation> = {
    ...(moved ? { doorOpenedAt: null, doorClosedAt: null } : {}),
    ...(left === null ? {} : { ...leavingClaim(command, o.type), ...left.patch }),
    ...(OFFERED.includes(stage) && !OFFERED.includes(o.stage) ? offered(o, ctx, effects) : {}),
    ...change.patch,
    stage,
  };
  if (stage === STAGES.TERMINATED && moved) {
    Object.assign(patch, { endedAt: ctx.now, held: 0 });
    effects.push(
      { kind: 'cancel-open-payments', except: o.claimPaymentId },
      { kind: 'release-locker', lockerId: o.lockerId },
      { kind: 'secrets-die', at: later(ctx.now, SECRETS_LIVE_ON) },
    );
  }
  if (command.kind === 'door-opened' && command.unexpected === true) effects.push(...unexpected(o));
  const { data } = change;
  // The trigger's facts go with the events of the occupation, and with a word on the content; those of the locker tell of the door alone.
  const events: DomainEvent[] = row.events.map((type) =>
    data !== undefined && Object.keys(data).length > 0 && (type.startsWith('occupation_') || type === 'locker_empty')
      ? { type, data }
      : { type },
  );
  return { ok: true, occupation: written(o, patch, row.events.length > 0), events, effects };
}

/** Compared by value: the same receiver said again is no change. What is told in the history is one, whatever it changed. */
function written(o: Occupation, patch: Partial<Occupation>, told = false): Occupation {
  const fields = Object.keys(patch) as (keyof Occupation)[];
  const changed = told || fields.some((field) => JSON.stringify(o[field]) !== JSON.stringify(patch[field]));
  return changed ? { ...o, ...patch, version: o.version + 1 } : o;
}

/** The borrower stays on record while the loan runs; every other claimer leaves with the claim. */
function leavingClaim(command: Command, type: OccupationType): Partial<Occupation> {
  const lent = command.kind === 'finnish' && type === 'lending';
  return {
    resumeStage: null,
    claimQuantity: null,
    claimOpenedAt: null,
    claimDueAt: null,
    claimReplaced: null,
    claimPaymentUsed: false,
    ...(lent ? {} : { claimedBy: null }),
  };
}

const PICKED_UP: readonly OccupationType[] = ['delivery', 'storage', 'drop-off', 'recall'];

/** From now on it can be claimed: secrets work, and where somebody is to fetch it, the pick-up time runs. */
function offered(o: Occupation, ctx: Context, effects: Effect[]): Partial<Occupation> {
  // Coming back from a claim it was offered all along.
  if (o.stage === STAGES.CLAIMING) return {};
  effects.push({ kind: 'secrets-wake' });
  if (!PICKED_UP.includes(o.type)) return { pickupFrom: ctx.now };
  return { pickupFrom: ctx.now, pickupBy: o.pickupBy ?? later(ctx.now, ctx.rules.pickupHours * HOUR) };
}

/**
 * What to do with a claim when its silent cabinet is back and says where the door is: seen open and closed now, it ends (a storage is
 * stored) with `wasSilent` in the context; never seen open, it has failed; still open, or nobody knows, it waits. Null: nothing, and so
 * for a claim that began after `backAt`, when the cabinet was back: no silence was in it. `backAt` null: nobody knows when that was.
 */
export function claimAfterOutage(
  occupation: Occupation,
  door: 'opened' | 'closed' | 'unknown',
  backAt: string | null = null,
): Command | null {
  if (occupation.stage !== STAGES.CLAIMING || door !== 'closed') return null;
  if (backAt !== null && occupation.claimOpenedAt !== null && Date.parse(occupation.claimOpenedAt) >= Date.parse(backAt)) return null;
  if (occupation.doorOpenedAt === null) return { kind: 'claim-failed', why: 'outage' };
  return occupation.type === 'storage' ? { kind: 'door-closed' } : { kind: 'finnish' };
}
