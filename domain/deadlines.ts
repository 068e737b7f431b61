import { isActive, STAGES, type Stage } from './terms.ts';

/** A stretch of time; `to` is null while it lasts. */
export interface Span {
  readonly from: string;
  readonly to: string | null;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** After the end the link opens the door once more for this long, and then dies. */
export const SECRETS_LIVE_ON = 5 * MINUTE;
/** How long a payment that nobody finished holds its pieces. */
export const HOLD_FOR = 10 * MINUTE;

export function later(iso: string, ms: number): string {
  return new Date(Date.parse(iso) + ms).toISOString();
}

/** Whether a text is a moment in ISO 8601 with a zone; dates alone and local times are not. */
export function isMoment(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * The same moment in UTC; null where it is none, or lies in no year of four digits: what is beyond them is written in another form, which
 * PostgreSQL does not read, as it reads no offset of 16 hours or more.
 */
export function inUtc(moment: string): string | null {
  const at = new Date(moment);
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999 ? at.toISOString() : null;
}

interface EffectiveDeadline {
  /** When it is reached, given what is known now. */
  readonly at: string;
  /** The cabinet is offline now: the deadline moves on with the clock and can't be reached. */
  readonly standing: boolean;
}

/**
 * When a deadline that runs from `since` to `until` is really reached: a cabinet's offline time between the two doesn't count, so
 * each such span moves it on by its length. Overlapping spans count once; a span after the deadline was reached moves nothing.
 */
export function effectiveDeadline(clock: { since: string; until: string }, offline: readonly Span[], now: string): EffectiveDeadline {
  const nowMs = Date.parse(now);
  let until = Date.parse(clock.until);
  let counted = Date.parse(clock.since);
  let standing = false;
  const spans = offline
    .map(({ from, to }) => ({ from: Date.parse(from), to: to === null ? nowMs : Math.min(Date.parse(to), nowMs), lasts: to === null }))
    .sort((a, b) => a.from - b.from);
  for (const span of spans) {
    const from = Math.max(span.from, counted);
    if (from >= until) break;
    // An offline time that begins now has no length yet, but it does stop the clock.
    if (span.lasts && span.from <= nowMs) standing = true;
    if (span.to <= from) continue;
    until += span.to - from;
    counted = span.to;
  }
  return { at: new Date(until).toISOString(), standing };
}

/** Whether it is reached: not while it stands still, and not a moment before. */
export function isReached(clock: { since: string; until: string }, offline: readonly Span[], now: string): boolean {
  const { at, standing } = effectiveDeadline(clock, offline, now);
  return !standing && Date.parse(at) <= Date.parse(now);
}

/** What an occupation's clocks hang on; `dueAt` is its open loan's. */
interface Clocks {
  readonly stage: Stage;
  readonly reservedFrom: string | null;
  readonly reservedUntil: string | null;
  readonly pickupFrom: string | null;
  readonly pickupBy: string | null;
  readonly dueAt: string | null;
}

/**
 * Past its time and still going on: an INITIATED one past its reservation, an offered one past its pick-up time, a lent one past
 * `dueAt` (loans run on while a cabinet is offline). Marked in lists, never ended for it.
 */
export function isOverdue(clocks: Clocks, offline: readonly Span[], now: string): boolean {
  if (!isActive(clocks.stage)) return false;
  if (clocks.dueAt !== null) return Date.parse(clocks.dueAt) <= Date.parse(now);
  if (clocks.stage === STAGES.INITIATED) return passed(clocks.reservedFrom, clocks.reservedUntil, offline, now);
  const offered = clocks.stage >= STAGES.ACQUIRABLE && clocks.stage <= STAGES.CLAIMING;
  return offered && passed(clocks.pickupFrom, clocks.pickupBy, offline, now);
}

function passed(since: string | null, until: string | null, offline: readonly Span[], now: string): boolean {
  return until !== null && isReached({ since: since ?? until, until }, offline, now);
}
