import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deviceUsername, pairingRequest, type ControllerRef } from '@hatchway/contract/devices.ts';
import { hashSecret, newPairingCode, pair, secretMatches, type PairingStore } from '@hatchway/server/devices/pairing.ts';
import { newController, startHarness, until, type Harness } from '@hatchway/server/devices/test-harness.ts';
import { mountCabinets } from '@hatchway/sandbox/cabinets/mount.ts';
import type { CabinetView } from '@hatchway/sandbox/cabinets/model.ts';

let harness: Harness;
let app: FastifyInstance;
let origin: string;
let folder: string;
let codes: Map<string, { ref: ControllerRef; expiresAt: Date }>;
const hashes = new Map<string, string>();

const store: PairingStore = {
  async trade(codeHash, { passwordHash, pairedAt }) {
    const kept = codes.get(codeHash);
    codes.delete(codeHash);
    if (!kept || kept.expiresAt <= pairedAt) return null;
    hashes.set(deviceUsername(kept.ref), passwordHash);
    return kept.ref;
  },
};

/** A server's pairing route, and the sandbox beside it. */
async function serve() {
  app = Fastify({ forceCloseConnections: true });
  app.post('/v1/devices/pair', async (request, reply) => {
    const answer = await pair(pairingRequest.parse(request.body), store, harness.devices.mqttUrl, new Date());
    return answer ?? reply.code(404).send({});
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
}
async function start() {
  const address = app?.server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  app = Fastify({ forceCloseConnections: true });
  app.post('/v1/devices/pair', async (request, reply) => {
    const answer = await pair(pairingRequest.parse(request.body), store, harness.devices.mqttUrl, new Date());
    return answer ?? reply.code(404).send({});
  });
  await mountCabinets(app, { folder, origin: `http://127.0.0.1:${port}`, mqttUrl: () => harness.devices.mqttUrl, latchMs: 5 });
  origin = await app.listen({ host: '127.0.0.1', port });
}

function codeFor(ref: ControllerRef, age = 0) {
  const made = newPairingCode(new Date(Date.now() - age));
  codes.set(made.codeHash, { ref, expiresAt: made.expiresAt });
  return made.code;
}

const layout = { columns: [{ width: 400, doors: [{ no: 1, tag: 'A1', height: 300 }] }] };
async function call(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${origin}/sandbox/cabinets${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as CabinetView & CabinetView[] & { code: string } };
}

beforeEach(async () => {
  codes = new Map();
  folder = mkdtempSync(join(tmpdir(), 'cabinets-'));
  harness = await startHarness({
    credentials: async (username, password) => {
      const [tenantId = '', controllerId = ''] = username.split('/');
      return secretMatches(password, hashes.get(username) ?? '') ? { tenantId, controllerId } : null;
    },
  });
  // Listening once gives a free port, which the sandbox must know before it is mounted.
  await serve();
  const held = app;
  const address = held.server.address();
  await held.close();
  app = { server: { address: () => address } } as FastifyInstance;
  await start();
});
afterEach(async () => {
  await app.close();
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a code pairs a cabinet once; hands act over HTTP; all of it survives a restart', async () => {
  const ref = newController();
  const code = codeFor(ref);
  const made = await call('POST', '', { name: 'Lobby', code: `${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`, layout });
  expect(made).toMatchObject({ status: 201, body: { id: ref.controllerId, name: 'Lobby' } });
  await until(() => harness.of('door', ref).length === 1);
  expect(await call('POST', '', { name: 'Twice', code, layout })).toMatchObject({ status: 409, body: { code: 'pairing-refused' } });

  expect(await call('POST', `/${ref.controllerId}/act`, { do: 'put', door: 1 })).toMatchObject({ status: 409, body: { code: 'closed' } });
  expect(await harness.devices.doors.open({ ...ref, compartment: 1, commandId: 'c1' })).toMatchObject({ outcome: 'opened' });
  expect((await call('POST', `/${ref.controllerId}/act`, { do: 'put', door: 1, what: 'book' })).body.doors[0]?.content).toBe('book');

  await app.close();
  await start();
  const [again] = (await call('GET', '/list')).body;
  expect(again).toMatchObject({ name: 'Lobby', doors: [{ no: 1, open: true, content: 'book' }] });
  await until(() => harness.of('birth', ref).length === 2);
});

test('secrets lie in a file that nobody else may read, and are not on the page', async () => {
  const ref = newController();
  await call('POST', '', { name: 'Lobby', code: codeFor(ref), layout });
  const file = readdirSync(folder).find((name) => name.endsWith('.cabinet.json')) ?? '';
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(JSON.stringify((await call('GET', `/${ref.controllerId}`)).body)).not.toContain('password');
});

test('what was kept is never half written: the new file takes its place whole', async () => {
  const ref = newController();
  await call('POST', '', { name: 'Hall', layout, code: codeFor(ref) });
  const file = join(folder, `${ref.controllerId}.cabinet.json`);
  const before = readFileSync(file, 'utf8');
  // Another name of the same bytes: whoever writes over them writes here, too.
  linkSync(file, `${file}.before`);
  await call('POST', '', { name: 'Yard', layout, code: codeFor(ref) });
  expect(readFileSync(`${file}.before`, 'utf8')).toBe(before);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ name: 'Yard' });
});

