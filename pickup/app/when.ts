/** Dates and spans as people say them. `zone` is the browser's own unless a test names one. */

const DAY = 86_400_000;

/** "today at 18:00", "tomorrow at 18:00", "Sunday 22 November at 18:00". */
export function moment(iso: string, now: number, locale: string, zone?: string): string {
  const options = zone === undefined ? {} : { timeZone: zone };
  const date = new Date(iso);
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...options }).format(date);
  const dayKey = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...options });
  const days = Math.round((Date.parse(dayKey.format(date)) - Date.parse(dayKey.format(now))) / DAY);
  const day =
    Math.abs(days) <= 1
      ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day')
      : new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', ...options }).format(date);
  return `${day} ${locale.startsWith('nb') ? 'kl.' : 'at'} ${time}`;
}

const clockOf = (at: number, timeZone?: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at);

/** Until when something holds, as its messages say it: by the company's clock, with its zone named where the browser's shows another time. */
export function deadline(iso: string, now: number, locale: string, zone: string): string {
  const at = Date.parse(iso);
  const said = moment(iso, now, locale, zone);
  if (clockOf(at, zone) === clockOf(at)) return said;
  const name = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }).formatToParts(at);
  return `${said} ${name.find(({ type }) => type === 'timeZoneName')?.value ?? zone}`;
}

/** "4:05" of what is left until then, never below zero. */
export function left(iso: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(iso) - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function money(price: { amount: number; currency: string }, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: price.currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(price.amount / 10 ** digits);
}

/** +4722000000 → +47 22 00 00 00; other numbers stay as they are. */
export function phone(tlf: string): string {
  return /^\+47\d{8}$/.test(tlf) ? tlf.replace(/^\+47(\d\d)(\d\d)(\d\d)(\d\d)$/, '+47 $1 $2 $3 $4') : tlf;
}
