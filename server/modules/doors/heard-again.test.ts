import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { query, testDatabase, type TestDatabase } from '../../db/test-database.ts';
import { startPlainBroker } from '../../devices/test-harness.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { newId } from '../../ids.ts';
import { hearFact } from '../cabinets/facts.ts';

// What a wire brings late, twice, or out of a broker's memory: one thing that happened is told once, and never as news.

let database: TestDatabase;
let broker: Awaited<ReturnType<typeof startPlainBroker>>;
let server: TestServer;
let tenantId: string;
let admin: TestPerson;
let wall: TestCabinet;
let nobody: TestServer['operator'];
beforeAll(async () => {
  database = await testDatabase();
  // Outside the server, so that it goes on remembering and carrying while no server listens.
  broker = await startPlainBroker();
  server = await testServer({ database, config: { mqttUrl: broker.url } });
  nobody = server.as(null);
  const company = await testCompany(server);
  tenantId = company.id;
  admin = await company.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 7);
});
beforeEach(() => {
  began = newId();
});
afterEach(() => {
  wall.mode = 'obey';
});
afterAll(async () => {
  wall?.end();
  await server.stop();
  await broker.close();
  await database.close();
});

/** What happened before a test has a smaller id. */
let began: string;
/** The `nth` door. Each that comes back tells of all of them, so that a test leaves its own shut and empty for the next, where it can. */
const door = (nth: number): TestLocker => {
  const lot = wall.lockers[nth];
  if (!lot) throw new Error('the wall is full');
  return lot;
};
/** The same server anew, at the same address: people's tokens stay good. */
const whileAway = async (act: () => Promise<unknown>): Promise<void> => {
  const { port, publicUrl } = server.deps.config;
  await server.stop();
  await act();
  server = await testServer({ database, config: { mqttUrl: broker.url, port, publicUrl } });
};
const read = ({ id }: TestLocker) => admin.api('GET /lockers/{id}', { params: { id } });
/** As it is written down: cheaper to ask again and again than a call. */
const rowOf = async ({ id }: TestLocker) =>
  (
    await query<{ door: string; connection: string }>(
      database.ownerUrl,
      `select case when l.device_session = c.session and c.connection = 'online' then l.door else 'unknown' end as door, c.connection
         from lockers l join cabinets c on c.id = l.cabinet_id where l.id = $1`,
      [id],
    )
  )[0];
const story = ({ id }: TestLocker) =>
  query<{ type: string; data: Record<string, unknown> }>(
    database.ownerUrl,
    'select type, data from events where locker_id = $1 and id > $2 order by id',
    [id, began],
  );
const types = async (lot: TestLocker) => (await story(lot)).map(({ type }) => type);
const connections = async () =>
  (
    await query<{ type: string }>(
      database.ownerUrl,
      `select type from events where cabinet_id = $1 and type in ('locker_online', 'locker_offline') order by id`,
      [wall.id],
    )
  ).map(({ type }) => type);
const open = (lot: TestLocker) =>
  admin.api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, reason: 'a look' } });
/** Everything that was said before this has been heard: facts of one controller come in their order. */
const heard = async () => {
  const fence = door(0);
  await open(fence);
  await wall.close(fence.compartment);
  await expect.poll(async () => (await rowOf(fence))?.door).toBe('closed');
};
const waiting = async (lot: TestLocker) => {
  const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id } });
  await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
  return made;
};

describe('a will that comes after its controller is back', () => {
  it('takes nothing offline, and the controller is asked to say how it is', async () => {
    const lot = door(1);
    const before = wall.say().session;
    await wall.cut();
    await expect.poll(async () => (await rowOf(lot))?.connection).toBe('offline');
    await wall.plug();
    await expect.poll(async () => (await rowOf(lot))?.door).toBe('closed');
    const told = await connections();
    expect(told.slice(-2)).toEqual(['locker_offline', 'locker_online']);

    await wall.say().lwt(false, { session: before, reason: 'lost' });
    await expect.poll(() => wall.commands.map(({ op }) => op)).toContain('status');
    await heard();
    expect(await read(lot)).toMatchObject({ connection: 'online', door: 'closed' });
    expect(await connections()).toEqual(told);
    expect(await query(database.ownerUrl, 'select from outages where cabinet_id = $1 and ended_at is null', [wall.id])).toEqual([]);
  });
});

