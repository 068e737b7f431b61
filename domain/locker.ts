import { isNotLocked, isStock } from './doors.ts';
import type { ContentReason } from './occupation-types.ts';
import { namesFor, SIZES, STAGES, type CommandOutcome, type Connection, type ContentState, type DoorState } from './terms.ts';
import type { LockState, OccupationType, Reach, Service, Size, Stage } from './terms.ts';

/** What is known and what is believed of a locker, kept apart, each with its time. */
export interface LockerFacts {
  readonly commanded: {
    readonly id: string;
    readonly at: string;
    readonly by: string;
    /** null while the controller has not answered and may still. */
    readonly outcome: CommandOutcome | null;
  } | null;
  readonly sensed: {
    readonly door: DoorState;
    readonly since: string | null;
    /** null without a sensor. */
    readonly occupancy: ContentState | null;
  };
  readonly believed: Belief;
}
interface Belief {
  readonly content: ContentState;
  readonly since: string;
  readonly why: ContentReason;
}

/** What bears on the content. A door that opened and closed is no evidence, so it is not here. */
export type Evidence =
  /** A change of its occupation, by the effect `content`. */
  | { readonly kind: 'occupation'; readonly content: ContentState; readonly why: ContentReason }
  /** Forced or tampered with. */
  | { readonly kind: 'unexpected-opening' }
  | { readonly kind: 'left-open' }
  /** Who came to fill it found something inside. */
  | { readonly kind: 'not-empty' }
  /** Who came to fetch what lies there found nothing inside. */
  | { readonly kind: 'found-empty' }
  /** What should lie inside was put into another locker, as that one's record has it. */
  | { readonly kind: 'put-elsewhere' }
  /** `unbroken`: it said so already when what is believed was said or noticed. */
  | { readonly kind: 'sensor'; readonly occupancy: ContentState; readonly unbroken?: boolean }
  /** PUT /lockers/{id}/content: somebody looked. */
  | { readonly kind: 'word'; readonly content: 'empty' | 'occupied' };

/** Whether something was noticed that puts in doubt what lies inside: it does so too where that was in doubt already. */
export const isDoubt = (evidence: Evidence): boolean =>
  evidence.kind === 'occupation' ? evidence.why === 'unexpected-opening' : evidence.kind !== 'sensor' && evidence.kind !== 'word';

/** What somebody found there, nobody had asked for, was put elsewhere, or a sensor denied. */
const GRAVE: ReadonlySet<Belief['why']> = new Set(['not-empty', 'unexpected-opening', 'put-elsewhere', 'still-sensed', 'not-sensed']);
/** Nobody heard, or said, what came of it. */
const MILD: ReadonlySet<Belief['why']> = new Set(['unseen', 'silent', 'aborted', 'reset']);

/** Somebody says that something lies there. */
const SEEN: ReadonlySet<Belief['why']> = new Set(['not-empty', 'filled', 'put-back', 'word']);
/** Doubts that a reading says nothing new of. */
const BORNE_OUT: Readonly<Record<'empty' | 'occupied', ReadonlySet<Belief['why']>>> = {
  occupied: new Set(['not-empty', 'still-sensed']),
  empty: new Set(['found-empty', 'not-sensed']),
};

/**
 * The belief after the evidence: openings nobody asked for, "not empty", "nothing inside" and the same thing put elsewhere make it unknown, a sensor
 * that knows and a person's word settle it, a sensor that doesn't know changes nothing. `since` moves only when the content changes.
 * `claiming`: somebody is let in to it.
 */
export function believe(before: Belief, evidence: Evidence, now: string, claiming = false): Belief {
  const to = (content: ContentState, why: ContentReason): Belief => ({
    content,
    why,
    since: content === before.content ? before.since : now,
  });
  // Whoever was let in said that nothing is inside: what is noticed of the door after that takes nothing of it back while their claim runs.
  const foundEmpty = claiming && before.content === 'unknown' && before.why === 'found-empty';
  // That somebody was at the door takes nothing back of what was found there or is sensed: silence would count as filling it again.
  const saidToBeThere = before.content === 'unknown' && BORNE_OUT.occupied.has(before.why);
  switch (evidence.kind) {
    case 'occupation':
      if (evidence.why === 'unexpected-opening' && (foundEmpty || saidToBeThere)) return before;
      // What somebody found there, or nobody had asked for, is not made less by how its use then ended.
      if (evidence.content === 'unknown' && before.content === 'unknown' && GRAVE.has(before.why) && MILD.has(evidence.why)) return before;
      return to(evidence.content, evidence.why);
    case 'unexpected-opening':
      return foundEmpty || saidToBeThere ? before : to('unknown', evidence.kind);
    case 'put-elsewhere':
      return foundEmpty ? before : to('unknown', evidence.kind);
    case 'left-open':
      // What was unknown already stays so for the reason that came first: it may be the graver one.
      return before.content === 'unknown' ? before : to('unknown', 'left-open');
    case 'not-empty':
    case 'found-empty':
      return to('unknown', evidence.kind);
    case 'sensor':
      if (evidence.occupancy === 'unknown') return before;
      // Whoever found it full, or empty, has said as much: that it is sensed too tells nothing of whose it is, or where it went. Nor does a
      // sensor win against who said that it is empty by sensing the same thing once more.
      if (BORNE_OUT[evidence.occupancy].has(before.why)) return before;
      // Whoever says that something is there stood before it: a sensor that had not sensed it then either is blind to it.
      if (evidence.occupancy === 'empty' && evidence.unbroken === true && SEEN.has(before.why)) return before;
      return to(evidence.occupancy, 'sensor');
    case 'word':
      return to(evidence.content, 'word');
  }
}

