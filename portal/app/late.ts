import { patiently } from '@hatchway/contract/client.ts';

/** Nobody waits longer than this without a word (ms). */
export const LATE = 30_000;

/** As the API's client throws it for a call that got none. */
export const isLate = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** For what waits by itself: the sign-in and its renewals, which ask the provider without any end. */
export const inTime = <T>(waited: Promise<T>): Promise<T> => patiently(LATE, undefined, () => waited);

/** Calls at once when the page is seen again or the line is back: timers of a hidden tab hardly run, and a machine that slept has none. */
export const onReturn = (act: () => void): void => {
  document.addEventListener('visibilitychange', () => (document.hidden ? undefined : act()));
  for (const back of ['online', 'pageshow']) addEventListener(back, act);
};
