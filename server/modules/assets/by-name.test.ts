import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOBODY } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import { query, testDatabase, type TestDatabase } from '../../db/test-database.ts';
import { listAssets } from './queries.ts';

const company = randomUUID();
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await query(
    database.ownerUrl,
    `insert into assets (tenant_id, id, name, created_at, updated_at)
     select $1, gen_random_uuid(), case n % 2 when 0 then 'Thing ' else 'THING ' end || lpad(n::text, 6, '0'), now(), now()
     from generate_series(1, 20000) n`,
    [company],
  );
  await query(database.ownerUrl, 'analyze assets');
});
afterAll(() => database.close());

/** Rows of the table that this transaction has read so far. */
const rowsRead = async (tx: Tx): Promise<number> => {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'assets'`.execute(tx);
  return rows[0]?.read ?? 0;
};

it.each(['name', '-name'])('by %s, a page far down reads no more rows than it holds, whatever case they are written in', async (sort) => {
  await database.db.tenant(company, async (tx) => {
    const last = await tx.selectFrom('assets').select(['id', 'sort_name']).where('name', '=', 'Thing 010000').executeTakeFirstOrThrow();
    const cursor = Buffer.from(JSON.stringify({ s: sort, v: last.sort_name, i: last.id })).toString('base64url');
    const before = await rowsRead(tx);
    const page = await listAssets(tx, company, NOBODY, { sort, limit: 30, cursor });
    const read = (await rowsRead(tx)) - before;
    const [above, below] = [
      ['THING 010001', 'Thing 010002', 'THING 010003'],
      ['THING 009999', 'Thing 009998', 'THING 009997'],
    ];
    expect(page.rows.slice(0, 3).map(({ name }) => name)).toEqual(sort === 'name' ? above : below);
    expect(read).toBeLessThan(100);
  });
});
