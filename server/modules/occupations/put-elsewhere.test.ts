import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient, ApiError } from '@hatchway/contract/client.ts';
import type { Pickup } from '@hatchway/contract/pickup.ts';
import { query, waitersFor } from '../../db/test-database.ts';
import { listen } from '../../live/test-listener.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson, refusal } from '../../test-company.ts';
import { FILLS, testServer, type TestServer } from '../../test-server.ts';
import { toldOf } from '../messages/told.ts';
import { emptied, testDoors } from './test-doors.ts';
import { doubtElsewhere } from './put-elsewhere.ts';
import pg from 'pg';

// One thing lies in one locker: put into another one, the record that had it first is in doubt, and nothing more is said of it.

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
/** Lockers whose doors do not move. */
let shelf: TestLocker[];
/** Those whose doors do; nobody uses them as a test begins. */
let wall: TestCabinet;
let used = 0;
let moving = 0;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  shelf = (await testDoors(admin.api, 48)).lockers;
  wall = await testCabinet(server, admin.api, 2, ['M'], ['door', 'occupancy']);
});
afterEach(async () => {
  moving = 0;
  await emptied(server, wall.lockers);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const kari = { name: 'Kari Nordmann', tlf: '91234567' };
const doubted = { content: 'unknown', contentWhy: 'put-elsewhere', inDoubt: true };
const thing = async (name: string, person = admin) => (await person.api('POST /assets', { body: { name } }))._id;
type Body = Parameters<typeof admin.api<'POST /occupations'>>[1]['body'];
const free = (moves = false): TestLocker => {
  const door = moves ? wall.lockers[moving++] : shelf[used++];
  if (!door) throw new Error('the wall is full');
  return door;
};
const reserved = async (assetId: string, more: Partial<Body> = { receiver: kari }, moves = false) => {
  const door = free(moves);
  const made = await admin.api('POST /occupations', {
    body: { type: 'delivery', lockerId: door.id, assetId, ...more },
  });
  return { ...made, door };
};
type Made = Awaited<ReturnType<typeof reserved>>;
const act = ({ id }: { id: string }, action: 'fill' | 'publish' | 'extract' | 'finnish' | 'return' | 'empty') =>
  admin.api('PUT /occupations', { body: { id, action } });
const claim = ({ id }: Made) => admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
const filled = async (assetId: string, more?: Partial<Body>, moves = false) => {
  const inOneCall = async () => {
    const door = free(moves);
    const body = { lockerId: door.id, assetId, receiver: kari, fill: true };
    return { ...(await admin.api('POST /occupations/delivery', { body })), door };
  };
  const made = more ? await reserved(assetId, more, moves) : await inOneCall();
  if (more) await act(made, 'fill');
  await looked();
  return made;
};
const open = ({ id, door }: Made) =>
  admin.api('POST /lockers/{id}/open', { params: { id: door.id }, body: { doorTag: door.doorTag, occupationId: id } });
const lockerOf = ({ door }: Made, person = admin) => person.api('GET /lockers/{id}', { params: { id: door.id } });
const look = ({ door }: Made, content: 'empty' | 'occupied') =>
  admin.api('PUT /lockers/{id}/content', { params: { id: door.id }, body: { content } });
const doubts = ({ id }: Made) =>
  query<{ data: object; actor_kind: string }>(
    server.database.ownerUrl,
    `select data, actor_kind from events where occupation_id = $1 and type = 'locker_unknown' order by id`,
    [id],
  );
/** What was put in by now has been looked for in the others. */
const looked = async () => {
  const waiting = `select 1 from jobs.job where name = 'doubt-elsewhere' and data->>'tenantId' = $1 and state in ('created', 'retry', 'active')`;
  await expect.poll(() => query(server.database.ownerUrl, waiting, [ours.id])).toEqual([]);
};

describe('a thing that is put into another locker', () => {
  // shows R4.25
  it('leaves the first in doubt once it is said to lie in the other, and not before', async () => {
    const camera = await thing('Camera');
    const first = await filled(camera);
    const second = await reserved(camera, undefined, true);
    await open(second);
    await looked();
    expect(await lockerOf(first)).toMatchObject({ content: 'occupied', inDoubt: false });

    const guest = await ours.scoped(['manage'], [first.door.id]);
    const listener = await listen(server.url, guest.token);
    await listener.ask({ topic: 'subscribe', event: 'lockers' });
    await act(second, 'fill');
    await expect.poll(() => lockerOf(first, guest)).toMatchObject(doubted);
    await expect.poll(() => listener.events.at(-1)?.data).toMatchObject({ id: first.door.id, ...doubted });
    listener.close();
    expect(await lockerOf(second)).toMatchObject({ content: 'occupied', inDoubt: false });
    expect(await admin.api('GET /lockers', { query: { q: { inDoubt: true } } })).toMatchObject([{ id: first.door.id }]);
    // Nobody is named, and no other door: whoever reads it need not see that one.
    expect(await doubts(first)).toEqual([{ data: { why: 'put-elsewhere' }, actor_kind: 'system' }]);
    expect(await doubts(second)).toEqual([]);
  });

  it('is told by the silence after a sensed closing too, and by a sensor', async () => {
    const camera = await thing('Sensed camera');
    const first = await filled(camera);
    const second = await reserved(camera, undefined, true);
    await open(second);
    await server.paced(FILLS, async () => {
      await wall.close(second.door.compartment, { occupancy: 'occupied' });
      await expect.poll(() => lockerOf(first)).toMatchObject(doubted);
      const third = await reserved(camera, undefined, true);
      await open(third);
      await wall.close(third.door.compartment);
      await expect.poll(() => lockerOf(second)).toMatchObject(doubted);
    });
    expect(await doubts(first)).toHaveLength(1);
  });

  it('is settled by a look, and what is done to the other locker afterwards does not raise it again', async () => {
    const camera = await thing('Settled camera');
    const first = await filled(camera);
    const second = await filled(camera, undefined, true);
    expect(await lockerOf(first)).toMatchObject(doubted);
    expect(await look(first, 'occupied')).toMatchObject({ content: 'occupied', inDoubt: false });
    // The look is at one door, and says nothing of the other.
    expect(await lockerOf(second)).toMatchObject({ content: 'occupied', inDoubt: false });
    await act(second, 'publish');
    await claim(second);
    await open(second);
    await wall.close(second.door.compartment);
    await act(second, 'return');
    await looked();
    expect(await lockerOf(first)).toMatchObject({ content: 'occupied', contentWhy: 'word', inDoubt: false });
    expect(await doubts(first)).toHaveLength(1);
  });

  it('asked once more of what somebody has looked at since says nothing new', async () => {
    const camera = await thing('Repeated camera');
    const first = await filled(camera);
    const at = server.deps.now().toISOString();
    const second = await filled(camera);
    await look(first, 'occupied');
    await doubtElsewhere(server.deps, { tenantId: ours.id, occupationId: second.id, at });
    expect(await lockerOf(first)).toMatchObject({ content: 'occupied', inDoubt: false });
  });

  it('lies elsewhere by a later word again: said once more', async () => {
    const camera = await thing('Wandering camera');
    const first = await filled(camera);
    const second = await filled(camera);
    await look(first, 'occupied');
    await act(second, 'extract');
    await act(second, 'fill');
    await expect.poll(() => lockerOf(first)).toMatchObject(doubted);
    // Stated empty, it holds nothing that could lie elsewhere.
    await act(first, 'empty');
    const third = await filled(camera);
    expect(await lockerOf(first)).toMatchObject({ content: 'empty', inDoubt: false });
    expect(await lockerOf(second)).toMatchObject(doubted);
    expect(await lockerOf(third)).toMatchObject({ inDoubt: false });
  });

  it('was lent out: its locker is known to be empty, until it comes back to it', async () => {
    const camera = await thing('Lent camera');
    const lent = await filled(camera, { type: 'lending' });
    await act(lent, 'publish');
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: lent.id, receiver: kari } });
    await act(lent, 'finnish');
    const second = await filled(camera);
    expect(await lockerOf(lent)).toMatchObject({ content: 'empty', inDoubt: false });
    await act(lent, 'return');
    await expect.poll(() => lockerOf(second)).toMatchObject(doubted);
    expect(await lockerOf(lent)).toMatchObject({ content: 'occupied', inDoubt: false });
  });

  it('of two filled at once leaves neither believed, and nobody waiting for the other', async () => {
    const camera = await thing('Hurried camera');
    const both = [await reserved(camera), await reserved(camera)];
    await Promise.all(both.map((made) => act(made, 'fill')));
    for (const made of both) await expect.poll(() => lockerOf(made)).toMatchObject(doubted);
  });

  it('in one call, or among several, is no other', async () => {
    const camera = await thing('Listed camera');
    const first = await filled(camera);
    const door = free();
    await admin.api('POST /occupations/delivery', { body: { lockerId: door.id, receiver: kari, assetId: camera, fill: true } });
    await expect.poll(() => lockerOf(first)).toMatchObject(doubted);
    const third = await reserved(camera);
    await admin.api('POST /occupations/bulk', { body: { ids: [third.id], action: 'fill' } });
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params: { id: door.id } })).inDoubt).toBe(true);
  });
});

