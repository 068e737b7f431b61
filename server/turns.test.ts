import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitersFor } from './db/test-database.ts';
import { testCompany, type TestPerson } from './test-company.ts';
import { testServer, unique, type TestServer } from './test-server.ts';
import { turns } from './turns.ts';

describe('turns', () => {
  /** Works that end when they are told to. */
  const works = (inTurn: ReturnType<typeof turns>, count: number) => {
    const begun: number[] = [];
    const ends = new Map<number, () => void>();
    const all = Array.from({ length: count }, (_, n) =>
      inTurn(async () => {
        begun.push(n);
        await new Promise<void>((resolve) => ends.set(n, resolve));
        if (n === 1) throw new Error('failed');
      }).catch(() => undefined),
    );
    return { begun, end: (n: number) => ends.get(n)?.(), all };
  };

  it('run so many at once, and the next as soon as one ends or fails', async () => {
    const { begun, end, all } = works(turns(2), 4);
    await expect.poll(() => begun).toEqual([0, 1]);
    end(1);
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    end(0);
    await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
    end(2);
    end(3);
    await Promise.all(all);
  });

  it('let in who has waited for too long', async () => {
    const { begun, end, all } = works(turns(1, 5), 3);
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    for (const n of begun) end(n);
    await Promise.all(all);
  });
});

describe('a server of four connections', () => {
  let server: TestServer;
  let admin: TestPerson;
  const MANY = 20;
  beforeAll(async () => {
    server = await testServer({ config: { databasePool: 4 } });
    admin = await (await testCompany(server)).person(['admin']);
  });
  afterAll(() => server.stop());

  it.each([
    {
      waiting: 'reads',
      table: 'assets',
      wait: (): Promise<unknown> => admin.api('GET /assets'),
      other: (): Promise<unknown> => admin.api('POST /groups', { body: { name: unique() } }),
    },
    {
      waiting: 'writes',
      table: 'groups',
      wait: (): Promise<unknown> => admin.api('POST /groups', { body: { name: unique() } }),
      other: (): Promise<unknown> => admin.api('GET /assets'),
    },
  ])('serves others while its $waiting all wait, and answers each of them afterwards', async ({ table, wait, other }) => {
    const holder = new pg.Client({ connectionString: server.database.ownerUrl });
    await holder.connect();
    try {
      await holder.query(`begin; lock table ${table} in access exclusive mode`);
      const waiting = Array.from({ length: MANY }, wait);
      await expect.poll(() => waitersFor(server.database.ownerUrl, holder)).toBe(2);
      await other();
      await holder.query('commit');
      expect(await Promise.all(waiting)).toHaveLength(MANY);
    } finally {
      await holder.end();
    }
  });
});
