import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endWithNext, openDatabase } from './database.ts';
import { broke, problemOf } from './errors.ts';
import type { Database, NewRow } from './schema.ts';
import { jsonb } from './tables/columns.ts';
import { query, testDatabase, type TestDatabase } from './test-database.ts';

const AT = '2026-03-01T10:20:30.045Z';
const stamps = { created_at: AT, updated_at: AT };
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const named = (tenant_id: string) => ({ tenant_id, id: randomUUID(), ...stamps });
const sites = (tenantId: string) => database.db.tenant(tenantId, (tx) => tx.selectFrom('sites').select('name').orderBy('name').execute());

/** A company with a site, a cabinet and one locker, and an occupation's row for it. */
async function locker(): Promise<{ tenant: string; occupation: () => NewRow<'occupations'> }> {
  const tenant = randomUUID();
  const site = { ...named(tenant), name: 'Site' };
  const cabinet = { ...named(tenant), site_id: site.id, name: 'Wall', number: 7 };
  const door = { ...named(tenant), cabinet_id: cabinet.id, compartment: 1, door_tag: 'A1', size: 'M' as const };
  await database.db.tenant(tenant, async (tx) => {
    await tx.insertInto('sites').values(site).execute();
    await tx.insertInto('cabinets').values(cabinet).execute();
    await tx.insertInto('lockers').values(door).execute();
  });
  const occupation = (): NewRow<'occupations'> => ({
    ...named(tenant),
    type: 'delivery',
    service: 'delivery',
    stage: 0,
    stage_at: AT,
    locker_id: door.id,
    door_tag: 'A1',
    created_by: jsonb({ kind: 'system' as const, id: 'test', name: 'Test' }),
  });
  return { tenant, occupation };
}

test('keeps what a transaction did, and nothing of one that threw', async () => {
  const tenant = randomUUID();
  await database.db.tenant(tenant, (tx) =>
    tx
      .insertInto('sites')
      .values({ ...named(tenant), name: 'kept' })
      .execute(),
  );
  const thrown = database.db.tenant(tenant, async (tx) => {
    await tx
      .insertInto('sites')
      .values({ ...named(tenant), name: 'lost' })
      .execute();
    throw new Error('on purpose');
  });
  await expect(thrown).rejects.toThrow('on purpose');
  expect(await sites(tenant)).toEqual([{ name: 'kept' }]);
});

test('a statement whose error was swallowed makes the commit throw: nothing is reported as kept that was not', async () => {
  const tenant = randomUUID();
  const swallowed = database.db.tenant(tenant, async (tx) => {
    await tx
      .insertInto('sites')
      .values({ ...named(tenant), name: 'lost' })
      .execute();
    await sql`select 1 / 0`.execute(tx).catch(() => {});
  });
  await expect(swallowed).rejects.toThrow(/rolled back|aborted/i);
  expect(await sites(tenant)).toEqual([]);
});

test('the commit leaves with the last statement: nothing is asked after it, and what fails leaves the connection whole', async () => {
  const tenant = randomUUID();
  const db = openDatabase(database.url, { max: 1 });
  const make = (tx: Transaction<Database>) =>
    tx
      .insertInto('sites')
      .values({ ...named(tenant), name: randomUUID() })
      .execute();
  const names = () => db.tenant(tenant, (tx) => tx.selectFrom('sites').select('name').execute());
  await db.tenant(tenant, (tx) => {
    endWithNext(tx);
    return make(tx);
  });
  expect(await names()).toHaveLength(1);
  const after = db.tenant(tenant, async (tx) => {
    endWithNext(tx);
    await make(tx);
    await make(tx);
  });
  await expect(after).rejects.toThrow('Asked after the last statement');
  const failing = db.tenant(tenant, async (tx) => {
    await make(tx);
    endWithNext(tx);
    await sql`select 1 / 0`.execute(tx);
  });
  await expect(failing).rejects.toThrow('division by zero');
  expect(await names()).toHaveLength(2); // the third was of the transaction that failed
  let late: Transaction<Database> | undefined;
  await db.tenant(tenant, async (tx) => void (late = tx));
  await expect(late && make(late)).rejects.toThrow('Asked after the last statement');
  await db.close();
});