describe('what is not that one thing stays as it is', () => {
  it('goods of which there are several', async () => {
    const mug = await thing('Mug');
    const price = { amount: 100 };
    const stock = [await filled(mug, { type: 'sale', price, quantity: 1 }), await filled(mug, { type: 'sale', price, quantity: 5 })];
    await filled(mug);
    expect(await lockerOf(stock[0] as Made)).toMatchObject(doubted);
    expect(await lockerOf(stock[1] as Made)).toMatchObject({ content: 'occupied', inDoubt: false });
  });

  it('another company’s, even of the same id', async () => {
    const theirs = await testCompany(server);
    const other = await theirs.person(['admin']);
    const cabinet = await testDoors(other.api, 1);
    const [camera, same] = [await thing('Our camera'), await thing('Their camera', other)];
    await query(server.database.ownerUrl, 'update assets set id = $1 where tenant_id = $2 and id = $3', [camera, theirs.id, same]);
    const id = cabinet.lockers[0]?.id ?? '';
    await other.api('POST /occupations/delivery', { body: { lockerId: id, receiver: kari, assetId: camera, fill: true } });
    const first = await filled(camera);
    await filled(camera);
    expect(await lockerOf(first)).toMatchObject(doubted);
    expect(await other.api('GET /lockers/{id}', { params: { id } })).toMatchObject({ content: 'occupied', inDoubt: false });
  });
});

