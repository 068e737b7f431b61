const SECOND = 1;
const MINUTE = 60;
const HOUR = 3600;
/** Seconds to wait after the first, second, … attempt that failed: some 76 hours in all, as Standard Webhooks suggests. */
export const WEBHOOK_WAITS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Whoever has not answered well for so long, and has lost a delivery for good, is no longer told anything. */
export const WEBHOOK_GIVES_UP_S = 72 * HOUR;
/** The log of a webhook is kept for so many days, and so long what happens while it is switched off by itself. */
export const WEBHOOK_KEPT_DAYS = 30;
/** Of what it missed so many events are kept at most: the newest. */
export const MISSED_MOST = 10_000;
const LONGEST_S = 24 * HOUR;

interface WebhookAttempt {
  /** Which one it was, from 1. */
  readonly attempt: number;
  /** The answer's status; null where none came. */
  readonly status: number | null;
  /** Seconds, as the other side asked for, below 0 where it named a time that has passed; null where it did not. */
  readonly retryAfter: number | null;
  /** How long nothing has been delivered to it; 0 where the last one was. */
  readonly failingForS: number;
}
type WebhookOutcome =
  | { readonly state: 'delivered' }
  | { readonly state: 'again'; readonly waitS: number }
  | { readonly state: 'failed'; readonly disable: 'gone' | 'failing' | null };

const HTTP_DATE = /^[A-Z][a-z]+,? [\w -]+ \d\d:\d\d:\d\d( GMT| \d{4})$/;

/** The header Retry-After in seconds: they are given as such, or as a date of HTTP. Null where it is neither. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  if (!HTTP_DATE.test(header)) return null;
  // asctime, the oldest of its three forms, names no zone and means GMT like the others
  const at = Date.parse(header.endsWith('GMT') ? header : `${header} GMT`);
  return Number.isNaN(at) ? null : Math.ceil((at - now) / 1000);
}

/** 2xx alone is delivered; a redirect is a failure; 410 says that nobody wants it any more. */
export function webhookOutcome({ attempt, status, retryAfter, failingForS }: WebhookAttempt): WebhookOutcome {
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered' };
  if (status === 410) return { state: 'failed', disable: 'gone' };
  const wait = WEBHOOK_WAITS[attempt - 1];
  if (wait === undefined) return { state: 'failed', disable: failingForS >= WEBHOOK_GIVES_UP_S ? 'failing' : null };
  return { state: 'again', waitS: Math.min(Math.max(wait, retryAfter ?? 0), LONGEST_S) };
}

/** Why a delivery had no answer: as the connection ended, or why it was not tried. */
export const DELIVERY_ERRORS = [
  'address',
  'unreachable',
  'timeout',
  'cut',
  'too-large',
  'event-gone',
  'secret-unreadable',
  'switched-off',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];
