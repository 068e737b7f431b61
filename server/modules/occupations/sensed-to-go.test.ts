import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { lookNow } from './clock.ts';
import { likeTheFirst } from './test-copy.ts';
import { emptied } from './test-doors.ts';

/** The clock stands: what passes of it a test says. */
let start = Date.now();
let passed = 0;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  // what is asked of a door is not too late for it, however long a test takes while its clock stands
  server = await testServer({ now: () => new Date(start + passed), pace: { commandMs: 50_000 } });
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 3, ['M'], ['door', 'occupancy']);
});
beforeEach(() => {
  start = Date.now();
  passed = 0;
});
afterEach(async () => {
  wall.mode = 'obey';
  await emptied(server, wall.lockers.slice(0, used));
  used = 0;
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

type Occupancy = 'empty' | 'occupied' | 'unknown';
const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
const one = (id: string) => admin.api('GET /occupations/{id}', { params: { id } });
const door = (made: Made) => admin.api('GET /lockers/{id}', { params: { id: made.lockerId } });
const open = (made: Made, more: object = { occupationId: made.id }) =>
  admin.api('POST /lockers/{id}/open', { params: { id: made.lockerId }, body: { doorTag: made.doorTag, ...more } });
/** As it is written down: cheaper to ask again and again than a call. */
const rowOf = async ({ lockerId }: Made) =>
  (await query(server.database.ownerUrl, 'select door, occupancy from lockers where id = $1', [lockerId]))[0];
const shut = async (made: Made, occupancy: Occupancy) => {
  await wall.close(made.compartment, { occupancy });
  await expect.poll(() => rowOf(made)).toEqual({ door: 'closed', occupancy });
};
let used = 0;
/** Each test begins with a wall that nobody uses. */
const free = (): TestLocker => {
  const door = wall.lockers[used++];
  if (!door) throw new Error('the wall is full');
  return door;
};
/** Lies in its locker, sensed or not, and is offered. */
const byHand = async (lot: TestLocker, occupancy: Occupancy, more: object = { receiver }) => {
  const registered = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id, ...more } });
  const made = { ...registered, compartment: lot.compartment };
  await open(made);
  await shut(made, occupancy);
  await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
  await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
  return made;
};
type Made = Awaited<ReturnType<typeof byHand>>;
const sensed = (occupancy: 'occupied' | 'empty') =>
  likeTheFirst(
    () => server,
    (lot, more?: object) => byHand(lot, occupancy, more),
  );
const like = { occupied: sensed('occupied'), empty: sensed('empty') };
const offered = async (occupancy: 'occupied' | 'empty', more?: object): Promise<Made> => {
  const made = await like[occupancy](free(), more);
  passed += 5_000;
  return made;
};
const register = () => offered('occupied');
const claim = (made: Made) => admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
/** In how many seconds it counts as taken; null where that takes a word. */
const waits = async (made: Made) => {
  const { finishesAt } = await one(made.id);
  return finishesAt === null ? null : (Date.parse(finishesAt) - start - passed) / 1000;
};
const stageAfter = async (made: Made, ms: number) => {
  passed += ms;
  await lookNow(server.deps, ours.id, made.id, 'finnish');
  return (await one(made.id)).stageName;
};

it('ends a claim two seconds after the door was shut, where its sensor felt what is gone; the money is taken then, and not before', async () => {
  const price = { amount: 4_900, currency: 'NOK' };
  const made = await offered('occupied', { type: 'sale', quantity: 1, price });
  await admin.api('POST /payments', { body: { occupationId: made.id, received: true } });
  const paid = async () => (await admin.api('GET /payments', { query: { q: { occupationId: made.id } } }))[0]?.state;
  await claim(made);
  await open(made);
  expect(await waits(made)).toBeNull();
  await shut(made, 'empty');
  expect(await waits(made)).toBe(2);
  expect([await stageAfter(made, 1_999), await paid()]).toEqual(['CLAIMING', 'reserved']);
  expect([await stageAfter(made, 1), await paid()]).toEqual(['TERMINATED', 'captured']);
  expect(await door(made)).toMatchObject({ content: 'empty', contentWhy: 'taken', inDoubt: false });
  const told = await query<{ data: object }>(
    server.database.ownerUrl,
    `select data from events where occupation_id = $1 and type = 'occupation_claimed'`,
    [made.id],
  );
  expect(told).toEqual([{ data: { quantity: 1 } }]);
});