test('50 transactions side by side on 8 connections never see each other’s company', async () => {
  const tenants = Array.from({ length: 50 }, () => randomUUID());
  for (let round = 0; round < 3; round++) {
    const seen = await Promise.all(
      tenants.map((tenant) =>
        database.db.tenant(tenant, async (tx) => {
          await tx
            .insertInto('sites')
            .values({ ...named(tenant), name: `${round}` })
            .execute();
          await sql`select pg_sleep(0.002)`.execute(tx);
          const [rows, setting] = await Promise.all([
            tx.selectFrom('sites').select('tenant_id').execute(),
            sql<{ id: string }>`select current_setting('app.tenant_id') as id`.execute(tx),
          ]);
          return { tenants: rows.map((row) => row.tenant_id), setting: setting.rows[0]?.id };
        }),
      ),
    );
    seen.forEach((answer, i) => {
      expect(answer).toEqual({ tenants: Array.from({ length: round + 1 }, () => tenants[i]), setting: tenants[i] });
    });
  }
  // Failing ones between them change nothing about that: the connections go back without a setting.
  await Promise.allSettled(tenants.map((tenant) => database.db.tenant(tenant, (tx) => sql`select 1 / 0`.execute(tx))));
  const after = await Promise.all(tenants.map(() => database.db.open((tx) => tx.selectFrom('sites').select('id').execute())));
  expect(after.flat()).toEqual([]);
});

test('a tenant that is no UUID never reaches the database', async () => {
  await expect(database.db.tenant(`x'; set local app.operator = 'on`, async () => 1)).rejects.toThrow('Not a UUID');
});

