import { afterAll, beforeAll, expect, it } from 'vitest';
import { query, testDatabase, type TestDatabase } from '../../db/test-database.ts';
import { startPlainBroker } from '../../devices/test-harness.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

let database: TestDatabase;
let broker: Awaited<ReturnType<typeof startPlainBroker>>;
let server: TestServer;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  database = await testDatabase();
  broker = await startPlainBroker();
  server = await testServer({ database, config: { mqttUrl: broker.url } });
  admin = await (await testCompany(server)).person(['admin']);
  wall = await testCabinet(server, admin.api, 2);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
  await broker.close();
  await database.close();
});

const alarms = async () =>
  (
    await query<{ door_tag: string; at: Date }>(
      database.ownerUrl,
      `select door_tag, at from events where type = 'locker_unknown' and data->>'alert' = 'tamper' order by id`,
    )
  ).map(({ door_tag, at }) => [door_tag, new Date(at).toISOString()]);

it('an alarm that is said while no server listens waits at a broker outside, with its time; each is told once', async () => {
  const [one, two] = wall.lockers;
  if (!one || !two) throw new Error('no lockers');
  // Of the session before, and so from before this one.
  const session = 'before';
  const [live, away] = [new Date(Date.now() - 5_000).toISOString(), new Date(Date.now() - 4_000).toISOString()];
  await wall.say().event('tamper', { compartment: one.compartment, session, ts: live });
  await expect.poll(alarms).toEqual([[one.doorTag, live]]);

  const { port, publicUrl } = server.deps.config;
  await server.stop();
  await wall.say().event('tamper', { compartment: two.compartment, session, ts: away });
  server = await testServer({ database, config: { mqttUrl: broker.url, port, publicUrl } });
  await expect.poll(alarms).toEqual([
    [one.doorTag, live],
    [two.doorTag, away],
  ]);
  await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params: { id: one.id } })).connection).toBe('online');
  expect(await alarms()).toHaveLength(2);
});