it('waits two seconds from when its sensor makes up its mind, and the whole time where that comes late or goes to and fro', async () => {
  const [soon, late, fro] = [await register(), await register(), await register()];
  for (const made of [soon, late, fro]) {
    await claim(made);
    await open(made);
    await shut(made, made === fro ? 'empty' : 'occupied');
  }
  expect([await waits(soon), await waits(late), await waits(fro)]).toEqual([30, 30, 2]);
  const says = async (made: Made, occupancy: Occupancy) => {
    await wall.say().state('closed', { occupancy, ...(await named(made)) }, made.compartment);
    await expect.poll(async () => (await rowOf(made))?.['occupancy']).toBe(occupancy);
  };
  const named = async (made: Made) => ({ cmdId: (await door(made)).lastCommand?.id });
  passed += 1_000;
  await says(soon, 'empty');
  await says(fro, 'occupied');
  expect([await waits(soon), await waits(fro)]).toEqual([2, 29]);
  passed += 2_000;
  await says(late, 'empty');
  await says(fro, 'empty');
  expect([await waits(late), await waits(fro)]).toEqual([27, 27]);
});

it('waits the whole time where the sensor never felt it, or felt no more than a hand', async () => {
  for (const hand of [false, true]) {
    const made = await offered('empty');
    await claim(made);
    await open(made);
    const { lastCommand } = await door(made);
    if (hand) await wall.say().state('open', { occupancy: 'occupied', cmdId: lastCommand?.id }, made.compartment);
    await shut(made, 'empty');
    expect(await waits(made)).toBe(30);
    expect([await stageAfter(made, 29_999), await stageAfter(made, 1)]).toEqual(['CLAIMING', 'TERMINATED']);
    expect(await door(made)).toMatchObject({ content: 'empty', contentWhy: 'assumed-taken' });
  }
});

it('waits the whole time where a hand was felt before the door was seen to move', async () => {
  const made = await offered('empty');
  await claim(made);
  wall.mode = 'mute';
  const before = wall.commands.length;
  const asked = open(made);
  await expect.poll(() => wall.commands.length).toBe(before + 1);
  const cmdId = wall.commands.at(-1)?.cmdId ?? '';
  passed += 1_000;
  const { state, ack } = wall.say();
  await state('closed', { occupancy: 'occupied' }, made.compartment);
  await state('open', { occupancy: 'occupied', cmdId }, made.compartment);
  await ack(cmdId, 'opened');
  await asked;
  await expect.poll(async () => (await rowOf(made))?.['door']).toBe('opened');
  await shut(made, 'empty');
  expect(await waits(made)).toBe(30);
});

it('waits the whole time where the door was opened once more, and for a word where somebody else opened it last', async () => {
  const [again, aside] = [await register(), await register()];
  for (const made of [again, aside]) {
    await claim(made);
    await open(made);
    await shut(made, 'empty');
    expect(await waits(made)).toBe(2);
  }
  passed += 1_000;
  await open(again);
  await shut(again, 'empty');
  expect(await waits(again)).toBe(30);
  const other = await ours.person(['admin'], 'Olga Other');
  await other.api('POST /lockers/{id}/open', { params: { id: aside.lockerId }, body: { doorTag: aside.doorTag } });
  await shut(aside, 'empty');
  expect([await waits(aside), await stageAfter(aside, 60_000)]).toEqual([null, 'CLAIMING']);
});

it('waits the whole time where its door was torn open without a command meanwhile', async () => {
  const made = await register();
  await claim(made);
  await open(made);
  await shut(made, 'empty');
  passed += 1_000;
  await wall.force(made.compartment);
  await expect.poll(async () => (await rowOf(made))?.['door']).toBe('opened');
  await shut(made, 'empty');
  expect(await waits(made)).toBe(30);
});

it('waits the whole time where its cabinet fell silent while the door was open', async () => {
  const made = await register();
  await claim(made);
  await open(made);
  const { lastCommand } = await door(made);
  await wall.cut();
  await expect.poll(async () => (await door(made)).connection).toBe('offline');
  await wall.plug({ doors: false });
  await wall.say().state('open', { occupancy: 'unknown', cmdId: lastCommand?.id }, made.compartment);
  await expect.poll(async () => (await rowOf(made))?.['door']).toBe('opened');
  await shut(made, 'empty');
  expect([await waits(made), await stageAfter(made, 2_000)]).toEqual([30, 'CLAIMING']);
});
