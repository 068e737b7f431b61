import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './processes.ts';

type Running = { readonly pid: number; stop(): Promise<void> };
export type Watch = {
  /** It ended, or did not start, too often: nothing more is tried. */
  downForGood: (why: string) => void;
  /** Between two tries, once for each try that was made lately; for tests. */
  pauseMs?: number;
};

const LOOK_MS = 200;
/** More of them within the time are no accident any more, and whoever runs the machine has to look. */
const TRIES = 5;
const WITHIN_MS = 10 * 60_000;

/** Starts a server again that ended by itself: at once the first time, a little later each time. */
export const keepRunning = (first: Running, startAgain: () => Promise<Running>, watch: Watch) => {
  const { pauseMs = 1_000 } = watch;
  let running = first;
  const stopped = new AbortController();
  const isStopped = () => stopped.signal.aborted;
  const pause = (ms: number, ref: boolean) => sleep(ms, undefined, { ref, signal: stopped.signal }).catch(() => {});
  let tries: number[] = [];

  const revive = async (): Promise<boolean> => {
    for (let why = 'it ended again and again'; !isStopped();) {
      tries = tries.filter((at) => at > Date.now() - WITHIN_MS);
      if (tries.length >= TRIES) {
        watch.downForGood(why);
        return false;
      }
      await pause(pauseMs * tries.length, true);
      if (isStopped()) return false;
      tries.push(Date.now());
      try {
        running = await startAgain();
        return true;
      } catch (error) {
        why = (error as Error).message;
      }
    }
    return false;
  };
  const follow = async (): Promise<void> => {
    while (!isStopped()) {
      await pause(LOOK_MS, false);
      if (!isStopped() && !isRunning(running.pid) && !(await revive())) return;
    }
  };
  const followed = follow();
  return {
    get pid() {
      return running.pid;
    },
    stop: async () => {
      stopped.abort();
      // One that is just being started is waited for, so that it is stopped too.
      await followed;
      await running.stop();
    },
  };
};
