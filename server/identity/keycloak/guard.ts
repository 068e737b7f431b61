import type { Log } from '../options.ts';
import type { Admin } from './admin.ts';

const LOOK_MS = 10 * 60_000;
const SOON_MS = 3_000;

/**
 * While people could write what tokens say of them, no token is taken, and none before Keycloak said that they cannot. Where it cannot be
 * asked later, what was found last holds.
 */
export const startGuard = async (admin: Admin, log: Log) => {
  let fault: string | null = null;
  let answered = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    try {
      fault = await admin.fault();
      answered = true;
      if (fault !== null) log.error({ reason: fault }, 'Keycloak is not trusted');
    } catch (error) {
      log.warn({ err: error }, 'Keycloak could not be asked what people may write');
      if (!answered)
        fault = `it is not known yet what people may write at Keycloak: ${error instanceof Error ? error.message : 'no answer'}`;
    }
  };
  const goOn = async (): Promise<void> => {
    await look();
    if (!stopped) timer = setTimeout(() => void goOn(), answered ? LOOK_MS : SOON_MS).unref();
  };
  await goOn();

  return {
    /** Why no token is taken now; null where they are. */
    fault: () => fault,
    look,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
