import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { lookNow, type ClockCommand } from './clock.ts';
import { likeTheFirst } from './test-copy.ts';
import { emptied } from './test-doors.ts';
import { sweep } from '../../jobs/sweep.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let ahead = 0;
/** A moment at which the clock stands, where a second more or less is what a test is about. */
let stopped: number | null = null;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer({ now: () => new Date((stopped ?? Date.now()) + ahead) });
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 4);
});
afterEach(async () => {
  ahead = 0;
  stopped = null;
  // what one says of a door
  await query(server.database.ownerUrl, 'delete from policies');
  await emptied(server, wall.lockers.slice(0, used));
  used = 0;
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const receiver = { name: 'Kari Nordmann', tlf: '91234567', email: 'kari@example.test' };
type Row = {
  stage: number;
  overdue: boolean;
  door_closed_at: string | null;
  receiver_name: string | null;
  reserved_until: string;
  pickup_by: string;
  ended_at: string;
};
const row = async (id: string) => (await query<Row>(server.database.ownerUrl, 'select * from occupations where id = $1', [id]))[0] as Row;
const stage = async (id: string) => (await row(id)).stage;
const look = (id: string, command: ClockCommand) => lookNow(server.deps, ours.id, id, command);
const events = (id: string) =>
  query<{ type: string; actor_name: string | null; actor_kind: string; data: object }>(
    server.database.ownerUrl,
    'select type, actor_name, actor_kind, data from events where occupation_id = $1 order by id',
    [id],
  );
const messages = (id: string) =>
  query<{ kind: string; to_masked: string }>(
    server.database.ownerUrl,
    'select kind, to_masked from messages where occupation_id = $1 order by id',
    [id],
  );

let used = 0;
/** Each test begins with a wall that nobody uses. */
const free = (): TestLocker => {
  const door = wall.lockers[used++];
  if (!door) throw new Error('the wall is full');
  return door;
};
const registered = likeTheFirst(
  () => server,
  async ({ id: lockerId, compartment }, more: object = {}) => {
    const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId, receiver, ...more } });
    return { ...made, compartment };
  },
);
const register = async (more?: object) => registered(free(), more);
const offered = likeTheFirst(
  () => server,
  async ({ id: lockerId, compartment }, more: object = {}) => {
    const made = await admin.api('POST /occupations/delivery', { body: { lockerId, receiver, fill: true, ...more } });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
    return { ...made, compartment };
  },
);
const ready = async (more?: object) => offered(free(), more);
type Made = Awaited<ReturnType<typeof register>>;
const open = (made: Made) =>
  admin.api('POST /lockers/{id}/open', { params: { id: made.lockerId }, body: { doorTag: made.doorTag, occupationId: made.id } });
const shut = async (made: Made) => {
  await wall.close(made.compartment);
  await expect.poll(async () => (await row(made.id)).door_closed_at).not.toBeNull();
};

