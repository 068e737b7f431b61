import pg from 'pg';

/** Any number, the same in every version: locks of this kind are per database. */
const KEY = 7_204_011;
/** The server of a killed process notices within moments that nobody is there any more, and lets the lock go. */
const PATIENCE_MS = 5_000;
const ATTEMPT_MS = 100;
const AGAIN_MS = 1_000;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const tryOnce = async (url: string, shared: boolean): Promise<pg.Client | null> => {
  const client = new pg.Client({ connectionString: url, application_name: 'hatchway single', keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock${shared ? '_shared' : ''}($1) as got`, [KEY]);
    if (rows[0]?.got) return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  await client.end();
  return null;
};

type Single = { release: () => Promise<void> };

/**
 * Without a bus between processes only one may serve a database: a lock of a session that lives as long as the process does, and dies
 * with it, also by `kill -9`. Those that have a bus share it (`shared`), so that none without one starts beside them. Throws where
 * another process has it that would not share it. Lost with its connection (a restarted database), it is taken again;
 * `onLost` when another process was quicker.
 */
export const onlyProcess = async (
  url: string,
  onLost: () => void,
  { patienceMs = PATIENCE_MS, shared = false }: { patienceMs?: number; shared?: boolean } = {},
): Promise<Single> => {
  let held: pg.Client | null = null;
  let released = false;
  for (const until = Date.now() + patienceMs; !held;) {
    held = await tryOnce(url, shared);
    if (held) break;
    if (Date.now() >= until)
      throw new Error(
        `Another process serves this database${shared ? ' without NATS_URL' : ''}. Stop it, or set NATS_URL${shared ? ' there too' : ''}, so that several processes can serve it together.`,
      );
    await wait(ATTEMPT_MS);
  }
  const follow = (client: pg.Client) => {
    client.once('end', () => {
      if (released) return;
      held = null;
      void regain();
    });
  };
  const regain = async (): Promise<void> => {
    const client = await tryOnce(url, shared).catch(() => undefined);
    if (released) return client?.end();
    if (client === null) return onLost();
    if (client === undefined) {
      await wait(AGAIN_MS);
      return released ? undefined : regain();
    }
    held = client;
    follow(client);
  };
  follow(held);
  return {
    release: async () => {
      released = true;
      await held?.end();
    },
  };
};