// What is moved to another locker: whoever it is for hears where it lies once it does, and never that it is out.
describe('what is moved', () => {
  const act = (id: string, action: 'fill' | 'publish' | 'send' | 'extract' | 'reset', more: { move?: boolean; lockerId?: string } = {}) =>
    admin.api('PUT /occupations', { body: { id, action, ...more } });
  const lying = async (type: 'delivery' | 'storage', offered = true, moves = false) => {
    const door = free(moves);
    const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
    const { id } = await admin.api('POST /occupations', { body: { type, lockerId: door.id, receiver } });
    await act(id, 'fill');
    if (type === 'delivery' && offered) await act(id, 'publish');
    return { id, door };
  };
  type Lying = Awaited<ReturnType<typeof lying>>;
  const openFor = ({ id, door }: Lying, how: { takeOut?: 'move' } = {}) =>
    admin.api('POST /lockers/{id}/open', { params: { id: door.id }, body: { doorTag: door.doorTag, occupationId: id, ...how } });
  const one = (id: string) => admin.api('GET /occupations/{id}', { params: { id } });
  const told = async (id: string) => (await admin.api('GET /messages', { query: { q: { occupationId: id } } })).map(({ kind }) => kind);
  /** What its receiver reads under their link. */
  const seen = async (id: string) => {
    const [row] = await query<{ token_sealed: Buffer }>(server.database.ownerUrl, 'select token_sealed from occupations where id = $1', [
      id,
    ]);
    const token = server.deps.seal.open(row?.token_sealed ?? Buffer.alloc(0)) ?? '';
    return (await createClient({ base: `${server.url}/v1` })('POST /pickup/look', { body: { key: { token } } })) as Pickup;
  };

  // shows R4.11, R4.19
  it('its receiver is told where it lies now, and never that it is out', async () => {
    const made = await lying('delivery', true, true);
    // agreed with them, it stands whichever locker it lies in
    const { version } = await one(made.id);
    const pickupBy = new Date(Date.now() + 9 * 86_400_000).toISOString();
    await admin.api('PUT /occupations/{id}', { params: { id: made.id }, body: { version, pickupBy } });
    await openFor(made, { takeOut: 'move' });
    expect((await one(made.id)).takingOut).toBe('move');
    await wall.close(made.door.compartment, { occupancy: 'empty' });
    await expect.poll(async () => (await one(made.id)).stageName).toBe('VACANT');
    expect(await seen(made.id)).toMatchObject({ hold: 'moving', may: ['report'] });

    const goal = free(true);
    await act(made.id, 'reset', { lockerId: goal.id });
    expect(await seen(made.id)).toMatchObject({ hold: 'moving', may: ['report'] });
    await openFor({ id: made.id, door: goal });
    expect(await told(made.id)).toEqual([]);
    await server.paced(FILLS, async () => {
      await wall.close(goal.compartment, { occupancy: 'occupied' });
      await expect.poll(async () => (await one(made.id)).stageName).toMatch(/ACQUIRABLE|CONTACT/);
    });
    expect(await told(made.id)).toEqual(['ready']);
    expect((await one(made.id)).pickupBy).toBe(pickupBy);
    expect(await seen(made.id)).toMatchObject({ hold: null, door: { doorTag: goal.doorTag } });
  });

  it('by somebody’s word it is the same, in one call too', async () => {
    const [made, other] = [await lying('storage'), await lying('delivery')];
    await act(made.id, 'extract', { move: true });
    await act(made.id, 'reset', { lockerId: free().id });
    await act(made.id, 'fill');
    await act(other.id, 'extract', { move: true });
    await act(other.id, 'fill', { lockerId: free().id });
    for (const { id } of [made, other])
      expect([await told(id), (await one(id)).stageName]).toEqual([['ready'], expect.stringMatching(/ACQUIRABLE|CONTACT/)]);
  });

  const moved = async (occupationId: string) =>
    (
      await server.deps.db.tenant(ours.id, (tx) =>
        toldOf(tx, server.deps, ours.id, { occupationId, kind: 'ready', name: 'Kari', locale: 'en' }),
      )
    ).moved;

  it('put back where it lay, taken out once more, or never told of before, it is not said to have been moved', async () => {
    const [made, back, unsent] = [await lying('delivery'), await lying('delivery'), await lying('delivery', false)];
    for (const { id } of [made, back]) await act(id, 'send');
    for (const { id } of [made, back, unsent]) await act(id, 'extract', { move: true });
    for (const { id } of [made, unsent]) await act(id, 'fill', { lockerId: free().id });
    await act(back.id, 'fill');
    expect([await moved(made.id), await moved(back.id), await moved(unsent.id)]).toEqual([true, false, false]);
    await act(made.id, 'extract');
    await act(made.id, 'fill');
    expect(await moved(made.id)).toBe(false);
  });

  it('what was offered to nobody yet is told to nobody', async () => {
    const made = await lying('delivery', false);
    await act(made.id, 'extract', { move: true });
    await act(made.id, 'reset', { lockerId: free().id });
    await act(made.id, 'fill');
    expect([await told(made.id), (await one(made.id)).stageName]).toEqual([[], 'FILLED']);
  });

  it('ended before it lies anywhere, it is told to be out', async () => {
    const made = await lying('storage');
    await act(made.id, 'extract', { move: true });
    await act(made.id, 'reset', { lockerId: free().id });
    await admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: {} });
    expect(await told(made.id)).toEqual(['taken-out']);
    expect(await one(made.id)).toMatchObject({ endReason: 'taken-out' });
  });

  it('the owner of what was taken out of storage hears where it lies once it does again', async () => {
    const made = await lying('storage');
    await act(made.id, 'extract');
    await act(made.id, 'reset', { lockerId: free().id });
    await act(made.id, 'fill');
    expect(await told(made.id)).toEqual(['ready', 'taken-out']);
  });
});

