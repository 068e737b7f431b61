import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { lookNow, type ClockCommand } from './clock.ts';
import { likeTheFirst } from './test-copy.ts';
import { emptied } from './test-doors.ts';

let ahead = 0;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
/** Its sensors feel what lies inside. */
let sensing: TestCabinet;
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + ahead) });
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 2);
  sensing = await testCabinet(server, admin.api, 1, ['M'], ['door', 'occupancy']);
});
afterEach(async () => {
  ahead = 0;
  for (const cabinet of [wall, sensing]) await emptied(server, cabinet.lockers.slice(0, used.get(cabinet) ?? 0));
  used.clear();
});
afterAll(async () => {
  wall?.end();
  sensing?.end();
  await server.stop();
});

const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
const used = new Map<TestCabinet, number>();
/** Each test begins with walls that nobody uses. */
const free = (cabinet: TestCabinet) => {
  const at = used.get(cabinet) ?? 0;
  used.set(cabinet, at + 1);
  const door = cabinet.lockers[at];
  if (!door) throw new Error('the wall is full');
  return door;
};
const registered = likeTheFirst(
  () => server,
  async ({ id: lockerId, compartment }) => {
    const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId, receiver } });
    return { ...made, compartment };
  },
);
const register = async (cabinet = wall) => registered(free(cabinet));
type Made = Awaited<ReturnType<typeof register>>;
const act = (made: Made, action: 'fill' | 'publish' | 'finnish' | 'reset' | 'empty') =>
  admin.api('PUT /occupations', { body: { id: made.id, action } });
const offered = likeTheFirst(
  () => server,
  async ({ id: lockerId, compartment }) => {
    const made = await admin.api('POST /occupations/delivery', { body: { lockerId, receiver, fill: true } });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
    return { ...made, compartment };
  },
);
const ready = async () => offered(free(wall));
const open = (made: Made) =>
  admin.api('POST /lockers/{id}/open', { params: { id: made.lockerId }, body: { doorTag: made.doorTag, occupationId: made.id } });
const claim = async (made: Made) => {
  await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
  await open(made);
};
const locker = (made: Made) => admin.api('GET /lockers/{id}', { params: { id: made.lockerId } });
/** As it is written down: cheaper to ask again and again than a call. */
const rowOf = async ({ lockerId }: Made) =>
  (await query(server.database.ownerUrl, 'select door, occupancy, content_why as "contentWhy" from lockers where id = $1', [lockerId]))[0];
const leftOpen = async (made: Made) => {
  await wall.say().event('left_open', { compartment: made.compartment });
  await expect.poll(() => rowOf(made)).toMatchObject({ contentWhy: 'left-open' });
};
const shut = async (made: Made) => {
  await wall.close(made.compartment);
  await expect.poll(() => rowOf(made)).toMatchObject({ door: 'closed' });
};
const minuteLater = async (command: ClockCommand, ...all: Made[]) => {
  ahead = 60_000;
  for (const { id } of all) await lookNow(server.deps, ours.id, id, command);
  const seen = all.map(({ id }) => admin.api('GET /occupations/{id}', { params: { id } }));
  return (await Promise.all(seen)).map(({ stageName }) => stageName);
};

it('does not fill what somebody found full, nor once it was started over at the same door, until they say that theirs lies inside', async () => {
  const full = await register();
  await open(full);
  await admin.api('POST /occupations/{id}/doubt', { params: { id: full.id }, body: { kind: 'not-empty' } });
  await shut(full);
  expect(await minuteLater('fill', full)).toEqual(['INITIATED']);
  ahead = 0;
  await act(full, 'reset');
  await open(full);
  await shut(full);
  expect(await minuteLater('fill', full)).toEqual(['INITIATED']);
  expect(await locker(full)).toMatchObject({ content: 'unknown', contentWhy: 'not-empty', inDoubt: true });
  await act(full, 'fill');
  expect(await locker(full)).toMatchObject({ content: 'occupied', contentWhy: 'filled', inDoubt: false });
});

it('does not fill it either where a sensor senses what they found there', async () => {
  const full = await register(sensing);
  await open(full);
  await admin.api('POST /occupations/{id}/doubt', { params: { id: full.id }, body: { kind: 'not-empty' } });
  await sensing.close(full.compartment, { occupancy: 'occupied' });
  await expect.poll(() => rowOf(full)).toMatchObject({ door: 'closed', occupancy: 'occupied' });
  expect(await minuteLater('fill', full)).toEqual(['INITIATED']);
  expect(await locker(full)).toMatchObject({ content: 'unknown', contentWhy: 'not-empty', inDoubt: true });
});

