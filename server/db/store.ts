import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { startEmbedded } from './embedded.ts';
import { asApp, migrate } from './migrate.ts';
import { installJobs } from '../jobs/install.ts';

/** The database of this server, migrated: the embedded one in the data folder, or the one that DATABASE_URL names. */
type Store = { appUrl: string; stop: () => Promise<void> };

/** The app role's password of the embedded database: made once, kept beside the data. */
const keptPassword = (folder: string): string => {
  const file = path.join(folder, 'app-password');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8').trim();
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
    return { appUrl, stop: async () => {} };
  }
  const embedded = await startEmbedded(path.join(config.dataDir, 'pg'), { watch: { downForGood }, signal });
  try {
    const appPassword = keptPassword(config.dataDir);
    signal?.throwIfAborted();
    const ran = await migrate(embedded.ownerUrl, { appPassword });
    signal?.throwIfAborted();
    await installJobs(embedded.ownerUrl);
    if (ran.length > 0) log.info({ ran }, 'migrated');
    return { appUrl: asApp(embedded.ownerUrl, appPassword), stop: () => embedded.stop() };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
};
