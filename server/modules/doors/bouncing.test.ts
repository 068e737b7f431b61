import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { PACE } from '../../pace.ts';
import { lookNow } from '../occupations/clock.ts';
import { emptied } from '../occupations/test-doors.ts';
import { BROKEN_AFTER } from './incident.ts';

/** A contact says many times that a door opened, and nobody was there; or while somebody is. */

let ahead = 0;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let plain: TestCabinet;
let sensing: TestCabinet;
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + ahead), pace: { bounceMs: PACE.bounceMs } });
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  const params = { tenant: ours.id };
  const { version } = await admin.api('GET /companies/{tenant}', { params });
  const alerts = [{ event: 'all', channel: 'mail', to: 'boss@example.test' } as const];
  await admin.api('PUT /companies/{tenant}', { params, body: { version, settings: { alerts } } });
  plain = await testCabinet(server, admin.api, 1);
  sensing = await testCabinet(server, admin.api, 1, ['M'], ['door', 'occupancy']);
});
beforeEach(() => {
  began = newId();
});
afterEach(() => emptied(server, [...plain.lockers, ...sensing.lockers]));
afterAll(async () => {
  plain?.end();
  sensing?.end();
  await server.stop();
});

/** What happened before a test has a smaller id. */
let began: string;
/** The one door of a wall, which nobody uses as a test begins. */
const doorOf = ({ lockers: [door] }: TestCabinet): TestLocker => {
  if (!door) throw new Error('no door');
  return door;
};
const alerts = () => query(server.database.ownerUrl, `select from messages where tenant_id = $1 and kind like 'staff-%'`, [ours.id]);
const rows = async ({ id }: TestLocker) =>
  (
    await query<{ type: string }>(server.database.ownerUrl, 'select type from events where locker_id = $1 and id > $2 order by id', [
      id,
      began,
    ])
  ).map(({ type }) => type);
const mark = async ({ id }: TestLocker) =>
  (await query<{ alert: string | null }>(server.database.ownerUrl, 'select alert from lockers where id = $1', [id]))[0]?.alert;

type Bounce = { times: number; each?: number; rest?: number; forced?: boolean; occupancy?: 'empty' | 'unknown' };
/** Opens and shuts so many times, each for `each` ms, as its controller's clock says; shut at the end. */
const bounce = async (wall: TestCabinet, { id, compartment }: TestLocker, how: Bounce) => {
  const { times, each = 150, rest = each, forced = false, occupancy = 'unknown' } = how;
  const start = Date.now() + ahead - times * (each + rest);
  const say = wall.say();
  const ts = (ms: number) => new Date(start + ms).toISOString();
  // How the last word is known from those before it.
  const read = async () =>
    (
      await query<{ lock: 'locked' | 'unlocked' }>(server.database.ownerUrl, 'select lock_state as lock from lockers where id = $1', [id])
    )[0]?.lock;
  const lock = await read();
  const last = lock === 'locked' ? 'unlocked' : 'locked';
  for (let turn = 0; turn < times; turn++) {
    const at = turn * (each + rest);
    await say.state('open', { occupancy: 'unknown', lock, ts: ts(at) }, compartment);
    if (forced) await say.event('forced', { compartment, ts: ts(at) });
    await say.state('closed', { occupancy, lock, ts: ts(at + each) }, compartment);
  }
  await say.state('closed', { occupancy, lock: last, ts: ts(times * (each + rest)) }, compartment);
  await expect.poll(read).toBe(last);
};

