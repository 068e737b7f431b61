import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Where } from '@hatchway/dev/where.ts';

const root = path.join(import.meta.dirname, '..');
/** Where the Hatchway of this run says how to reach it. */
export const runningFile = path.join(root, '.tmp', 'e2e', 'hatchway.json');

type HatchwayProcess = {
  where: Where;
  /** Where it keeps its data. */
  folder: string;
  /** Ends it as a power cut would (`kill -9`); its database lives on until the next start adopts it. */
  kill: () => Promise<void>;
  /** Ends it and its database in the same moment, as when the machine loses its power. */
  powerCut: () => Promise<void>;
  /** Asks it to stop, as a service manager does; answers its exit code. */
  term: () => Promise<number | null>;
  /** Starts another one beside it, on the same data: it has to refuse. */
  second: () => Promise<void>;
  /** Starts it again on the same data and the same port; `embedded`: with the provider in the process, whoever signed people in before. */
  again: (options?: { embedded?: boolean }) => Promise<void>;
  /** Ends it and removes its data. */
  stop: () => Promise<void>;
};

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()));

function launch(args: string[]): Promise<{ child: ChildProcess; where: Where }> {
  // it collects its garbage seldom, and by itself: browsers wait for the same cores
  const execArgv = ['--max-semi-space-size=64', '--single-threaded-gc'];
  const child = fork(path.join(root, 'dev', 'host.ts'), args, { cwd: root, execArgv, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const said: string[] = [];
  child.stdout?.on('data', (part: Buffer) => said.push(part.toString()));
  child.stderr?.on('data', (part: Buffer) => said.push(part.toString()));
  return new Promise((resolve, reject) => {
    child.once('message', (where) => resolve({ child, where: where as Where }));
    child.once('exit', (code) => reject(new Error(`Hatchway did not start (${code}):\n${said.join('').slice(-4000)}`)));
  });
}

/** The first line of PostgreSQL's own note. */
const databaseOf = (data: string): number => {
  const note = readdirSync(data, { recursive: true, encoding: 'utf8' }).find((file) => path.basename(file) === 'postmaster.pid');
  if (note === undefined) throw new Error(`No database runs in ${data}.`);
  return Number(readFileSync(path.join(data, note), 'utf8').split('\n')[0]);
};

/** A whole Hatchway (server, database, sandbox) as a process of its own; `demo`: seeded, as `npm start` shows it; `quick`: at the journeys' pace; `vipps`: paid by the provider there; `embedded`: no Keycloak signs people in, though one is there. */
export async function startProcess({
  demo = false,
  quick = false,
  vipps = '',
  port: wanted = '0',
  embedded: inside = false,
} = {}): Promise<HatchwayProcess> {
  const data = mkdtempSync(path.join(tmpdir(), 'hatchway-e2e-'));
  const more = [...(quick ? ['--quick'] : []), ...(vipps ? ['--vipps', vipps] : [])];
  const provider = (embedded: boolean) => (embedded ? ['--embedded'] : []);
  let now = await launch(['--data', data, '--port', wanted, ...(demo ? ['--demo'] : []), ...more, ...provider(inside)]);
  const port = new URL(now.where.origin).port;
  return {
    get where() {
      return now.where;
    },
    folder: data,
    kill: async () => {
      now.child.kill('SIGKILL');
      await ended(now.child);
    },
    powerCut: async () => {
      process.kill(databaseOf(data), 'SIGKILL');
      now.child.kill('SIGKILL');
      await ended(now.child);
    },
    term: async () => {
      now.child.kill('SIGTERM');
      await ended(now.child);
      return now.child.exitCode;
    },
    second: async () => {
      const { child } = await launch(['--data', data]);
      child.kill('SIGTERM');
      await ended(child);
    },
    again: async ({ embedded = false } = {}) => {
      now = await launch(['--data', data, '--port', port, ...more, ...provider(embedded)]);
    },
    stop: async () => {
      // after a kill the database still runs; a start that adopts it can stop it
      if (now.child.exitCode !== null || now.child.signalCode !== null) now = await launch(['--data', data, '--port', port]);
      now.child.kill('SIGTERM');
      await ended(now.child);
      rmSync(data, { recursive: true, force: true });
    },
  };
}
