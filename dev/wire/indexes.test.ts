import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query } from '@hatchway/server/db/test-database.ts';
import { sweep } from '@hatchway/server/jobs/sweep.ts';
import { testCabinet } from '@hatchway/server/test-cabinet.ts';
import { testCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { testServer, type TestServer } from '@hatchway/server/test-server.ts';
import { grow } from '../bench-rows.ts';

/** Each index of the tables that a registration and a door write to, with what needs it: any other is written for nothing. */
const TABLES = ['occupations', 'lockers', 'events'];

let server: TestServer;
let tenantId: string;
let admin: TestPerson;
let seller: TestPerson;
/** Sees one door alone. */
let porter: TestPerson;
let cabinetId: string;
let memberId: string;
let one: { id: string; locker_id: string; door_tag: string; asset_id: string };

const uses = 20_000;
beforeAll(async () => {
  // one connection: what it has looked at is told before the next statement
  server = await testServer({ plansItself: true, config: { databasePool: 1 } });
  const { ownerUrl } = server.database;
  const company = await testCompany(server);
  tenantId = company.id;
  admin = await company.person(['admin']);
  const cabinet = await testCabinet(server, admin.api);
  const lockerIds = await grow(ownerUrl, tenantId, cabinet.id, { lockers: 10_000, events: 20_000, saleEvery: 1_000 });
  cabinet.end();
  seller = await company.person(['sale_manager']);
  porter = await company.scoped(['delivery'], [lockerIds[0] ?? '']);
  // as in a company that has worked for a while: nearly all have ended, and little is of a kind
  await query(
    ownerUrl,
    `with things as (
       insert into assets (tenant_id, id, name, created_at, updated_at)
       select $1, gen_random_uuid(), 'Drill ' || n, now(), now() from generate_series(1, 100) n returning id),
     made as (select array_agg(id) as ids from things),
     doors as (select array_agg(id order by id) as ids, array_agg(door_tag order by id) as tags from lockers where tenant_id = $1)
     insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, asset_id, order_ref, external_ref,
       receiver_name, receiver_email, receiver_tlf, reserved_until, pickup_by, ended_at, overdue, resume_stage, secrets_until, ended_token_hash,
       created_by, created_at, updated_at)
     select $1, gen_random_uuid(), case when n % 500 = 0 then 'sale' else 'delivery' end, case when n % 500 = 0 then 'sale' else 'delivery' end,
       case when n > 600 then 98 when n % 100 = 0 then 6 when n % 100 = 1 then 1 when n % 10 = 2 then 0 else 3 end, now(),
       d.ids[1 + n % 1500], d.tags[1 + n % 1500], m.ids[1 + n % 100], 'O-' || n, 'X-' || n, 'Kari ' || n, 'kari' || n || '@example.test',
       '+4790000' || lpad((n % 1000)::text, 3, '0'), now() + n * interval '1 minute', now() + n * interval '1 hour',
       case when n > 600 then now() - n * interval '1 minute' end, n % 400 = 5 and n <= 600, case when n <= 600 and n % 100 = 0 then 3 end,
       case when n % 200 = 3 then now() + n * interval '1 minute' end, case when n % 200 = 4 then sha256(n::text::bytea) end,
       '{"kind":"system","id":null,"name":"Hatchway"}', now() - n * interval '1 second', now() - n * interval '1 second'
     from generate_series(1, $2::int) n, made m, doors d`,
    [tenantId, uses],
  );
  await query(
    ownerUrl,
    `insert into events (tenant_id, id, type, at, actor_kind, actor_id, actor_name, cabinet_id, locker_id, door_tag, occupation_id, occupation_type, asset_id, data)
     select o.tenant_id, gen_random_uuid(), 'occupation_filled', o.created_at, 'person', case when e.n = 1 then $2::uuid end,
       case when e.n = 1 then 'Ada Admin' else o.receiver_name end, case when e.n = 2 then (select id from cabinets where tenant_id = $1 limit 1) end,
       case when e.n <> 2 then o.locker_id end, o.door_tag, o.id, o.type, o.asset_id, '{}'
     from occupations o, generate_series(1, 3) e(n) where o.tenant_id = $1 and o.stage < 98`,
    [tenantId, admin.accountId],
  );
  await query(ownerUrl, 'vacuum analyze');
  await query(ownerUrl, `update companies set settings = jsonb_set(settings, '{alerts}', '[{"event":"door-left-open"}]') where id = $1`, [
    tenantId,
  ]);
  await query(ownerUrl, `update accounts set tlf = '+4790000077' where id = $1`, [admin.accountId]);
  const [member] = await query<{ id: string }>(ownerUrl, 'select id from memberships where tenant_id = $1 and account_id = $2', [
    tenantId,
    admin.accountId,
  ]);
  memberId = member?.id ?? '';
  const [half] = await query<{ id: string }>(ownerUrl, 'select id from cabinets where tenant_id = $1 and number = 100010', [tenantId]);
  cabinetId = half?.id ?? '';
  const rows = await query<typeof one>(
    ownerUrl,
    'select id, locker_id, door_tag, asset_id from occupations where tenant_id = $1 and stage = 3 limit 1',
    [tenantId],
  );
  if (!rows[0]) throw new Error('nothing was made');
  one = rows[0];
});
afterAll(() => server.stop());

const read =
  (path: string, who: () => TestPerson = () => admin) =>
  async () => {
    const answer = await fetch(`${server.url}/v1${path}`, { headers: { authorization: `Bearer ${who().token}` } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
const where = (path: string, q: () => object, who?: () => TestPerson) => () =>
  read(`${path}?limit=50&q=${encodeURIComponent(JSON.stringify(q()))}`, who)();
const each = () => sweep(server.deps, tenantId);
const statement = (text: ReturnType<typeof sql>) => () => server.deps.db.tenant(tenantId, (tx) => text.execute(tx));
const register = (place: () => object) => () =>
  admin.api('POST /occupations', {
    body: { type: 'delivery', assetText: 'Parcel', receiver: { name: 'Ola', email: 'ola@example.test' }, ...place() },
  });

const NEEDED: Record<string, () => Promise<unknown>> = {
  occupations_paging: read('/occupations?limit=50'),
  occupations_by_change: read('/occupations?limit=50&sort=-updatedAt'),
  occupations_by_deadline: read('/occupations?limit=50&sort=deadline'),
  occupations_by_pickup: read('/occupations?limit=50&sort=pickupBy'),
  occupations_by_door: where('/occupations', () => ({ doorTag: one.door_tag })),
  occupations_by_service: where('/occupations', () => ({ service: 'sale' })),
  occupations_by_stage: where('/occupations', () => ({ stage: 7 })),
  occupations_overdue: where('/occupations', () => ({ overdue: true })),
  occupations_of_locker: where('/occupations', () => ({ lockerId: one.locker_id })),
  occupations_of_asset: where('/occupations', () => ({ assetId: one.asset_id })),
  occupations_external: where('/occupations', () => ({ externalRef: 'X-77' })),
  occupations_words: where('/occupations', () => ({ $text: 'kari77' })),
  occupations_to_tlf: where('/occupations', () => ({ memberId })),
  occupations_to_email: where('/occupations', () => ({ memberId })),
  occupations_waiting: each,
  occupations_reserved: each,
  occupations_due: each,
  occupations_ended: each,
  occupations_secrets: each,
  // who holds a link that has ended
  occupations_ended_token: statement(
    sql`select id from occupations where tenant_id = current_tenant() and (ended_token_hash = '\\x00' or token_hash = '\\x00')`,
  ),
  occupations_by_continued: statement(
    sql`select id from occupations where tenant_id = current_tenant() and continued_by = gen_random_uuid()`,
  ),
  lockers_paging: read('/lockers?limit=50'),
  lockers_best: register(() => ({ size: 'S' })),
  lockers_free: register(() => ({ size: 'S', cabinetId })),
  lockers_words: where('/lockers', () => ({ $text: one.door_tag })),
  lockers_open: each,
  events_paging: read('/history?limit=50'),
  events_by_type: where('/history', () => ({ type: 'locker_reserved' })),
  events_by_occupation_type: read('/history?limit=50', () => seller),
  events_by_locker: where('/history', () => ({ lockerId: one.locker_id })),
  events_by_occupation: where('/history', () => ({ occupationId: one.id })),
  events_by_asset: where('/history', () => ({ assetId: one.asset_id })),
  events_by_actor: where('/history', () => ({ $text: 'hatchway' })),
  events_by_visitor: where('/history', () => ({ $text: 'kari' })),
  events_by_actor_id: where('/history', () => ({ actorId: admin.accountId })),
  events_by_door: where('/history', () => ({ doorTag: one.door_tag })),
  events_of_cabinets: read('/history?limit=50', () => porter),
  events_of_doors: each,
  events_of_visitors: each,
};

/** How often each was looked at; of those that hold a rule, which stand for that alone, none. */
const scans = async (): Promise<Map<string, number>> => {
  await server.deps.db.open((tx) => sql`select pg_stat_force_next_flush()`.execute(tx));
  const { rows } = await server.deps.db.open((tx) =>
    sql<{ name: string; scans: number }>`select s.indexrelname as name, s.idx_scan::int as scans
      from pg_stat_user_indexes s join pg_index i using (indexrelid) where s.relname = any(${TABLES}) and not i.indisunique`.execute(tx),
  );
  return new Map(rows.map(({ name, scans: times }) => [name, times]));
};

test('each is named with what needs it', async () => {
  expect([...(await scans()).keys()].toSorted()).toEqual(Object.keys(NEEDED).toSorted());
});

test.each(Object.keys(NEEDED))('%s is looked at', async (name) => {
  const before = (await scans()).get(name) ?? 0;
  await NEEDED[name]?.();
  expect((await scans()).get(name)).toBeGreaterThan(before);
});
