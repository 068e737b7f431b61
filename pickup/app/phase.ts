import { isNotLocked } from '@hatchway/domain/doors.ts';
import type { OpenOutcome, Pickup, ReportKind } from '@hatchway/contract/pickup.ts';

/**
 * What the page is about, read off what the server knows and nothing else:
 * `ready` to be opened, `waiting` for the controller's word, `open` (the door was let open), `asking` ("Did you take everything?"), `held` (not now), `ended`.
 */
export type Phase = 'ready' | 'waiting' | 'open' | 'asking' | 'held' | 'ended';

/** Well past the longest that the server waits for a controller's word. */
const SETTLED = 15_000;
const later = (at: string, by: number): string => new Date(Date.parse(at) + by).toISOString();
const after = (a: string | null, b: string): boolean => a !== null && Date.parse(a) >= Date.parse(b);

export function phaseOf(pickup: Pickup): Phase {
  if (pickup.ended !== null) return 'ended';
  const { door, lastOpen, may, stageName } = pickup;
  const underWay = stageName === 'CLAIMING' || stageName === 'INITIATED' || pickup.returning;
  if (underWay && lastOpen?.outcome === 'opened') {
    if (door.state === 'opened') return 'open';
    // The controller let go of the door, and its sensor has not spoken since: it is about to open, not closed again.
    if (door.state === 'closed' && !after(door.since, lastOpen.at)) return 'open';
    if (isCutOff(pickup)) return 'open';
    if (may.includes('done')) return 'asking';
  }
  // An opening that nobody ever settled (the server went down) must not keep the door shut for good.
  if (lastOpen?.outcome === 'pending' && !(may.includes('open') && after(pickup.now, later(lastOpen.at, SETTLED)))) return 'waiting';
  return may.includes('open') ? 'ready' : 'held';
}

/** The cabinet is away since the door was let open, and was not heard to say that it is shut: whoever stands there has a door in their hands. */
export function isCutOff({ cabinet, door, finishesAt, may, stageName }: Pickup): boolean {
  if (cabinet.connection !== 'offline' || door.state !== 'unknown') return false;
  // What was put in can be said only after the door was heard to close; of a claim, what runs then is its time.
  return stageName === 'CLAIMING' ? finishesAt === null : !may.includes('done');
}

/** Its payer has it before them, and the page goes on as soon as they have approved it. */
export const isBeingPaid = (pickup: Pickup | null): boolean => pickup?.hold === 'payment-needed' && pickup.payment?.state === 'initiated';

/** It is due, and can be paid here. */
export const isPayable = (pickup: Pickup): boolean => pickup.may.includes('pay') || isBeingPaid(pickup);

/** Another code may open something: not where this one is held or has ended, since that has nothing to do with the code. */
export const codeHelps = (phase: Phase): boolean => phase === 'ready' || phase === 'asking';

/** Its sensor has spoken since it was let open: whoever is at it has pulled already. */
export const isPulled = ({ door, lastOpen }: Pickup): boolean =>
  door.state === 'opened' || (lastOpen !== null && after(door.since, lastOpen.at));

/** How an opening went that did not open; null where there is nothing to say. A failed opening is news for two minutes. */
export function failedOpening(pickup: Pickup, now: number): Exclude<OpenOutcome, 'opened'> | null {
  const { lastOpen } = pickup;
  if (lastOpen === null || lastOpen.outcome === 'opened' || lastOpen.outcome === 'pending') return null;
  return now - Date.parse(lastOpen.at) < 120_000 ? lastOpen.outcome : null;
}

const REPORTS: Record<Phase, readonly ReportKind[]> = {
  ready: ['not-now', 'jammed'],
  waiting: [],
  open: ['wrong-door', 'not-empty', 'nothing-inside', 'door-stays-open'],
  asking: ['not-empty', 'nothing-inside', 'door-stays-open', 'jammed'],
  held: ['jammed', 'door-stays-open'],
  ended: ['left-behind', 'nothing-inside', 'door-stays-open'],
};

/** Who stands there came to put something in. */
export const fills = ({ purpose }: Pick<Pickup, 'purpose'>): boolean => purpose === 'put-in' || purpose === 'bring-back';

/** What may be reported now. Who came to put something in finds a locker not empty; who came to take finds nothing inside. */
export function reportsOf(pickup: Pickup): ReportKind[] {
  if (!pickup.may.includes('report')) return [];
  const filling = fills(pickup);
  const phase = phaseOf(pickup);
  // The wrong lock may have let go, which the sensor of the right door calls shut.
  const kinds: readonly ReportKind[] = phase === 'ready' && pickup.lastOpen !== null ? ['wrong-door', ...REPORTS.ready] : REPORTS[phase];
  // Whoever was slow, or was cut off, and counts as having taken it by their silence.
  const taken = pickup.ended?.how === 'taken';
  return kinds.filter((kind) =>
    kind === 'not-empty' ? filling : kind === 'nothing-inside' ? !filling : kind === 'left-behind' ? taken : true,
  );
}

/** The door is shut, but its lock did not catch: said to whoever was at it, whose storage or loan may go on. */
export const wantsPush = ({ door, lastOpen, purpose }: Pickup, phase: Phase): boolean =>
  (phase === 'asking' || phase === 'ended' || (phase === 'ready' && (purpose === 'own' || purpose === 'bring-back'))) &&
  isNotLocked({ door: door.state, lock: door.lock, opening: lastOpen?.outcome === 'pending' });

type Rhythm = { phase: Phase | null; doorOpen: boolean; failures: number; busy: boolean };

/** Milliseconds until the next look: every second while a door moves, seldom otherwise, ever more seldom on a dead line. */
export function pauseFor({ phase, doorOpen, failures, busy }: Rhythm): number {
  if (failures > 0) return Math.min(15_000, 1000 * 2 ** Math.min(failures, 4));
  if (busy || doorOpen || phase === 'waiting' || phase === 'open' || phase === 'asking') return 1000;
  return phase === 'ended' ? 10_000 : 5000;
}

type DoorPlace = { column: number; columns: number; row: number; rows: number };

/** Where the person's own door is, counted from the left and from the top, so that it can be said in words. */
export function doorPlace(columns: Pickup['cabinet']['columns']): DoorPlace | null {
  for (const [index, column] of columns.entries()) {
    const row = column.doors.findIndex((door) => door.mine);
    if (row >= 0) return { column: index + 1, columns: columns.length, row: row + 1, rows: column.doors.length };
  }
  return null;
}
