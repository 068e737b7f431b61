import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbedded } from '@hatchway/server/db/embedded.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '../command.ts';
import { secretOf } from '../data-folder.ts';
import { freePort } from '@hatchway/server/db/ports.ts';
import { acceptInvitation, asOperator, signIn } from '../person.ts';
import { startHatchway } from '../start.ts';

// Production as `npm run serve` starts it, on data that holds a company and a person of the demo's kind.

const publicUrl = 'https://lockers.example';
const demo = { email: 'demo@serve.test', password: 'demo' };
const folder = mkdtempSync(path.join(tmpdir(), 'hatchway-serve-'));
const operatorKey = 'op_of-this-production-and-nobody-else';
let server: ChildProcess;
let said = '';

/** Stands in for the proxy that holds the certificate: whoever asks for the public address reaches the process behind it. */
const behindProxy = (port: number) => {
  const straight = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('x-forwarded-proto', 'https');
    headers.set('x-forwarded-host', new URL(publicUrl).host);
    return straight(String(url).replace(publicUrl, `http://127.0.0.1:${port}`), { ...init, headers });
  });
};
const status = async (at: string) => {
  const answer = await fetch(`${publicUrl}${at}`);
  await answer.arrayBuffer();
  return answer.status;
};

const invite = (email: string) =>
  asOperator(publicUrl, operatorKey)('POST /operator/companies', {
    body: { name: 'Ekte AS', licenses: ['delivery'], admin: { name: 'Eva Ekte', email } },
  });

beforeAll(async () => {
  const trying = await startHatchway({ port: 0, folder, demo: false, logLevel: 'error' });
  const { invitationUrl } = await asOperator(trying.origin, trying.operatorKey)('POST /operator/companies', {
    body: { name: 'Demo AS', licenses: ['delivery'], admin: { name: 'Dina Demo', email: demo.email } },
  });
  await acceptInvitation(invitationUrl, { name: 'Dina Demo', password: demo.password });
  // under npm start it is good for something
  await signIn(trying.origin, demo);
  await trying.stop();

  const port = await freePort();
  const secret = secretOf(folder);
  server = spawn(process.execPath, [path.join(root, 'dev/boot.mjs'), 'serve'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: publicUrl,
      SECRET_KEY: secret,
      OPERATOR_KEY: operatorKey,
      DATA_DIR: folder,
      MQTT_PORT: String(await freePort()),
      TRUST_PROXY: 'true',
    },
  });
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()));
  behindProxy(port);
  const ready = async () => {
    if ((await status('/readyz')) !== 200) throw new Error(`Not ready: ${said}`);
  };
  await vi.waitFor(ready, { timeout: 200_000, interval: 100 });
});

afterAll(() => {
  vi.unstubAllGlobals();
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('a production start', () => {
  it('serves the portal and the end-user site, and nothing of the sandbox', async () => {
    expect(await Promise.all(['/', '/portal/', '/config', '/v1/openapi.json'].map(status))).toEqual([200, 200, 200, 200]);
    const sandbox = [
      '/sandbox/',
      '/sandbox/cabinets',
      '/sandbox/cabinets/list',
      '/sandbox/inbox',
      '/sandbox/inbox/messages',
      '/sandbox/vipps',
      '/sandbox/vipps/books',
      '/sandbox/woo',
      '/sandbox/woo/books',
      '/sandbox/directory',
      '/sandbox/directory/books',
    ];
    expect(await Promise.all(sandbox.map(status))).toEqual(sandbox.map(() => 404));
    // by which the portal knows, and loads no way to it
    expect(await (await fetch(`${publicUrl}/config`)).json()).not.toHaveProperty('sandbox');
  });

  it('runs a bundle that was made of nothing of the sandbox, its people or the front ends', () => {
    const bundle = path.join(root, 'server/dist/production.js');
    const { sources } = JSON.parse(readFileSync(`${bundle}.map`, 'utf8')) as { sources: string[] };
    const files = sources.map((source) => path.relative(root, path.resolve(path.dirname(bundle), source)));
    // what a package could use and nobody installed has no folder
    const folders = new Set(files.flatMap((file) => file.split(path.sep).slice(0, -1)[0] ?? []));
    expect([...folders].sort()).toEqual(['contract', 'domain', 'node_modules', 'server']);
    // one other letter, and V8 keeps all of it in twice the room
    expect(/[^\0-\x7f]/.exec(readFileSync(bundle, 'utf8'))).toBeNull();
  });

  it('lets nobody in with a demo password, though the data holds one', async () => {
    await expect(signIn(publicUrl, demo)).rejects.toThrow(/could not sign in/);
  });

  it('takes no demo password, and signs in whoever has a good one', async () => {
    const { invitationUrl } = await invite('eva@serve.test');
    await expect(acceptInvitation(invitationUrl, { name: 'Eva Ekte', password: 'demo' })).rejects.toThrow(/refused/);
    await acceptInvitation(invitationUrl, { name: 'Eva Ekte', password: 'a-door-that-opens' });
    const { api } = await signIn(publicUrl, { email: 'eva@serve.test', password: 'a-door-that-opens' });
    expect(await api('GET /accounts/me')).toMatchObject({ licenses: ['delivery'] });
  });

  it('ends cleanly when it is told to', async () => {
    const ended = new Promise((resolve) => server.once('exit', (code) => resolve(code)));
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
    const lines = said.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line) as { level: number }).filter(({ level }) => level >= 50)).toEqual([]);
  });

  it('kept passwords at the full cost', async () => {
    const database = await startEmbedded(path.join(folder, 'pg'));
    try {
      const rows = await query<{ hash: string }>(database.ownerUrl, 'select hash from identity_passwords');
      expect(rows.map(({ hash }) => hash.split('$').slice(0, 4).join('$'))).toEqual(['scrypt$15$8$3', 'scrypt$15$8$3']);
    } finally {
      await database.stop();
    }
  });

  it('leaves data on which npm start refuses to run, and touches nothing', async () => {
    vi.unstubAllGlobals();
    await expect(startHatchway({ port: 0, folder, demo: true })).rejects.toThrow(/npm start did not make: Ekte AS/);
  });

  it('is none without an address and a key of its own', async () => {
    const started = promisify(execFile)(process.execPath, [path.join(root, 'dev/boot.mjs'), 'serve'], {
      cwd: root,
      env: { PATH: process.env.PATH },
    });
    await expect(started).rejects.toMatchObject({ code: 78, stderr: expect.stringMatching(/PUBLIC_URL[\s\S]*SECRET_KEY/) });
  });
});
