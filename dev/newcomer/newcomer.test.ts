import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../command.ts';
import { demoPassword, logins } from '../demo/people.ts';
import { listFiles } from '../files.ts';
import { signIn } from '../person.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

// The README's first command as somebody meets it who has the sources, the machine's own Node and npm, and nothing of Hatchway yet.

/**
 * Seconds that a start may take: the first with what npm needs in its cache (the tests' own installation left it there), and every later
 * one. `npm run bench` holds them, on a machine that does nothing else; elsewhere they are only printed.
 */
const limits = process.env.MEASURED ? { first: 90, later: 4 } : { first: Infinity, later: Infinity };

const folder = mkdtempSync(path.join(tmpdir(), 'hatchway-newcomer-'));
let port: number;
let running: ChildProcess | undefined;

/** Without what npm and the tests put into it: a newcomer's shell finds the machine's own Node first. */
function shell(): NodeJS.ProcessEnv {
  const PATH = (process.env.PATH ?? '').split(path.delimiter).filter((place) => !place.includes(`node_modules${path.sep}.bin`));
  const env = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_|INIT_CWD$|DEV$|PROD$|MODE$|TEST)/.test(name));
  return { ...Object.fromEntries(env), PATH: PATH.join(path.delimiter), PORT: String(port) };
}

type Started = { seconds: number; said: string };

/** `npm start` until it says where it runs. */
function start(): Promise<Started> {
  const began = performance.now();
  // a group of its own, so that whatever a failed test leaves ends with it
  const child = spawn('npm', ['start'], { cwd: folder, env: shell(), detached: true });
  running = child;
  let said = '';
  return new Promise((resolve, reject) => {
    const hear = (part: Buffer) => {
      said += part.toString();
      if (said.includes(logins.at(-1)?.email ?? '')) resolve({ seconds: (performance.now() - began) / 1000, said });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => {
      if (running === child) running = undefined;
      reject(new Error(`npm start ended (${code}): ${said}`));
    });
  });
}

/** To npm and all that it started, as the terminal does. */
const tell = (child: ChildProcess, signal: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, signal);

/** As Ctrl-C does; answers whether it drained and gave its folder back. */
async function stop(): Promise<boolean> {
  const child = running;
  if (!child) throw new Error('Nothing runs.');
  const ended = new Promise((resolve) => child.once('close', resolve));
  tell(child, 'SIGINT');
  await ended;
  return !existsSync(path.join(folder, '.data', 'running'));
}

const status = async (at: string) => (await fetch(`http://localhost:${port}${at}`)).status;
const signInAsCounter = () => signIn(`http://localhost:${port}`, { email: 'counter@demo.test', password: demoPassword });

beforeAll(async () => {
  port = await freePort();
  for (const file of listFiles('')) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(folder, file));
  }
});

afterAll(async () => {
  if (running) await stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a newcomer', () => {
  it('installs, builds and starts with one command', async () => {
    const { seconds, said } = await start();
    console.log(`first start: ${seconds.toFixed(1)} s`);
    for (const { email } of logins) expect(said).toContain(email);
    for (const at of ['/portal/', '/', '/sandbox/', '/v1/docs']) {
      expect(said).toContain(`http://localhost:${port}${at}`);
      expect(await status(at)).toBe(200);
    }
    // what the one file reads where it lies
    for (const at of [
      '/sandbox/cabinets',
      '/sandbox/pages/cabinets.ts',
      '/sandbox/pages/inter.woff2',
      '/sandbox/vipps',
      '/sandbox/woo/shop',
    ])
      expect([at, await status(at)]).toEqual([at, 200]);
    const { api } = await signInAsCounter();
    expect((await api('GET /lockers')).length).toBeGreaterThan(0);
    expect(await stop()).toBe(true);
    expect(seconds).toBeLessThan(limits.first);
  });

  it('finds everything again at each later start, and installs and builds nothing', async () => {
    const taken: number[] = [];
    for (let time = 0; time < 3; time++) {
      const { seconds, said } = await start();
      taken.push(seconds);
      expect(said).not.toMatch(/Installing|Built/);
      const { api } = await signInAsCounter();
      expect((await api('GET /lockers')).length).toBeGreaterThan(0);
      expect(await stop()).toBe(true);
    }
    console.log(`later starts: ${taken.map((seconds) => seconds.toFixed(1)).join(', ')} s`);
    expect(Math.max(...taken)).toBeLessThan(limits.later);
  });
});
