import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { query, waitersFor } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, UNANSWERED, type TestServer } from '../../test-server.ts';
import { systemScope } from '../../scope.ts';
import { hearFact } from '../cabinets/facts.ts';
import { openDoor } from '../lockers/door-commands.ts';
import { lookNow } from '../occupations/clock.ts';
import { apply } from '../occupations/commands.ts';
import { lockOccupation } from '../occupations/row-queries.ts';
import { likeTheFirst } from '../occupations/test-copy.ts';
import { emptied } from '../occupations/test-doors.ts';
import { sweep } from '../../jobs/sweep.ts';

/** What a controller did not say, nobody claims to know. */

let ahead = 0;
let server: TestServer;
let tenantId: string;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + ahead) });
  const company = await testCompany(server);
  tenantId = company.id;
  admin = await company.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 3);
});
beforeEach(() => {
  began = newId();
});
afterEach(async () => {
  wall.mode = 'obey';
  wall.commands.length = 0;
  ahead = 0;
  await emptied(server, wall.lockers.slice(0, used));
  used = 0;
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

let used = 0;
/** Each test begins with a wall that nobody uses. */
const free = (): TestLocker => {
  const door = wall.lockers[used++];
  if (!door) throw new Error('the wall is full');
  return door;
};
/** What happened before a test has a smaller id. */
let began: string;
const registered = likeTheFirst(
  () => server,
  async ({ id: lockerId, compartment }) => {
    const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId } });
    return { ...made, compartment };
  },
);
const reserved = async () => registered(free());
type Made = Awaited<ReturnType<typeof reserved>>;
const offered = likeTheFirst(
  () => server,
  async ({ id: lockerId, compartment }) => {
    const made = { ...(await admin.api('POST /occupations/delivery', { body: { lockerId, fill: true } })), compartment };
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
    return made;
  },
);
const claimed = async () => {
  const made = await offered(free());
  await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
  return made;
};
const open = (made: Pick<Made, 'id' | 'lockerId' | 'doorTag'>) =>
  refusal(admin.api('POST /lockers/{id}/open', { params: { id: made.lockerId }, body: { doorTag: made.doorTag, occupationId: made.id } }));
const locker = (made: Made) => admin.api('GET /lockers/{id}', { params: { id: made.lockerId } });
const stage = async (made: Made) => (await admin.api('GET /occupations/{id}', { params: { id: made.id } })).stageName;
const story = async (made: Made) =>
  (
    await query<{ type: string }>(server.database.ownerUrl, 'select type from events where locker_id = $1 and id > $2 order by id', [
      made.lockerId,
      began,
    ])
  ).map((row) => row.type);

