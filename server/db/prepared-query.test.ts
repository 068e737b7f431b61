import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askPrepared, type Shapes } from './prepared-query.ts';
import { testDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
let client: pg.Client;
let shapes: Shapes;
let described = 0;

beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl, pipeline: true });
  await client.connect();
  client.connection.on('rowDescription', () => described++);
  shapes = new Map();
  await client.query('create table shelves (id int primary key, label text, width int)');
});
afterAll(async () => {
  await client.end();
  await database.close();
});

const ask = async (name: string, text: string, values: unknown[] = []) => {
  const { rows, rowCount } = await askPrepared(client, shapes, { name, text, values });
  return { rows: rows as unknown[], rowCount };
};

test('how rows look is told once, however often and however close together they are asked for', async () => {
  const text = `select $1::int as number, $2::text as word, null::int as nothing, '{"a":[1]}'::jsonb as json, true as yes`;
  const row = (number: number, word: string) => ({ rows: [{ number, word, nothing: null, json: { a: [1] }, yes: true }], rowCount: 1 });
  const before = described;
  expect(await ask('told', text, [1, 'a'])).toEqual(row(1, 'a'));
  expect(described).toBe(before + 1);
  expect(await Promise.all([ask('told', text, [2, 'b']), ask('told', text, [3, null])])).toEqual([
    row(2, 'b'),
    { rows: [{ ...row(3, '').rows[0], word: null }], rowCount: 1 },
  ]);
  expect(described).toBe(before + 1);
});

test('two that ask before any look was told both have their rows', async () => {
  const answers = Promise.all([ask('both', 'select $1::int as n', [1]), ask('both', 'select $1::int as n', [2])]);
  expect(await answers).toEqual([
    { rows: [{ n: 1 }], rowCount: 1 },
    { rows: [{ n: 2 }], rowCount: 1 },
  ]);
});

test('none found, none to find, and a first call that is refused leave the next one right', async () => {
  const put = (id: number) => ask('put', `insert into shelves values ($1, 'top', 30)`, [id]);
  const find = (id: number) => ask('find', 'select id, label from shelves where id = $1', [id]);
  const back = (id: number) => ask('back', `insert into shelves values ($1, 'low', 60) returning label`, [id]);
  expect(await find(1)).toEqual({ rows: [], rowCount: 0 });
  for (const id of [1, 2]) expect(await put(id)).toEqual({ rows: [], rowCount: 1 });
  await expect(put(1)).rejects.toMatchObject({ code: '23505' });
  await expect(back(2)).rejects.toMatchObject({ code: '23505' });
  for (const id of [3, 4]) expect(await back(id)).toEqual({ rows: [{ label: 'low' }], rowCount: 1 });
  expect(await find(1)).toEqual({ rows: [{ id: 1, label: 'top' }], rowCount: 1 });
});

test('rows that look otherwise since are refused, and never read by the old look', async () => {
  const all = () => ask('all', 'select * from shelves where id = 1');
  expect((await all()).rows).toEqual([{ id: 1, label: 'top', width: 30 }]);
  await client.query('alter table shelves drop column label');
  await expect(all()).rejects.toThrow('cached plan must not change result type');
});

test('an error leads to where it was asked', async () => {
  const error = await ask('broken', 'select 1 / $1::int as n', [0]).catch((one: unknown) => one);
  expect(error).toMatchObject({ code: '22012' });
  expect((error as Error).stack).toContain('prepared-query.test.ts');
});