describe('the door', () => {
  it('fills by itself five seconds after it was shut, in the name of who opened it', async () => {
    const made = await register();
    await open(made);
    expect(await stage(made.id)).toBe(1);
    stopped = Date.now();
    await shut(made);
    const { finishesAt } = await admin.api('GET /occupations/{id}', { params: { id: made.id } });
    const after = Date.parse(finishesAt ?? '') - stopped;
    expect(after).toBeGreaterThanOrEqual(5 * SECOND);
    ahead = after - 1;
    await look(made.id, 'fill');
    expect(await stage(made.id)).toBe(1);
    ahead = after;
    await look(made.id, 'fill');
    await look(made.id, 'fill');
    expect(await stage(made.id)).toBe(2);
    const filled = (await events(made.id)).filter((event) => event.type === 'occupation_filled');
    // She opened it; that it lies there is assumed, and no word of hers.
    expect(filled).toMatchObject([{ actor_name: 'Ada Admin', data: { assumed: true } }]);
  });

  it('does not fill what somebody said is empty', async () => {
    const made = await register();
    await open(made);
    await shut(made);
    await admin.api('POST /occupations/{id}/doubt', { params: { id: made.id }, body: { kind: 'nothing-inside' } });
    ahead = MINUTE;
    await look(made.id, 'fill');
    expect(await stage(made.id)).toBe(0);
  });

  it('puts back by itself what a sensor still senses after the grace: its receiver can fetch it again', async () => {
    const sensing = await testCabinet(server, admin.api, 1, ['M'], ['door', 'occupancy']);
    const [locker] = sensing.lockers;
    if (!locker) throw new Error('no locker');
    const registered = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: locker.id, receiver } });
    const made = { ...registered, compartment: locker.compartment };
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    await open(made);
    await sensing.close(locker.compartment, { occupancy: 'occupied' });
    await expect.poll(async () => (await row(made.id)).door_closed_at).not.toBeNull();
    ahead = 25 * SECOND;
    await look(made.id, 'finnish');
    expect(await stage(made.id)).toBe(6);
    ahead = 30 * SECOND;
    await look(made.id, 'finnish');
    expect(await stage(made.id)).toBe(3);
    const told = (await events(made.id)).filter(({ type }) => type === 'occupation_returned' || type === 'occupation_delivered');
    expect(told).toMatchObject([{ type: 'occupation_returned', actor_kind: 'system' }]);
    const at = () => admin.api('GET /lockers', { query: { q: { id: locker.id } } });
    expect(await at()).toMatchObject([{ content: 'occupied', contentWhy: 'sensor', inDoubt: false }]);

    // Later somebody takes it out with a crowbar.
    await sensing.force(locker.compartment);
    await sensing.close(locker.compartment, { occupancy: 'empty' });
    await expect.poll(at).toMatchObject([{ door: 'closed', content: 'empty', contentWhy: 'sensor', inDoubt: true }]);
    expect(await admin.api('GET /lockers', { query: { q: { inDoubt: true, id: locker.id } } })).toHaveLength(1);
    sensing.end();
  });

  it('ends a claim by itself when the grace is over, and not before', async () => {
    const made = await ready();
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    await open(made);
    await shut(made);
    ahead = 25 * SECOND;
    await look(made.id, 'finnish');
    expect(await stage(made.id)).toBe(6);
    ahead = 30 * SECOND;
    await look(made.id, 'finnish');
    expect(await stage(made.id)).toBe(98);
    expect((await events(made.id)).at(-1)).toMatchObject({ type: 'occupation_delivered', actor_kind: 'system', data: { assumed: true } });
  });

  it('that never opened lets the claim go after its seconds', async () => {
    const made = await ready();
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    ahead = 100 * SECOND;
    await look(made.id, 'claim-failed');
    expect(await stage(made.id)).toBe(6);
    ahead = 121 * SECOND;
    await look(made.id, 'claim-failed');
    expect(await stage(made.id)).toBe(3);
  });

  it('is looked at by the queue without anybody asking', async () => {
    const made = await ready();
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    await open(made);
    await shut(made);
    // The clock is past the grace: the job is due as soon as it was enqueued for a time that has come.
    ahead = 40 * SECOND;
    await server.deps.db.tenant(ours.id, (tx) =>
      server.deps.jobs.enqueue(tx, { name: 'look-again', tenantId: ours.id, occupationId: made.id, command: 'finnish' }),
    );
    await expect.poll(() => stage(made.id)).toBe(98);
  });
});

describe('whose look was lost with its job', () => {
  const lose = (id: string) =>
    query(server.database.ownerUrl, `delete from jobs.job where name = 'look-again' and data->>'occupationId' = $1`, [id]);
  const claimed = async () => {
    const made = await ready();
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    return made;
  };

  it('is looked at by the sweep: what was shut is filled or taken, what never opened is let go, what staff confirm waits', async () => {
    // Nothing is settled by its own job before that is lost, however long this takes.
    const [filled, taken, never, confirmed] = await server.paced({ fillSeconds: 3600, claimGraceSeconds: 3600 }, async () => {
      const made = [await register(), await claimed(), await claimed(), await claimed()] as const;
      const [put, took, , last] = made;
      await admin.api('POST /policies', {
        body: { name: 'Confirmed', ref: 'confirmed', lockerIds: [last.lockerId], staffConfirmsClaim: true },
      });
      for (const one of [put, took, last]) {
        await open(one);
        await shut(one);
      }
      const clockOf = async ({ id }: { id: string }) => (await admin.api('GET /occupations/{id}', { params: { id } })).finishesAt;
      const runs = expect.any(String);
      expect(await Promise.all(made.map(clockOf))).toEqual([runs, runs, null, null]);
      for (const { id } of made) await lose(id);
      return made;
    });
    const stages = () => Promise.all([filled, taken, never, confirmed].map(({ id }) => stage(id)));
    ahead = 9 * MINUTE;
    await sweep(server.deps, ours.id);
    expect(await stages()).toEqual([1, 6, 6, 6]);
    ahead = 11 * MINUTE;
    await sweep(server.deps, ours.id);
    expect(await stages()).toEqual([2, 98, 3, 6]);
    ahead = 0;
    expect((await admin.api('GET /occupations/{id}', { params: { id: confirmed.id } })).awaitsWord).toBe(true);
  });

  it('is looked at anew after ten minutes, and not each minute, where looking did not help', async () => {
    const confirmed = await claimed();
    const { _id, version } = await admin.api('POST /policies', {
      body: { name: 'Waits', ref: 'waits', lockerIds: [confirmed.lockerId], staffConfirmsClaim: true },
    });
    await open(confirmed);
    await shut(confirmed);
    await lose(confirmed.id);
    ahead = 11 * MINUTE;
    await sweep(server.deps, ours.id);
    ahead = 0;
    await admin.api('PUT /policies/{_id}', {
      params: { _id },
      body: { name: 'Waits', ref: 'waits', lockerIds: [confirmed.lockerId], staffConfirmsClaim: false, version },
    });
    ahead = 12 * MINUTE;
    await sweep(server.deps, ours.id);
    expect(await stage(confirmed.id)).toBe(6);
    ahead = 22 * MINUTE;
    await sweep(server.deps, ours.id);
    expect(await stage(confirmed.id)).toBe(98);
  });
});

