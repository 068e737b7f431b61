import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openBackup, type Restored, restoreBackup, writeBackup } from '@hatchway/server/db/backup.ts';
import { runningUrl, startEmbedded } from '@hatchway/server/db/embedded.ts';
import { keptPassword } from '@hatchway/server/db/store.ts';
import { Refusal } from '@hatchway/server/start-fault.ts';

/** Which database, by the same words of the environment that `npm run serve` reads. */
export type Place = { dataDir: string; databaseUrl: string | undefined; ownerUrl: string | undefined };

export const placeOf = (env: NodeJS.ProcessEnv): Place => ({
  dataDir: env.DATA_DIR ?? '.data',
  databaseUrl: env.DATABASE_URL,
  ownerUrl: env.DATABASE_OWNER_URL,
});

const ownerOf = ({ ownerUrl }: Place): string => {
  if (!ownerUrl) throw new Refusal('DATABASE_OWNER_URL is missing: DATABASE_URL sees no rows by itself, and may make no tables.');
  return ownerUrl;
};

/** Beside a server that runs, or without one. */
export async function backUp(place: Place, file: string): Promise<void> {
  if (place.databaseUrl) return writeBackup(ownerOf(place), file);
  const folder = path.join(place.dataDir, 'pg');
  if (!existsSync(path.join(folder, 'data'))) throw new Refusal(`${place.dataDir} holds no database.`);
  const running = runningUrl(folder);
  if (running) return writeBackup(running, file);
  const database = await startEmbedded(folder);
  try {
    await writeBackup(database.ownerUrl, file);
  } finally {
    await database.stop();
  }
}

export async function restore(place: Place, file: string): Promise<Restored> {
  const backup = await openBackup(file);
  if (place.databaseUrl) return restoreBackup(ownerOf(place), decodeURIComponent(new URL(place.databaseUrl).password), backup);
  const folder = path.join(place.dataDir, 'pg');
  if (existsSync(folder)) throw new Refusal(`${place.dataDir} holds a database already: name an empty DATA_DIR.`);
  mkdirSync(folder, { recursive: true });
  const database = await startEmbedded(folder);
  try {
    const restored = await restoreBackup(database.ownerUrl, keptPassword(place.dataDir), backup);
    await database.stop();
    return restored;
  } catch (error) {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** What `npm run backup` and `npm run restore` have in common: one option that names a file, and what went wrong in a sentence. */
export const fileOf = (values: Readonly<Record<string, string | undefined>>, option: 'to' | 'from', task: string): string => {
  const file = values[option];
  if (!file) throw new Refusal(`--${option} is missing: npm run ${task} -- --${option} hatchway.backup`);
  return path.resolve(file);
};