/** The occupation that a locker carries, below TERMINATED. */
export type Use = { readonly stage: Stage; readonly type: string };

/** What the stage says of the content; null where it says nothing: it is on its way in or out, or its owner comes and goes. */
export function contentBy(use: Use | null): ContentState | null {
  if (use === null || use.stage === STAGES.RESERVED || use.stage === STAGES.VACANT) return 'empty';
  const lies = use.stage >= STAGES.FILLED && use.stage <= STAGES.CONTACTED && use.type !== 'storage';
  return lies ? 'occupied' : null;
}

/** What a use is for lies in its locker by the record, also while somebody is let in to it. */
export const holdsIt = (stage: Stage): boolean => stage >= STAGES.FILLED && stage <= STAGES.CLAIMING;

/** Of two uses of one asset: whether they cannot both hold it. Goods are several, in several lockers; so is whatever counts more than one piece. */
export function isOneThing(a: Pieces, b: Pieces): boolean {
  return !(isStock(a.type) && isStock(b.type)) && a.quantity === 1 && b.quantity === 1;
}
type Pieces = { readonly type: OccupationType; readonly quantity: number };

/**
 * Nobody knows what is inside, or what is believed to be inside contradicts what its occupation says: something that none explains, or
 * nothing where a parcel should lie. Such a locker is left out of allocation and waits in the list of lockers to check.
 */
export function inDoubt(content: ContentState, use: Use | null): boolean {
  if (content === 'unknown') return true;
  const said = contentBy(use);
  return said !== null && said !== content;
}

/**
 * What is to be fetched may not lie there: nobody is sent for it before somebody has looked. A storage's messages tell its owner of a door
 * and a time, and they may have left it empty.
 */
export const mayBeGone = (use: Use, content: ContentState): boolean => use.type !== 'storage' && inDoubt(content, use);

export interface Candidate {
  readonly id: string;
  readonly cabinetId: string;
  readonly doorTag: string;
  readonly size: Size;
  readonly reach: Reach;
  readonly connection: Connection;
  readonly door: DoorState;
  readonly content: ContentState;
  readonly outOfService: boolean;
  /** Services that it is for; none named means every one. */
  readonly services: readonly Service[];
  /** It carries an occupation below TERMINATED. */
  readonly occupied: boolean;
  /** It did not open when it was last asked to: had only where nothing else is free. */
  readonly failing: boolean;
  /** Somebody can open it by an access link: given to nobody who did not choose it. */
  readonly linked: boolean;
}

/** Whether the last thing asked of a door was to open, and it would not or did not answer. */
export function isFailing(last: { readonly op: string; readonly outcome: string } | null): boolean {
  return last?.op === 'open' && (last.outcome === 'refused' || last.outcome === 'no-answer');
}

export interface Wish {
  /** The smallest that will do; null takes the smallest there is. */
  readonly size: Size | null;
  readonly service: Service;
  readonly cabinetId: string | null;
  /** Doors that were tried already. */
  readonly not: readonly string[];
}
type FitReason = 'exact-size' | 'next-size-up' | 'smallest-free';
export type Fit =
  | { readonly ok: true; readonly lockerId: string; readonly why: FitReason }
  | { readonly ok: false; readonly code: 'no-locker' | 'none-free' | 'too-small' };

/** Nothing named means that it is for everything. */
export function isLockerFor(locker: { readonly services: readonly Service[] }, service: Service): boolean {
  return locker.services.length === 0 || namesFor(service).some((name) => locker.services.includes(name));
}

/** Why this locker can't be had now; null when it can. */
export function unfit(
  locker: Candidate,
  service: Service,
): 'service' | 'taken' | 'out-of-service' | 'in-doubt' | 'offline' | 'open' | null {
  if (!isLockerFor(locker, service)) return 'service';
  if (locker.occupied) return 'taken';
  if (locker.outOfService) return 'out-of-service';
  if (inDoubt(locker.content, null)) return 'in-doubt';
  if (locker.connection === 'offline') return 'offline';
  // A door that stands open may be shut on something at any moment; one whose state is unknown may stand open.
  return locker.door === 'closed' ? null : 'open';
}

const REACH_ORDER: readonly Reach[] = ['middle', 'low', 'high'];
const byTag = new Intl.Collator('en', { numeric: true });