describe('somebody was let in, and the door', () => {
  it('is another one’s by the time that it is asked: it stays shut', async () => {
    const made = await reserved();
    const scope = systemScope(tenantId, new Date().toISOString());
    const { db } = server.deps;
    const asked = await db.tenant(tenantId, async (tx) => {
      await lockOccupation(tx, tenantId, made.id);
      // It is let in by what it reads now, and waits for the locker.
      const answer = open(made);
      await expect.poll(() => waitersFor(server.database.ownerUrl, tx)).toBeGreaterThan(0);
      await apply(tx, server.deps, scope, made.id, { kind: 'delete' }, { as: 'staff' });
      return { answer };
    });
    expect(await asked.answer).toEqual([409, 'occupation-transition']);

    const parcel = await reserved();
    const goal = free();
    await admin.api('PUT /occupations', { body: { id: parcel.id, action: 'fill' } });
    await admin.api('PUT /occupations', { body: { id: parcel.id, action: 'extract' } });
    await admin.api('PUT /occupations', { body: { id: parcel.id, action: 'fill', lockerId: goal.id } });
    await admin.api('PUT /occupations', { body: { id: parcel.id, action: 'extract' } });
    await expect(openDoor(server.deps, scope, { lockerId: parcel.lockerId, occupationId: parcel.id })).rejects.toMatchObject({
      code: 'occupation-transition',
    });
    expect(wall.commands.filter(({ op }) => op === 'open')).toEqual([]);
  });

  it('refused: the claim has failed at once, and it waits as before', async () => {
    const made = await claimed();
    wall.mode = 'jam';
    expect(await open(made)).toEqual([409, 'door-refused']);
    expect(await stage(made)).toBe('ACQUIRABLE');
    expect(await locker(made)).toMatchObject({ content: 'occupied', lastCommand: { outcome: 'refused' } });
    expect((await story(made)).at(-1)).toBe('locker_open_refused');
  });

  it('opened after it had been given up: whoever stood there may have taken it, so nobody knows', async () => {
    const made = await claimed();
    wall.mode = 'silent';
    expect(await server.paced(UNANSWERED, () => open(made))).toEqual([504, 'no-answer']);
    expect(await stage(made)).toBe('ACQUIRABLE');
    expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'unseen', inDoubt: true });
    const { cmdId } = wall.commands.at(-1) ?? {};
    await wall.say().state('open', { cmdId, occupancy: 'unknown' }, made.compartment);
    await expect.poll(async () => (await locker(made)).door).toBe('opened');
    expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'unexpected-opening', inDoubt: true });
    expect(await stage(made)).toBe('ACQUIRABLE');
    // One doubt for the answer that never came; the opening says of itself that it was late, and has no second one beside it.
    const told = (type: string) =>
      query(server.database.ownerUrl, 'select data from events where occupation_id = $1 and type = $2', [made.id, type]);
    expect(await told('locker_opened')).toMatchObject([{ data: { late: true } }]);
    expect(await told('locker_unknown')).toMatchObject([{ data: { why: 'unseen' } }]);
    await wall.close(made.compartment);
  });

  it('let go and seen by no sensor: the claim has failed, and whether it was taken nobody knows', async () => {
    const made = await claimed();
    wall.mode = 'blind';
    await admin.api('POST /lockers/{id}/open', {
      params: { id: made.lockerId },
      body: { doorTag: made.doorTag, occupationId: made.id },
    });
    expect(await stage(made)).toBe('CLAIMING');
    ahead = 121_000;
    const scope = systemScope(tenantId, server.deps.now().toISOString());
    const over = { kind: 'claim-failed', why: 'time' } as const;
    await server.deps.db.tenant(tenantId, (tx) => apply(tx, server.deps, scope, made.id, over, { as: 'server' }));
    expect(await stage(made)).toBe('ACQUIRABLE');
    expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'unseen', inDoubt: true });
    expect(await story(made)).toContain('locker_unknown');
  });

  it('opened and was shut while nobody heard: told when the cabinet is back, and the content is not known', async () => {
    const [made, other] = [await claimed(), await reserved()];
    wall.mode = 'mute';
    expect(await server.paced(UNANSWERED, () => Promise.all([open(made), open(other)]))).toEqual([
      [504, 'no-answer'],
      [504, 'no-answer'],
    ]);
    // on a busy machine the controller hears of it after that
    await expect.poll(() => wall.commands.filter(({ op }) => op === 'open').length).toBe(2);
    expect(await story(made)).not.toContain('locker_opened');
    await wall.cut();
    await expect.poll(async () => (await locker(made)).connection).toBe('offline');
    wall.mode = 'obey';
    await wall.plug({ behind: 100 });
    await expect.poll(() => story(made)).toContain('locker_opened');
    expect((await locker(made)).content).toBe('unknown');
    expect((await story(made)).slice(-2)).toEqual(['locker_opened', 'locker_closed']);
    const told = await admin.api('GET /history', { query: { q: { occupationId: made.id }, sort: 'at', limit: 50 } });
    expect(told.map(({ type }) => type).slice(-2)).toEqual(['locker_opened', 'locker_closed']);
    // What was to be filled was opened for it: it goes on from there, and whether it was filled nobody says but who was there.
    await expect.poll(() => stage(other)).toBe('INITIATED');
    expect(await locker(other)).toMatchObject({ content: 'unknown', contentWhy: 'silent', inDoubt: true });
    ahead = 60_000;
    expect(await lookNow(server.deps, tenantId, other.id, 'fill')).toBe(false);
    expect(await stage(other)).toBe('INITIATED');
    ahead = 0;
    await wall.cut();
    await wall.plug();
    await expect.poll(async () => (await locker(made)).door).toBe('closed');
    expect((await story(made)).filter((type) => type === 'locker_opened')).toHaveLength(1);
  });
});

