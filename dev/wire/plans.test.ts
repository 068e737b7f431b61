import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { listen } from '@hatchway/server/live/test-listener.ts';
import { testCabinet, type TestCabinet } from '@hatchway/server/test-cabinet.ts';
import { testCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { testServer, type TestServer } from '@hatchway/server/test-server.ts';
import { grow } from '../bench-rows.ts';

/** PostgreSQL plans a statement for its values five times, and goes on so where the plan for any values looks dearer. */
const FIRST = 5;
const TIMES = 7;

let server: TestServer;
let admin: TestPerson;
let cabinet: TestCabinet;
let lockerIds: string[];

beforeAll(async () => {
  // one connection: what it has prepared is all there is
  server = await testServer({ plansItself: true, config: { databasePool: 1 } });
  const company = await testCompany(server);
  admin = await company.person(['admin']);
  cabinet = await testCabinet(server, admin.api);
  lockerIds = await grow(server.database.ownerUrl, company.id, cabinet.id, { lockers: 2_000, events: 20_000, saleEvery: 100 });
  // counted when a test says so, not by PostgreSQL's own clock
  await query(server.database.ownerUrl, 'alter table occupations set (autovacuum_enabled = false)');
});
afterAll(async () => {
  cabinet?.end();
  await server?.stop();
});

type Planned = { statement: string; custom: number; asked: number; pid: number };
let pid: number | undefined;
/** What was asked so often that its plan should stand, most often first. */
const hottest = async (): Promise<Planned[]> => {
  const { rows } = await server.deps.db.open((tx) =>
    sql<Planned>`select statement, custom_plans::int as custom, (custom_plans + generic_plans)::int as asked, pg_backend_pid() as pid
      from pg_prepared_statements where custom_plans + generic_plans > ${FIRST} order by asked desc`.execute(tx),
  );
  // another connection counts anew
  pid ??= rows[0]?.pid;
  expect(rows.filter((row) => row.pid !== pid)).toEqual([]);
  return rows;
};
const plannedAnew = async () => (await hottest()).filter(({ custom }) => custom > FIRST).map(({ statement }) => statement);

const specs: readonly RouteSpec[] = routes;
const lists = specs.filter(
  ({ method, path, query }) => method === 'GET' && !path.includes('{') && query?.safeParse({ limit: '50' }).success,
);

const byName = `/history?limit=50&q=${encodeURIComponent('{"$text":"solvang"}')}`;

test('no page of a list is planned at each call, the first or a later one, nor is what a name finds of the history', async () => {
  const ask = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${admin.token}` } });
    return { ok: answer.ok, next: /<(.*)>/.exec(answer.headers.get('link') ?? '')?.[1] };
  };
  let [first, later] = [0, 0];
  for (const path of [...lists.map((one) => `${one.path}?limit=50`), byName])
    for (let n = 0; n < TIMES; n++) {
      const { ok, next } = await ask(`/v1${path}`);
      if (ok) first++;
      if (next && (await ask(next)).ok) later++;
    }
  expect(first).toBeGreaterThan(15 * TIMES);
  expect(later).toBeGreaterThanOrEqual(3 * TIMES); // lockers, the history, and that by a name
  expect(await plannedAnew()).toEqual([]);
});

const register = (where: { lockerId: string } | { size: 'S' }) =>
  admin.api('POST /occupations', {
    body: { type: 'delivery', assetText: 'Parcel', receiver: { name: 'Ingrid Solberg', email: 'ingrid@example.test' }, ...where },
  });

test('registering is planned once, by a locker’s id and by a size', async () => {
  for (const lockerId of lockerIds.slice(0, TIMES)) await register({ lockerId });
  for (let n = 0; n < TIMES; n++) await register({ size: 'S' });
  expect(await plannedAnew()).toEqual([]);
});

test('what is told to whoever looks on is read by one plan, one row after another', async () => {
  const watcher = await listen(server.url, admin.token);
  for (const event of ['lockers', 'occupations', 'history']) await watcher.ask({ topic: 'subscribe', event });
  for (const lockerId of lockerIds.slice(1_600, 1_600 + TIMES)) {
    const { id } = await register({ lockerId });
    await expect.poll(() => watcher.events.some(({ data }) => data['id'] === id)).toBe(true);
  }
  watcher.close();
  expect(await plannedAnew()).toEqual([]);
});

test('what a door says is written by one plan', async () => {
  const [door] = cabinet.lockers;
  if (!door) throw new Error('a wall without doors');
  const says = async (state: string) =>
    await expect
      .poll(async () => (await admin.api('GET /lockers/{id}', { params: { id: door.id } })).door, { timeout: 20_000 })
      .toBe(state);
  for (let n = 0; n < TIMES; n++) {
    await cabinet.force(door.compartment);
    await says('opened');
    await cabinet.close(door.compartment);
    await says('closed');
  }
  expect(await plannedAnew()).toEqual([]);
});

test('of what was asked most, all has one plan', async () => {
  const twenty = (await hottest()).slice(0, 20);
  expect(twenty).toHaveLength(20);
  expect(twenty.filter(({ custom }) => custom > FIRST)).toEqual([]);
});

/** How many occupations it looks at. */
const looksOf = async (act: () => Promise<unknown>): Promise<number> => {
  const read = async () => {
    await server.deps.db.open((tx) => sql`select pg_stat_force_next_flush()`.execute(tx));
    const { rows } = await server.deps.db.open((tx) =>
      sql<{
        looks: number;
      }>`select (seq_tup_read + idx_tup_fetch)::int as looks from pg_stat_user_tables where relname = 'occupations'`.execute(tx),
    );
    return rows[0]?.looks ?? 0;
  };
  const before = await read();
  await act();
  return (await read()) - before;
};

const occupy = (ids: string[]) =>
  query(
    server.database.ownerUrl,
    `insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, asset_text, receiver_name, created_by, created_at, updated_at)
     select tenant_id, gen_random_uuid(), 'delivery', 'delivery', 0, now(), id, door_tag, 'Parcel', 'Ingrid Solberg',
       '{"kind":"system","id":null,"name":"Test"}', now(), now()
     from lockers where id = any($1)`,
    [ids],
  );

test('one occupation is read by its key where nothing was ever counted', async () => {
  await occupy(lockerIds.slice(1_400, 1_500));
  const [lockerId = ''] = lockerIds.slice(1_500);
  expect(await looksOf(() => register({ lockerId }))).toBeLessThan(20);
});

// What is registered after a count, it knows nothing of.
test.each([
  // as PostgreSQL does by itself within a minute
  ['while some were in use', 800, async () => void (await query(server.database.ownerUrl, 'analyze occupations'))],
  [
    'while every use had ended',
    1_100,
    async () => {
      await query(server.database.ownerUrl, 'update occupations set stage = 98 where stage < 98');
      await query(server.database.ownerUrl, 'vacuum analyze occupations');
    },
  ],
])('a page of lockers and best fit look at what their lockers carry, however much the company has: counted %s', async (_, first, count) => {
  await count();
  await occupy(lockerIds.slice(first, first + 200));
  const page = () => fetch(`${server.url}/v1/lockers?limit=50`, { headers: { authorization: `Bearer ${admin.token}` } });
  expect(await looksOf(page)).toBeLessThan(60);
  // a table that was of one page is read whole for the two look-ups behind the lock, and not for each door that might do
  expect(await looksOf(() => register({ size: 'S' }))).toBeLessThan(1_000);
});
