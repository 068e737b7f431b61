import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

const AT_ONCE = 50;
const DOORS = 30;

let server: TestServer;
let ours: TestCompany;
let counter: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  const admin = await ours.person(['admin']);
  counter = await ours.person(['delivery_manager']);
  wall = await testCabinet(server, admin.api, DOORS);
}, 60_000);
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const many = <T>(run: () => Promise<T>) => Promise.allSettled(Array.from({ length: AT_ONCE }, run));
const refusedOf = (answers: PromiseSettledResult<unknown>[]) =>
  answers.flatMap((one) => (one.status === 'rejected' ? [one.reason instanceof ApiError ? one.reason.problem : one.reason] : []));
const active = () =>
  query<{ locker_id: string }>(server.database.ownerUrl, 'select locker_id from occupations where tenant_id = $1 and stage < 98', [
    ours.id,
  ]);

describe('many at once', () => {
  it('at one locker: one gets it, the others are told the next best door, nothing is half done', async () => {
    const lockerId = wall.lockers[0]?.id ?? '';
    const answers = await many(() => counter.api('POST /occupations', { body: { type: 'delivery', lockerId } }));
    expect(answers.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    const refused = refusedOf(answers);
    expect(refused).toHaveLength(AT_ONCE - 1);
    for (const problem of refused) {
      expect(problem).toMatchObject({
        status: 409,
        code: 'locker-taken',
        data: { next: { doorTag: expect.any(String), why: expect.any(String) } },
      });
      expect(problem.data.next.lockerId).not.toBe(lockerId);
    }
    expect(await active()).toEqual([{ locker_id: lockerId }]);
    const told = await query(server.database.ownerUrl, `select 1 from events where tenant_id = $1 and type = 'occupation_created'`, [
      ours.id,
    ]);
    expect(told).toHaveLength(1);
  });

  it('for any locker: each gets another, until none is left', async () => {
    const answers = await many(() => counter.api('POST /occupations', { body: { type: 'delivery', size: 'M' } }));
    const lockers = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value.lockerId] : []));
    expect(lockers).toHaveLength(DOORS - 1);
    expect(new Set(lockers).size).toBe(DOORS - 1);
    for (const problem of refusedOf(answers)) expect(problem).toMatchObject({ status: 409, code: 'no-free-locker' });
    expect(await active()).toHaveLength(DOORS);
  });
});
