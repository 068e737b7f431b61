import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { query, waitersFor } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

const AT_ONCE = 20;
const DOORS = 12;
/** Signed in each for themselves, as many as stand at a counter on a bad day. */
const PEOPLE = 4;

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let counter: TestPerson;
let people: TestPerson[];
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, at) => ours.person(['delivery_manager'], `Person ${at}`)));
  counter = people[0] as TestPerson;
  wall = await testCabinet(server, admin.api, DOORS);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const many = <T>(run: (api: TestPerson['api']) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: AT_ONCE }, (_, at) => run((people[at % PEOPLE] as TestPerson).api)));
const refusedOf = (answers: PromiseSettledResult<unknown>[]) =>
  answers.flatMap((one) => (one.status === 'rejected' ? [one.reason instanceof ApiError ? one.reason.problem : one.reason] : []));
const active = () =>
  query<{ locker_id: string }>(server.database.ownerUrl, 'select locker_id from occupations where tenant_id = $1 and stage < 98', [
    ours.id,
  ]);

const receiver = { name: 'Ingrid Solberg', tlf: '91234567' };
/** What the attempts left in every table that one of them writes to: those that lost left nothing. */
const traces = async () =>
  (
    await query(
      server.database.ownerUrl,
      `select (select count(*)::int from occupations where tenant_id = $1) as occupations,
        (select count(*)::int from events where tenant_id = $1 and type = 'occupation_created') as created,
        (select count(*)::int from events where tenant_id = $1 and type = 'locker_reserved') as reserved,
        (select count(distinct occupation_id)::int from events where tenant_id = $1 and occupation_id is not null) as told,
        (select count(distinct locker_id)::int from occupations where tenant_id = $1 and stage < 98) as lockers,
        (select count(*)::int from messages where tenant_id = $1 and occupation_id is not null) as messages`,
      [ours.id],
    )
  )[0];

describe('many at once', () => {
  it('at one locker: one gets it, the others are told the next best door, nothing is half done', async () => {
    const lockerId = wall.lockers[0]?.id ?? '';
    const answers = await many((api) => api('POST /occupations', { body: { type: 'delivery', lockerId, receiver } }));
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
    expect(await traces()).toEqual({ occupations: 1, created: 1, reserved: 1, told: 1, lockers: 1, messages: 0 });
  });

  it('for any locker: each gets another, until none is left', async () => {
    const answers = await many((api) => api('POST /occupations', { body: { type: 'delivery', size: 'M', receiver } }));
    const lockers = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value.lockerId] : []));
    expect(lockers).toHaveLength(DOORS - 1);
    expect(new Set(lockers).size).toBe(DOORS - 1);
    for (const problem of refusedOf(answers)) expect(problem).toMatchObject({ status: 409, code: 'no-free-locker' });
    expect(await active()).toHaveLength(DOORS);
    expect(await traces()).toEqual({ occupations: DOORS, created: DOORS, reserved: DOORS, told: DOORS, lockers: DOORS, messages: 0 });
  });

  it('moving, taking out, opening and hearing of doors: nothing is in each other’s way for good', async () => {
    const free = async (id: string) => {
      await counter.api('POST /occupations/{id}/retrieve', { params: { id }, body: {} });
    };
    const held = await counter.api('GET /occupations', { query: { q: { stage: 0 }, limit: 100 } });
    for (const one of held.slice(0, 7)) await counter.api('DELETE /occupations/{id}', { params: { id: one.id }, body: {} });
    const moved = held.slice(7, 11);
    for (const one of moved) {
      await counter.api('PUT /occupations', { body: { id: one.id, action: 'fill' } });
      await counter.api('PUT /occupations', { body: { id: one.id, action: 'extract' } });
    }
    const goals = wall.lockers.slice(0, 8);
    const answers: PromiseSettledResult<unknown>[] = [];
    for (let round = 0; round < 4; round++) {
      const calls = moved.flatMap((one, at) => {
        const goal = goals[(at + round) % goals.length];
        if (!goal) return [];
        return [
          counter.api('PUT /occupations', { body: { id: one.id, action: 'fill', lockerId: goal.id } }),
          counter.api('PUT /occupations', { body: { id: one.id, action: 'extract' } }),
          counter.api('POST /occupations', { body: { type: 'delivery', lockerId: goal.id } }).then((made) => free(made.id)),
          wall.close(goal.compartment),
          counter.api('PUT /occupations', { body: { id: one.id, action: 'fill', lockerId: goals[(at + round + 3) % goals.length]?.id } }),
        ];
      });
      answers.push(...(await Promise.allSettled(calls)));
    }
    const strange = refusedOf(answers).filter((problem) => ![403, 409].includes(problem.status));
    expect(strange).toEqual([]);
    const lockers = (await active()).map((row) => row.locker_id);
    expect(new Set(lockers).size).toBe(lockers.length);
    const [database] = await query<{ deadlocks: string }>(
      server.database.ownerUrl,
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(Number(database?.deadlocks)).toBe(0);
  });
});

it('waits for its locker before it holds its asset, as whatever ends a loan does: the two orders would meet in a deadlock', async () => {
  const apart = await testCabinet(server, admin.api, 1);
  const lockerId = apart.lockers[0]?.id ?? '';
  const { _id: assetId } = await admin.api('POST /assets', { body: { name: 'Drill' } });
  const other = new pg.Client({ connectionString: server.database.ownerUrl });
  await other.connect();
  try {
    await other.query('begin');
    await other.query('select from lockers where id = $1 for update', [lockerId]);
    const lent = admin.api('POST /occupations', { body: { type: 'lending', lockerId, assetId } });
    await expect.poll(() => waitersFor(server.database.ownerUrl, other)).toBeGreaterThanOrEqual(1);
    await other.query('select from assets where id = $1 for update nowait', [assetId]);
    await other.query('commit');
    expect(await lent).toMatchObject({ lockerId, assetId });
  } finally {
    await other.end();
    apart.end();
  }
});

it('asks for the right at the door behind which it lies when it is done, not at the one that it has left', async () => {
  const apart = await testCabinet(server, admin.api, 2);
  const [here, there] = apart.lockers.map(({ id }) => id) as [string, string];
  const [sam, kim] = [await ours.scoped(['delivery'], [here]), await ours.scoped(['delivery'], [there])];
  const { id } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: here } });
  const other = new pg.Client({ connectionString: server.database.ownerUrl });
  await other.connect();
  try {
    await other.query('begin');
    await other.query('select from lockers where id = $1 for update', [here]);
    const calls = [
      sam.api('DELETE /occupations/{id}', { params: { id }, body: {} }),
      kim.api('PUT /occupations', { body: { id, action: 'fill' } }),
    ];
    const answers = Promise.allSettled(calls);
    await expect.poll(() => waitersFor(server.database.ownerUrl, other)).toBeGreaterThanOrEqual(calls.length);
    await other.query('update occupations set locker_id = $1 where id = $2', [there, id]);
    await other.query('commit');
    await answers;
    expect(await refusal(calls[0] as Promise<unknown>)).toEqual([404, 'not-found']);
    expect(await kim.api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'FILLED' });
  } finally {
    await other.end();
    apart.end();
  }
});
