import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonb } from './tables/columns.ts';
import { query, testDatabase, type TestDatabase } from './test-database.ts';

const stamps = { created_at: '2026-03-01T10:20:30.045Z', updated_at: '2026-03-01T10:20:30.045Z' };
const [ours, theirs] = [randomUUID(), randomUUID()];
const NAMES = ['Bosch Slagdrill', 'Ærlig Østers', 'Høytrykksspyler 2000', 'Kabel'].concat([
  'Skap #12',
  'Skap 12 R&D',
  'Rabatt 50% på A_B+C',
  'O’Brien \\ «’60»',
  'A\u030angstro\u0308m −5',
]);
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  for (const tenant_id of [ours, theirs]) {
    await database.db.tenant(tenant_id, async (tx) => {
      const rows = NAMES.map((name) => ({
        tenant_id,
        id: randomUUID(),
        name,
        identifiers: jsonb([{ kind: 'barcode', value: `SN-${name.length}-XYZ` }]),
        ...stamps,
      }));
      await tx.insertInto('assets').values(rows).execute();
    });
  }
});
afterAll(() => database.close());

const assets = (text: string) =>
  database.db.tenant(ours, async (tx) => {
    const found = sql<string>`(select search_assets(${text}))`;
    const rows = await tx.selectFrom('assets').select(['name', 'tenant_id']).where('id', 'in', found).orderBy('name').execute();
    expect(rows.filter((row) => row.tenant_id !== ours)).toEqual([]);
    return rows.map((row) => row.name);
  });

test.each([
  ['slag', ['Bosch Slagdrill']],
  ['SLAG bos', ['Bosch Slagdrill']],
  ['drill', []], // the middle of a word
  ['æRL', ['Ærlig Østers']],
  ['øst', ['Ærlig Østers']],
  ['høy 20', ['Høytrykksspyler 2000']],
  ['sn-5-xyz', ['Kabel']],
  ['bosch kabel', []],
  ['', []],
  [`'); drop table assets; --`, []],
  [`&|!():*'\\`, []],
  // Signs are of the word that they stand in, and mean themselves.
  ['#12', ['Skap #12']],
  ['skap 12', ['Skap #12', 'Skap 12 R&D']],
  ['#', ['Skap #12']],
  ['50%', ['Rabatt 50% på A_B+C']],
  ['%', ['Rabatt 50% på A_B+C']],
  ['5%', []],
  ['a_b', ['Rabatt 50% på A_B+C']],
  ['a%b', []],
  ['_', ['Rabatt 50% på A_B+C']],
  ['_B+c', ['Rabatt 50% på A_B+C']],
  ['b+', ['Rabatt 50% på A_B+C']],
  ['r&d', ['Skap 12 R&D']],
  ['r d', ['Skap 12 R&D']],
  [`o'brien`, ['O’Brien \\ «’60»']],
  ['O’B', ['O’Brien \\ «’60»']],
  ['\\', ['O’Brien \\ «’60»']],
  [`'60`, ['O’Brien \\ «’60»']],
  // The stops and brackets of how it was written down are no part of it.
  ['drill, bosch', []],
  ['Slagdrill, Bosch.', ['Bosch Slagdrill']],
  ['"(Ærlig) [Østers]!"', ['Ærlig Østers']],
  ['50%,', ['Rabatt 50% på A_B+C']],
  ['-xyz', [...NAMES].toSorted()],
  ['["', []], // of the list that identifiers are kept in, and of none of them
  ['Skap\u00a0#12', ['Skap #12']],
  [',Kabel', ['Kabel']],
  ['.bosch »slagdrill«', ['Bosch Slagdrill']],
  // A letter and its mark are one, however each was written.
  ['\u00c5ngstr\u00f6m', ['A\u030angstro\u0308m −5']],
  ['a\u030angstro\u0308m', ['A\u030angstro\u0308m −5']],
  ['-5', ['A\u030angstro\u0308m −5', 'Kabel']],
  ['−xyz', [...NAMES].toSorted()],
  ['o\u0308st', []],
])('%j finds %j', async (text, names) => {
  expect(await assets(text)).toEqual(names);
});

