import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { testCabinet } from '@hatchway/server/test-cabinet.ts';
import { testCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { testServer, type TestServer } from '@hatchway/server/test-server.ts';
import { grow } from '../bench-rows.ts';

/** PostgreSQL plans a statement for its values five times, and goes on so where the plan for any values looks dearer. */
const FIRST = 5;
const TIMES = 10;
/** What is planned at each call on purpose: the size decides how many rows fit. */
const PLANNED = [/l\.last_command->>'op' = 'open'/];

let server: TestServer;
let admin: TestPerson;
let lockerIds: string[];

beforeAll(async () => {
  // one connection: what it has prepared is all there is
  server = await testServer({ config: { databasePool: 1 } });
  const company = await testCompany(server);
  admin = await company.person(['admin']);
  const cabinet = await testCabinet(server, admin.api);
  lockerIds = await grow(server.database.ownerUrl, company.id, cabinet.id, { lockers: 2_000, events: 20_000, saleEvery: 100 });
  cabinet.end();
});
afterAll(() => server.stop());

type Planned = { statement: string; custom: number };
const plannedAnew = async (): Promise<string[]> => {
  const { rows } = await server.deps.db.open((tx) =>
    sql<Planned>`select statement, custom_plans::int as custom from pg_prepared_statements where custom_plans > ${FIRST}`.execute(tx),
  );
  return rows.map(({ statement }) => statement).filter((statement) => !PLANNED.some((known) => known.test(statement)));
};

const specs: readonly RouteSpec[] = routes;
const lists = specs.filter(
  ({ method, path, query }) => method === 'GET' && !path.includes('{') && query?.safeParse({ limit: '50' }).success,
);

test('the first page of no list is planned at each call', async () => {
  let asked = 0;
  for (const { path } of lists)
    for (let n = 0; n < TIMES; n++) {
      const answer = await fetch(`${server.url}/v1${path}?limit=50`, { headers: { authorization: `Bearer ${admin.token}` } });
      if (answer.ok) asked++;
    }
  expect(asked).toBeGreaterThan(15 * TIMES);
  expect(await plannedAnew()).toEqual([]);
});

test('registering by a locker’s id is planned once', async () => {
  for (const lockerId of lockerIds.slice(0, TIMES))
    await admin.api('POST /occupations', {
      body: { type: 'delivery', assetText: 'Parcel', receiver: { name: 'Ingrid Solberg', email: 'ingrid@example.test' }, lockerId },
    });
  expect(await plannedAnew()).toEqual([]);
});
