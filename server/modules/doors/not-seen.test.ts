import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { settleCommand } from '../lockers/door-commands.ts';

// A controller says that it moved a door, and no sensor bears it out: the history tells that, with whoever asked and why.

let server: TestServer;
let tenantId: string;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  const company = await testCompany(server);
  tenantId = company.id;
  admin = await company.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 18);
});
afterEach(() => {
  wall.mode = 'obey';
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const open = ({ id, doorTag }: TestLocker, more: object = {}) =>
  admin.api('POST /lockers/{id}/open', { params: { id }, body: { doorTag, reason: 'Audit', ...more } });
const story = async ({ id }: TestLocker) =>
  (await admin.api('GET /history', { query: { q: { lockerId: id }, sort: 'at' } }))
    .filter(({ type, lockerId }) => lockerId !== null && !type.startsWith('occupation_'))
    .map(({ type, actor, data }) => ({ type, actor: actor.name, data }));
const asked = async ({ id }: TestLocker) => (await admin.api('GET /lockers/{id}', { params: { id } })).lastCommand?.id ?? '';
/** The time of its job has come, and another node's too. */
const itsTime = async (lot: TestLocker) => {
  await settleCommand(server.deps, tenantId, await asked(lot));
  await settleCommand(server.deps, tenantId, await asked(lot));
};
const SAID = { by: 'controller', seen: false };

describe('a door that its controller says it opened', () => {
  it('and no sensor saw, stands in the history as just that, once, with who and why', async () => {
    const lot = await wall.free();
    wall.mode = 'blind';
    expect(await open(lot)).toMatchObject({ door: 'closed', lastCommand: { outcome: 'opened' } });
    await itsTime(lot);
    expect(await story(lot)).toEqual([{ type: 'locker_opened', actor: 'Ada Admin', data: { ...SAID, reason: 'Audit' } }]);
  });

  it('and a sensor saw in time, is told by the sensor alone', async () => {
    const lot = await wall.free();
    await open(lot);
    await itsTime(lot);
    expect(await story(lot)).toEqual([{ type: 'locker_opened', actor: 'Ada Admin', data: { reason: 'Audit' } }]);
    await wall.close(lot.compartment);
  });

  it('and a sensor saw later, is told a second time as seen later, in a use of the locker too', async () => {
    const [lot, claimed] = [await wall.free(), await wall.free()];
    const { id } = await admin.api('POST /occupations/delivery', {
      body: { lockerId: claimed.id, receiver: { name: 'Kari Nordmann', tlf: '91234567' }, fill: true },
    });
    await admin.api('PUT /occupations', { body: { id, action: 'publish' } });
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
    wall.mode = 'blind';
    await Promise.all([open(lot), open(claimed, { occupationId: id })]);
    for (const one of [lot, claimed]) {
      await itsTime(one);
      const said = { type: 'locker_opened', actor: 'Ada Admin', data: { ...SAID, reason: 'Audit' } };
      const opened = async () => (await story(one)).filter(({ type }) => type === 'locker_opened');
      expect(await opened()).toEqual([said]);
      await wall.say().state('open', { cmdId: await asked(one), occupancy: 'unknown' }, one.compartment);
      await expect.poll(opened).toEqual([said, { ...said, data: { reason: 'Audit', why: 'seen-later' } }]);
      await itsTime(one);
      expect(await opened()).toHaveLength(2);
    }
    const told = await query<{ type: string }>(server.database.ownerUrl, `select type from events where occupation_id = $1`, [id]);
    expect(told.filter(({ type }) => type === 'locker_opened')).toHaveLength(2);
    expect(told.filter(({ type }) => type === 'occupation_claiming')).toHaveLength(1);
  });
});

it('a door that was opened to put something back, and that nobody saw, leaves in doubt what lies there when its use ends or starts over', async () => {
  const [ended, anew, untouched] = [await wall.free(), await wall.free(), await wall.free()];
  const vacant = async (lot: TestLocker) => {
    const { id } = await admin.api('POST /occupations/delivery', { body: { lockerId: lot.id, assetText: 'Drill', fill: true } });
    await admin.api('PUT /occupations', { body: { id, action: 'extract' } });
    return id;
  };
  const ids = [await vacant(ended), await vacant(anew), await vacant(untouched)] as const;
  wall.mode = 'blind';
  await open(ended, { occupationId: ids[0] });
  await open(anew, { occupationId: ids[1] });
  await admin.api('DELETE /occupations/{id}', { params: { id: ids[0] }, body: {} });
  await admin.api('PUT /occupations', { body: { id: ids[1], action: 'reset' } });
  await admin.api('DELETE /occupations/{id}', { params: { id: ids[2] }, body: {} });
  const content = async ({ id }: TestLocker) => (await admin.api('GET /lockers/{id}', { params: { id } })).content;
  expect([await content(ended), await content(anew), await content(untouched)]).toEqual(['unknown', 'unknown', 'empty']);
});

it('a door that somebody says they open by hand, as it does not open by itself, leaves in doubt what lies there when its use ends', async () => {
  const [away, jammed, asked, looked] = [await wall.free(), await wall.free(), await wall.free(), await wall.free()];
  const reserve = async ({ id: lockerId }: TestLocker) =>
    (await admin.api('POST /occupations/delivery', { body: { lockerId, receiver: { name: 'Kari Nordmann', tlf: '91234567' } } })).id;
  const ids = [await reserve(away), await reserve(jammed), await reserve(asked), await reserve(looked)] as const;
  const give = async (lot: TestLocker, occupationId: string, more: object) =>
    refusal(admin.api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, occupationId, ...more } }));
  wall.mode = 'jam';
  await give(jammed, ids[1], { reason: 'The key' });
  await give(asked, ids[2], {});
  await give(looked, ids[3], { reason: 'The key' });
  await admin.api('PUT /lockers/{id}/content', { params: { id: looked.id }, body: { content: 'empty' } });
  await wall.cut();
  await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params: { id: away.id } })).connection).toBe('offline');
  await give(away, ids[0], { reason: 'The key' });
  for (const id of ids) await admin.api('DELETE /occupations/{id}', { params: { id }, body: {} });
  const now = ({ id }: TestLocker) => admin.api('GET /lockers/{id}', { params: { id } });
  for (const lot of [away, jammed]) expect(await now(lot)).toMatchObject({ content: 'unknown', contentWhy: 'unseen' });
  for (const lot of [asked, looked]) expect((await now(lot)).content).toBe('empty');
  await wall.plug();
});

