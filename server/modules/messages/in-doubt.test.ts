import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { IN_DOUBT } from '@hatchway/domain/terms.ts';
import { query } from '../../db/test-database.ts';
import { handlers } from '../../jobs/handlers.ts';
import { systemScope } from '../../scope.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { queueMessage, reminderCause } from './commands.ts';

// What is in doubt is said to wait for nobody: neither now, nor late, nor again.

let gateway: Server;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
let status = 503;
let taken = 0;
beforeAll(async () => {
  gateway = createServer((request, reply) => {
    request.resume().on('end', () => {
      if (status === 202) taken++;
      reply.writeHead(status, { 'content-type': 'application/json' }).end('{"id":"gw-1"}');
    });
  });
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done));
  server = await testServer({ config: { smsUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/` } });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  wall = await testCabinet(server, admin.api, 3);
});
beforeEach(() => {
  status = 503;
  taken = 0;
});
afterAll(async () => {
  wall?.end();
  await server.stop();
  gateway.closeAllConnections();
  await new Promise((done) => gateway.close(done));
});

type Row = { id: string; kind: string; state: string; error: string | null; attempts: number; not_before: string | null };
const rows = (id: string) =>
  query<Row>(
    server.database.ownerUrl,
    'select id, kind, state, error, attempts, not_before from messages where occupation_id = $1 order by created_at, id',
    [id],
  );
const seen = (id: string) => admin.api('GET /occupations/{id}', { params: { id } });
const look = (lockerId: string, content: 'empty' | 'occupied') =>
  admin.api('PUT /lockers/{id}/content', { params: { id: lockerId }, body: { content } });
const again = async (id: string) => admin.api('POST /messages/{id}/send', { params: { id: (await rows(id))[0]?.id ?? '' }, body: {} });
/** Put in and sent; refused for the moment, from the second try on it waits longer than what follows takes. */
const sent = async (at: number) => {
  const lockerId = wall.lockers[at]?.id ?? '';
  const { id } = await admin.api('POST /occupations', {
    body: { type: 'delivery', lockerId, receiver: { name: 'Kari', tlf: '91234567' } },
  });
  for (const action of ['fill', 'send'] as const) await admin.api('PUT /occupations', { body: { id, action } });
  await expect.poll(async () => (await rows(id)).map((row) => row.state === 'accepted' || row.attempts === 2)).toEqual([true]);
  return { id, lockerId };
};
/** The next try of what waits for a later one, now. */
const tryNow = async (id: string) => {
  for (const row of await rows(id))
    if (row.state === 'queued' || row.state === 'sent')
      await handlers.message(server.deps, { name: 'message', tenantId: ours.id, messageId: row.id });
  await expect.poll(async () => (await rows(id)).filter(({ state }) => state === 'queued' || state === 'sent')).toEqual([]);
};

it('calls nobody to a locker that came to be in doubt meanwhile, and goes once somebody has looked', async () => {
  const { id, lockerId } = await sent(0);
  await look(lockerId, 'empty');
  status = 202;
  await tryNow(id);
  expect(taken).toBe(0);
  expect(await rows(id)).toMatchObject([{ state: 'failed', error: IN_DOUBT }]);
  expect(await seen(id)).toMatchObject({ stageName: 'ACQUIRABLE', contactError: [IN_DOUBT] });
  expect(await refusal(again(id))).toEqual([409, 'locker-in-doubt']);
  await look(lockerId, 'occupied');
  await again(id);
  await expect.poll(() => taken).toBe(1);
});

it('of which nobody knows whether it went out is not sent again to a locker in doubt, and its fate stays as it is', async () => {
  const { id, lockerId } = await sent(1);
  await query(server.database.ownerUrl, `update messages set state = 'sent' where occupation_id = $1`, [id]);
  await tryNow(id);
  await look(lockerId, 'empty');
  expect(await refusal(again(id))).toEqual([409, 'locker-in-doubt']);
  expect(await seen(id)).toMatchObject({ stageName: 'CONTACTING', contactError: [] });
  expect(await rows(id)).toMatchObject([{ state: 'unknown' }]);
});

it('that waits for the morning to remind is not said of a locker in doubt', async () => {
  status = 202;
  const { id, lockerId } = await sent(2);
  const cause = reminderCause(id, (await seen(id)).pickupBy ?? '', -2);
  const told = { occupationId: id, kind: 'reminder', cause, channel: 'sms', locale: 'nb' } as const;
  const at = new Date(Date.now() + 9 * 3_600_000).toISOString();
  const receiver = { name: 'Kari', tlf: '+4791234567', email: null };
  const scope = systemScope(ours.id, server.deps.now().toISOString());
  await server.deps.db.tenant(ours.id, (tx) => queueMessage(tx, server.deps, scope, { ...told, receiver, at }));
  await look(lockerId, 'empty');
  await tryNow(id);
  expect(taken).toBe(1);
  expect((await rows(id)).at(-1)).toMatchObject({ kind: 'reminder', state: 'failed', error: IN_DOUBT });
});
