import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startEmbedded } from '@hatchway/server/db/embedded.ts';
import { root } from './command.ts';

/** What `npm start` keeps between starts, beside what the server and the sandbox keep in the same folder. */
export const usualFolder = path.join(root, '.data');

/** Whole or not at all: a start that is killed halfway leaves no half a secret. */
function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Seals and signs; made at the first start. Production is given its own (SECRET_KEY). */
export function secretOf(folder: string): string {
  const file = path.join(folder, 'secret');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) writePrivately(file, `${randomBytes(32).toString('base64url')}\n`);
  return readFileSync(file, 'utf8').trim();
}

/** Follows from the secret, so that `npm run company` knows it without another file. */
export const operatorKeyOf = (secret: string): string => `op_${createHmac('sha256', secret).update('operator').digest('base64url')}`;

type Kept = { /** The address that the data was seeded under. */ origin: string; demoKey: string };
const keptFile = (folder: string) => path.join(folder, 'demo.json');

/** Null until the demo company was seeded to its end. */
export const readKept = (folder: string): Kept | null =>
  existsSync(keptFile(folder)) ? (JSON.parse(readFileSync(keptFile(folder), 'utf8')) as Kept) : null;
export const writeKept = (folder: string, kept: Kept): void => writePrivately(keptFile(folder), `${JSON.stringify(kept)}\n`);

const runningFile = (folder: string) => path.join(folder, 'running');

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || /node|boot\.mjs|host\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
};

/** One start a folder: two would fight over the database. Throws when another one runs; the answer gives the folder back. */
export function claimFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = runningFile(folder);
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (pid > 0 && pid !== process.pid && alive(pid))
    throw new Error(`Hatchway already runs on ${folder} (process ${pid}); stop that one first.`);
  writePrivately(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

/** Ends a database that a killed start left on the folder. */
async function endDatabase(folder: string): Promise<void> {
  const giveBack = claimFolder(folder);
  const database = path.join(folder, 'pg');
  try {
    // where none was made, there is none to end, and starting one would make it
    if (existsSync(path.join(database, 'data'))) await startEmbedded(database).then((left) => left.stop());
  } catch {
    // it can't start any more: then nothing runs on it either
  }
  giveBack();
}

/** Removes everything that was kept; only from a folder that Hatchway itself began. Where there is none, there is nothing to remove. */
export async function beginAnew(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  if (!existsSync(path.join(folder, 'secret'))) throw new Error(`${folder} holds no Hatchway data, so it is not removed.`);
  await endDatabase(folder);
  rmSync(folder, { recursive: true, force: true });
}