/** After its doors are there: a wall that grows says again what it can do. */
const letLock = () => query(server.database.ownerUrl, 'update cabinets set can_lock = true where id = $1', [wall.id]);

it('a door that was locked is told, and whether its lock was sensed', async () => {
  const [lot, other] = [await wall.free(), await wall.free()];
  await letLock();
  const lock = async ({ id, compartment }: TestLocker, sensed: boolean) => {
    await wall.close(compartment, { lock: 'unlocked' });
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params: { id } })).lock).toBe('unlocked');
    wall.mode = sensed ? 'mute' : 'blind';
    const locking = admin.api('PUT /lockers/{id}/lock', { params: { id }, body: {} });
    const command = () => wall.commands.findLast((one) => one.compartment === compartment);
    await expect.poll(command).toMatchObject({ op: 'lock' });
    if (sensed) await wall.close(compartment, { lock: 'locked', cmdId: command()?.cmdId });
    return locking;
  };
  expect(await lock(lot, true)).toMatchObject({ lock: 'locked', lastCommand: { outcome: 'locked' } });
  expect(await lock(other, false)).toMatchObject({ lock: 'unlocked', lastCommand: { outcome: 'locked' } });
  for (const one of [lot, other]) await itsTime(one);
  expect(await story(lot)).toEqual([{ type: 'locker_locked', actor: 'Ada Admin', data: {} }]);
  expect(await story(other)).toEqual([{ type: 'locker_locked', actor: 'Ada Admin', data: SAID }]);
});

