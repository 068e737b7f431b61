import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nobody, programsFor, type Identity, type Programs } from './embedded-binaries.ts';
import { keepRunning, type Watch } from './keep-running.ts';
import { freePort } from './ports.ts';
import { hold, isRunning, processOf, standsIn } from './processes.ts';

/**
 * Starts the PostgreSQL that comes from npm, with its data in `dataDir`, or adopts one that a killed parent left running there.
 *
 * PostgreSQL refuses root. As root it therefore runs as `nobody`, who often may not walk down to the clone (/root/hatchway, say). The data stays where it is all the same: Node changes into the data folder before it drops its rights, and the
 * server is told that its data is `/proc/self/cwd`, a link that leads there without touching the folders above. Only the programs
 * must lie where nobody can reach them: embedded-binaries.ts copies them when they don't. Nothing on the system is changed.
 *
 * dataDir/data      the cluster (owner: who runs it)
 * dataDir/password  of the superuser `postgres`, 0600, never handed to `nobody`
 * dataDir/postgres.log
 * dataDir/holder    the process that started or adopted it; a second one is refused
 */
type Embedded = {
  /** The superuser, by the socket in the data folder where there can be one, else over loopback; the same for a server that was started again. */
  ownerUrl: string;
  readonly pid: number;
  adopted: boolean;
  /** Waits until it has written everything. Call it last, when nobody is connected any more. */
  stop(): Promise<void>;
};

type EmbeddedOptions = {
  /** Further `-c name=value` settings. */
  settings?: Record<string, string>;
  /** Where programs are copied to when `nobody` can't reach those in node_modules; for tests. */
  copies?: string;
  /** Where it ends by itself it is started again. */
  watch?: Watch;
  /** Added to our own `nice` for its processes: with 0 they are equal to us, with more we go before them. */
  nice?: number;
  /** Gives up a start, and ends what it has started by then. */
  signal?: AbortSignal | undefined;
};

const READY_LINE = 7; // postmaster.pid: pid, data folder, start, port, socket folder, address, shared memory, status
const START_MS = 60_000; // a long crash recovery is not a failure

export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  fs.mkdirSync(dataDir, { recursive: true });
  const home = fs.realpathSync(dataDir);
  const release = hold(path.join(home, 'holder'));
  try {
    const started = await startOrAdopt(home, options);
    const { ownerUrl, adopted } = started;
    const again = () => startOrAdopt(home, options, Number(new URL(ownerUrl).port));
    const kept = options.watch ? keepRunning(started, again, options.watch) : started;
    const end = () => {
      if (isRunning(kept.pid)) process.kill(kept.pid, 'SIGINT');
    };
    process.once('exit', end);
    const stop = async () => {
      await kept.stop();
      process.off('exit', end);
      release();
    };
    return {
      ownerUrl,
      adopted,
      get pid() {
        return kept.pid;
      },
      stop,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Where the one that runs on the folder now is reached, for whoever reads beside the process that holds it. */
export function runningUrl(dataDir: string): string | undefined {
  const data = path.join(fs.realpathSync(dataDir), 'data');
  const state = readPidFile(data);
  if (!state?.ready || !isRunning(state.pid) || !standsIn(state.pid, data)) return undefined;
  return urlOf(data, state.port, readPassword(path.join(dataDir, 'password')));
}

/** What the kernel takes for the path of a socket, with its end. */
const SOCKET_PATH = 103;
const socketOf = (data: string, port: number | string) => path.join(data, `.s.PGSQL.${port}`);
/** PostgreSQL takes a list of folders for them, apart by commas. */
const takesSocket = (data: string) =>
  process.platform !== 'win32' && !/[,"]/.test(data) && Buffer.byteLength(socketOf(data, '65535')) <= SOCKET_PATH;

/** A statement by the socket takes a fifth less of the processors than over loopback; a server of before has none. */
const urlOf = (data: string, port: number, password: string): string => {
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return takesSocket(data) && fs.existsSync(socketOf(data, port)) ? `${url}?host=${encodeURIComponent(data)}` : url;
};

async function startOrAdopt(home: string, options: EmbeddedOptions, port?: number): Promise<Embedded> {
  const data = path.join(home, 'data');
  const password = readPassword(path.join(home, 'password'));
  const left = await adopt(data, password);
  if (left) {
    lowerProcess(left.pid, options.nice ?? 0);
    return left;
  }

  const programs = programsFor(runAs(data), options.copies ?? '/var/tmp');
  if (programs.as !== undefined) fs.chmodSync(home, 0o711); // may be passed through, and shows nothing
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) await initialise(programs, home, data, password, options.signal);
  return await launch(programs, home, data, password, port ?? (await freePort()), options);
}

/** Undefined: as ourselves. A cluster that somebody else began stays theirs, so that they can go on with it after we ran it as root. */
function runAs(data: string): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = fs.statSync(data, { throwIfNoEntry: false });
  return owner === undefined || owner.uid === 0 ? nobody() : { uid: owner.uid, gid: owner.gid };
}

function readPassword(file: string): string {
  if (!fs.existsSync(file)) {
    // Written whole or not at all: an empty password file beside a good cluster would lock everybody out.
    fs.writeFileSync(`${file}.new`, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    fs.renameSync(`${file}.new`, file);
  }
  return fs.readFileSync(file, 'utf8').trim();
}

/** A program that is not to outlive us, nor a start that was given up. Settles when it has ended. */
function begin(program: string, args: string[], options: Parameters<typeof spawn>[2], signal?: AbortSignal) {
  signal?.throwIfAborted();
  const child = spawn(program, args, options);
  const end = () => void child.kill('SIGINT');
  process.once('exit', end);
  signal?.addEventListener('abort', end);
  const release = () => {
    process.off('exit', end);
    signal?.removeEventListener('abort', end);
  };
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, by) => resolve(code === 0 ? undefined : `ended with ${code ?? by}`));
  });
  return { child, release, ended };
}