describe('what is done at once', () => {
  const AT_ONCE = 10;
  const DOORS = 6;
  /** Signed in each for themselves, as many as stand at a counter on a bad day. */
  const PEOPLE = 4;

  let ours: TestCompany;
  let admin: TestPerson;
  let counter: TestPerson;
  let people: TestPerson[];
  let wall: TestCabinet;
  beforeAll(async () => {
    ours = await testCompany(server);
    admin = await ours.person(['admin']);
    people = await Promise.all(Array.from({ length: PEOPLE }, (_, at) => ours.person(['delivery_manager'], `Person ${at}`)));
    counter = people[0] as TestPerson;
    wall = await testCabinet(server, admin.api, DOORS);
  });
  afterAll(async () => {
    wall?.end();
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
      for (const one of held.slice(0, 3)) await counter.api('DELETE /occupations/{id}', { params: { id: one.id }, body: {} });
      const moved = held.slice(3, 6);
      for (const one of moved) {
        await counter.api('PUT /occupations', { body: { id: one.id, action: 'fill' } });
        await counter.api('PUT /occupations', { body: { id: one.id, action: 'extract' } });
      }
      const goals = wall.lockers.slice(0, 5);
      const answers: PromiseSettledResult<unknown>[] = [];
      for (let round = 0; round < 3; round++) {
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
    const apart = await testDoors(admin.api, 1);
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
    }
  });

  it('asks for the right at the door behind which it lies when it is done, not at the one that it has left', async () => {
    const apart = await testDoors(admin.api, 2);
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
    }
  });
});
