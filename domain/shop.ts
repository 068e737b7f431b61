/** One span in which a shop is open, on the company's own clock. `to` before `from`, or equal to it, lies on the next day. */
export interface ShopHours {
  /** 1: Monday, 7: Sunday. */
  readonly day: number;
  /** HH:mm. */
  readonly from: string;
  readonly to: string;
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** Whether a shop with these hours is open then. No hours: at any time. */
export function isOpenAt(hours: readonly ShopHours[], timeZone: string, now: string): boolean {
  if (hours.length === 0) return true;
  const said = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const part = new Map(said.formatToParts(new Date(now)).map(({ type, value }) => [type, value]));
  const day = DAYS.indexOf(part.get('weekday') ?? '') + 1;
  const at = Number(part.get('hour')) * 60 + Number(part.get('minute'));
  return hours.some((span) => {
    const [from, to] = [minutesOf(span.from), minutesOf(span.to)];
    if (from < to) return span.day === day && at >= from && at < to;
    const startedToday = span.day === day && at >= from;
    return startedToday || ((span.day % 7) + 1 === day && at < to);
  });
}

/** Small letters, digits and single dashes: what a person reads off a wall and types. */
export const SHOP_NAME_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const SHOP_NAME_MAX = 40;
/** Addresses that are, or may become, something of ours. */
const KEPT: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'hatchway',
  'help',
  'login',
  'new',
  'pay',
  'portal',
  'sandbox',
  'shop',
  'vipps',
]);

/** A shop's name as it stands in its address; null where it could not be one. */
export function shopNameOf(typed: string): string | null {
  const name = typed.trim().toLowerCase();
  return name.length >= 3 && name.length <= SHOP_NAME_MAX && SHOP_NAME_PATTERN.test(name) && !KEPT.has(name) ? name : null;
}
