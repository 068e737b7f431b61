import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Visitor } from '../identity/test-visitor.ts';
import { PASSWORD, testCompany } from '../test-company.ts';
import { testServer } from '../test-server.ts';
import { startEmbedded } from './embedded.ts';
import { keepRunning } from './keep-running.ts';
import { isRunning } from './processes.ts';
import { NICE } from './store.ts';
import { query } from './test-database.ts';

// PostgreSQL itself is killed, by its process id: nobody asked it to end.

const above = fs.mkdtempSync(path.join(os.tmpdir(), 'hatchway-kept-'));
fs.chmodSync(above, 0o755);
afterAll(() => fs.rmSync(above, { recursive: true, force: true }));

const read = (file: string) => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return ''; // it has ended meanwhile, or this system has no such file
  }
};

/** The `nice` of the processes that serve the server's role: their own, and that of their sessions where those are weighed. */
const niceOf = (postmaster: number) =>
  read(`/proc/${postmaster}/task/${postmaster}/children`)
    .trim()
    .split(' ')
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes('hatchway_app'))
    .map((pid) => ({
      itself: Number(read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')[16]),
      session: /nice -?\d+/.exec(read(`/proc/${pid}/autogroup`))?.[0],
    }));

const pidIn = (folder: string) => Number(fs.readFileSync(path.join(folder, 'pg/data/postmaster.pid'), 'utf8').split('\n')[0]);

describe('a PostgreSQL of our own that ends by itself', () => {
  it('is started again where it was, also where its priority cannot be lowered', async () => {
    const given: string[] = [];
    // as root of a container may find it
    const priority = vi.spyOn(os, 'setPriority').mockImplementation(() => {
      throw new Error('operation not permitted');
    });
    const kept = await startEmbedded(path.join(above, 'one'), { watch: { downForGood: (why) => given.push(why), pauseMs: 0 }, nice: NICE });
    expect(priority).toHaveBeenCalledWith(kept.pid, os.getPriority() + NICE);
    await query(kept.ownerUrl, 'create table kept (n int)');
    for (const n of [0, 1]) {
      const { pid } = kept;
      await query(kept.ownerUrl, `insert into kept values (${n})`);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => kept.pid !== pid && query(kept.ownerUrl, 'select 1').catch(() => false)).toBeTruthy();
    }
    expect(given).toEqual([]);
    await kept.stop();
    priority.mockRestore();
    const again = await startEmbedded(path.join(above, 'one'));
    expect(await query(again.ownerUrl, 'select n from kept order by n')).toEqual([0, 1].map((n) => ({ n })));
    await again.stop();
    expect(isRunning(again.pid)).toBe(false);
  });

  it('is given up at the sixth end, as any program is', async () => {
    const started: ChildProcess[] = [];
    const start = async () => {
      const program = spawn('sleep', ['60']);
      started.push(program);
      return { pid: program.pid ?? 0, stop: async () => void program.kill('SIGKILL') };
    };
    const given: string[] = [];
    const kept = keepRunning(await start(), start, { downForGood: (why) => given.push(why), pauseMs: 0 });
    for (let ends = 1; ends <= 6; ends++) {
      expect([started.length, given]).toEqual([ends, []]);
      started.at(-1)?.kill('SIGKILL');
      await expect.poll(() => started.length > ends || given.length > 0).toBe(true);
    }
    expect([started.length, given]).toEqual([6, ['it ended again and again']]);
    await kept.stop();
  });

  it('is missed by no call longer than a moment, by none as a defect, and in two lines of the log, and stands behind node again', async () => {
    const folder = path.join(above, 'two');
    const log: { level: number; msg: string }[] = [];
    const server = await testServer({
      config: { databaseUrl: null, dataDir: folder, logLevel: 'warn' },
      logTo: { write: (line: string) => void log.push(JSON.parse(line) as (typeof log)[number]) },
    });
    try {
      const admin = await (await testCompany(server)).person(['admin']);
      const asks = [
        () => fetch(`${server.url}/v1/lockers`, { headers: { authorization: `Bearer ${admin.token}` } }),
        () =>
          fetch(`${server.url}/v1/groups`, {
            method: 'POST',
            headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ name: crypto.randomUUID() }),
          }),
        () => fetch(`${server.url}/v1/pickup/nothing-here`),
        () => fetch(`${server.url}/realms/pml/protocol/openid-connect/auth?client_id=pml-internal-portal&response_type=code`),
        () =>
          fetch(`${server.url}/realms/pml/protocol/openid-connect/token`, {
            method: 'POST',
            headers: { accept: 'application/json' },
            body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'pml-internal-portal', refresh_token: 'a.b.c' }),
          }),
      ];
      const answers: { status: number; retry: string | null; at: number; of: string }[] = [];
      const ask = async (of: () => Promise<Response>) => {
        const answer = await of();
        await answer.arrayBuffer();
        answers.push({ status: answer.status, retry: answer.headers.get('retry-after'), at: performance.now(), of: answer.url });
        return answer.status;
      };
      const before = log.length;
      process.kill(pidIn(folder), 'SIGKILL');
      const back = new AbortController();
      const hammer = asks.map(async (one) => {
        // More often shows no more, and takes the processors from the one that comes back.
        while (!back.signal.aborted) {
          await ask(one);
          await pause(25);
        }
      });
      await expect.poll(() => answers.some(({ status }) => status === 503)).toBe(true);
      await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
      back.abort();
      await Promise.all(hammer);
      const refused = answers.filter(({ status }) => status >= 500);
      expect(refused.filter(({ status }) => status !== 503)).toEqual([]);
      expect(refused.filter(({ retry }) => retry === null)).toEqual([]);
      await expect.poll(() => log.slice(before).map(({ msg }) => msg)).toContain('the database is back');
      expect(log.slice(before).map(({ msg }) => msg)).toEqual(['the database is away', 'the database is back']);
      // node goes before it, also since then
      // a process that began no session has an empty file there
      const own = Number(/nice (-?\d+)/.exec(read('/proc/self/autogroup'))?.[1] ?? 0);
      const lowered = { itself: Math.min(19, os.getPriority() + NICE), session: expect.toBeOneOf([undefined, `nice ${own + NICE}`]) };
      await expect.poll(() => niceOf(pidIn(folder))).toContainEqual(lowered);
      await expect.poll(() => niceOf(pidIn(folder)).filter(({ itself }) => itself !== lowered.itself)).toEqual([]);
      expect((await new Visitor(server.url).signIn(admin.email, PASSWORD)).access_token).toBeTruthy();
    } finally {
      await server.stop();
    }
  });
});
