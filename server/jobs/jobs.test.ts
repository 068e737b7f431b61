import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { query } from '../db/test-database.ts';
import { testCabinet } from '../test-cabinet.ts';
import { testCompany } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';
import { handlers } from './handlers.ts';
import { installJobs } from './install.ts';
import { sweep } from './sweep.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ config: { logLevel: 'silent' } });
});
afterAll(() => server.stop());

const counted = async (result: string, name = 'look-again'): Promise<number> =>
  (await server.deps.metrics.jobs.get()).values.find(({ labels }) => labels.name === name && labels.result === result)?.value ?? 0;

it('come as fast as they are done, not one at each look; one that fails takes no other along', async () => {
  const { db, jobs } = server.deps;
  const tenantId = randomUUID();
  await db.tenant(tenantId, async (tx) => {
    for (let i = 0; i < 24; i++) {
      // Of an occupation that is not there nothing is to be done; a tenant that is none is a defect.
      const job = { name: 'look-again', tenantId: i === 7 ? 'none' : tenantId, occupationId: randomUUID(), command: 'fill' } as const;
      await jobs.enqueue(tx, job);
    }
  });
  await expect.poll(() => counted('done')).toBe(23);
  // It is tried again, alone.
  await expect.poll(() => counted('failed')).toBeGreaterThan(1);
  expect(await counted('done')).toBe(23);
});

it('of one company, taken one at a time, follow each other as fast as they are done', async () => {
  const { db, jobs } = server.deps;
  const tenantId = randomUUID();
  const many = 80;
  // Of a delivery that is not there nothing is to be done: what this machine needs for that, one after the other and without a queue.
  const alone = performance.now();
  for (let i = 0; i < many / 10; i++) await handlers.webhook(server.deps, { name: 'webhook', tenantId, deliveryId: randomUUID() });
  const work = (performance.now() - alone) * 10;
  await db.tenant(tenantId, async (tx) => {
    for (let i = 0; i < many; i++) await jobs.enqueue(tx, { name: 'webhook', tenantId, deliveryId: randomUUID() });
  });
  const began = performance.now();
  await expect.poll(() => counted('done', 'webhook')).toBe(many);
  // Eight workers that look each half second need five seconds for that many, beside the work itself.
  expect((performance.now() - began) / (5_000 + 10 * work)).toBeLessThan(0.6);
});

it('give a sweep the time that it takes, also where the queue was made with less', async () => {
  const { ownerUrl } = server.database;
  const expiry = async () =>
    Object.fromEntries(
      (await query<{ name: string; s: number }>(ownerUrl, 'select name, expire_seconds as s from jobs.queue')).map(({ name, s }) => [
        name,
        s,
      ]),
    );
  expect(await expiry()).toMatchObject({ sweep: 900, 'look-again': 60 });
  await query(ownerUrl, `update jobs.queue set expire_seconds = 60 where name = 'sweep'`);
  await installJobs(ownerUrl);
  expect(await expiry()).toMatchObject({ sweep: 900, 'look-again': 60 });
});

it('mark a great many that are late at the same moment in turns that follow at once', async () => {
  const company = await testCompany(server);
  const admin = await company.person(['admin']);
  const wall = await testCabinet(server, admin.api, 1);
  await query(
    server.database.ownerUrl,
    `with l as (
       insert into lockers (tenant_id, id, cabinet_id, compartment, door_tag, size, created_at, updated_at)
       select $1, gen_random_uuid(), $2, 100 + n, 'Late-' || n, 'M', now(), now() from generate_series(1, 21) n returning tenant_id, id, door_tag)
     insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, pickup_by, created_by, created_at, updated_at)
     select tenant_id, gen_random_uuid(), 'delivery', 'delivery', 3, now(), id, door_tag, now() - interval '1 hour',
       '{"kind":"person","id":null,"name":"Ada Admin"}', now(), now() from l`,
    [company.id, wall.id],
  );
  const asked = () => query(server.database.ownerUrl, `select 1 from jobs.job where name = 'sweep' and singleton_key = $1`, [company.id]);
  // Each minute asks too.
  const before = (await asked()).length;
  await sweep(server.deps, company.id, 20);
  expect((await asked()).length).toBeGreaterThan(before);
  const marked = async () =>
    (
      await query<{ n: number }>(server.database.ownerUrl, 'select count(*)::int n from occupations where overdue and tenant_id = $1', [
        company.id,
      ])
    )[0]?.n;
  await expect.poll(marked).toBe(21);
  wall.end();
});
