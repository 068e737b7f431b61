import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../command.ts';
import { buildBundle, buildFrontends } from '../frontends.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

// `npm run serve` as a process of its own, in a folder that holds nothing yet.

const above = fs.mkdtempSync(path.join(os.tmpdir(), 'hatchway-told-'));
fs.chmodSync(above, 0o755);
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  fs.rmSync(above, { recursive: true, force: true });
});

type Ended = { code: number | null; signal: NodeJS.Signals | null };
const serve = async (env: Record<string, string> = {}) => {
  const folder = fs.mkdtempSync(path.join(above, 'data-'));
  fs.chmodSync(folder, 0o755);
  const port = await freePort();
  const child = spawn(process.execPath, [path.join(root, 'dev/boot.mjs'), 'serve'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      HOST: '127.0.0.1',
      MQTT_PORT: '0',
      PUBLIC_URL: 'https://lockers.example',
      SECRET_KEY: 'of-this-test-and-32-characters-long',
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    }),
  );
  const status = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status: is }) => is,
      () => 0,
    );
  return { folder, child, ended, status, port, said: () => said };
};

/** Processes that stand in the folder, or name it: PostgreSQL, initdb and what they start. */
const left = (folder: string): string[] =>
  fs.readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const line = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) || line.includes(folder) ? [`${pid} ${line}`] : [];
    } catch {
      return [];
    }
  });

const linux = process.platform === 'linux';
const MOMENTS: [string, NodeJS.Signals, string | null][] = [
  ['before anything is there', 'SIGTERM', null],
  ['when its folder is taken', 'SIGINT', 'pg/holder'],
  ['while the cluster is made', 'SIGTERM', 'pg/data.new'],
  ['while the cluster is made, by Ctrl-C', 'SIGINT', 'pg/data.new/base'],
  ['when the cluster is there', 'SIGTERM', 'pg/data'],
  ['while PostgreSQL starts', 'SIGTERM', 'pg/data/postmaster.pid'],
  ['while PostgreSQL starts, by Ctrl-C', 'SIGINT', 'pg/data/postmaster.pid'],
  ['while it migrates', 'SIGTERM', 'app-password'],
  ['while it migrates, the terminal gone', 'SIGHUP', 'app-password'],
];

describe.each(linux ? MOMENTS : [])('told to stop %s', (_when, signal, file) => {
  it('ends, and leaves nothing running', async () => {
    await Promise.all([buildBundle('server'), buildFrontends()]);
    const { folder, child, ended } = await serve();
    await expect.poll(() => file === null || fs.existsSync(path.join(folder, file)), { interval: 2 }).toBe(true);
    child.kill(signal);
    const { code, signal: by } = await ended;
    // Before it listens to signals nothing was started, and it may end by the signal itself.
    expect([code ?? 0, file === null ? null : by]).toEqual([0, null]);
    expect(left(folder)).toEqual([]);
  });
});

describe.each(linux ? ['a PostgreSQL that cannot be started again'] : [])('%s', () => {
  it('ends the process with a code after which a service manager tries again, and a short log', async () => {
    await Promise.all([buildBundle('server'), buildFrontends()]);
    const { folder, ended, status, said } = await serve();
    await expect.poll(status).toBe(200);
    const note = path.join(folder, 'pg/data/postmaster.pid');
    fs.renameSync(path.join(folder, 'pg/data/global/pg_control'), path.join(folder, 'pg/kept'));
    process.kill(Number(fs.readFileSync(note, 'utf8').split('\n')[0]), 'SIGKILL');
    await expect.poll(status).toBe(503);
    expect(await ended).toEqual({ code: 75, signal: null });
    expect(said()).toContain('PostgreSQL does not stay up');
    expect(said().split('\n').length).toBeLessThan(12);
    expect(left(folder)).toEqual([]);
  });
});
