import { DAY } from './deadlines.ts';

/** What a company can have its own people told of, by mail or SMS. The first two belong to a place, the others to an occupation. */
export const ALERT_EVENTS = [
  'cabinet-offline',
  'door-left-open',
  'unexpected-opening',
  'dropped-off',
  'brought-back',
  'refill',
  'inspect',
  'report',
  'order-cancelled',
  'tool-refused',
] as const;
export type AlertEvent = (typeof ALERT_EVENTS)[number];

/** Where a company has said nothing else. */
export const SETTINGS = { retentionDays: 90, doorOpenMinutes: 10, offlineMinutes: 5 } as const;

interface QuietHours {
  /** HH:mm on the company's own clock; `to` before `from` lies on the next day. */
  readonly from: string;
  readonly to: string;
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** Minutes since midnight on the clock of a time zone. */
const wallClock = (iso: string, timeZone: string): number => {
  const said = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(iso));
  return minutesOf(said);
};

/**
 * When the quiet hours that hold now are over; null while there are none. Told by the zone's own clock, so that a night in which the
 * clocks are changed ends at the hour that was named.
 */
export function quietUntil(quiet: QuietHours | null | undefined, timeZone: string, now: string): string | null {
  if (!quiet || quiet.from === quiet.to) return null;
  const from = minutesOf(quiet.from);
  const to = minutesOf(quiet.to);
  const inside = (at: number): boolean => (from < to ? at >= from && at < to : at >= from || at < to);
  const at = wallClock(now, timeZone);
  if (!inside(at)) return null;
  const minute = Math.floor(Date.parse(now) / 60_000) * 60_000;
  const left = (to - at + 1440) % 1440;
  // The wall clock may jump an hour in between: the guess is put right until the clock says so.
  for (const shift of [0, -60, 60, -30, 30, -120, 120]) {
    const end = minute + (left + shift) * 60_000;
    if (end > minute && wallClock(new Date(end).toISOString(), timeZone) === to) return new Date(end).toISOString();
  }
  // The hour that was named does not exist tonight (02:30 as the clocks go forward).
  return new Date(Math.min(minute + left * 60_000, minute + DAY)).toISOString();
}
