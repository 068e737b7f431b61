/** A stretch of time; `to` is null while it lasts. */
export interface Span {
  readonly from: string;
  readonly to: string | null;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function later(iso: string, ms: number): string {
  return new Date(Date.parse(iso) + ms).toISOString();
}

export interface EffectiveDeadline {
  /** When it is reached, given what is known now. */
  readonly at: string;
  /** The cabinet is offline now: the deadline moves on with the clock and can't be reached. */
  readonly standing: boolean;
}