it('a broker outside kept a door’s state while the server was away: what it names was opened and shut again', async () => {
  const made = await claimed();
  // What was said in the session before is not believed any more.
  await expect
    .poll(() => query(server.database.ownerUrl, 'select device_session as said from lockers where id = $1', [made.lockerId]))
    .toEqual([{ said: wall.say().session }]);
  const [
    { device_session: session, device_seq: seq, controller_id: controllerId } = { device_session: '', device_seq: 0, controller_id: '' },
  ] = await query<{ device_session: string; device_seq: number; controller_id: string }>(
    server.database.ownerUrl,
    `select l.device_session, l.device_seq::int, c.controller_id from lockers l join cabinets c on c.id = l.cabinet_id where l.id = $1`,
    [made.lockerId],
  );
  const cmdId = randomUUID();
  // As a server leaves it that was killed between asking and hearing.
  await query(
    server.database.ownerUrl,
    `insert into commands (tenant_id, id, cabinet_id, controller_id, locker_id, compartment, op, occupation_id, actor, issued_at, expires_at)
     values ($1, $2, $3::uuid, $3::uuid::text, $4, $5, 'open', $6, '{"kind":"person","id":null,"name":"Ada Admin"}', now(), now())`,
    [tenantId, cmdId, wall.id, made.lockerId, made.compartment, made.id],
  );
  await query(server.database.ownerUrl, `update lockers set last_command = $2 where id = $1`, [
    made.lockerId,
    {
      id: cmdId,
      op: 'open',
      at: new Date().toISOString(),
      by: { kind: 'person', id: null, name: 'Ada Admin' },
      outcome: 'pending',
      code: null,
    },
  ]);
  const state = { kind: 'door', compartment: made.compartment, door: 'closed', lock: 'locked', occupancy: 'unknown' } as const;
  const kept = { tenantId, controllerId, session, seq: seq + 2, cmdId, at: new Date().toISOString(), retained: true } as const;
  await hearFact(server.deps, { ...state, ...kept });
  expect(await stage(made)).toBe('TERMINATED');
  expect(await locker(made)).toMatchObject({ content: 'unknown', inDoubt: true });
});

describe('a reservation whose door never answered', () => {
  it('leaves a locker to be checked, whether it is given up or runs out', async () => {
    const [given, out, quiet] = [await reserved(), await reserved(), await reserved()];
    wall.mode = 'silent';
    await server.paced(UNANSWERED, () => Promise.all([open(given), open(out)]));
    await admin.api('DELETE /occupations/{id}', { params: { id: given.id }, body: {} });
    ahead = 24 * 3600_000;
    await sweep(server.deps, tenantId);
    ahead = 0;
    for (const made of [given, out]) expect(await locker(made)).toMatchObject({ occupationId: null, content: 'unknown', inDoubt: true });
    expect(await locker(quiet)).toMatchObject({ occupationId: null, content: 'empty', inDoubt: false });
    expect(await refusal(admin.api('POST /occupations', { body: { type: 'delivery', lockerId: given.lockerId } }))).toEqual([
      409,
      'locker-in-doubt',
    ]);
  });
});

describe('a cabinet that is back', () => {
  /** The only door of its size. */
  let sensing: TestCabinet;
  beforeAll(async () => {
    sensing = await testCabinet(server, admin.api, 1, ['XL'], ['door', 'occupancy']);
  });
  afterEach(async () => {
    sensing.mode = 'obey';
    await emptied(server, sensing.lockers);
  });
  afterAll(() => sensing?.end());

  it('has said nothing of its doors until it says so: none of them is known or given away', async () => {
    const [lot] = sensing.lockers;
    const door = async () => await admin.api('GET /lockers/{id}', { params: { id: lot?.id ?? '' } });
    await sensing.cut();
    await expect.poll(async () => (await door()).connection).toBe('offline');
    await sensing.plug({ doors: false });
    await expect.poll(async () => (await door()).connection).toBe('online');
    expect(await door()).toMatchObject({ door: 'unknown', occupancy: 'unknown' });
    expect(await refusal(admin.api('POST /occupations', { body: { type: 'delivery', size: 'XL' } }))).toEqual([409, 'no-free-locker']);
    await sensing.say().state('closed', { occupancy: 'unknown' }, 1);
    await expect.poll(async () => (await door()).door).toBe('closed');
    const { lockerId } = await admin.api('POST /occupations', { body: { type: 'delivery', size: 'XL' } });
    expect(lockerId).toBe(lot?.id);
  });

  it('what a sensor sensed before its cabinet went away settles nothing once it is back and has not said it again', async () => {
    const [lot] = sensing.lockers;
    const seen = () => admin.api('GET /lockers/{id}', { params: { id: lot?.id ?? '' } });
    await sensing.say().state('closed', { occupancy: 'empty' }, 1);
    await expect.poll(async () => (await seen()).occupancy).toBe('empty');
    const { id, lockerId, doorTag } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lot?.id ?? '' } });
    sensing.mode = 'silent';
    expect(await server.paced(UNANSWERED, () => open({ id, lockerId, doorTag }))).toEqual([504, 'no-answer']);
    await sensing.cut();
    await expect.poll(async () => (await seen()).connection).toBe('offline');
    await sensing.plug({ doors: false });
    await expect.poll(async () => (await seen()).connection).toBe('online');
    await admin.api('DELETE /occupations/{id}', { params: { id }, body: {} });
    expect(await seen()).toMatchObject({ occupationId: null, content: 'unknown', inDoubt: true });
  });
});