describe('said twice', () => {
  it('a door’s state: it moved once, and an older word does not bring back what was', async () => {
    const lot = door(2);
    const opened = { cmdId: undefined as string | undefined, seq: 1000, occupancy: 'unknown' };
    opened.cmdId = (await open(lot)).lastCommand?.id;
    await wall.say().state('open', opened, lot.compartment);
    await wall.say().state('open', opened, lot.compartment);
    await wall.close(lot.compartment, { seq: 1001 });
    await wall.say().state('open', opened, lot.compartment);
    await heard();
    expect(await read(lot)).toMatchObject({ door: 'closed', content: 'empty', inDoubt: false });
    expect(await types(lot)).toEqual(['locker_opened', 'locker_closed']);
  });

  it('to two servers, one of them behind: what one has stored, the other does not undo', async () => {
    const lot = door(1);
    await open(lot);
    await wall.close(lot.compartment);
    await expect.poll(async () => (await rowOf(lot))?.door).toBe('closed');
    const [stored] = await query<{ session: string; seq: number; controller_id: string; cmd: string }>(
      database.ownerUrl,
      `select l.device_session as session, l.device_seq::int as seq, c.controller_id, l.last_command->>'id' as cmd
         from lockers l join cabinets c on c.id = l.cabinet_id where l.id = $1`,
      [lot.id],
    );
    if (!stored) throw new Error('no locker');
    const fact = { tenantId, controllerId: stored.controller_id, session: stored.session, at: new Date().toISOString(), retained: false };
    const state = { kind: 'door', compartment: lot.compartment, lock: 'locked', occupancy: 'unknown', cmdId: stored.cmd } as const;
    await hearFact(server.deps, { ...fact, ...state, door: 'opened', seq: stored.seq - 1 });
    await hearFact(server.deps, { ...fact, ...state, door: 'closed', seq: stored.seq });
    expect(await read(lot)).toMatchObject({ door: 'closed', content: 'empty', inDoubt: false });
    expect(await types(lot)).toEqual(['locker_opened', 'locker_closed']);
  });

  it('an alarm: what a person has looked at since is not put in doubt again', async () => {
    const lot = door(1);
    const alarm = { compartment: lot.compartment, seq: 2000 };
    await wall.say().state('open', { occupancy: 'unknown' }, lot.compartment);
    await wall.say().event('forced', alarm);
    await expect.poll(() => types(lot)).toContain('locker_unknown');
    await wall.close(lot.compartment);
    await expect.poll(async () => (await rowOf(lot))?.door).toBe('closed');
    await admin.api('PUT /lockers/{id}/content', { params: { id: lot.id }, body: { content: 'empty', note: 'looked' } });
    await wall.say().event('forced', alarm);
    await heard();
    expect(await read(lot)).toMatchObject({ content: 'empty', inDoubt: false });
    expect((await types(lot)).filter((type) => type === 'locker_unknown')).toHaveLength(1);
  });
});

