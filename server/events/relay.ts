export type Relay = {
  /** Something was committed: look now instead of at the next tick. Settled when that look is over, and never rejected. */
  wake(): Promise<void>;
  stop(): Promise<void>;
};

/** Finds what a killed process, or another node, left behind. */
const TICK_MS = 1_000;

/**
 * Looks for what was committed and is still to be carried further, when woken and at each tick, never twice at once. `once` carries
 * some and answers whether there is more; where it fails, the next tick tries again.
 */
export const startRelay = (once: () => Promise<boolean>, onError: (error: unknown) => void): Relay => {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  const drain = async () => {
    do {
      again = false;
      try {
        while (await once()) if (stopped) return;
      } catch (error) {
        again = false; // the next tick tries again
        onError(error);
        return;
      }
    } while (again);
  };
  const drainOnce = async () => {
    await drain();
    running = null;
    // Asked while the last run was about to end.
    if (again) await wake();
  };
  const wake = async (): Promise<void> => {
    if (stopped) return;
    again = true;
    running ??= drainOnce();
    await running;
  };
  const timer = setInterval(() => void wake(), TICK_MS);
  timer.unref();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
};
