import type { ApiError } from '@hatchway/contract/client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query, testDatabase, type TestDatabase } from './db/test-database.ts';
import { startPlainBroker } from './devices/test-harness.ts';
import { listen } from './live/test-listener.ts';
import { PACE } from './pace.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from './test-company.ts';
import { testCabinet, type TestCabinet } from './test-cabinet.ts';
import { startTestLine, startTestNats, type TestLine, type TestNats } from './test-nats.ts';
import { testServer, type TestServer } from './test-server.ts';

// Two whole servers on one database, one bus and one broker, as behind one address: what one did, the other one knows.

let database: TestDatabase;
let nats: TestNats;
/** The way from the first of them to the bus. */
let line: TestLine;
let broker: Awaited<ReturnType<typeof startPlainBroker>>;
let one: TestServer;
let two: TestServer;
let company: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  database = await testDatabase();
  nats = await startTestNats();
  line = await startTestLine(nats);
  broker = await startPlainBroker();
  const shared = { natsUrl: nats.url, mqttUrl: broker.url };
  one = await testServer({ database, config: { ...shared, natsUrl: line.url } });
  two = await testServer({ database, config: { ...shared, publicUrl: one.url } });
  company = await testCompany(one);
  admin = await company.person(['admin'], 'Ada Admin');
  wall = await testCabinet(one, admin.api, 3);
});
afterAll(async () => {
  wall?.end();
  await two?.stop();
  await one?.stop();
  await broker.close();
  await line.close();
  await nats.close();
  await database.close();
});

const join = async (server: TestServer, token: string) => {
  const listener = await listen(server.url, token, { origin: one.url });
  expect(await listener.ask({ topic: 'subscribe', event: 'lockers' })).toBeNull();
  return listener;
};
const lot = (at: number) => {
  const found = wall.lockers[at];
  if (!found) throw new Error('no such door');
  return found;
};
const types = async (lockerId: string) =>
  (await query<{ type: string }>(database.ownerUrl, 'select type from events where locker_id = $1 order by id', [lockerId])).map(
    ({ type }) => type,
  );