/** Lockers that can be had, best first: those that no link opens, then those whose door opened when last asked, then the smallest that will do, middle reach before low before high, then by tag and id. */
export function ranked(lockers: readonly Candidate[], wish: Wish): readonly Candidate[] {
  const least = wish.size === null ? 0 : SIZES.indexOf(wish.size);
  return lockers
    .filter((locker) => asked(locker, wish) && unfit(locker, wish.service) === null && SIZES.indexOf(locker.size) >= least)
    .sort(
      (a, b) =>
        Number(a.linked) - Number(b.linked) ||
        Number(a.failing) - Number(b.failing) ||
        SIZES.indexOf(a.size) - SIZES.indexOf(b.size) ||
        REACH_ORDER.indexOf(a.reach) - REACH_ORDER.indexOf(b.reach) ||
        byTag.compare(a.doorTag, b.doorTag) ||
        (a.id < b.id ? -1 : 1),
    );
}

const asked = (locker: Candidate, wish: Wish): boolean =>
  (wish.cabinetId === null || locker.cabinetId === wish.cabinetId) && !wish.not.includes(locker.id);

/**
 * The first of `ranked` that no link opens, and why it. Refuses `no-locker` (none for this service there, or all were tried), `too-small`
 * (free ones there are, but none that large), `none-free` (all are taken, open, offline, in doubt, out of service or opened by a link).
 */
export function bestFit(lockers: readonly Candidate[], wish: Wish): Fit {
  const best = ranked(lockers, wish)[0];
  if (best?.linked === false) {
    const why = wish.size === null ? 'smallest-free' : best.size === wish.size ? 'exact-size' : 'next-size-up';
    return { ok: true, lockerId: best.id, why };
  }
  const there = lockers.filter((locker) => asked(locker, wish) && unfit(locker, wish.service) !== 'service');
  if (there.length === 0) return { ok: false, code: 'no-locker' };
  return { ok: false, code: there.some((locker) => !locker.linked && unfit(locker, wish.service) === null) ? 'too-small' : 'none-free' };
}

export const STANDINGS = ['free', 'inUse', 'inDoubt', 'outOfService', 'unready'] as const;
export type LockerStanding = (typeof STANDINGS)[number];

/**
 * Where a locker is counted: in one group and no other, so that figures add up and every list means by a word what the figure meant.
 * `free` can be had now. `unready` is nobody's either, but its cabinet is offline, or its door stands open or has not been heard of.
 */
export function standingOf(locker: {
  readonly door: DoorState;
  readonly inDoubt: boolean;
  readonly outOfService: object | null;
  readonly occupation: object | null;
}): LockerStanding {
  if (locker.inDoubt) return 'inDoubt';
  if (locker.occupation !== null) return 'inUse';
  if (locker.outOfService !== null) return 'outOfService';
  // Of a cabinet that cannot be heard no door is known.
  return locker.door === 'closed' ? 'free' : 'unready';
}

const LOCKER_LOOKS = [
  'free',
  'reserved',
  'filled',
  'ready',
  'claiming',
  'overdue',
  'open',
  'not-locked',
  'unknown',
  'offline',
  'out-of-service',
] as const;
/** How a door is drawn on a wall. */
type LockerLook = (typeof LOCKER_LOOKS)[number];

export interface DrawnLocker {
  readonly connection: Connection;
  readonly door: DoorState;
  readonly lock: LockState;
  /** A command to open is under way. */
  readonly opening: boolean;
  readonly content: ContentState;
  readonly outOfService: boolean;
  /** The current one, below TERMINATED. */
  readonly occupation: (Use & { readonly overdue: boolean }) | null;
}

/** The one look that matters most to who stands before it; what nobody knows never looks like something known. */
export function lockerState(locker: DrawnLocker): LockerLook {
  if (locker.outOfService) return 'out-of-service';
  if (locker.connection === 'offline') return 'offline';
  if (locker.door === 'opened') return 'open';
  if (isNotLocked(locker)) return 'not-locked';
  const { occupation } = locker;
  if (locker.door === 'unknown' || inDoubt(locker.content, occupation)) return 'unknown';
  if (occupation === null) return 'free';
  if (occupation.overdue) return 'overdue';
  return LOOK_OF[occupation.stage];
}

const LOOK_OF: Readonly<Record<Stage, LockerLook>> = {
  [STAGES.RESERVED]: 'reserved',
  [STAGES.INITIATED]: 'reserved',
  [STAGES.FILLED]: 'filled',
  [STAGES.ACQUIRABLE]: 'ready',
  [STAGES.CONTACTING]: 'ready',
  [STAGES.CONTACTED]: 'ready',
  [STAGES.CLAIMING]: 'claiming',
  // Lent out, sold out or taken out: empty, yet not to be had.
  [STAGES.VACANT]: 'reserved',
  [STAGES.TERMINATED]: 'free',
  [STAGES.ARCHIVED]: 'free',
};