it('a door that would not lock is told as that, and not as one that would not open', async () => {
  const lot = await wall.free();
  await letLock();
  wall.mode = 'jam';
  const locking = admin.api('PUT /lockers/{id}/lock', { params: { id: lot.id }, body: {} });
  expect(await refusal(locking)).toEqual([409, 'door-refused']);
  const data = { op: 'lock', outcome: 'refused', code: 'jammed' };
  expect(await story(lot)).toEqual([{ type: 'locker_lock_refused', actor: 'Ada Admin', data }]);
  const words = await admin.api('GET /types/{kind}', { params: { kind: 'history' } });
  expect(words).toContainEqual({ value: 'locker_lock_refused', en: 'Door refused to lock', nb: 'Døren ble ikke låst' });
  const file = await admin.api('GET /exports/history', { query: { q: JSON.stringify({ lockerId: lot.id }), locale: 'en' } });
  expect(await file.text()).toContain('Door refused to lock');
});

it('a controller whose clock is half a minute behind tells of its door in the order in which it moved', async () => {
  const lot = await wall.free();
  wall.mode = 'mute';
  const opening = open(lot);
  await expect.poll(() => wall.commands.some(({ compartment }) => compartment === lot.compartment)).toBe(true);
  const cmdId = await asked(lot);
  const behind = () => ({ occupancy: 'unknown' as const, cmdId, ts: new Date(Date.now() - 30_000).toISOString() });
  await wall.say().state('open', behind(), lot.compartment);
  await opening;
  await wall.say().state('closed', behind(), lot.compartment);
  const read = () => admin.api('GET /lockers/{id}', { params: { id: lot.id } });
  await expect.poll(async () => (await read()).door).toBe('closed');
  const { lastCommand, doorSince } = await read();
  expect(Date.parse(doorSince ?? '')).toBeGreaterThan(Date.parse(lastCommand?.at ?? ''));
  expect((await story(lot)).map(({ type }) => type)).toEqual(['locker_opened', 'locker_closed']);
});

describe('a controller names the last command with all that its door does after', () => {
  const unexpected = (lot: TestLocker) => admin.api('GET /lockers/{id}', { params: { id: lot.id } }).then(({ contentWhy }) => contentWhy);
  const nobodys = { type: 'locker_opened', data: { unexpected: true } };

  // shows R4.25
  it('and forced after it was locked by staff is not opened by them', async () => {
    const lot = await wall.free();
    await letLock();
    await admin.api('PUT /lockers/{id}/lock', { params: { id: lot.id }, body: {} });
    await wall.say().state('open', { cmdId: await asked(lot), occupancy: 'unknown' }, lot.compartment);
    await expect.poll(() => unexpected(lot)).toBe('unexpected-opening');
    expect((await story(lot)).find(({ type }) => type === 'locker_opened')).toMatchObject(nobodys);
  });

  it('and back after a break says nothing new of what its history has told', async () => {
    const lot = await wall.free();
    wall.mode = 'blind';
    await open(lot);
    await itsTime(lot);
    const told = await story(lot);
    expect(told).toMatchObject([{ type: 'locker_opened', data: SAID }]);
    const { content } = await admin.api('GET /lockers/{id}', { params: { id: lot.id } });
    await wall.cut();
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params: { id: lot.id } })).connection).toBe('offline');
    await wall.plug();
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params: { id: lot.id } })).door).toBe('closed');
    expect(await admin.api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject({ content });
    expect((await story(lot)).filter(({ type }) => type === 'locker_opened')).toEqual(told);
  });

  it('and forced long after one that was given up is not opened by it', async () => {
    const lot = await wall.free();
    wall.mode = 'jam';
    expect(await refusal(open(lot))).toEqual([409, 'door-refused']);
    await query(server.database.ownerUrl, `update commands set issued_at = issued_at - interval '3 minutes' where id = $1`, [
      await asked(lot),
    ]);
    await wall.say().state('open', { cmdId: await asked(lot), occupancy: 'unknown' }, lot.compartment);
    await expect.poll(() => unexpected(lot)).toBe('unexpected-opening');
    expect((await story(lot)).find(({ type }) => type === 'locker_opened')).toMatchObject(nobodys);
  });
});