const sensed = async (cabinet = sensing) => {
  const own = await register(cabinet);
  const closed = async (occupancy: 'empty' | 'occupied') => {
    await cabinet.close(own.compartment, { occupancy });
    await expect.poll(() => rowOf(own)).toMatchObject({ door: 'closed', occupancy });
  };
  const at = async () => {
    const { stageName, awaitsWord } = await admin.api('GET /occupations/{id}', { params: { id: own.id } });
    return { stageName, awaitsWord };
  };
  const word = (content: 'empty' | 'occupied') =>
    admin.api('PUT /lockers/{id}/content', { params: { id: own.lockerId }, body: { content } });
  const noticed = async (event: 'left_open' | 'forced', contentWhy: string) => {
    await cabinet.say().event(event, { compartment: own.compartment });
    await expect.poll(() => rowOf(own)).toMatchObject({ contentWhy });
  };
  return { own, closed, at, word, noticed };
};

it('does not fill it with what a sensor still senses of the last one, however often it is said to be empty and started over', async () => {
  const { own, closed, at } = await sensed();
  await open(own);
  await closed('occupied');
  expect(await at()).toEqual({ stageName: 'INITIATED', awaitsWord: false });
  expect(await minuteLater('fill', own)).toEqual(['FILLED']);
  ahead = 0;
  await act(own, 'empty');
  expect(await locker(own)).toMatchObject({ content: 'unknown', contentWhy: 'still-sensed', inDoubt: true });
  await act(own, 'reset');
  await open(own);
  await closed('occupied');
  expect(await minuteLater('fill', own)).toEqual(['INITIATED']);
  ahead = 0;
  expect(await at()).toEqual({ stageName: 'INITIATED', awaitsWord: true });
  expect(await locker(own)).toMatchObject({ content: 'unknown', contentWhy: 'still-sensed', inDoubt: true });
  // Once it was sensed empty, what is sensed after that is another thing.
  await open(own);
  await closed('empty');
  expect(await locker(own)).toMatchObject({ content: 'empty', contentWhy: 'sensor' });
  await open(own);
  await closed('occupied');
  expect(await minuteLater('fill', own)).toEqual(['FILLED']);
});

it.each(['left open', 'forced'] as const)(
  'does not fill it with what its sensor senses all the time, whatever was believed of it meanwhile: %s',
  async (how) => {
    const { own, closed, at, noticed } = await sensed();
    // By lock control, for nobody's use.
    await admin.api('POST /lockers/{id}/open', { params: { id: own.lockerId }, body: { doorTag: own.doorTag } });
    await closed('occupied');
    await open(own);
    if (how === 'left open') await noticed('left_open', 'left-open');
    await closed('occupied');
    if (how === 'forced') await noticed('forced', 'unexpected-opening');
    expect(await minuteLater('fill', own)).toEqual(['INITIATED']);
    ahead = 0;
    expect(await at()).toEqual({ stageName: 'INITIATED', awaitsWord: true });
  },
);

it('stays to be checked where somebody found it full and its sensor, which never sensed that, senses nothing still', async () => {
  const { own, closed } = await sensed();
  await open(own);
  await closed('empty');
  await open(own);
  await admin.api('POST /occupations/{id}/doubt', { params: { id: own.id }, body: { kind: 'not-empty' } });
  await closed('empty');
  await act(own, 'reset');
  await open(own);
  await closed('empty');
  expect(await locker(own)).toMatchObject({ content: 'unknown', contentWhy: 'not-empty', inDoubt: true });
  // Sensed after all, and then no more: that is news.
  await open(own);
  await closed('occupied');
  await open(own);
  await closed('empty');
  expect(await locker(own)).toMatchObject({ content: 'empty', contentWhy: 'sensor' });
});

it('settles nothing against what its sensor said last, while that cannot be heard', async () => {
  const cabinet = await testCabinet(server, admin.api, 2, ['M'], ['door', 'occupancy']);
  const { own, closed } = await sensed(cabinet);
  await open(own);
  await closed('empty');
  const { own: taken, closed: shutOn } = await sensed(cabinet);
  await act(taken, 'fill');
  await act(taken, 'publish');
  await claim(taken);
  await shutOn('occupied');
  await cabinet.cut();
  for (const made of [own, taken]) await expect.poll(async () => (await locker(made)).connection).toBe('offline');
  expect(await minuteLater('fill', own)).toEqual(['INITIATED']);
  expect(await minuteLater('finnish', taken)).toEqual(['CLAIMING']);
  cabinet.end();
});

