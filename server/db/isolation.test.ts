import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowFor, tenantTables, type TenantTable } from './test-rows.ts';
import { query, testDatabase, type TestDatabase } from './test-database.ts';

/** Every table of the catalogue that has a tenant_id, those of later migrations too: a new table is tested without being named here. */
const A = '0a0a0a0a-0000-4000-8000-00000000000a';
const B = '0b0b0b0b-0000-4000-8000-00000000000b';
const DENIED = '42501';

let database: TestDatabase;
let tables: TenantTable[];
let app: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  tables = await tenantTables(database.ownerUrl);
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query("set session_replication_role = 'replica'"); // foreign keys are not what is tested here
  for (const table of tables) for (const tenant of [A, B]) await owner.query(rowFor(table, tenant));
  await owner.end();
  app = new pg.Client({ connectionString: database.url });
  await app.connect();
});

afterAll(async () => {
  await app.end();
  await database.close();
});

/** Each statement in a transaction of its own that is rolled back; the code of its error, or its rows. */
async function as(tenant: string | undefined, sql: string): Promise<{ code?: string; rows: Record<string, unknown>[]; count: number }> {
  await app.query('begin');
  try {
    if (tenant !== undefined) await app.query(`set local app.tenant_id = '${tenant}'`);
    const result = await app.query<Record<string, unknown>>(sql);
    return { rows: result.rows, count: result.rowCount ?? 0 };
  } catch (error) {
    return { code: (error as { code: string }).code, rows: [], count: 0 };
  } finally {
    await app.query('rollback');
  }
}

const tenantsIn = (rows: Record<string, unknown>[]) => [...new Set(rows.map((row) => row['tenant_id']))];