describe('deadlines', () => {
  it('end a reservation, but stand still while its cabinet was away', async () => {
    const made = await register();
    const until = Date.parse((await row(made.id)).reserved_until) - Date.now();
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const outage = newId();
    await query(
      server.database.ownerUrl,
      'insert into outages (tenant_id, id, cabinet_id, started_at, ended_at) values ($1, $2, $3, $4, null)',
      [ours.id, outage, wall.id, at(5 * MINUTE)],
    );
    ahead = until + HOUR;
    await sweep(server.deps, ours.id);
    expect(await stage(made.id)).toBe(0);
    await query(server.database.ownerUrl, 'update outages set ended_at = $2 where id = $1', [outage, at(15 * MINUTE)]);
    ahead = until + 9 * MINUTE;
    await sweep(server.deps, ours.id);
    expect(await stage(made.id)).toBe(0);
    ahead = until + 11 * MINUTE;
    await sweep(server.deps, ours.id);
    expect(await stage(made.id)).toBe(98);
    ahead = 0;
    expect((await admin.api('GET /lockers/{id}', { params: { id: made.lockerId } })).content).toBe('empty');
    await query(server.database.ownerUrl, 'delete from outages where id = $1', [outage]);
  });

  it('end a reservation by a look at that very moment, which the sweep asks for shortly before it', async () => {
    const made = await register();
    const sweepBefore = async (ms: number) => {
      ahead = Date.parse((await row(made.id)).reserved_until) - ms - Date.now();
      await sweep(server.deps, ours.id);
      const looks = await query<{ atEnd: boolean }>(
        server.database.ownerUrl,
        `select j.start_after = o.reserved_until as "atEnd" from jobs.job j join occupations o on o.id::text = j.data->>'occupationId'
         where j.name = 'look-again' and o.id = $1`,
        [made.id],
      );
      return looks.map(({ atEnd }) => atEnd);
    };
    expect(await sweepBefore(3 * MINUTE)).toEqual([]);
    expect(await sweepBefore(MINUTE + 30 * SECOND)).toEqual([true]);
    expect(await sweepBefore(30 * SECOND)).toEqual([true]);
    expect(await stage(made.id)).toBe(0);
  });

  it('never end what was begun to be filled: it is late, and stays', async () => {
    const made = await register();
    await open(made);
    ahead = DAY;
    await sweep(server.deps, ours.id);
    expect(await row(made.id)).toMatchObject({ stage: 1, overdue: true });
  });

  it('passed at the pick-up mark it late and remind once, of what was brought for staff nobody; extended it is not late any more', async () => {
    const made = await ready();
    // Whoever brought it has nothing to fetch.
    const brought = await Promise.all((['drop-off', 'recall'] as const).map((type) => register({ type, assetText: 'Drill' })));
    for (const { id } of brought) await admin.api('PUT /occupations', { body: { id, action: 'fill' } });
    ahead = 73 * HOUR;
    await sweep(server.deps, ours.id);
    await sweep(server.deps, ours.id);
    for (const { id } of [made, ...brought]) expect(await row(id)).toMatchObject({ stage: 3, overdue: true });
    const reminded = async (id: string) => (await messages(id)).filter((message) => message.kind === 'reminder');
    expect(await reminded(made.id)).toHaveLength(1);
    for (const { id } of brought) expect(await reminded(id)).toEqual([]);
    ahead = 0;
    const { version } = await admin.api('GET /occupations/{id}', { params: { id: made.id } });
    const later = new Date(Date.now() + 30 * DAY).toISOString();
    const changed = await admin.api('PUT /occupations/{id}', { params: { id: made.id }, body: { version, pickupBy: later } });
    expect(changed.overdue).toBe(false);
    ahead = 29 * DAY + HOUR;
    await sweep(server.deps, ours.id);
    expect(await reminded(made.id)).toHaveLength(2);
  });

  it('passed at what nobody knows to be there mark it late and send nobody for it, before somebody has looked', async () => {
    const made = await ready();
    const reminders = async () => (await messages(made.id)).filter((message) => message.kind === 'reminder');
    const look = (content: 'empty' | 'occupied') =>
      admin.api('PUT /lockers/{id}/content', { params: { id: made.lockerId }, body: { content } });
    await look('empty');
    ahead = 73 * HOUR;
    await sweep(server.deps, ours.id);
    expect(await row(made.id)).toMatchObject({ stage: 3, overdue: true });
    expect(await reminders()).toEqual([]);
    ahead = 0;
    await look('occupied');
    ahead = 73 * HOUR;
    await sweep(server.deps, ours.id);
    expect(await reminders()).toHaveLength(1);
  });

  it('so near that a reminder’s time had come before its clock began remind nobody of what they were told a moment ago', async () => {
    await admin.api('POST /policies', {
      body: { name: 'A day', ref: 'a-day', services: ['delivery'], pickupHours: 24, reminders: [-24, -2] },
    });
    const made = await ready({ policyRef: 'a-day' });
    const reminders = async () => (await messages(made.id)).filter((message) => message.kind === 'reminder');
    ahead = MINUTE;
    await sweep(server.deps, ours.id);
    expect(await reminders()).toEqual([]);
    ahead = 23 * HOUR;
    await sweep(server.deps, ours.id);
    expect(await reminders()).toHaveLength(1);
  });

  it('of a loan that is extended begin anew: nobody is reminded of a date that they were given a moment ago', async () => {
    const made = await register({ type: 'lending', assetText: 'Drill', receiver: { name: 'Lise Lånt', tlf: '+4791234568' } });
    for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id: made.id, action } });
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    const lent = await admin.api('PUT /occupations', { body: { id: made.id, action: 'finnish' } });
    const out = `update loans set out_at = out_at - interval '6 days', reminded_hours = -24 where occupation_id = $1`;
    await query(server.database.ownerUrl, out, [made.id]);
    const dueAt = new Date(Date.now() + 20 * HOUR).toISOString();
    await admin.api('PUT /occupations/{id}', { params: { id: made.id }, body: { version: lent.version, dueAt } });
    const reminders = async () => (await messages(made.id)).filter((message) => message.kind === 'reminder');
    await sweep(server.deps, ours.id);
    expect(await reminders()).toEqual([]);
    ahead = 20 * HOUR + MINUTE;
    await sweep(server.deps, ours.id);
    expect(await reminders()).toHaveLength(1);
  });

  it('are reminded of as the policy says it now, however its list was changed: none twice, and none left out', async () => {
    const rules = { name: 'Parcels', ref: 'parcels-r', services: ['recall' as const] };
    const policy = await admin.api('POST /policies', { body: { ...rules, reminders: [-24, 0] } });
    const made = await ready({ policyRef: policy.ref });
    const causes = async () => {
      const told = `select distinct cause from messages where occupation_id = $1 and kind = 'reminder'`;
      return (await query<{ cause: string }>(server.database.ownerUrl, told, [made.id])).map(({ cause }) => cause.split(':').at(-1));
    };
    const listIs = async (reminders: number[]) => {
      const { version } = await admin.api('GET /policies/{id}', { params: { id: policy._id } });
      await admin.api('PUT /policies/{_id}', { params: { _id: policy._id }, body: { ...rules, reminders, version } });
    };
    const at = async (hours: number) => {
      ahead = hours * HOUR;
      await sweep(server.deps, ours.id);
      ahead = 0;
      return causes();
    };
    expect(await at(49)).toEqual(['-24h']);
    await listIs([-48, -24, 0]);
    expect(await at(50)).toEqual(['-24h']);
    await listIs([0, 24]);
    expect(await at(73)).toEqual(expect.arrayContaining(['-24h', '0h']));
    await listIs([24, 0]);
    expect(await at(74)).toHaveLength(2);
    await listIs([-24, -12, 24]);
    expect(await at(75)).toHaveLength(2);
    expect(await at(97)).toEqual(expect.arrayContaining(['-24h', '0h', '24h']));
  });

  it('passed while the company is suspended mark it late and remind nobody; once it is taken back, the reminder goes', async () => {
    const made = await ready();
    const reminders = async () => (await messages(made.id)).filter((message) => message.kind === 'reminder');
    const suspend = (suspended: boolean) =>
      server.operator('PUT /operator/companies/{id}', { params: { id: ours.id }, body: { suspended } });
    await suspend(true);
    ahead = 73 * HOUR;
    await sweep(server.deps, ours.id);
    expect(await row(made.id)).toMatchObject({ stage: 3, overdue: true });
    expect(await reminders()).toEqual([]);
    await suspend(false);
    await sweep(server.deps, ours.id);
    expect(await reminders()).toHaveLength(1);
  });

  it('of a pairing code passed: the cabinet waits for no controller any more', async () => {
    const site = await admin.api('POST /sites', { body: { name: 'Annex' } });
    const doors = [{ doorTag: 'ANNEX-1', compartment: 1, size: 'M' as const, height: 300 }];
    const made = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Annex', columns: [{ width: 400, doors }] } });
    const pairing = async () => (await admin.api('GET /cabinets/{id}', { params: { id: made.id } })).pairing;
    const { code } = await admin.api('POST /cabinets/{id}/pair', { params: { id: made.id } });
    for (const [minutes, state] of [
      [9, 'waiting'],
      [11, 'unpaired'],
    ] as const) {
      ahead = minutes * MINUTE;
      await sweep(server.deps, ours.id);
      ahead = 0;
      expect(await pairing()).toBe(state);
    }
    expect(await refusal(server.as(null)('POST /devices/pair', { body: { code, fw: '1', model: 'x' } }))).toEqual([410, 'gone']);
  });

  it('of a whole day passed at once: each turn takes so many and asks for the next, until none is left', async () => {
    const many = await testCompany(server);
    const theirs = await many.person(['admin']);
    const { id: siteId } = await theirs.api('POST /sites', { body: { name: 'Theirs' } });
    const drawn = [1, 2, 3, 4, 5].map((compartment) => ({ doorTag: `MANY-${compartment}`, compartment, size: 'M' as const, height: 300 }));
    const { columns } = await theirs.api('POST /cabinets', { body: { siteId, name: 'Theirs', columns: [{ width: 400, doors: drawn }] } });
    const made = await Promise.all(
      columns.flatMap(({ doors }) =>
        doors.map(({ lockerId }) => theirs.api('POST /occupations/delivery', { body: { lockerId, receiver, fill: true } })),
      ),
    );
    const ids = made.map(({ id }) => id);
    const state = async () => {
      const rows = await query<{ stage: number; overdue: boolean }>(
        server.database.ownerUrl,
        'select stage, overdue from occupations where id = any($1)',
        [ids],
      );
      return { late: rows.filter(({ overdue }) => overdue).length, archived: rows.filter(({ stage }) => stage === 99).length };
    };
    const reminders = async () =>
      (await query(server.database.ownerUrl, `select id from messages where occupation_id = any($1) and kind = 'reminder'`, [ids])).length;
    await theirs.api('POST /occupations/bulk', { body: { ids, action: 'publish' } });
    // a clock of these turns' own: whatever the server sweeps by itself meanwhile finds nothing
    const turns = async (ms: number) => {
      const deps = { ...server.deps, now: () => new Date(Date.now() + ms) };
      const taken: unknown[] = [];
      for (let times = 0; times < 3; times++) taken.push([await sweep(deps, many.id, 2), await state(), await reminders()]);
      return taken;
    };
    expect(await turns(73 * HOUR)).toEqual([
      [true, { late: 2, archived: 0 }, 2],
      [true, { late: 4, archived: 0 }, 4],
      [false, { late: 5, archived: 0 }, 5],
    ]);
    const asked = `select id from jobs.job where name = 'sweep' and data->>'tenantId' = $1`;
    expect((await query(server.database.ownerUrl, asked, [many.id])).length).toBeGreaterThan(0);
    for (const id of ids) await theirs.api('DELETE /occupations/{id}', { params: { id }, body: { reason: 'sent back' } });
    expect(await turns(91 * DAY)).toMatchObject([
      [true, { archived: 2 }, 5],
      [true, { archived: 4 }, 5],
      [false, { archived: 5 }, 5],
    ]);
  });
});