test('of 20 parallel attempts at one locker one wins, and the others are told by the constraint’s name', async () => {
  const { tenant, occupation } = await locker();
  const register = () => database.db.tenant(tenant, (tx) => tx.insertInto('occupations').values(occupation()).execute());
  const tried = await Promise.allSettled(Array.from({ length: 20 }, register));
  expect(tried.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  for (const one of tried) {
    if (one.status === 'fulfilled') continue;
    expect(broke(one.reason, 'occupations_one_active')).toBe(true);
    expect(problemOf(one.reason)).toBe('locker-taken');
  }
  // An ended one sets its locker free, and may be many.
  for (const stage of [98, 99] as const) {
    await database.db.tenant(tenant, (tx) =>
      tx
        .insertInto('occupations')
        .values({ ...occupation(), stage })
        .execute(),
    );
  }
});

test('stock and locker of an occupation are held by the database', async () => {
  const { tenant, occupation } = await locker();
  const add = (change: Partial<NewRow<'occupations'>>) =>
    database.db.tenant(tenant, (tx) =>
      tx
        .insertInto('occupations')
        .values({ ...occupation(), ...change })
        .execute(),
    );
  await expect(add({ quantity: 1, held: 2 })).rejects.toSatisfy((error) => problemOf(error) === 'sold-out');
  await expect(add({ quantity: 1, held: -1 })).rejects.toSatisfy((error) => problemOf(error) === 'sold-out');
  await expect(add({ locker_id: null })).rejects.toSatisfy((error) => problemOf(error) === 'locker-taken');
  await expect(add({ locker_id: randomUUID() })).rejects.toSatisfy((error) => problemOf(error) === 'unknown-reference');
  await add({});
  // The locker can't go while it is in use …
  const remove = () => database.db.tenant(tenant, (tx) => tx.deleteFrom('lockers').execute());
  await expect(remove()).rejects.toSatisfy((error) => problemOf(error) === 'locker-taken');
  // … and takes nothing of the story with it after.
  await database.db.tenant(tenant, (tx) => tx.updateTable('occupations').set({ stage: 98 }).execute());
  await remove();
  const left = await database.db.tenant(tenant, (tx) => tx.selectFrom('occupations').select(['locker_id', 'door_tag']).execute());
  expect(left).toEqual([{ locker_id: null, door_tag: 'A1' }]);
});

test('two transactions in each other’s way both end: the database’s victim runs again', async () => {
  const tenant = randomUUID();
  const rows = ['a', 'b'].map((name) => ({ ...named(tenant), name }));
  await database.db.tenant(tenant, (tx) => tx.insertInto('sites').values(rows).execute());
  let runs = 0;
  let holding = 0;
  const bothHold = Promise.withResolvers<void>();
  const change = (order: typeof rows) =>
    database.db.tenant(tenant, async (tx) => {
      runs++;
      for (const row of order) {
        await tx
          .updateTable('sites')
          .set((eb) => ({ version: eb('version', '+', 1) }))
          .where('id', '=', row.id)
          .execute();
        // Each has its first row before either asks for its second.
        if (++holding === 2) bothHold.resolve();
        await bothHold.promise;
      }
    });
  await Promise.all([change(rows), change(rows.toReversed())]);
  expect(runs).toBeGreaterThan(2);
  const versions = await database.db.tenant(tenant, (tx) => tx.selectFrom('sites').select('version').execute());
  expect(versions).toEqual([{ version: 3 }, { version: 3 }]);
});

test('times are ISO strings, counts and sums numbers, JSON is JSON, bytes are bytes', async () => {
  const { tenant, occupation } = await locker();
  const row = { ...occupation(), token_hash: Buffer.from('ff00', 'hex') };
  const read = await database.db.tenant(tenant, async (tx) => {
    await tx.insertInto('occupations').values(row).execute();
    return await tx.selectFrom('occupations').select(['created_at', 'token_hash', 'claimed_by', 'created_by']).executeTakeFirstOrThrow();
  });
  expect(read).toEqual({
    created_at: AT,
    token_hash: Buffer.from('ff00', 'hex'),
    claimed_by: null,
    created_by: { kind: 'system', id: 'test', name: 'Test' },
  });
  const { rows } = await database.db.open((tx) =>
    sql`select count(*) as count, sum(x) as sum, '2026-01-02 03:04:05+00'::timestamptz as whole, '1999-12-31 23:59:59.1+02'::timestamptz(3) as shifted,
      array['a', 'b'] as list, ${jsonb([{ hours: 1 }, 'two'])}::jsonb as json from (values (1::bigint), (2)) as v (x)`.execute(tx),
  );
  expect(rows).toEqual([
    {
      count: 2,
      sum: 3,
      whole: '2026-01-02T03:04:05.000Z',
      shifted: '1999-12-31T21:59:59.100Z',
      list: ['a', 'b'],
      json: [{ hours: 1 }, 'two'],
    },
  ]);
});

test('statements are prepared once a connection', async () => {
  const db = openDatabase(database.url, { max: 1 });
  for (let i = 0; i < 5; i++)
    await db.tenant(randomUUID(), (tx) => tx.selectFrom('sites').select('id').where('name', '=', `${i}`).execute());
  const { rows } = await db.open((tx) =>
    sql<{ n: number }>`select count(*) as n from pg_prepared_statements where statement like '%sites%'`.execute(tx),
  );
  expect(rows).toEqual([{ n: 2 }]); // that one and this one
  await db.close();
});

test('a connection that the server cut is replaced', async () => {
  const db = openDatabase(database.url, { max: 1 });
  const cut = db.open((tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx));
  await expect(cut).rejects.toSatisfy((error) => problemOf(error) === 'unavailable');
  await db.ping();
  await db.close();
});

test('operator lists and makes companies; a person sees their own; a company sees its own people', async () => {
  const { db } = database;
  const [mine, other] = [randomUUID(), randomUUID()];
  const [kari, ola] = [randomUUID(), randomUUID()];
  await db.operator((tx) =>
    tx
      .insertInto('companies')
      .values([mine, other].map((id) => ({ id, name: id, ...stamps })))
      .execute(),
  );
  for (const [id, tenant] of [
    [kari, mine],
    [ola, other],
  ] as const) {
    await db.account(id, (tx) =>
      tx
        .insertInto('accounts')
        .values({ id, name: `N ${id}`, email: `${id}@Demo.test`, ...stamps })
        .execute(),
    );
    await db.tenant(tenant, (tx) =>
      tx
        .insertInto('memberships')
        .values({ ...named(tenant), account_id: id })
        .execute(),
    );
  }
  const seen = (tx: Transaction<Database>) =>
    Promise.all([
      tx.selectFrom('companies').select('id').execute(),
      tx.selectFrom('accounts').select('id').execute(),
      tx.selectFrom('memberships').select('account_id').execute(),
    ]);
  expect(await db.account(kari, seen)).toEqual([[{ id: mine }], [{ id: kari }], [{ account_id: kari }]]);
  expect(await db.tenant(mine, seen)).toEqual([[{ id: mine }], [{ id: kari }], [{ account_id: kari }]]);
  expect((await db.operator((tx) => tx.selectFrom('companies').select('id').execute())).map((row) => row.id).sort()).toEqual(
    [mine, other].sort(),
  );
  expect(await db.open(seen)).toEqual([[], [], []]);
  // A company may not make itself, nor write to the account of a member.
  await expect(
    db.tenant(randomUUID(), (tx) =>
      tx
        .insertInto('companies')
        .values({ id: randomUUID(), name: 'x', ...stamps })
        .execute(),
    ),
  ).rejects.toMatchObject({ code: '42501' });
  // Nor change or delete another one, however it names it.
  const [renamed] = await db.tenant(mine, (tx) => tx.updateTable('companies').set({ name: 'x' }).where('id', '=', other).execute());
  const [deleted] = await db.tenant(mine, (tx) => tx.deleteFrom('companies').where('id', '=', other).execute());
  const [all] = await db.tenant(mine, (tx) => tx.updateTable('companies').set({ name: 'mine' }).execute());
  expect([renamed?.numUpdatedRows, deleted?.numDeletedRows, all?.numUpdatedRows]).toEqual([0n, 0n, 1n]);
  expect(await db.operator((tx) => tx.selectFrom('companies').select('name').where('id', '=', other).execute())).toEqual([{ name: other }]);
  const [changed] = await db.tenant(mine, (tx) => tx.updateTable('accounts').set({ name: 'x' }).execute());
  expect(changed?.numUpdatedRows).toBe(0n);
  // Signing in knows a login and nothing else.
  const { rows } = await db.open((tx) => sql`select find_account(${`${kari}@demo.test`}) as id`.execute(tx));
  expect(rows).toEqual([{ id: kari }]);
});

test('the relay empties the outbox of all companies, and nobody else reads another’s', async () => {
  const { db } = database;
  const tenants = [randomUUID(), randomUUID()];
  for (const tenant_id of tenants) {
    await db.tenant(tenant_id, (tx) =>
      tx
        .insertInto('outbox')
        .values({ tenant_id, kind: 'live', payload: jsonb({ n: 1 }), created_at: AT })
        .execute(),
    );
  }
  expect(await db.tenant(tenants[0] ?? '', (tx) => tx.selectFrom('outbox').select('tenant_id').execute())).toEqual([
    { tenant_id: tenants[0] },
  ]);
  expect(await db.operator((tx) => tx.selectFrom('outbox').select('id').execute())).toEqual([]);
  const taken = await db.relay((tx) => tx.deleteFrom('outbox').returning('tenant_id').execute());
  expect(taken.map((row) => row.tenant_id).sort()).toEqual(tenants.sort());
});

test('the tables of schema.ts are those of the database', async () => {
  const { tablesOfSchema } = await import('./test-schema.ts');
  const rows = await query<{ name: string; columns: string[] }>(
    database.ownerUrl,
    `select table_name as name, array_agg(column_name::text order by column_name) as columns from information_schema.columns
     where table_schema = 'public' and table_name <> 'migrations' and table_name not like 'identity\\_%' group by table_name order by table_name`,
  );
  expect(tablesOfSchema()).toEqual(Object.fromEntries(rows.map((row) => [row.name, row.columns])));
});

test('every constraint that errors.ts names is there', async () => {
  const { KNOWN_CONSTRAINTS } = await import('./errors.ts');
  const rows = await query<{ name: string }>(
    database.ownerUrl,
    `select conname as name from pg_constraint union select k.relname from pg_index i join pg_class k on k.oid = i.indexrelid where i.indisunique`,
  );
  const there = new Set(rows.map((row) => row.name));
  expect(KNOWN_CONSTRAINTS.filter((name) => !there.has(name))).toEqual([]);
});