test('never finds another company’s rows, whoever is asked about', async () => {
  const all = (tx: Parameters<Parameters<typeof database.db.open>[0]>[0]) => sql`select search_assets('bosch') as id`.execute(tx);
  expect((await database.db.tenant(ours, all)).rows).toHaveLength(1);
  expect((await database.db.open(all)).rows).toEqual([]);
  expect((await database.db.tenant(randomUUID(), all)).rows).toEqual([]);
});

test('finds members by the words of their name, address and number, and nobody else’s', async () => {
  const { db } = database;
  for (const [tenant_id, name] of [
    [ours, 'Kari Nordmann'],
    [theirs, 'Kari Svensk'],
  ] as const) {
    const id = randomUUID();
    await db.account(id, (tx) =>
      tx
        .insertInto('accounts')
        .values({ id, name, email: `${name.split(' ')[1]}@demo.test`, tlf: null, ...stamps })
        .execute(),
    );
    await db.tenant(tenant_id, (tx) =>
      tx
        .insertInto('memberships')
        .values({ tenant_id, id: randomUUID(), account_id: id, ...stamps })
        .execute(),
    );
  }
  const find = (text: string) =>
    db.tenant(ours, async (tx) => {
      const found = sql<string>`(select search_accounts(${text}))`;
      return (await tx.selectFrom('accounts').select('name').where('id', 'in', found).execute()).map((row) => row.name);
    });
  expect(await find('kari')).toEqual(['Kari Nordmann']);
  expect(await find('nordmann demo')).toEqual(['Kari Nordmann']);
  expect(await find('svensk')).toEqual([]);
});

test('plans what a search asks once a connection, and not for each word', async () => {
  const anew = await query<{ proname: string }>(
    database.ownerUrl,
    String.raw`select proname from pg_proc where proname like 'search\_%' and pronamespace = 'public'::regnamespace
      and not coalesce(proconfig, '{}') @> '{plan_cache_mode=force_generic_plan}'`,
  );
  expect(anew).toEqual([]);
});

test('walks the index, within the own company’s words', async () => {
  for (const [tenant, name] of [
    [ours, 'Vinkelsliper'],
    [theirs, 'Bosch'],
  ]) {
    await query(
      database.ownerUrl,
      `insert into assets (tenant_id, id, name, created_at, updated_at)
       select '${tenant}', gen_random_uuid(), '${name} ' || n, now(), now() from generate_series(1, 3000) as n`,
    );
  }
  await query(database.ownerUrl, 'analyze assets');
  // The plan of the function's own text, as the role that it runs as.
  const [row] = await query<{ prosrc: string }>(database.ownerUrl, `select prosrc from pg_proc where proname = 'search_assets'`);
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`set role hatchway_definer; set app.tenant_id = '${ours}'`);
  const plan = await owner.query<{ 'QUERY PLAN': string }>(`explain (analyze) ${row?.prosrc.replace('input', `'bosch'`) ?? ''}`);
  await owner.end();
  const text = plan.rows.map((line) => line['QUERY PLAN']).join('\n');
  expect(text).toMatch(/Index Scan on assets_words .*\(actual .*rows=1(\.00)? /);
  expect(await assets('bosch')).toEqual(['Bosch Slagdrill']);
});

test.each([
  '91234567',
  '912 34 567',
  '91 23 45 67',
  '912-34-567',
  '+47 912 34 567',
  '+4791234567',
  '4791234567',
  '0047 91234567',
  '0047 912 34 567',
  '+47 (0) 912 34 567',
  '(+47) 91234567',
  '091234567',
  '912 34',
  'Kari 912 34 567',
  'kari +47 912',
])('a number is found as %j', async (typed) => {
  const found = async (kept: string) => {
    const answer = `select words_of('${ours}', '${kept}') @@ words_wanted('${ours}', '${typed}') as found`;
    return (await query<{ found: boolean }>(database.ownerUrl, answer))[0]?.found;
  };
  expect([await found('Kari Berg +4791234567 kari@x.no'), await found('Kari Berg +4781299567')]).toEqual([true, false]);
});

test('what is wanted is taken apart once a question, not once a row', async () => {
  const found = await query<{ name: string }>(
    database.ownerUrl,
    `select proname as name from pg_proc where prosrc like '%words_wanted(%' and prosrc !~ '\\(select public\\.words_wanted\\('`,
  );
  // it keeps what is wanted before it asks for any row
  expect(found.map(({ name }) => name)).toEqual(['search_known']);
});
