import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { Refusal } from '../start-fault.ts';
import { lowerSession, startEmbedded } from './embedded.ts';
import { asApp, migrate } from './migrate.ts';
import { installJobs } from '../jobs/install.ts';

/** The database of this server, migrated: the embedded one in the data folder, or the one that DATABASE_URL names. */
type Store = {
  appUrl: string;
  /** Takes the process that serves a new connection. */
  onConnection: (pid: number) => void;
  stop: () => Promise<void>;
};

/** All calls wait for node's one thread, which shares the cores with sixteen processes of PostgreSQL: docs/decisions/0010. */
export const NICE = 5;

/** The app role's password of the embedded database: made once, kept beside the data. */
export const keptPassword = (folder: string): string => {
  const file = path.join(folder, 'app-password');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8').trim();
};

/** Row-level security keeps companies apart, and holds neither a superuser nor whoever may act as the schema's owner. */
export const refuseUnheld = async (appUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: appUrl, application_name: 'hatchway start' });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; unheld: boolean }>(
      `select rolname as name, rolsuper or rolbypassrls or exists (
         select from pg_roles r where r.rolname in ('hatchway_owner', 'hatchway_definer') and pg_has_role(me.oid, r.oid, 'member')
       ) as unheld from pg_roles me where rolname = current_user`,
    );
    if (rows[0]?.unheld)
      throw new Refusal(
        `DATABASE_URL signs in as ${rows[0].name}, whom row-level security does not hold: companies would see each other's rows. Name the role hatchway_app there, and this one in DATABASE_OWNER_URL.`,
      );
  } finally {
    await client.end();
  }
};

/**
 * DATABASE_URL is the app role's login (hatchway_app); DATABASE_OWNER_URL the one that may migrate. Where only DATABASE_URL is given,
 * migrations are somebody else's task and the schema must be there.
 */
export const openStore = async (config: Config, log: Logger, downForGood: (why: string) => void, signal?: AbortSignal): Promise<Store> => {
  if (config.databaseUrl) {
    const appUrl = config.databaseUrl;
    const ownerUrl = config.databaseOwnerUrl;
    if (ownerUrl) {
      const ran = await migrate(ownerUrl, { appPassword: decodeURIComponent(new URL(appUrl).password) });
      await installJobs(ownerUrl);
      if (ran.length > 0) log.info({ ran }, 'migrated');
    }
    await refuseUnheld(appUrl);
    return { appUrl, onConnection: () => {}, stop: async () => {} };
  }
  const embedded = await startEmbedded(path.join(config.dataDir, 'pg'), { watch: { downForGood }, signal, nice: NICE });
  try {
    const appPassword = keptPassword(config.dataDir);
    signal?.throwIfAborted();
    const ran = await migrate(embedded.ownerUrl, { appPassword });
    signal?.throwIfAborted();
    await installJobs(embedded.ownerUrl);
    if (ran.length > 0) log.info({ ran }, 'migrated');
    const onConnection = (pid: number) => void lowerSession(pid, NICE);
    return { appUrl: asApp(embedded.ownerUrl, appPassword), onConnection, stop: () => embedded.stop() };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
};