describe('two servers on one database', () => {
  it('tell of each other’s changes', async () => {
    const { id } = lot(0);
    const [here, there] = [await join(one, admin.token), await join(two, admin.token)];
    const body = { content: 'occupied', note: 'a look' } as const;
    await admin.api('PUT /lockers/{id}/content', { params: { id }, body });
    for (const listener of [here, there])
      await expect.poll(() => listener.events.map(({ data }) => [data['id'], data['content']])).toContainEqual([id, 'occupied']);
    await two.as(admin.token)('PUT /lockers/{id}/content', { params: { id }, body: { ...body, content: 'empty' } });
    for (const listener of [here, there])
      await expect.poll(() => listener.events.map(({ data }) => [data['id'], data['content']])).toContainEqual([id, 'empty']);
    here.close();
    there.close();
  });

  it('hear the same door, whichever of them asked for it, and write once what it did', async () => {
    for (const [server, door] of [
      [one, lot(1)],
      [two, lot(2)],
    ] as const) {
      const { id, doorTag, compartment } = door;
      await server.as(admin.token)('POST /lockers/{id}/open', { params: { id }, body: { doorTag, reason: 'a look' } });
      for (const node of [one, two])
        await expect.poll(async () => (await node.as(admin.token)('GET /lockers/{id}', { params: { id } })).door).toBe('opened');
      await wall.close(compartment);
      await expect.poll(() => types(id)).toContain('locker_closed');
    }
    const before = wall.say().session;
    await wall.cut();
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params: { id: lot(1).id } })).connection).toBe('offline');
    await wall.plug();
    expect(wall.say().session).not.toBe(before);
    for (const { id } of [lot(1), lot(2)])
      await expect.poll(async () => (await two.as(admin.token)('GET /lockers/{id}', { params: { id } })).door).toBe('closed');
    for (const { id } of [lot(1), lot(2)]) expect(await types(id)).toEqual(['locker_opened', 'locker_closed']);
    const told = await query<{ type: string }>(
      database.ownerUrl,
      `select type from events where cabinet_id = $1 and type in ('locker_online', 'locker_offline') order by id`,
      [wall.id],
    );
    expect(told.map(({ type }) => type)).toEqual(['locker_online', 'locker_offline', 'locker_online']);
  });

  it('put out at both whoever was taken out at one', async () => {
    const leaver = await company.person(['delivery_manager']);
    const listener = await join(two, leaver.token);
    const tenant = company.id;
    const members = await admin.api('GET /companies/{tenant}/memberships', { params: { tenant }, query: { limit: 500 } });
    const membershipId = members.find(({ accountId }) => accountId === leaver.accountId)?.id ?? '';
    await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant, membershipId } });
    await expect.poll(() => listener.code()).toBe(4000);
    for (const node of [one, two]) expect(await refusal(node.as(leaver.token)('GET /lockers'))).toEqual([401, 'unauthenticated']);
  });

  it('lose nothing of what one of them did while its line to the bus was cut', async () => {
    const { id } = lot(0);
    const [leaver, gone] = [await company.person(['delivery_manager']), await company.person(['delivery_manager'])];
    const [here, there, theirs] = [await join(one, admin.token), await join(two, admin.token), await join(two, leaver.token)];
    expect(await two.as(leaver.token)('GET /accounts/me')).toMatchObject({ tenantId: company.id });
    line.cut();
    try {
      // Whoever listens at the node that hears nothing is told, and comes in at the other one alone; calls go on at both.
      await expect.poll(() => here.code()).toBe(1013);
      await expect(listen(one.url, admin.token, { origin: one.url })).rejects.toThrow('503');
      const ready = await fetch(`${one.url}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([200, { database: true, broker: true, bus: false, stopping: false }]);
      // The other one, whose line holds, carries what was committed: nobody there waits for the line.
      await admin.api('PUT /lockers/{id}/content', { params: { id }, body: { content: 'occupied', note: 'while cut' } });
      await expect.poll(() => there.events.map(({ data }) => [data['id'], data['content']])).toContainEqual([id, 'occupied']);
      await one.deps.identity.endSignIns(leaver.accountId, company.id);
      // So does who is out: written down before it is told, it is the other one's to tell.
      await expect.poll(() => theirs.code()).toBe(4000);
      // And whom the other one put out, the node that hears nothing reads by itself.
      await two.deps.identity.endSignIns(gone.accountId, company.id);
      await expect.poll(() => refusal(one.as(gone.token)('GET /accounts/me'))).toEqual([401, 'unauthenticated']);
      expect(await refusal(two.as(leaver.token)('GET /accounts/me'))).toEqual([401, 'unauthenticated']);
    } finally {
      line.mend();
    }
    // Once it is mended both begin anew: neither knows what it did not hear.
    for (const listener of [here, there]) await expect.poll(() => listener.code()).toBe(1013);
    await admin.api('PUT /lockers/{id}/content', { params: { id }, body: { content: 'empty', note: 'once more' } });
    const again = [await join(one, admin.token), await join(two, admin.token)];
    await admin.api('PUT /lockers/{id}/content', { params: { id }, body: { content: 'occupied', note: 'and more' } });
    for (const listener of again)
      await expect.poll(() => listener.events.map(({ data }) => [data['id'], data['content']])).toContainEqual([id, 'occupied']);
    for (const listener of again) listener.close();
  });

  it('refuse whose sign-ins were ended before a server started, within the life of a token', async () => {
    const [ended, other] = [await company.person(['delivery_manager']), await company.person(['delivery_manager'])];
    await one.deps.identity.endSignIns(ended.accountId, company.id);
    const late = await testServer({ database, config: { natsUrl: nats.url, mqttUrl: broker.url, publicUrl: one.url } });
    expect(await refusal(late.as(ended.token)('GET /accounts/me'))).toEqual([401, 'unauthenticated']);
    expect(await late.as(other.token)('GET /accounts/me')).toMatchObject({ tenantId: company.id });
    await late.stop();
  });

  it('command no door while the broker is away, say so at once, and do all else', async () => {
    const { id, doorTag, compartment } = lot(1);
    const open = () => admin.api('POST /lockers/{id}/open', { params: { id }, body: { doorTag, reason: 'a look' } });
    await broker.close();
    for (const node of [one, two]) {
      const ready = async () => (await fetch(`${node.url}/readyz`)).json();
      await expect.poll(ready).toEqual({ database: true, broker: false, bus: true, stopping: false });
      expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
    }
    const began = performance.now();
    const refused = await open().catch((error: unknown) => (error as ApiError).problem);
    expect(refused).toMatchObject({
      code: 'cabinet-offline',
      detail: 'Doors cannot be commanded now, at any cabinet',
      data: { code: 'broker-away' },
    });
    expect(performance.now() - began).toBeLessThan(PACE.answerMs);
    await admin.api('PUT /lockers/{id}/content', { params: { id }, body: { content: 'empty', note: 'a look inside' } });
    broker = await startPlainBroker(broker.port);
    await wall.plug();
    await expect
      .poll(() =>
        open().then(
          ({ door }) => door,
          () => null,
        ),
      )
      .toBe('opened');
    await wall.close(compartment);
  });

  it('do without each other: what one of them left, the other goes on with', async () => {
    const listener = await join(one, admin.token);
    await two.stop();
    const { id, doorTag, compartment } = lot(0);
    await admin.api('POST /lockers/{id}/open', { params: { id }, body: { doorTag, reason: 'a look' } });
    await expect.poll(() => listener.events.some(({ data }) => data['id'] === id && data['door'] === 'opened')).toBe(true);
    await wall.close(compartment);
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params: { id } })).door).toBe('closed');
    listener.close();
  });
});
