/** One span in which a place or a shop is open, on the company's own clock. `to` before `from`, or equal to it, lies on the next day. */
export interface OpenSpan {
  /** 1: Monday, 7: Sunday. */
  readonly day: number;
  /** HH:mm. */
  readonly from: string;
  readonly to: string;
}
/** When a place is open: its spans, none of them meaning that nobody said; and the dates (YYYY-MM-DD) on which it is closed all the same. */
export interface OpenHours {
  readonly hours: readonly OpenSpan[];
  readonly closedDays: readonly string[];
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** Day of the week, date and minute of the day on a zone's clock. */
const clockAt = (timeZone: string, at: string): { day: number; date: string; minute: number } => {
  const said = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const part = new Map(said.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  return {
    day: DAYS.indexOf(part.get('weekday') ?? '') + 1,
    date: `${part.get('year')}-${part.get('month')}-${part.get('day')}`,
    minute: Number(part.get('hour')) * 60 + Number(part.get('minute')),
  };
};

/** Whether a shop with these hours is open then. No hours: at any time. */
export function isOpenAt(hours: readonly OpenSpan[], timeZone: string, now: string): boolean {
  if (hours.length === 0) return true;
  const { day, minute } = clockAt(timeZone, now);
  return hours.some((span) => {
    const [from, to] = [minutesOf(span.from), minutesOf(span.to)];
    if (from < to) return span.day === day && minute >= from && minute < to;
    const startedToday = span.day === day && minute >= from;
    return startedToday || ((span.day % 7) + 1 === day && minute < to);
  });
}

/**
 * The day whose hours hold at a moment; null: the place does not open on that day. Of a place whose hours nobody said, only the dates are
 * known.
 */
function openDay({ hours, closedDays }: OpenHours, timeZone: string, at: string): number | null {
  const { day, date, minute } = clockAt(timeZone, at);
  // Past midnight the day before may still be open, unless it was closed itself.
  const before = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
  const isLate = hours.some(({ day: of, from, to }) => (of % 7) + 1 === day && minutesOf(to) <= minutesOf(from) && minute < minutesOf(to));
  if (isLate && !closedDays.includes(before)) return ((day + 5) % 7) + 1;
  return closedDays.includes(date) || (hours.length > 0 && !hours.some((span) => span.day === day)) ? null : day;
}

/** Whether a moment falls on a day on which the place does not open. */
export const isClosedDay = (place: OpenHours, timeZone: string, at: string): boolean => openDay(place, timeZone, at) === null;

/** As people write it, behind "open": days in a row that are open alike stand together. */
export function hoursLine(hours: readonly OpenSpan[], locale: string): string {
  const name = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  // The first of January 2024 was a Monday.
  const named = (day: number): string => name.format(new Date(Date.UTC(2024, 0, day))).replace('.', '');
  const spansOf = (day: number): string =>
    hours
      .filter((span) => span.day === day)
      .map(({ from, to }) => `${from}–${to}`)
      .toSorted()
      .join(', ');
  const runs: { first: number; last: number; spans: string }[] = [];
  for (let day = 1; day <= 7; day++) {
    const spans = spansOf(day);
    const run = runs.at(-1);
    if (run && run.spans === spans) run.last = day;
    else runs.push({ first: day, last: day, spans });
  }
  // Each span ends as the next day's begins.
  if (runs.length === 1 && /^(\d\d:\d\d)–\1$/.test(runs[0]?.spans ?? '')) return locale.startsWith('nb') ? 'hele døgnet' : 'day and night';
  return runs
    .filter(({ spans }) => spans !== '')
    .map(({ first, last, spans }) => `${named(first)}${first === last ? '' : `–${named(last)}`} ${spans}`)
    .join(', ');
}

/** When a place is open, in words: by its hours, else as somebody wrote it. */
export const hoursWords = (place: { hours: readonly OpenSpan[]; openingHours: string }, locale: string): string =>
  hoursLine(place.hours, locale) || place.openingHours.trim();

/** The hours of one day alone: of the one that a moment falls on. Nothing where it is closed then, or where nobody said its hours. */
export function dayWords(place: OpenHours, timeZone: string, at: string, locale: string): string {
  const day = openDay(place, timeZone, at);
  return hoursLine(
    place.hours.filter((span) => span.day === day),
    locale,
  );
}