test('there are tables to guard, and each is guarded', async () => {
  expect(tables.length).toBeGreaterThan(28);
  const open = await query(
    database.ownerUrl,
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not (relrowsecurity and relforcerowsecurity) order by relname`,
  );
  // What belongs to no company: the list of migrations, which the server may not read, and counters. The schema `jobs` is pg-boss's own,
  // which its workers read for all companies at once: a job carries ids and nothing else, and its handler reads the row as its company.
  expect(open.map((row) => row['relname'])).toEqual(['migrations', 'rate_limits']);
});

test('tenant_id stands first in every primary, unique and foreign key of a tenant table', async () => {
  const keys = await query<{ name: string; first: string }>(
    database.ownerUrl,
    `select c.relname || '.' || k.relname as name, a.attname as first from pg_index i
     join pg_class c on c.oid = i.indrelid join pg_class k on k.oid = i.indexrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relname = any($1) and i.indisunique
     union all
     select c.relname || '.' || f.conname, a.attname from pg_constraint f join pg_class c on c.oid = f.conrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
     where c.relname = any($1) and f.contype = 'f' and f.confrelid <> 'accounts'::regclass`,
    [tables.filter((table) => table.guarded).map((table) => table.name)],
  );
  expect(keys.length).toBeGreaterThan(60);
  // Of all companies one has a directory: the one thing that is unique among them, and no company's own.
  const among = ['integrations.integrations_directory_tid'];
  expect(keys.filter((key) => key.first !== 'tenant_id').map(({ name }) => name)).toEqual(among);
  const others = await query(
    database.ownerUrl,
    // Of our own tables: the job queue's are its own matter, and local.
    `select 1 from pg_trigger t join pg_class c on c.oid = t.tgrelid where not tgisinternal and c.relnamespace = 'public'::regnamespace
     union all select 1 from pg_type where typtype = 'e' and typnamespace = 'public'::regnamespace`,
  );
  expect(others).toEqual([]);
});

describe('with company A set, a query that forgets its where', () => {
  test('reads rows of A alone, and there are some', async () => {
    for (const table of tables) {
      if (table.name === 'public_refs') continue; // the one table that anybody may read
      const { code, rows } = await as(A, `select * from ${table.name}`);
      expect({ table: table.name, code, tenants: tenantsIn(rows) }).toEqual({
        table: table.name,
        code: undefined,
        tenants: table.guarded ? [A] : [],
      });
    }
  });

  test('changes and deletes rows of A alone', async () => {
    // Both companies have one row in each table: a count of 2 would be the other one's.
    for (const table of tables) {
      const column = table.name === 'events' ? 'data' : table.columns.find((c) => !c.generated && c.name !== 'tenant_id')?.name;
      for (const sql of [`update ${table.name} set ${column} = ${column}`, `delete from ${table.name}`]) {
        const { count, code } = await as(A, sql);
        expect({ sql, count, code }).toEqual({ sql, count: table.guarded || table.name === 'public_refs' ? 1 : 0, code: undefined });
      }
    }
  });

  test('adds no row for B, moves none there', async () => {
    for (const table of tables) {
      expect({ table: table.name, ...(await as(A, rowFor(table, B))) }).toMatchObject({ table: table.name, code: DENIED });
      // Where A has no row that it may change (guarded otherwise) there is nothing to move either.
      const moved = await as(A, `update ${table.name} set tenant_id = '${B}'`);
      expect({ table: table.name, count: moved.count, code: moved.code }).toEqual({
        table: table.name,
        count: 0,
        code: table.guarded || table.name === 'public_refs' || table.name === 'events' ? DENIED : undefined,
      });
    }
  });
});

test('with no company set there are no rows, and none can be made', async () => {
  await as(A, 'select 1'); // from now on the setting reads '' on this connection, and not null
  for (const table of tables) {
    for (const sql of [`update ${table.name} set tenant_id = tenant_id returning 1`, `delete from ${table.name} returning 1`]) {
      const { code, count } = await as(undefined, sql);
      expect({ sql, code: code === DENIED ? undefined : code, count }).toEqual({ sql, code: undefined, count: 0 });
    }
    const read = await as(undefined, `select 1 from ${table.name}`);
    expect({ table: table.name, count: read.count }).toEqual({ table: table.name, count: table.name === 'public_refs' ? 2 : 0 });
    expect({ table: table.name, ...(await as(undefined, rowFor(table, A))) }).toMatchObject({ table: table.name, code: DENIED });
  }
});

test('the server’s role owns nothing, passes by nothing and can switch nothing off', async () => {
  const [role] = await query(
    database.ownerUrl,
    `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = 'hatchway_app'`,
  );
  expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false });
  expect(await query(database.ownerUrl, `select 1 from pg_class where relowner = 'hatchway_app'::regrole`)).toEqual([]);
  for (const sql of [
    'alter table lockers disable row level security',
    'alter table lockers no force row level security',
    'drop policy tenant on lockers',
    'create policy mine on lockers using (true)',
    'truncate lockers',
    'alter table lockers add column x text',
    'drop table lockers',
    'create table mine (x int)',
    'create temporary table mine (x int)',
    'set role hatchway_owner',
    'set role hatchway_definer',
    "set session_replication_role = 'replica'",
    'select * from migrations',
    `create function f() returns int language sql return 1`,
    `call guard_tenant('lockers')`,
    `update events set at = at`,
  ]) {
    expect({ sql, ...(await as(A, sql)) }).toMatchObject({ sql, code: DENIED });
  }
  // `row_security = off` does not pass by either: PostgreSQL raises instead of answering less.
  expect(await as(A, 'set local row_security = off; select * from lockers')).toMatchObject({ code: DENIED });
});

test('functions that read across companies are few, fixed in their search path, and not the table owner’s', async () => {
  const functions = await query(
    database.ownerUrl,
    `select proname, proconfig, proowner::regrole::text as owner, proacl::text as acl from pg_proc
     where prosecdef and pronamespace = 'public'::regnamespace order by proname`,
  );
  expect(functions.map((row) => row['proname'])).toEqual([
    'find_account',
    'find_account_by_identity',
    'find_directory_of',
    'find_in_directory',
    'search_accounts',
    'search_assets',
    'search_known',
    'search_lockers',
    'search_occupations',
    'search_payments',
    'search_visits',
  ]);
  for (const row of functions) {
    expect(row).toMatchObject({ owner: 'hatchway_definer' });
    expect(row['proconfig']).toContain('search_path=""');
    expect(row['acl']).not.toMatch(/[{,]=/); // nothing for PUBLIC
  }
});