test('an expired or unknown code pairs nothing; malformed input is 400; an unknown cabinet 404', async () => {
  expect((await call('POST', '', { name: 'x', code: codeFor(newController(), 11 * 60_000), layout })).status).toBe(409);
  expect((await call('POST', '', { name: 'x', code: 'ABCDEFGH', layout })).status).toBe(409);
  expect((await call('POST', '', { name: 'x', layout })).body.code).toBe('code-or-credentials');
  expect((await call('POST', '', { name: 'x', code: 'short', layout: {} })).body.code).toBe('malformed');
  expect((await call('POST', '/none/act', { do: 'mend' })).status).toBe(404);
  expect((await call('GET', '/none')).status).toBe(404);
  const ref = newController();
  await call('POST', '', { name: 'x', code: codeFor(ref), layout });
  expect((await call('POST', `/${ref.controllerId}/act`, { do: 'explode' })).status).toBe(400);
});

test('the stream tells every cabinet first, then what changes, and who goes', async () => {
  const ref = newController();
  await call('POST', '', { name: 'Lobby', code: codeFor(ref), layout });
  const answer = await fetch(`${origin}/sandbox/cabinets/stream`);
  let text = '';
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString('utf8');
  })().catch(() => undefined);
  await until(() => text.includes('event: all'));
  expect(text.indexOf('event: cabinet')).toBeLessThan(text.indexOf('event: all'));
  await call('POST', `/${ref.controllerId}/act`, { do: 'force', door: 1 });
  await until(() => text.slice(text.indexOf('event: all')).includes('"open":true'));
  expect((await call('DELETE', `/${ref.controllerId}`)).status).toBe(204);
  await until(() => text.includes(`event: gone\ndata: "${ref.controllerId}"`));
  expect(readdirSync(folder)).toEqual([]);
  await app.close();
  await reading;
  await start();
});

test('paired anew: the old credential is worth nothing, the doors stay as they are', async () => {
  const ref = newController();
  await call('POST', '', { name: 'Lobby', code: codeFor(ref), layout });
  await call('POST', `/${ref.controllerId}/act`, { do: 'force', door: 1 });
  const before = hashes.get(deviceUsername(ref));
  const again = await call('POST', '', { name: 'Lobby', code: codeFor(ref), layout });
  expect(again.body.doors[0]?.open).toBe(true);
  expect(hashes.get(deviceUsername(ref))).not.toBe(before);
  expect(hashSecret('x')).toHaveLength(64);
});

test('the page and its scripts are served, without types', async () => {
  const page = await fetch(`${origin}/sandbox/cabinets`);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const html = await page.text();
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  const answers = await Promise.all(parts.map((address) => fetch(origin + address)));
  expect(answers.map((answer) => answer.status)).toEqual(parts.map(() => 200));
  expect(await answers.at(-1)?.text()).not.toContain('import type');
});