describe('kept by a broker outside while the server was away', () => {
  it('a door that nobody asked to open, and an alarm: its content is not known, staff are told, and each alarm once, of its time', async () => {
    const [lot, quiet, shaken, silent] = [door(3), door(1), door(4), door(5)];
    // Of the session before, and so from before this one: an alarm bears its own time.
    const alarm = (at: TestLocker, ts: string) => wall.say().event('tamper', { compartment: at.compartment, session: 'before', ts });
    const alarms = async () =>
      (
        await query<{ door_tag: string; at: Date }>(
          database.ownerUrl,
          `select door_tag, at from events where type = 'locker_unknown' and data->>'alert' = 'tamper' order by id`,
        )
      ).map(({ door_tag: tag, at }) => [tag, new Date(at).toISOString()]);
    const [live, away] = [new Date(Date.now() - 5_000).toISOString(), new Date(Date.now() - 4_000).toISOString()];
    await alarm(shaken, live);
    await expect.poll(alarms).toEqual([[shaken.doorTag, live]]);
    await query(database.ownerUrl, 'update companies set settings = $2 where id = $1', [
      tenantId,
      { alerts: [{ event: 'unexpected-opening', channel: 'mail', to: 'watch@example.test' }] },
    ]);
    const made = await waiting(lot);
    await whileAway(async () => {
      await wall.say().state('open', { lock: 'unlocked', occupancy: 'unknown' }, lot.compartment);
      await alarm(silent, away);
    });
    await expect.poll(async () => (await rowOf(lot))?.door).toBe('opened');
    // What waited there is told with its time, and once.
    await expect.poll(alarms).toEqual([
      [shaken.doorTag, live],
      [silent.doorTag, away],
    ]);
    expect(await read(lot)).toMatchObject({ content: 'unknown', contentWhy: 'unexpected-opening', inDoubt: true });
    expect((await story(lot)).find(({ type }) => type === 'locker_opened')?.data).toMatchObject({ unexpected: true });
    // Nobody was let in: it still waits for its receiver, and somebody is to look.
    expect(await admin.api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({ stageName: 'FILLED' });
    const told = await query<{ kind: string }>(database.ownerUrl, 'select kind from messages where occupation_id = $1', [made.id]);
    expect(told.map(({ kind }) => kind)).toEqual(['staff-unexpected-opening']);
    // The others were only repeated.
    expect(await read(quiet)).toMatchObject({ door: 'closed', content: 'empty', inDoubt: false });
    expect(await types(quiet)).toEqual([]);
    expect(await connections()).toEqual(['locker_online', 'locker_offline', 'locker_online']);
  });
});

describe('a cabinet that is back', () => {
  const claimed = async (lot: TestLocker, { before }: { before: boolean }) => {
    const made = await waiting(lot);
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
    const claim = () => admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    if (before) await claim();
    await wall.cut();
    await expect.poll(async () => (await rowOf(lot))?.connection).toBe('offline');
    await wall.plug({ doors: false });
    await expect.poll(async () => (await rowOf(lot))?.connection).toBe('online');
    if (!before) await claim();
    await wall.close(lot.compartment);
    await expect.poll(async () => (await rowOf(lot))?.door).toBe('closed');
    return (await admin.api('GET /occupations/{id}', { params: { id: made.id } })).stageName;
  };

  it('a claim from before, whose door was never seen open, has failed; one that began since goes on', async () => {
    expect(await claimed(door(6), { before: true })).toBe('ACQUIRABLE');
    const lot = door(2);
    expect(await claimed(lot, { before: false })).toBe('CLAIMING');
    // Whole again for the next test, and heard to be.
    await wall.cut();
    await expect.poll(async () => (await rowOf(lot))?.connection).toBe('offline');
    await wall.plug();
    await expect.poll(async () => (await rowOf(lot))?.door).toBe('closed');
  });
});

describe('brought by a server that lags', () => {
  const row = async ({ id }: TestLocker) =>
    (
      await query(
        database.ownerUrl,
        `select c.connection, c.session, c.past_sessions, c.firmware, l.door, l.content, l.alert, l.device_session, l.version
           from lockers l join cabinets c on c.id = l.cabinet_id where l.id = $1`,
        [id],
      )
    )[0];
  const controller = async () => {
    const [found] = await query<{ controller_id: string }>(database.ownerUrl, 'select controller_id from cabinets where id = $1', [
      wall.id,
    ]);
    return { tenantId, controllerId: found?.controller_id ?? '', at: new Date().toISOString(), retained: false };
  };
  const birth = { kind: 'birth', fw: 'old', model: 'test', canLock: false, sensors: false, compartments: [] as [] } as const;
  const opened = { kind: 'door', door: 'opened', lock: 'unlocked', occupancy: 'unknown' } as const;
  const back = async (lot: TestLocker) => {
    const before = wall.say().session;
    await wall.cut();
    await expect.poll(async () => (await rowOf(lot))?.connection).toBe('offline');
    await wall.plug();
    await expect.poll(async () => (await rowOf(lot))?.door).toBe('closed');
    return before;
  };

  it('a session that is over does not come back: not by its birth, its greeting, its doors or its will', async () => {
    const lot = door(1);
    const session = await back(lot);
    const from = await controller();
    const stood = await row(lot);
    await hearFact(server.deps, { ...birth, ...from, session, after: [] });
    await hearFact(server.deps, { kind: 'connection', ...from, online: true, session, reason: null });
    await hearFact(server.deps, { ...opened, ...from, compartment: lot.compartment, session, seq: 9_999 });
    await hearFact(server.deps, { kind: 'connection', ...from, online: false, session, reason: 'lost' });
    expect(await row(lot)).toEqual(stood);
    expect(await types(lot)).toEqual([]);
  });

  it('what was said before the will does not bring a cabinet back online that has gone', async () => {
    const lot = door(1);
    const { session } = wall.say();
    await wall.cut();
    await expect.poll(async () => (await rowOf(lot))?.connection).toBe('offline');
    const from = await controller();
    const stood = await row(lot);
    await hearFact(server.deps, { kind: 'connection', ...from, online: true, session, reason: null });
    await hearFact(server.deps, { ...opened, ...from, compartment: lot.compartment, session, seq: 9_999 });
    expect(await row(lot)).toEqual(stood);
    await wall.plug();
    await expect.poll(async () => (await rowOf(lot))?.door).toBe('closed');
  });

  it('a session that nobody else had heard of is over as soon as the same server says the one after it', async () => {
    const lot = door(1);
    const from = await controller();
    const { session } = wall.say();
    await hearFact(server.deps, { ...birth, ...from, session: 'between', after: [] });
    expect(await read(lot)).toMatchObject({ door: 'unknown' });
    await hearFact(server.deps, { ...birth, ...from, fw: 'new', session, after: ['between'] });
    expect(await read(lot)).toMatchObject({ connection: 'online', door: 'closed' });
    expect(await row(lot)).toMatchObject({ session, firmware: 'new' });
    await hearFact(server.deps, { ...birth, ...from, session: 'between', after: [] });
    expect(await row(lot)).toMatchObject({ session, firmware: 'new' });
  });

  it('an alarm that somebody has looked into puts nothing in doubt again', async () => {
    const lot = door(1);
    const from = await controller();
    const forced = {
      kind: 'event',
      ...from,
      type: 'forced',
      compartment: lot.compartment,
      session: wall.say().session,
      seq: 3_000,
    } as const;
    await hearFact(server.deps, forced);
    expect(await read(lot)).toMatchObject({ content: 'unknown', inDoubt: true });
    await wall.say().state('open', { occupancy: 'unknown' }, lot.compartment);
    await wall.close(lot.compartment);
    await expect.poll(async () => (await row(lot))?.['alert']).toBe(null);
    await expect.poll(async () => (await rowOf(lot))?.door).toBe('closed');
    await admin.api('PUT /lockers/{id}/content', { params: { id: lot.id }, body: { content: 'empty', note: 'looked' } });
    await hearFact(server.deps, forced);
    expect(await read(lot)).toMatchObject({ content: 'empty', inDoubt: false });
  });
});

describe('unpaired, while a broker outside still lets the controller in', () => {
  const paired = async () => {
    const { code } = await admin.api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
    await nobody('POST /devices/pair', { body: { code, fw: '1', model: 'test' } });
  };
  const opens = () => wall.commands.filter(({ op }) => op === 'open').length;

  it('is away at once: nothing that it says is believed, no door of it is commanded, until it is paired anew', async () => {
    const lot = door(1);
    const { session } = wall.say();
    const before = opens();
    await admin.api('DELETE /cabinets/{id}/pair', { params: { id: wall.id } });
    expect(await read(lot)).toMatchObject({ connection: 'offline', door: 'unknown' });
    const from = { tenantId, controllerId: wall.id, at: new Date().toISOString(), retained: false };
    const birth = { kind: 'birth', fw: 'x', model: 'x', canLock: false, sensors: false, compartments: [] as [] } as const;
    const opened = {
      kind: 'door',
      compartment: lot.compartment,
      door: 'opened',
      lock: 'unlocked',
      occupancy: 'unknown',
      seq: 5_000,
    } as const;
    const says = async (as: string) => {
      await hearFact(server.deps, { ...birth, ...from, session: as, after: [session] });
      await hearFact(server.deps, { kind: 'connection', ...from, online: true, session: as, reason: null });
      await hearFact(server.deps, { ...opened, ...from, session: as });
      await hearFact(server.deps, { kind: 'event', ...from, type: 'forced', compartment: lot.compartment, session: as, seq: 5_001 });
    };
    await says(session);
    await says('its-next');
    expect(await read(lot)).toMatchObject({ connection: 'offline', door: 'unknown', content: 'empty', inDoubt: false });
    expect(await refusal(open(lot))).toEqual([503, 'cabinet-offline']);

    await paired();
    await hearFact(server.deps, { ...opened, ...from, session });
    expect(await read(lot)).toMatchObject({ connection: 'offline', door: 'unknown', content: 'empty' });
    await wall.cut();
    await wall.plug();
    await expect.poll(async () => (await rowOf(lot))?.door).toBe('closed');
    await open(lot);
    expect(opens()).toBe(before + 1);
  });

  it('is away as well when another controller is paired in its place', async () => {
    const lot = door(1);
    const { session } = wall.say();
    await paired();
    expect(await read(lot)).toMatchObject({ connection: 'offline', door: 'unknown' });
    const from = { tenantId, controllerId: wall.id, at: new Date().toISOString(), retained: false };
    await hearFact(server.deps, { kind: 'connection', ...from, online: true, session, reason: null });
    expect(await read(lot)).toMatchObject({ connection: 'offline' });
  });
});
