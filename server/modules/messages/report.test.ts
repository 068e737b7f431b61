import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { STAGES } from '@hatchway/domain/terms.ts';
import { query } from '../../db/test-database.ts';
import { systemScope } from '../../scope.ts';
import { testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { hearMessage } from '../occupations/hear-message.ts';
import { testDoors, type TestDoors } from '../occupations/test-doors.ts';
import { refusal } from '../occupations/test-refusal.ts';

type Taken = { to: string; reportUrl: string };
let gateway: Server;
let server: TestServer;
let admin: TestPerson;
let wall: TestDoors;
const taken: Taken[] = [];
/** What the gateway does before it answers. */
let before: (sms: Taken) => Promise<unknown> = async () => {};
let status = 202;

beforeAll(async () => {
  gateway = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const sms = JSON.parse(body) as Taken;
      taken.push(sms);
      void before(sms).then(() => reply.writeHead(status, { 'content-type': 'application/json' }).end('{"id":"gw-1"}'));
    });
  });
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done));
  server = await testServer({ config: { smsUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/` } });
  admin = await (await testCompany(server)).person(['admin']);
  wall = await testDoors(admin.api, 12);
});
beforeEach(() => {
  taken.length = 0;
  status = 202;
  before = async () => {};
});
afterAll(async () => {
  await server.stop();
  gateway.closeAllConnections();
  await new Promise((done) => gateway.close(done));
});

const report = async (url: string, body: unknown): Promise<number> =>
  (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).status;
/** Its address as it was given, on the port that this test's server listens on. */
const addressOf = (sms: Taken | undefined): string => new URL(new URL(sms?.reportUrl ?? '').pathname, server.url).href;
const sent = async (more: { email?: string } = {}) => {
  const made = await admin.api('POST /occupations/delivery', {
    body: {
      lockerId: (await wall.free()).id,
      assetText: 'Drill',
      receiver: { name: 'Kari', tlf: '91234567', ...more },
      fill: true,
      send: true,
    },
  });
  await expect.poll(() => taken.length).toBe(1);
  return made.id;
};
const message = async (occupationId: string) => (await admin.api('GET /messages', { query: { q: { occupationId } } }))[0];
const stage = async (id: string) => (await admin.api('GET /occupations/{id}', { params: { id } })).stageName;
const becomes = async (id: string, state: string): Promise<void> => {
  const newest = 'select state from messages where occupation_id = $1 order by created_at desc, id desc limit 1';
  await expect.poll(() => query(server.database.ownerUrl, newest, [id])).toEqual([{ state }]);
};

it('a report makes the message delivered, once and for good', async () => {
  const id = await sent();
  await becomes(id, 'accepted');
  const address = addressOf(taken[0]);
  expect(await Promise.all([report(address, { state: 'delivered' }), report(address, { state: 'delivered' })])).toEqual([204, 204]);
  await becomes(id, 'delivered');
  expect(await report(address, { state: 'failed', error: 'too late' })).toBe(204);
  expect(await message(id)).toMatchObject({ state: 'delivered', error: null });
  expect(await stage(id)).toBe('CONTACTED');
});

it('a report that it failed is shown with its reason', async () => {
  const id = await sent();
  await becomes(id, 'accepted');
  expect(await report(addressOf(taken[0]), { state: 'failed', error: 'no such subscriber' })).toBe(204);
  expect(await message(id)).toMatchObject({ state: 'failed', error: 'no such subscriber' });
  // Whom it was for stays told as far as the stage goes; that nothing arrived is said beside it, until it is sent anew.
  const one = () => admin.api('GET /occupations/{id}', { params: { id } });
  expect(await one()).toMatchObject({ stageName: 'CONTACTED', contactError: ['no such subscriber'] });
  await admin.api('PUT /occupations', { body: { id, action: 'send' } });
  await expect.poll(one).toMatchObject({ stageName: 'CONTACTED', contactError: [] });
});

// What becomes of the call to a corrected receiver is what counts, wherever it was sent from.
it.each([
  { was: 'accepted', status: 202 },
  { was: 'unknown', status: 500 },
])(
  'one that was $was, sent again after a correction, tells whoever is the receiver now, and nobody is said to be untold',
  async (earlier) => {
    status = earlier.status;
    const id = await sent();
    await becomes(id, earlier.was);
    const one = () => admin.api('GET /occupations/{id}', { params: { id } });
    const { version } = await one();
    await admin.api('PUT /occupations/{id}', { params: { id }, body: { version, receiver: { name: 'Kari', tlf: '98765432' } } });
    expect(await one()).toMatchObject({ contactError: ['address-changed'] });
    status = 202;
    const [first] = await admin.api('GET /messages', { query: { q: { occupationId: id } } });
    const again = () => admin.api('POST /messages/{id}/send', { params: { id: first?.id ?? '' }, body: {} });
    // pressed twice at once, it is one message
    const pressed = await Promise.allSettled([again(), again()]);
    expect(pressed.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    await expect.poll(() => taken.map(({ to }) => to)).toEqual(['+4791234567', '+4798765432']);
    await expect.poll(one).toMatchObject({ stageName: 'CONTACTED', contactError: [] });
    expect(await admin.api('GET /messages', { query: { q: { occupationId: id, state: 'accepted' } } })).toHaveLength(
      earlier.was === 'accepted' ? 2 : 1,
    );
  },
);

it('one that failed, sent again, is what is known of it from then on', async () => {
  status = 400;
  const id = await sent();
  await becomes(id, 'failed');
  expect(await stage(id)).toBe('ACQUIRABLE');
  status = 202;
  const failed = await message(id);
  await admin.api('POST /messages/{id}/send', { params: { id: failed?.id ?? '' }, body: {} });
  await expect
    .poll(() => admin.api('GET /occupations/{id}', { params: { id } }))
    .toMatchObject({ stageName: 'CONTACTED', contactError: [] });
});

it('a call that is under way is given up by nobody who asks for another, by whatever channel', async () => {
  status = 400;
  const id = await sent({ email: 'kari@example.test' });
  await becomes(id, 'failed');
  await admin.api('PUT /occupations', { body: { id, action: 'send', channel: 'both' } });
  const failed = async () => (await admin.api('GET /messages', { query: { q: { occupationId: id, state: 'failed' } } })).toReversed();
  await expect.poll(async () => (await failed()).map(({ channel }) => channel).toSorted()).toEqual(['mail', 'sms', 'sms']);
  await expect.poll(() => stage(id)).toBe('ACQUIRABLE');
  const again = (message?: { id: string }) => admin.api('POST /messages/{id}/send', { params: { id: message?.id ?? '' }, body: {} });
  const mail = (await failed()).find(({ channel }) => channel === 'mail');
  const sms = (await failed()).filter(({ channel }) => channel === 'sms');
  let answer = () => {};
  const answered = new Promise<void>((done) => (answer = done));
  before = () => answered;
  status = 202;
  taken.length = 0;
  // two that failed pressed at once: one call
  const pressed = await Promise.allSettled([again(sms[0]), again(sms[1]), again(sms[0]), again(sms[1])]);
  expect(pressed.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  await expect.poll(() => taken.length).toBe(1);
  expect(await refusal(again(mail))).toEqual([409, 'message-not-sendable']);
  answer();
  await expect
    .poll(() => admin.api('GET /occupations/{id}', { params: { id } }))
    .toMatchObject({ stageName: 'CONTACTED', contactError: [] });
  expect(await admin.api('GET /messages', { query: { q: { occupationId: id } } })).toHaveLength(4);
  expect(taken).toHaveLength(1);
});

it('a call that fails by both ways at the same moment has failed, and neither waits for the other', async () => {
  status = 400;
  const id = await sent();
  await becomes(id, 'failed');
  await admin.api('PUT /occupations/{id}', {
    params: { id },
    body: {
      version: (await admin.api('GET /occupations/{id}', { params: { id } })).version,
      receiver: { name: 'Kari', tlf: '91234567', email: 'k@example.test' },
    },
  });
  await admin.api('PUT /occupations', { body: { id, action: 'send', channel: 'both' } });
  await expect.poll(() => stage(id)).toBe('ACQUIRABLE');
  const [last] = await query<{ cause: string; tenant_id: string }>(
    server.database.ownerUrl,
    'select cause, tenant_id from messages where occupation_id = $1 order by created_at desc limit 1',
    [id],
  );
  const { cause, tenant_id: tenantId } = last ?? { cause: '', tenant_id: '' };
  // As it stands while both are on their way.
  await query(server.database.ownerUrl, `update messages set state = 'sent' where cause = $1`, [cause]);
  await query(server.database.ownerUrl, 'update occupations set stage = $2 where id = $1', [id, STAGES.CONTACTING]);
  let written = 0;
  let go = () => {};
  const both = new Promise<void>((done) => (go = done));
  const fails = (channel: 'sms' | 'mail') =>
    server.deps.db.tenant(tenantId, async (tx) => {
      await tx.updateTable('messages').set({ state: 'failed' }).where('cause', '=', cause).where('channel', '=', channel).execute();
      written += 1;
      if (written === 2) go();
      await both;
      const scope = systemScope(tenantId, server.deps.now().toISOString());
      await hearMessage(tx, server.deps, scope, { occupationId: id, kind: 'ready', cause, state: 'failed', error: 'refused' });
    });
  await Promise.all([fails('sms'), fails('mail')]);
  expect(await stage(id)).toBe('ACQUIRABLE');
});

it('a report that overtakes the gateway’s own answer, or comes instead of it, counts', async () => {
  before = (sms) => report(addressOf(sms), { state: 'delivered' });
  const early = await sent();
  await becomes(early, 'delivered');
  await expect.poll(() => stage(early)).toBe('CONTACTED');
  taken.length = 0;
  before = async () => {};
  status = 500;
  const lost = await sent();
  await becomes(lost, 'unknown');
  expect(await stage(lost)).toBe('CONTACTING');
  expect(await report(addressOf(taken[0]), { state: 'delivered' })).toBe(204);
  expect(await stage(lost)).toBe('CONTACTED');
});

it('nobody else’s address is believed, nor another message’s proof', async () => {
  const id = await sent();
  await becomes(id, 'accepted');
  const first = addressOf(taken[0]);
  taken.length = 0;
  const other = await sent();
  await becomes(other, 'accepted');
  const [tenantId, messageId, mac] = first.split('/hooks/sms/')[1]?.split('.') ?? [];
  const [, otherId] = addressOf(taken[0]).split('/hooks/sms/')[1]?.split('.') ?? [];
  const at = (key: string) => `${server.url}/hooks/sms/${key}`;
  for (const key of [
    `${tenantId}.${otherId}.${mac}`,
    `${tenantId}.${messageId}.${'A'.repeat(43)}`,
    'x',
    `${tenantId}.${messageId}.`,
    '%00',
  ])
    expect([key, await report(at(key), { state: 'failed' })]).toEqual([key, 404]);
  for (const body of [{}, { state: 'accepted' }, [], 'delivered', { state: 'delivered', error: 7 }])
    expect(await report(first, body)).toBe(400);
  expect([(await message(id))?.state, (await message(other))?.state]).toEqual(['accepted', 'accepted']);
});

it('each message says what it tells: a call, another one, that it was taken out again', async () => {
  status = 202;
  const id = await sent();
  await becomes(id, 'accepted');
  await admin.api('PUT /occupations', { body: { id, action: 'send' } });
  await expect.poll(() => stage(id)).toBe('CONTACTED');
  await admin.api('POST /occupations/{id}/retrieve', { params: { id }, body: {} });
  const kinds = async () => (await admin.api('GET /messages', { query: { q: { occupationId: id } } })).map(({ kind }) => kind);
  expect(await kinds()).toEqual(['taken-out', 'ready', 'ready']);
});
