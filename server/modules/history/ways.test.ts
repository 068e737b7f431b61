import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../db/test-database.ts';
import { newTenantId } from '../../test-server.ts';
import { both, each, either, only, type Condition, type Ground } from './ways.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Of the numbers from 0 to 7999, those whose digits fit: every ground below is of them, one column a digit. */
const found = async (condition: Condition): Promise<number[]> =>
  database.db.tenant(newTenantId(), async (tx) => {
    const { rows } = await sql<{ n: number }>`
      select n from (select n, (n % 20)::text as a, (n / 20 % 20)::text as b, (n / 400)::text as c from generate_series(0, 7999) n) e
      where ${condition} order by n`.execute(tx);
    return rows.map(({ n }) => n);
  });
const byWays = ({ ways }: Ground) => found(sql`${sql.join([sql`false`, ...ways], sql` or `)}`);
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, at) => String(at + from));
const digits = (n: number) => [n % 20, Math.floor(n / 20) % 20, Math.floor(n / 400)] as const;

describe('the ways of a page', () => {
  it('find what their one condition finds, multiplied or not', async () => {
    const few = both(each('e.a', upTo(3)), either(each('e.b', upTo(2)), both(only(sql`e.b = '7'`), each('e.c', upTo(2, 5)))));
    const many = [
      each('e.a', upTo(12, 3)),
      either(each('e.b', upTo(12)), both(only(sql`e.b = '19'`), each('e.a', upTo(12)))),
      either(each('e.c', upTo(12, 4)), each('e.b', ['2', '3'])),
      either(each('e.a', upTo(18)), only(sql`e.c = '1'`)),
    ].reduce(both);
    const fits = {
      few: (n: number) => {
        const [a, b, c] = digits(n);
        return a < 3 && (b < 2 || (b === 7 && (c === 5 || c === 6)));
      },
      many: (n: number) => {
        const [a, b, c] = digits(n);
        return a >= 3 && a < 15 && (b < 12 || (b === 19 && a < 12)) && ((c >= 4 && c < 16) || b === 2 || b === 3);
      },
    };
    expect([few.ways.length, many.ways.length <= 200]).toEqual([12, true]);
    for (const [ground, fit] of [
      [few, fits.few],
      [many, fits.many],
      [either(), () => false],
      [each('e.a', []), () => false],
    ] as const) {
      const wanted = Array.from({ length: 8000 }, (_, n) => n).filter(fit);
      expect(await byWays(ground)).toEqual(wanted);
      expect(await found(ground.one)).toEqual(wanted);
    }
  });

  it('are few, however much is asked for at once', () => {
    const sides = [13, 17, 24, 24, 200].map((count): Ground => ({ ways: upTo(count).map(() => sql`true`), one: sql`true` }));
    expect(sides.reduce(both).ways.length).toBeLessThanOrEqual(200);
    expect(sides.toReversed().reduce(both).ways.length).toBeLessThanOrEqual(200);
    expect(each('e.a', upTo(5000)).ways.length).toBe(13);
  });
});
