import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBackup, type Restored, restoreBackup, writeBackup } from './db/backup.ts';
import { runningUrl, startEmbedded } from './db/embedded.ts';
import { keptPassword } from './db/store.ts';
import { Refusal, startFault } from './start-fault.ts';

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

/** Both take one option, which names a file, and say in a sentence what went wrong. */
const task =
  (option: 'to' | 'from', act: (place: Place, file: string) => Promise<string>) =>
  async (args: string[], environment: NodeJS.ProcessEnv, prepare = async () => {}): Promise<number> => {
    const place = placeOf(environment);
    try {
      const file = parseArgs({ args, options: { [option]: { type: 'string' } } }).values[option];
      if (typeof file !== 'string' || file === '')
        throw new Refusal(`--${option} is missing: --${option} hatchway.backup (after npm run, -- goes before it)`);
      await prepare();
      console.log(await act(place, path.resolve(file)));
      return 0;
    } catch (error) {
      const { sentence, exitCode } = startFault(error, place.dataDir);
      console.error(sentence);
      return exitCode;
    }
  };

/** All rows of the database as they are at one moment, into one file; a server may go on meanwhile. */
export const runBackup = task('to', async (place, file) => {
  await backUp(place, file);
  return `Written: ${file}, ${statSync(file).size} bytes. SECRET_KEY is not in it, and without it what was sealed is lost: keep both.`;
});

/** What a backup wrote, into a folder or a database that holds nothing yet. */
export const runRestore = task('from', async (place, file) => {
  const { at, tables, rows } = await restore(place, file);
  return `Restored as of ${at}: ${rows} rows in ${tables} tables, each as it was saved. Start the server with the SECRET_KEY of then.`;
});
