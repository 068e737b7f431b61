import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { IN_DOUBT, NOT_NEEDED, STAGES } from '@hatchway/domain/terms.ts';
import { query } from '../../db/test-database.ts';
import { handlers } from '../../jobs/handlers.ts';
import { systemScope } from '../../scope.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { likeTheFirst } from '../occupations/test-copy.ts';
import { testDoors, type TestDoors } from '../occupations/test-doors.ts';
import { refusal } from '../occupations/test-refusal.ts';
import { queueMessage, reminderCause } from './commands.ts';

// What waits at a gateway goes out late: by then it must be true, or not be said.

type Sms = { to: string; text: string; status: number };
let gateway: Server;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestDoors;
/** Whose doors move. */
let steel: TestCabinet;
let status = 202;
let before: () => Promise<unknown> = async () => {};
const tried: Sms[] = [];

beforeAll(async () => {
  gateway = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const answer = status;
      tried.push({ ...(JSON.parse(body) as Sms), status: answer });
      void before().then(() => reply.writeHead(answer, { 'content-type': 'application/json' }).end('{"id":"gw-1"}'));
    });
  });
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done));
  const smsUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`;
  // Nobody listens where mail goes: each try is a temporary refusal.
  server = await testServer({ config: { smsUrl, smtpUrl: 'smtp://127.0.0.1:9' } });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  wall = await testDoors(admin.api, 26);
  steel = await testCabinet(server, admin.api, 1);
});
beforeEach(() => {
  tried.length = 0;
  status = 503;
});
afterEach(() => {
  before = async () => {};
});
afterAll(async () => {
  steel?.end();
  await server.stop();
  gateway.closeAllConnections();
  await new Promise((done) => gateway.close(done));
});

type Act = { action: 'fill' | 'reset'; lockerId?: string } | { action: 'send'; channel?: 'sms' | 'both' } | { action: 'extract' };
const act = (id: string, ...acts: Act[]) =>
  acts.reduce<Promise<unknown>>((done, one) => done.then(() => admin.api('PUT /occupations', { body: { id, ...one } })), Promise.resolve());
const receiver = { name: 'Kari', tlf: '91234567' };
const parcel = likeTheFirst(
  () => server,
  ({ id: lockerId }, more: { email?: string } = {}) =>
    admin.api('POST /occupations/delivery', { body: { lockerId, receiver: { ...receiver, ...more }, fill: true } }),
);
const filled = async (door: TestLocker, more?: { email: string }): Promise<string> => (await parcel(door, more)).id;
type Row = { id: string; kind: string; channel: string; state: string; error: string | null; attempts: number; not_before: string | null };
const rows = (occupationId: string) =>
  query<Row>(
    server.database.ownerUrl,
    'select id, kind, channel, state, error, attempts, not_before from messages where occupation_id = $1 order by created_at, id',
    [occupationId],
  );
/** As they are shown to whoever looks at the use, oldest first. */
const shown = async (occupationId: string) =>
  (await admin.api('GET /messages', { query: { q: { occupationId } } }))
    .toReversed()
    .map(({ kind, channel, state, error }) => `${kind} ${channel} ${error === NOT_NEEDED ? NOT_NEEDED : state}`);
/** Refused for the moment, whatever is under way: from the second try on it waits for the test to make the next. */
const wait = async (occupationId: string): Promise<void> => {
  await expect
    .poll(async () => {
      const underWay = (await rows(occupationId)).filter(({ state }) => state === 'queued' || state === 'sent');
      return underWay.length > 0 && underWay.every(({ state, attempts }) => state === 'queued' && attempts === 2);
    })
    .toBe(true);
};
/** The next try of what waits for a later one, now; of what does not wait, the try that is due. */
const trySms = async (occupationId: string) => {
  for (const { id, state, channel, attempts, not_before } of await rows(occupationId))
    if (state === 'queued' && channel === 'sms' && (attempts === 2 || not_before !== null))
      await handlers.message(server.deps, { name: 'message', tenantId: ours.id, messageId: id });
  const underWay = async () =>
    (await rows(occupationId)).filter(({ channel, state }) => channel === 'sms' && (state === 'queued' || state === 'sent'));
  await expect.poll(underWay).toEqual([]);
};
const received = () => tried.filter((sms) => sms.status === 202).map(({ text }) => text);

it('a call that waited while its parcel was put behind another door, and that it was taken out: only where it lies now is said', async () => {
  const [first, second] = [await wall.free(), await wall.free()];
  const id = await filled(first);
  await act(id, { action: 'send' });
  await wait(id);
  await act(id, { action: 'extract' });
  expect((await shown(id))[0]).toBe(`ready sms ${NOT_NEEDED}`);
  await wait(id);
  await act(id, { action: 'reset', lockerId: second.id });
  expect(await shown(id)).toEqual([`ready sms ${NOT_NEEDED}`, `taken-out sms ${NOT_NEEDED}`]);
  await act(id, { action: 'fill' });
  status = 202;
  await act(id, { action: 'send' });
  await trySms(id);
  expect(await shown(id)).toEqual([`ready sms ${NOT_NEEDED}`, `taken-out sms ${NOT_NEEDED}`, 'ready sms accepted']);
  expect(received()).toEqual([expect.stringContaining(second.doorTag)]);
  expect(received()[0]).not.toContain(first.doorTag);
  expect(await admin.api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'CONTACTED', contactError: [] });
});

it('a call that is on its way while all that happens is not tried again with what it said', async () => {
  const [first, second] = [await wall.free(), await wall.free()];
  const id = await filled(first);
  let answer = () => {};
  const answered = new Promise<void>((done) => (answer = done));
  before = () => answered;
  await act(id, { action: 'send' });
  await expect.poll(() => tried.length).toBe(1);
  status = 202;
  before = async () => {};
  await act(id, { action: 'extract' }, { action: 'reset', lockerId: second.id }, { action: 'fill' }, { action: 'send' });
  answer();
  await expect.poll(async () => (await rows(id)).map(({ state }) => state)).not.toContain('sent');
  await trySms(id);
  expect((await shown(id)).filter((one) => one.startsWith('ready'))).toEqual([`ready sms ${NOT_NEEDED}`, 'ready sms accepted']);
  expect((await rows(id))[0]).toMatchObject({ attempts: 1 });
  expect(received().at(-1)).toContain(second.doorTag);
});

it('one that may have gone out is not repeated, nor taken back', async () => {
  const [first, second] = [await wall.free(), await wall.free()];
  const id = await filled(first);
  status = 500;
  await act(id, { action: 'send' });
  await expect.poll(async () => (await rows(id))[0]?.state).toBe('unknown');
  status = 202;
  await act(id, { action: 'extract' });
  await trySms(id);
  await act(id, { action: 'reset', lockerId: second.id }, { action: 'fill' }, { action: 'send' });
  await trySms(id);
  expect(await shown(id)).toEqual(['ready sms unknown', 'taken-out sms accepted', 'ready sms accepted']);
  expect(tried.map(({ text }) => text.includes(first.doorTag))).toEqual([true, true, false]);
});

it('what is tried again is said as it stands then', async () => {
  const id = await filled(await wall.free());
  await act(id, { action: 'send' });
  await wait(id);
  const pickupBy = new Date(Date.now() + 400 * 86_400_000).toISOString();
  const year = pickupBy.slice(0, 4);
  expect(tried.map(({ text }) => text.includes(year))).not.toContain(true);
  const { version } = await admin.api('GET /occupations/{id}', { params: { id } });
  await admin.api('PUT /occupations/{id}', { params: { id }, body: { version, pickupBy } });
  status = 202;
  await trySms(id);
  expect(received()).toEqual([expect.stringContaining(year)]);
});

it('that it was taken out is said while it is out or has ended so, and not once it lies somewhere again', async () => {
  const took = async () => {
    const id = await filled(await wall.free());
    status = 202;
    await act(id, { action: 'send' });
    await trySms(id);
    status = 503;
    await act(id, { action: 'extract' });
    await wait(id);
    return id;
  };
  const [out, ended, moved] = [await took(), await took(), await took()];
  await admin.api('DELETE /occupations/{id}', { params: { id: ended }, body: {} });
  await act(moved, { action: 'fill', lockerId: (await wall.free()).id });
  expect((await shown(moved)).at(-1)).toBe(`taken-out sms ${NOT_NEEDED}`);
  status = 202;
  for (const id of [out, ended, moved]) await trySms(id);
  expect((await shown(out)).at(-1)).toBe('taken-out sms accepted');
  expect((await shown(ended)).at(-1)).toBe('taken-out sms accepted');
  expect((await shown(moved)).at(-1)).toBe(`taken-out sms ${NOT_NEEDED}`);
});

it('that it was taken out is sent again by nobody once it lies there again', async () => {
  const id = await filled(await wall.free());
  status = 400;
  await act(id, { action: 'extract' });
  await trySms(id);
  const failed = (await rows(id))[0]?.id ?? '';
  const again = () => admin.api('POST /messages/{id}/send', { params: { id: failed }, body: {} });
  await again();
  await expect.poll(() => shown(id)).toEqual(['taken-out sms failed', 'taken-out sms failed']);
  await act(id, { action: 'reset' }, { action: 'fill' });
  expect(await refusal(again())).toEqual([409, 'message-not-sendable']);
});

it('a new call takes back what waits of the one before, by whatever way', async () => {
  const id = await filled(await wall.free(), { email: 'kari@example.test' });
  status = 202;
  await act(id, { action: 'send', channel: 'both' });
  await expect.poll(async () => (await shown(id)).toSorted()).toEqual(['ready mail queued', 'ready sms accepted']);
  await wait(id);
  await act(id, { action: 'send', channel: 'sms' });
  expect((await shown(id)).toSorted().slice(0, 1)).toEqual([`ready mail ${NOT_NEEDED}`]);
  await trySms(id);
  expect((await shown(id)).filter((one) => one.includes('sms'))).toEqual(['ready sms accepted', 'ready sms accepted']);
});

it('a receiver who is corrected while the call to them waits is called at once, and not at the address before', async () => {
  const id = await filled(await wall.free());
  await act(id, { action: 'send' });
  await wait(id);
  const { version } = await admin.api('GET /occupations/{id}', { params: { id } });
  await admin.api('PUT /occupations/{id}', { params: { id }, body: { version, receiver: { ...receiver, tlf: '91234576' } } });
  expect(await shown(id)).toEqual([`ready sms ${NOT_NEEDED}`]);
  expect(await admin.api('GET /occupations/{id}', { params: { id } })).toMatchObject({
    stage: STAGES.ACQUIRABLE,
    contactError: ['address-changed'],
  });
  tried.length = 0;
  status = 202;
  await act(id, { action: 'send' });
  await trySms(id);
  expect(tried.map(({ to }) => to)).toEqual(['+4791234576']);
  await expect
    .poll(() => admin.api('GET /occupations/{id}', { params: { id } }))
    .toMatchObject({ stage: STAGES.CONTACTED, contactError: [] });
});

const remind = async (id: string, hours: number, at: string): Promise<void> => {
  const { pickupBy } = await admin.api('GET /occupations/{id}', { params: { id } });
  await server.deps.db.tenant(ours.id, (tx) =>
    queueMessage(tx, server.deps, systemScope(ours.id, server.deps.now().toISOString()), {
      occupationId: id,
      kind: 'reminder',
      cause: reminderCause(id, pickupBy ?? '', hours),
      channel: 'sms',
      receiver: { name: 'Kari', tlf: '+4791234567', email: null },
      locale: 'nb',
      at,
    }),
  );
};

it('a reminder that waits for the morning is taken back as soon as there is nothing to fetch, and of two the later is sent', async () => {
  const called = async () => {
    const id = await filled(await wall.free());
    status = 202;
    await act(id, { action: 'send' });
    await trySms(id);
    return id;
  };
  const [lies, out] = [await called(), await called()];
  const morning = new Date(Date.now() + 9 * 3_600_000).toISOString();
  for (const id of [lies, out]) await remind(id, -2, morning);
  await act(out, { action: 'extract' });
  expect((await shown(out))[1]).toBe(`reminder sms ${NOT_NEEDED}`);
  await remind(lies, 0, morning);
  await trySms(lies);
  expect(await shown(lies)).toEqual(['ready sms accepted', `reminder sms ${NOT_NEEDED}`, 'reminder sms accepted']);
});

it('a reminder that failed goes out when somebody has it sent again, while its deadline stands', async () => {
  const id = await filled(await wall.free());
  status = 202;
  await act(id, { action: 'send' });
  await trySms(id);
  status = 400;
  await remind(id, 0, new Date(Date.now() + 9 * 3_600_000).toISOString());
  await trySms(id);
  const failed = (await rows(id)).at(-1)?.id ?? '';
  status = 202;
  await admin.api('POST /messages/{id}/send', { params: { id: failed }, body: {} });
  await trySms(id);
  expect(await shown(id)).toEqual(['ready sms accepted', 'reminder sms failed', 'reminder sms accepted']);
});

it('that a door was forced is told of the door that it was, also where what lay there has gone on', async () => {
  const params = { tenant: ours.id };
  const { version } = await admin.api('GET /companies/{tenant}', { params });
  const alerts = [{ event: 'unexpected-opening', channel: 'sms', to: '+4798765432' } as const];
  await admin.api('PUT /companies/{tenant}', { params, body: { version, settings: { alerts } } });
  const [first, second] = [await steel.free(), await wall.free()];
  const id = await filled(first);
  await steel.force(first.compartment);
  await expect.poll(async () => (await rows(id)).map(({ kind }) => kind)).toEqual(['staff-unexpected-opening']);
  await wait(id);
  await act(id, { action: 'extract' }, { action: 'fill', lockerId: second.id });
  status = 400;
  await trySms(id);
  const failed = (await rows(id)).find(({ kind }) => kind.startsWith('staff-'))?.id ?? '';
  status = 202;
  await admin.api('POST /messages/{id}/send', { params: { id: failed }, body: {} });
  await trySms(id);
  const told = tried.filter(({ to }) => to === '+4798765432');
  expect(told.map((sms) => sms.status)).toEqual([503, 503, 400, 202]);
  expect(told.map(({ text }) => text.includes(first.doorTag))).not.toContain(false);
});

// What is in doubt is said to wait for nobody: neither late, nor again.
const look = (lockerId: string, content: 'empty' | 'occupied') =>
  admin.api('PUT /lockers/{id}/content', { params: { id: lockerId }, body: { content } });
const again = async (id: string) => admin.api('POST /messages/{id}/send', { params: { id: (await rows(id))[0]?.id ?? '' }, body: {} });

it('a call to a locker that came to be in doubt meanwhile goes once somebody has looked', async () => {
  const door = await wall.free();
  const id = await filled(door);
  await act(id, { action: 'send' });
  await wait(id);
  await look(door.id, 'empty');
  status = 202;
  await trySms(id);
  expect(received()).toEqual([]);
  expect(await rows(id)).toMatchObject([{ state: 'failed', error: IN_DOUBT }]);
  const seen = await admin.api('GET /occupations/{id}', { params: { id } });
  expect(seen).toMatchObject({ stageName: 'ACQUIRABLE', contactError: [IN_DOUBT] });
  expect(await refusal(again(id))).toEqual([409, 'locker-in-doubt']);
  await look(door.id, 'occupied');
  await again(id);
  await expect.poll(() => received().length).toBe(1);
});

it('of which nobody knows whether it went out it is not sent again to a locker in doubt, and its fate stays as it is', async () => {
  const door = await wall.free();
  const id = await filled(door);
  await act(id, { action: 'send' });
  await wait(id);
  await query(server.database.ownerUrl, `update messages set state = 'sent' where occupation_id = $1`, [id]);
  await handlers.message(server.deps, { name: 'message', tenantId: ours.id, messageId: (await rows(id))[0]?.id ?? '' });
  await look(door.id, 'empty');
  expect(await refusal(again(id))).toEqual([409, 'locker-in-doubt']);
  const seen = await admin.api('GET /occupations/{id}', { params: { id } });
  expect(seen).toMatchObject({ stageName: 'CONTACTING', contactError: [] });
  expect(await rows(id)).toMatchObject([{ state: 'unknown' }]);
});

it('a reminder that waits for the morning is not said of a locker in doubt', async () => {
  const door = await wall.free();
  const id = await filled(door);
  status = 202;
  await act(id, { action: 'send' });
  await trySms(id);
  await remind(id, -2, new Date(Date.now() + 9 * 3_600_000).toISOString());
  await look(door.id, 'empty');
  await trySms(id);
  expect(received()).toHaveLength(1);
  expect((await rows(id)).at(-1)).toMatchObject({ kind: 'reminder', state: 'failed', error: IN_DOUBT });
});