const textOf = async (stream: ChildProcess['stderr']): Promise<string> => {
  let text = '';
  for await (const part of stream ?? []) text += String(part);
  return text;
};

/** Made beside its place and renamed: an initdb that was cut short is never taken for a cluster. */
async function initialise({ bin, as }: Programs, home: string, data: string, password: string, signal?: AbortSignal): Promise<void> {
  const fresh = `${data}.new`;
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.mkdirSync(fresh, { mode: 0o700 });
  const secret = path.join(home, 'password.init');
  fs.writeFileSync(secret, password, { mode: 0o600 });
  if (as !== undefined) for (const file of [fresh, secret]) fs.chownSync(file, as.uid, as.gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const folder = seenBy(as, fresh);
  const { child, release, ended } = begin(
    path.join(bin, 'initdb'),
    ['-D', folder, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${folder}/../password.init`, ...locale],
    // Detached, as PostgreSQL itself: it is ended by us alone, and then ends what it has started.
    { ...as, env: ENVIRONMENT, cwd: fresh, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    signal,
  );
  const [failure, said] = await Promise.all([ended, textOf(child.stderr)]);
  release();
  fs.rmSync(secret);
  signal?.throwIfAborted();
  if (failure !== undefined) throw new Error(`initdb failed: ${said || failure}`);
  fs.renameSync(fresh, data);
}

async function launch(
  { bin, as }: Programs,
  home: string,
  data: string,
  password: string,
  port: number,
  { settings = {}, signal, nice = 0 }: EmbeddedOptions,
): Promise<Embedded> {
  const log = path.join(home, 'postgres.log');
  const from = fs.existsSync(log) ? fs.statSync(log).size : 0;
  const output = fs.openSync(log, 'a', 0o600);
  // A killed server's: with its lock, a process that has its number now would keep this one from starting.
  for (const name of fs.readdirSync(data)) if (name.startsWith('.s.PGSQL.')) fs.rmSync(path.join(data, name));
  const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { child, release, ended } = begin(
    path.join(bin, 'postgres'),
    ['-D', seenBy(as, data), '-p', String(port), '-h', '127.0.0.1', '-k', takesSocket(data) ? seenBy(as, data) : '', ...flags],
    // Detached: a signal to our process group must not end the database before we have finished with it.
    { ...as, env: ENVIRONMENT, cwd: data, detached: true, stdio: ['ignore', 'ignore', output] },
    signal,
  );
  fs.closeSync(output);
  // at once, since each process that it starts has it from there
  if (child.pid !== undefined) lowerProcess(child.pid, nice);
  try {
    let over = false;
    void ended.then(() => (over = true));
    for (const until = Date.now() + START_MS; Date.now() < until; await sleep(15)) {
      if (over) {
        signal?.throwIfAborted();
        throw new Error(`PostgreSQL did not start: it ${await ended}: ${fs.readFileSync(log, 'utf8').slice(from).slice(-1000)}`);
      }
      const state = readPidFile(data);
      if (state?.ready && state.pid === child.pid && signal?.aborted !== true) {
        child.unref();
        return handle(data, state.pid, port, password, false);
      }
    }
  } finally {
    release();
  }
  child.kill('SIGQUIT');
  throw new Error(`PostgreSQL was not ready after ${START_MS / 1000} s, see ${log}`);
}

const LEAST = 19;

/** Speed alone hangs on it: root of a container may lack the right to, and it runs all the same. */
function lowerProcess(pid: number, by: number): void {
  try {
    if (by > 0) os.setPriority(pid, Math.min(LEAST, os.getPriority() + by));
  } catch {
    // as it was
  }
}

const AUTOGROUP_MS = 150;
const AUTOGROUP_TRIES = 100;
/**
 * The same for the session of one process, where Linux weighs sessions before processes (autogroup): each process of PostgreSQL begins its
 * own. Without CAP_SYS_ADMIN the kernel takes one such write in 100 ms on the whole machine, and answers EAGAIN to the rest.
 */
export async function lowerSession(pid: number, by: number): Promise<void> {
  if (process.platform !== 'linux') return;
  const session = (of: number | 'self') => `/proc/${of}/autogroup`;
  const whose = processOf(pid);
  for (let tries = 0; tries < AUTOGROUP_TRIES && processOf(pid) === whose; tries++) {
    try {
      const own = Number(/nice (-?\d+)/.exec(fs.readFileSync(session('self'), 'utf8'))?.[1] ?? 0);
      return fs.writeFileSync(session(pid), String(Math.min(LEAST, own + by)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return; // there are no such groups, or it is not ours
    }
    await sleep(AUTOGROUP_MS, undefined, { ref: false });
  }
}

/**
 * One that still runs on this folder: its process stands in it. Any other process with the pid that was noted, after a restart of the
 * machine or container, or a zombie of the killed one, would make PostgreSQL refuse to start: the note goes, once nothing at all
 * stands in the folder (a killed server's children outlive it for a moment).
 */
async function adopt(data: string, password: string): Promise<Embedded | undefined> {
  for (const until = Date.now() + START_MS; Date.now() < until; await sleep(50)) {
    const state = readPidFile(data);
    if (state === undefined) return undefined;
    if (isRunning(state.pid) && standsIn(state.pid, data)) {
      if (state.ready) return handle(data, state.pid, state.port, password, true);
    } else if (process.platform !== 'linux') {
      return undefined;
    } else if (!processes().some((pid) => standsIn(pid, data))) {
      fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
      return undefined;
    }
  }
  throw new Error(`The PostgreSQL that was left on ${data} neither gets ready nor ends`);
}

function processes(): number[] {
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function readPidFile(data: string): { pid: number; port: number; ready: boolean } | undefined {
  try {
    const lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[READY_LINE]?.startsWith('ready') ?? false } : undefined;
  } catch {
    return undefined;
  }
}

function handle(data: string, pid: number, port: number, password: string, adopted: boolean): Embedded {
  const stop = async () => {
    if (isRunning(pid)) process.kill(pid, 'SIGINT'); // fast shutdown: connections are cut, everything is written
    for (const until = Date.now() + 30_000; isRunning(pid) && Date.now() < until;) await sleep(20);
    if (isRunning(pid)) throw new Error(`PostgreSQL (pid ${pid}) did not stop in 30 s`);
  };
  return { ownerUrl: urlOf(data, port, password), pid, adopted, stop };
}

/** The name under which a process that starts in `folder` reaches it, as whoever it runs. */
function seenBy(as: Identity | undefined, folder: string): string {
  return as !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

// initdb finds postgres beside itself; the path is for the shell that it starts it with
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
/** Durability stays as PostgreSQL has it by default: fsync, synchronous_commit and full_page_writes on. The rest fits a small machine. */
const SETTINGS: Record<string, string> = {
  max_connections: '60',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_statement: 'none',
  log_parameter_max_length: '0', // no personal data in the log
  log_parameter_max_length_on_error: '0',
  jit: 'off', // costs more than it saves on statements of a millisecond
  dynamic_shared_memory_type: process.platform === 'linux' ? 'mmap' : 'posix', // containers give /dev/shm 64 MB
};
