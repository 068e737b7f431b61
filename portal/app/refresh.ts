import { inTime } from './late.ts';

export const REFRESH_EVERY = 10_000;
export const MIN_VALIDITY = 60;

type Options = {
  /** Refreshes when less than this many seconds are left; rejects when it could not. */
  update: (validity: number) => Promise<boolean>;
  every: number;
  validity: number;
  onFailure?: (error: unknown) => void;
};

/**
 * Looks every ten seconds whether the token has a minute left, and renews it when not. A check that is still under way is not doubled.
 * A failure ends nothing here: at status 400 the adapter itself has cleared the token and starts the sign-in anew; after any
 * other failure (network away, 500) it kept the token, and the next check tries again. A page that wakes up checks at once.
 */
export const keepFresh = (options: Options): { check: () => Promise<void>; stop: () => void } => {
  let running = false;
  const check = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      await inTime(options.update(options.validity));
    } catch (error) {
      options.onFailure?.(error);
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void check(), options.every);
  const wake = (): void => void check();
  globalThis.addEventListener?.('online', wake);
  return {
    check,
    stop: () => {
      clearInterval(timer);
      globalThis.removeEventListener?.('online', wake);
    },
  };
};