describe('a contact that bounces with nobody there', () => {
  const table: [string, Bounce & { sensors?: boolean }, boolean][] = [
    ['once', { times: 1 }, false],
    ['three times, forced by its controller’s word', { times: 3, forced: true }, false],
    ['once less than a broken one', { times: BROKEN_AFTER - 1 }, false],
    ['as often as a broken one', { times: BROKEN_AFTER }, true],
    ['more often, forced each time, and shut for longer', { times: BROKEN_AFTER + 2, each: 100, rest: 1_800, forced: true }, true],
    ['three times before a sensor that senses nothing', { times: 3, occupancy: 'empty', sensors: true }, false],
    ['more often before a sensor that senses nothing', { times: BROKEN_AFTER + 2, each: 300, occupancy: 'empty', sensors: true }, true],
  ];
  it.each(table)('%s, is one incident with one alert', async (_name, { sensors = false, ...how }, broken) => {
    const wall = sensors ? sensing : plain;
    const lot = doorOf(wall);
    const before = (await alerts()).length;
    await bounce(wall, lot, how);
    expect((await alerts()).length - before).toBe(1);
    const told = await rows(lot);
    expect(told.length).toBeLessThanOrEqual(5);
    expect(told.filter((type) => type === 'locker_opened')).toHaveLength(1);
    expect((await mark(lot)) === 'contact').toBe(broken);
  });

  it('and again after somebody has looked, is another; its mark goes once it opens without', async () => {
    const lot = doorOf(plain);
    const before = (await alerts()).length;
    const rests = () =>
      query(server.database.ownerUrl, `update lockers set door_at = door_at - interval '10 seconds' where id = $1`, [lot.id]);
    await bounce(plain, lot, { times: BROKEN_AFTER });
    await rests();
    await bounce(plain, lot, { times: 2 });
    expect((await alerts()).length - before).toBe(1);
    expect(await mark(lot)).toBe('contact');
    await admin.api('PUT /lockers/{id}/content', { params: { id: lot.id }, body: { content: 'empty' } });
    await rests();
    await bounce(plain, lot, { times: 1 });
    expect((await alerts()).length - before).toBe(2);
    expect(await mark(lot)).toBeNull();
    await rests();
    await bounce(plain, lot, { times: 1 });
    expect(await mark(lot)).toBeNull();
  });
});

describe('a contact that bounces under somebody’s hands', () => {
  it('fills once, and is taken once, without an alert', async () => {
    const lot = doorOf(plain);
    const before = (await alerts()).length;
    const { id } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id } });
    const use = () => admin.api('GET /occupations/{id}', { params: { id } });
    const open = () => admin.api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, occupationId: id } });
    const rattle = async () => {
      const heard = async () =>
        Number(
          (await query<{ seq: string }>(server.database.ownerUrl, 'select device_seq as seq from lockers where id = $1', [lot.id]))[0]?.seq,
        );
      const before = await heard();
      for (let turn = 0; turn < 3; turn++) {
        await plain.close(lot.compartment);
        await plain.say().state('open', { occupancy: 'unknown' }, lot.compartment);
      }
      await expect.poll(heard).toBe(before + 7);
    };
    const settles = async (command: 'fill' | 'finnish') => {
      const late = ahead + 60_000;
      ahead = late;
      // It stands open: nothing has come of it yet.
      expect(await lookNow(server.deps, ours.id, id, command)).toBe(false);
      await plain.close(lot.compartment);
      await expect.poll(() => use().then(({ finishesAt }) => finishesAt)).not.toBeNull();
      ahead = late + 60_000;
      expect(await lookNow(server.deps, ours.id, id, command)).toBe(true);
      ahead = late;
    };
    await open();
    await rattle();
    await settles('fill');
    await admin.api('PUT /occupations', { body: { id, action: 'publish' } });
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
    await open();
    await rattle();
    await settles('finnish');
    expect(await use()).toMatchObject({ stageName: 'TERMINATED' });
    expect((await alerts()).length).toBe(before);
    const told = await rows(lot);
    expect(told.filter((type) => type === 'locker_opened')).toHaveLength(2);
    expect(told.filter((type) => type === 'occupation_filled')).toHaveLength(1);
    expect(told.filter((type) => type === 'occupation_claimed')).toHaveLength(1);
    expect(told.filter((type) => type === 'locker_unknown')).toEqual([]);
  });
});
