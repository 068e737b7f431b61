const two = (n: number): string => String(n).padStart(2, '0');
const sameDay = (a: Date, b: Date): boolean =>
  a.getFullYear() === b.getFullYear() && a.getMonth() === b.getMonth() && a.getDate() === b.getDate();

/** HH:mm:ss when the moment is today in the browser's time zone, otherwise DD.MM.YYYY. An absent or broken value reads as a dash. */
export const shortTime = (value: string | Date | null | undefined, now: Date = new Date()): string => {
  const at = parse(value);
  if (!at) return '–';
  return sameDay(at, now) ? clock(at) : day(at);
};

/** Both parts, for a tooltip, a timeline and an export: DD.MM.YYYY HH:mm:ss. */
export const fullTime = (value: string | Date | null | undefined): string => {
  const at = parse(value);
  return at ? `${day(at)} ${clock(at)}` : '–';
};

/**
 * Until when something holds, as its messages say it: by the company's clock, with its zone named, where the browser's shows another time.
 * Both parts then, since the day may be another one too; else as `written` has it.
 */
export const deadline = (value: string | null | undefined, zone: string | undefined, written = fullTime): string => {
  const name = otherZone(value, zone);
  if (value == null || name === null) return written(value);
  const [date = '', time = ''] = wallClock(value, zone).split(' ');
  return `${date.split('-').toReversed().join('.')} ${time} ${name}`;
};
/** Until when another system says that something holds: a moment, or a day without a time, which is that day everywhere. */
export const dayOrTime = (value: string, zone: string | undefined): string =>
  /^\d{4}-\d\d-\d\d$/.test(value) ? value.split('-').toReversed().join('.') : deadline(value, zone);
/** The same as a list has room for it: the time where it is today there, else the day; every time of one row is said so, by one clock. */
export const listed = (value: string | null | undefined, zone: string | undefined, now: number = Date.now()): string => {
  const name = otherZone(value, zone);
  if (value == null || name === null) return shortTime(value, new Date(now));
  const [date = '', time = ''] = wallClock(value, zone).split(' ');
  return `${date === localDay(0, zone, now) ? time : date.split('-').toReversed().join('.')} ${name}`;
};

/** The name of a zone whose clocks show another time at a moment than the browser's; null where they show the same. */
export const otherZone = (value: string | null | undefined, zone: string | undefined): string | null => {
  const at = parse(value)?.getTime();
  if (at === undefined || zone === undefined || wallOf(at, zone) === wallOf(at, undefined)) return null;
  return (
    namesIn(zone)
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? zone
  );
};

/** Made once for each zone: one costs more than a row of a list has time for. */
const perZone = (make: (timeZone: string | undefined) => Intl.DateTimeFormat): ((timeZone: string | undefined) => Intl.DateTimeFormat) => {
  const made = new Map<string | undefined, Intl.DateTimeFormat>();
  return (timeZone) => {
    const known = made.get(timeZone) ?? make(timeZone);
    made.set(timeZone, known);
    return known;
  };
};
const namesIn = perZone((timeZone) => new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' }));
const clockIn = perZone((timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }));

/** The time of day alone, for a list that stands under its day. */
export const timeOfDay = (value: string | Date | null | undefined): string => {
  const at = parse(value);
  return at ? clock(at) : '–';
};
export const dayOf = (value: string | Date | null | undefined): string => {
  const at = parse(value);
  return at ? day(at) : '–';
};

/** What clocks of a zone show at a moment, counted as if it were UTC; without a zone the browser's. */
const wallOf = (at: number, timeZone: string | undefined): number => Date.parse(`${clockIn(timeZone).format(at).replace(' ', 'T')}Z`);

/** YYYY-MM-DD of a zone, as filters by day take it; `before` days ago. A day that is counted is the company's, wherever it is looked at. */
export const localDay = (before = 0, timeZone?: string, now: number = Date.now()): string =>
  new Date(wallOf(now, timeZone) - before * 86_400_000).toISOString().slice(0, 10);

/** What clocks of a zone show at a moment, without a zone the browser's: 'YYYY-MM-DD HH:mm:ss'. */
export const wallClock = (iso: string, timeZone: string | undefined): string => clockIn(timeZone).format(Date.parse(iso));

/** When clocks of a zone show that, as the wire wants it; of a day alone, when it begins. Of an hour that they leave out, the same after it. */
export const atWallClock = (shown: string, timeZone: string | undefined): string => {
  const [date = '', time = '00:00:00'] = shown.split(' ');
  const wall = Date.parse(`${date}T${time}Z`);
  // asked twice: the first answer may stand on the other side of a change of the clocks
  const near = wall - (wallOf(wall, timeZone) - wall);
  return new Date(near + wall - wallOf(near, timeZone)).toISOString();
};

/** When a day begins in a zone, as the wire wants it; `after` days later. */
export const dayStart = (day: string, after = 0, timeZone?: string): string =>
  atWallClock(new Date(Date.parse(`${day}T00:00:00Z`) + after * 86_400_000).toISOString().slice(0, 10), timeZone);

/** An hour of the day, 0 to 23, as a clock shows its beginning: `09:00`. */
export const hourOf = (hour: number): string => `${two(hour)}:00`;

const clock = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
const day = (at: Date): string => `${two(at.getDate())}.${two(at.getMonth() + 1)}.${at.getFullYear()}`;
const parse = (value: string | Date | null | undefined): Date | null => {
  if (value == null || value === '') return null;
  const at = value instanceof Date ? value : new Date(value);
  return Number.isNaN(at.getTime()) ? null : at;
};

/** A span in the two units that matter: `2d 4h`, `3h 20m`, `4m 10s`, `8s`. Unit letters are the same in both languages. */
export const span = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const d = Math.floor(seconds / 86_400);
  const h = Math.floor((seconds % 86_400) / 3600);
  const m = Math.floor((seconds % 3600) / 60);
  const s = seconds % 60;
  if (d) return h ? `${d}d ${h}h` : `${d}d`;
  if (h) return m ? `${h}h ${m}m` : `${h}h`;
  if (m) return s ? `${m}m ${s}s` : `${m}m`;
  return `${s}s`;
};

const TYPED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ ,]+(\d{1,2})[:.](\d{2}))?$/;
const ISO_TYPED = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}))?/;

/**
 * What somebody typed as a day, or a moment, the day before the month as the portal writes them: 'YYYY-MM-DD HH:mm:ss'. Null where it is
 * none: the browser's own reading takes 05.11. for the 11th of May.
 */
export const typedMoment = (text: string): string | null => {
  const [, day, month, year, hour, minute] = TYPED.exec(text.trim()) ?? [];
  const [, isoYear, isoMonth, isoDay, isoHour, isoMinute] = ISO_TYPED.exec(text.trim()) ?? [];
  const parts = [year ?? isoYear, month ?? isoMonth, day ?? isoDay, hour ?? isoHour ?? '0', minute ?? isoMinute ?? '0'].map(Number);
  const [y = NaN, m = NaN, d = NaN, h = NaN, min = NaN] = parts;
  const at = new Date(Date.UTC(y, m - 1, d, h, min));
  const isThat = at.getUTCMonth() === m - 1 && at.getUTCDate() === d && at.getUTCHours() === h && at.getUTCMinutes() === min;
  return isThat ? at.toISOString().slice(0, 19).replace('T', ' ') : null;
};
