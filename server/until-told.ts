import { giveBackMemory } from './memory.ts';
import { startFault } from './start-fault.ts';

type Running = { stop: () => Promise<void> };

/** By then what follows a start at once is done too, such as cabinets that come back. */
const SETTLED_MS = 3000;

/**
 * Starts what goes on until it is told to stop, and hears that from its first moment: whatever was started by then is ended too. Answers
 * an exit code where it did not start. A second word within a second is the same press, since npm and the terminal both pass Ctrl-C on;
 * a later one ends it at once. `debug`: what kept it from starting is printed with its trace.
 */
export async function runUntilTold(
  start: (signal: AbortSignal) => Promise<Running>,
  { dataDir, debug = false, onTold = () => {} }: { dataDir: string; debug?: boolean; onTold?: (signal: NodeJS.Signals) => void },
): Promise<number | undefined> {
  const told = new AbortController();
  let running: Running | undefined;
  let since = 0;
  const end = async () => {
    try {
      await running?.stop();
      process.exit();
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (since > 0) {
        if (Date.now() - since > 1000) process.exit(1);
        return;
      }
      since = Date.now();
      onTold(signal);
      told.abort(new Error('told to stop'));
      if (running) void end();
    });
  try {
    running = await start(told.signal);
  } catch (error) {
    if (told.signal.aborted) process.exit();
    const { sentence, exitCode } = startFault(error, dataDir);
    console.error(sentence);
    if (debug) console.error(error);
    return exitCode;
  }
  if (told.signal.aborted) await end();
  setTimeout(giveBackMemory, SETTLED_MS).unref();
  return undefined;
}
