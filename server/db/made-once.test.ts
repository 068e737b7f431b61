import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertOnce, madeOnce } from './made-once.ts';
import { testDatabase, type TestDatabase } from './test-database.ts';

const AT = '2026-03-01T10:20:30.045Z';
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('a statement is made once, and asked with the values of each call', async () => {
  let made = 0;
  const said = madeOnce((tx, { who, many }: { who: string | null; many: readonly number[] }) => {
    made++;
    return sql<{
      said: string;
    }>`select concat_ws(' ', ${who}::text, 'counts', array_to_string(${many}::int[], ' '), ${who}::text) as said`.compile(tx);
  });
  const ask = (who: string | null, many: number[]) => database.db.open((tx) => said(tx, { who, many }));
  expect(await ask('Kari', [1, 2])).toEqual([{ said: 'Kari counts 1 2 Kari' }]);
  expect(await ask(null, [])).toEqual([{ said: 'counts ' }]);
  expect(made).toBe(1);
});

test('rows are written by as many as there are, and none that names other columns than the first', async () => {
  const write = insertOnce('rate_limits');
  const bucket = (name: string, count: number) => ({ bucket: name, started_at: AT, expires_at: AT, count });
  await database.db.open(async (tx) => {
    await write(tx, [bucket('a', 1)]);
    await write(tx, [bucket('b', 2), bucket('c', 3)]);
    await write(tx, [bucket('d', 4)]);
    await write(tx, [{ count: 5, expires_at: AT, bucket: 'e', started_at: AT }]);
  });
  const { rows } = await database.db.open((tx) =>
    sql<{ all: string }>`select string_agg(bucket || count, ' ' order by bucket) as all from rate_limits`.execute(tx),
  );
  expect(rows).toEqual([{ all: 'a1 b2 c3 d4 e5' }]);
  const { count, ...lacks } = bucket('f', 6);
  const refused = (rows: Parameters<typeof write>[1]) => expect(database.db.open((tx) => write(tx, rows))).rejects.toThrow('rate_limits');
  await refused([bucket('f', 6), { ...bucket('g', count), more: 7 } as never]);
  await refused([bucket('f', 6), { ...lacks, more: 7 } as never]);
});