it('leaves a word above a sensor that has never sensed what it is about', async () => {
  const { own, closed, word } = await sensed();
  await open(own);
  await closed('empty');
  await act(own, 'fill');
  await act(own, 'publish');
  for (const look of [() => undefined, () => word('occupied')]) {
    await admin.api('POST /lockers/{id}/open', { params: { id: own.lockerId }, body: { doorTag: own.doorTag, reason: 'look' } });
    await look();
    await closed('empty');
    expect(await locker(own)).toMatchObject({ content: 'occupied', inDoubt: false });
  }
  // Sensed once, it is missed when it is no more.
  for (const says of ['occupied', 'empty'] as const) {
    await admin.api('POST /lockers/{id}/open', { params: { id: own.lockerId }, body: { doorTag: own.doorTag, reason: 'look' } });
    await closed(says);
  }
  expect(await locker(own)).toMatchObject({ content: 'empty', contentWhy: 'sensor', inDoubt: true });
});

it('calls nothing taken that no sensor sensed before: it waits for a word', async () => {
  const { own, closed, at, word } = await sensed();
  await act(own, 'fill');
  await act(own, 'publish');
  await word('empty');
  await claim(own);
  await closed('empty');
  expect(await minuteLater('finnish', own)).toEqual(['CLAIMING']);
  ahead = 0;
  expect(await at()).toEqual({ stageName: 'CLAIMING', awaitsWord: true });
  await act(own, 'finnish');
  expect((await at()).stageName).toBe('TERMINATED');
});

it('does not fill it with what was sensed there before its door was opened for it', async () => {
  const { own, closed, at } = await sensed();
  // By lock control, for nobody's use.
  await admin.api('POST /lockers/{id}/open', { params: { id: own.lockerId }, body: { doorTag: own.doorTag } });
  await closed('occupied');
  expect(await locker(own)).toMatchObject({ content: 'occupied', inDoubt: true });
  await open(own);
  await closed('occupied');
  expect(await minuteLater('fill', own)).toEqual(['INITIATED']);
  ahead = 0;
  expect(await at()).toEqual({ stageName: 'INITIATED', awaitsWord: true });
  await act(own, 'fill');
  expect(await locker(own)).toMatchObject({ content: 'occupied', contentWhy: 'filled' });
});

it('leaves in doubt what was left open while it was filled', async () => {
  const ajar = await register();
  await open(ajar);
  await leftOpen(ajar);
  await shut(ajar);
  expect(await minuteLater('fill', ajar)).toEqual(['FILLED']);
  expect(await locker(ajar)).toMatchObject({ content: 'unknown', contentWhy: 'left-open', inDoubt: true });
});

it('ends a claim whose door was left open with the content in doubt; a word settles it', async () => {
  const [silent, said] = [await ready(), await ready()];
  for (const made of [silent, said]) {
    await claim(made);
    await leftOpen(made);
    await shut(made);
  }
  await act(said, 'finnish');
  expect(await minuteLater('finnish', silent, said)).toEqual(['TERMINATED', 'TERMINATED']);
  expect(await locker(silent)).toMatchObject({ content: 'unknown', contentWhy: 'left-open', inDoubt: true });
  expect(await locker(said)).toMatchObject({ content: 'empty', contentWhy: 'taken', inDoubt: false });
});

it('leaves in doubt what was left open once more while somebody fetched it from a locker in doubt', async () => {
  const again = await ready();
  await leftOpen(again);
  await claim(again);
  await leftOpen(again);
  await shut(again);
  expect(await minuteLater('finnish', again)).toEqual(['TERMINATED']);
  expect(await locker(again)).toMatchObject({ content: 'unknown', contentWhy: 'left-open', inDoubt: true });
});

it('leaves in doubt what somebody opened unasked while it was fetched from a locker in doubt', async () => {
  const again = await ready();
  await leftOpen(again);
  await claim(again);
  await shut(again);
  await wall.say().state('open', { occupancy: 'unknown' }, again.compartment);
  await expect.poll(() => rowOf(again)).toMatchObject({ door: 'opened', contentWhy: 'unexpected-opening' });
  await shut(again);
  expect(await minuteLater('finnish', again)).toEqual(['TERMINATED']);
  expect(await locker(again)).toMatchObject({ content: 'unknown', inDoubt: true });
});

it('is believed as ever where the doubt is older than the visit', async () => {
  const before = await ready();
  await leftOpen(before);
  await claim(before);
  await shut(before);
  expect(await minuteLater('finnish', before)).toEqual(['TERMINATED']);
  expect(await locker(before)).toMatchObject({ content: 'empty', contentWhy: 'assumed-taken', inDoubt: false });
});
