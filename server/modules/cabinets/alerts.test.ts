import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallInput } from '@hatchway/contract/client.ts';
import type { Alert } from '@hatchway/contract/people.ts';
import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { handlers } from '../../jobs/handlers.ts';
import { sweep } from '../../jobs/sweep.ts';

const MINUTE = 60_000;
let ahead = 0;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + ahead) });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
});
/** Another wall, of whose doors nothing was told yet. Of those before it nobody is told any more: they have no controller, and are out of service. */
const build = (doors: number) => async () => {
  wall?.end();
  const retire = (sql: string) => query(server.database.ownerUrl, sql, [ours.id]);
  await retire('update cabinets set credential_hash = null where tenant_id = $1');
  await retire(`update lockers set out_of_service = '{"since": "2026-01-01T00:00:00.000Z", "reason": "Gone"}' where tenant_id = $1`);
  wall = await testCabinet(server, admin.api, doors);
};
/** What was told before this test. */
let before: readonly string[] = [];
beforeEach(async () => {
  before = [];
  before = (await sent()).map(({ id }) => id);
});
afterEach(() => {
  ahead = 0;
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const tell = async (alerts: Alert[], more: Record<string, unknown> = {}) => {
  const params = { tenant: ours.id };
  const { version } = await admin.api('GET /companies/{tenant}', { params });
  const settings = { offlineMinutes: 5, doorOpenMinutes: 10, quietHours: null, alerts, ...more };
  await admin.api('PUT /companies/{tenant}', { params, body: { version, settings } });
};
const mail = (event: Alert['event'], to = 'boss@example.test'): Alert => ({ event, channel: 'mail', to });
const sms = (event: Alert['event'], to = '+4791234567'): Alert => ({ event, channel: 'sms', to });
type Sent = {
  id: string;
  kind: string;
  channel: string;
  state: string;
  error: string | null;
  to_masked: string;
  body_sealed: Buffer | null;
};
const sent = () =>
  query<Sent>(
    server.database.ownerUrl,
    `select id, kind, channel, state, error, to_masked, body_sealed from messages
      where tenant_id = $1 and kind like 'staff-%' and id <> all($2) order by id`,
    [ours.id, before],
  );
const kinds = async () => (await sent()).map((row) => `${row.kind} ${row.channel}`);
const textOf = (row: Sent | undefined) =>
  (JSON.parse(server.deps.seal.open(row?.body_sealed ?? Buffer.alloc(0)) ?? '{}') as { text?: string }).text ?? '';
const minutesLater = async (minutes: number) => {
  ahead = minutes * MINUTE;
  await sweep(server.deps, ours.id);
};
const locker = (at: number) => {
  const one = wall.lockers[at];
  if (!one) throw new Error(`no locker ${at}`);
  return one;
};
const door = (at: number) => admin.api('GET /lockers/{id}', { params: { id: locker(at).id } }).then((row) => row.door);
const open = async (at: number) => {
  const { id, doorTag } = locker(at);
  await admin.api('POST /lockers/{id}/open', { params: { id }, body: { doorTag } });
};

describe('the clock of a cabinet', () => {
  beforeAll(build(1));
  const told = () => admin.api('GET /cabinets/{id}', { params: { id: wall.id } }).then((row) => row.clockBehind);

  it('is told by the minutes that it is behind, until it is set right', async () => {
    // What staff are told of it, by the minutes. A wall that was born anew more often would be two that take turns.
    const cases = [
      [1, 0],
      [2, 2],
      [-2, -2],
      [60 * 24 * 40, 60 * 24 * 40],
    ] as const;
    const stored = () => query<{ session: string }>(server.database.ownerUrl, 'select session from cabinets where id = $1', [wall.id]);
    for (const [behind, minutes] of cases) {
      const ts = () => new Date(Date.now() - behind * MINUTE).toISOString();
      const session = `s${behind}`;
      await wall.say().birth({ session, ts: ts(), compartments: [{ no: 1, sensors: ['door'] }] });
      await wall.say().lwt(true, { session, ts: ts() });
      await expect.poll(async () => (await stored())[0]?.session).toBe(session);
      await expect.poll(async () => [behind, await told()]).toEqual([behind, minutes]);
    }
    await wall.say().birth({ session: 'right', compartments: [{ no: 1, sensors: ['door'] }] });
    await expect.poll(told).toBe(0);
  });
});

describe('two controllers with the credential of one cabinet', () => {
  beforeAll(build(1));
  it('are told of once, in those words, and read on its page; no door of it is commanded', async () => {
    await tell([mail('cabinet-offline'), sms('all')], { offlineMinutes: 5 });
    const cabinet = () => admin.api('GET /cabinets/{id}', { params: { id: wall.id } });
    expect(await cabinet()).toMatchObject({ connection: 'online', twoControllers: false });
    // Nobody unplugs the one that was there: each login puts it out.
    for (let login = 0; login < 6; login += 1) await wall.plug({ doors: false });
    await expect.poll(cabinet).toMatchObject({ connection: 'offline', twoControllers: true });
    wall.commands.length = 0;
    const { id, doorTag } = locker(0);
    const opened = admin.api('POST /lockers/{id}/open', { params: { id }, body: { doorTag } });
    await expect(opened).rejects.toMatchObject({ problem: { code: 'cabinet-offline' } });
    expect(wall.commands.filter(({ op }) => op === 'open')).toEqual([]);
    await wall.plug({ doors: false });
    await minutesLater(10);
    expect((await kinds()).toSorted()).toEqual(['staff-two-controllers mail', 'staff-two-controllers sms']);
    expect(textOf((await sent())[0])).toContain('To styreenheter');
  });
});

describe('a cabinet that stays away', () => {
  beforeEach(build(1));
  const gone = async () => {
    await wall.cut();
    const offline = () => admin.api('GET /cabinets/{id}', { params: { id: wall.id } }).then((row) => row.connection);
    await expect.poll(offline).toBe('offline');
  };

  it('is told of once, to each who wants to hear it, after the minutes that the company bears, though two processes look at once', async () => {
    await tell([mail('cabinet-offline'), sms('cabinet-offline'), mail('refill', 'other@example.test')], { offlineMinutes: 5 });
    await gone();
    await minutesLater(4);
    expect(await kinds()).toEqual([]);
    ahead = 6 * MINUTE;
    await Promise.all([sweep(server.deps, ours.id), sweep(server.deps, ours.id), sweep(server.deps, ours.id)]);
    await minutesLater(600);
    expect((await kinds()).toSorted()).toEqual(['staff-cabinet-offline mail', 'staff-cabinet-offline sms']);
    const [row] = await sent();
    expect(textOf(row)).toContain(String(wall.number));
    // The job was done: there is no provider in this test, and that is what it says.
    await expect.poll(async () => (await sent()).map((one) => one.state)).toEqual(['failed', 'failed']);
  });

  it('is told to whoever is named later, not again to who was named before or twice, and again when it goes another time', async () => {
    await tell([mail('cabinet-offline', 'first@example.test'), mail('all', 'first@example.test')], { offlineMinutes: 5 });
    await gone();
    await minutesLater(6);
    ahead = 0;
    await tell([mail('cabinet-offline', 'later@example.test'), mail('cabinet-offline', 'first@example.test')], { offlineMinutes: 5 });
    await minutesLater(7);
    const told = async () => (await sent()).map((row) => `${row.kind} ${row.to_masked}`);
    const outage = ['staff-cabinet-offline f…@example.test', 'staff-cabinet-offline l…@example.test'];
    expect(await told()).toEqual(outage);
    await expect.poll(async () => (await sent()).map(({ state }) => state)).toEqual(['failed', 'failed']);
    ahead = 0;
    await wall.plug();
    await expect.poll(() => door(0)).toBe('closed');
    await gone();
    await minutesLater(6);
    const over = ['staff-cabinet-back f…@example.test', 'staff-cabinet-back l…@example.test'];
    expect((await told()).toSorted()).toEqual([...outage, ...over, ...outage].toSorted());
  });
});

describe('several cabinets that stay away', () => {
  beforeEach(build(1));
  const plugged: TestCabinet[] = [];
  afterEach(() => {
    for (const one of plugged.splice(0)) one.end();
  });
  // No token lasts as long as these outages.
  const isAway = async (one: TestCabinet) =>
    (await query<{ connection: string }>(server.database.ownerUrl, 'select connection from cabinets where id = $1', [one.id]))[0]
      ?.connection;
  const cut = async (...those: TestCabinet[]) => {
    for (const one of those) {
      await one.cut();
      await expect.poll(() => isAway(one)).toBe('offline');
    }
  };
  const plug = async (...those: TestCabinet[]) => {
    for (const one of those) {
      await one.plug();
      await expect.poll(() => isAway(one)).toBe('online');
    }
  };
  /** At one site, with `wall`. */
  const beside = async (count: number) => {
    const site = `(select site_id from cabinets where id = $1)`;
    for (let at = 0; at < count; at++) {
      const one = await testCabinet(server, admin.api, 1);
      plugged.push(one);
      await query(server.database.ownerUrl, `update cabinets set site_id = ${site} where id = $2`, [wall.id, one.id]);
    }
    return plugged;
  };
  const wentOut = async () => await expect.poll(async () => (await sent()).every(({ state }) => state !== 'queued')).toBe(true);
  const elsewhere = async () => {
    const one = await testCabinet(server, admin.api, 1);
    plugged.push(one);
    return one;
  };

  it('are one message a site and address, and one when it is over', async () => {
    const [second, third] = await beside(2);
    const far = await elsewhere();
    if (!second || !third) throw new Error('two cabinets');
    await tell([mail('cabinet-offline'), mail('all', 'other@example.test')], { offlineMinutes: 5 });
    await cut(wall, second, far);
    await minutesLater(6);
    // What falls away while the others are is the same outage, and what is back before them does not end it.
    await cut(third);
    await minutesLater(13);
    expect(await kinds()).toEqual(Array.from({ length: 4 }, () => 'staff-cabinet-offline mail'));
    await wentOut();
    const texts = (await sent()).map(textOf);
    const here = texts.filter((text) => text.includes(String(wall.number)));
    expect(here).toHaveLength(2);
    for (const text of here) expect(text).toContain(String(second.number));
    expect(texts.filter((text) => text.includes(String(far.number)))).toHaveLength(2);
    await plug(wall, second);
    await minutesLater(14);
    expect(await kinds()).toHaveLength(4);
    await plug(third);
    await minutesLater(15);
    await minutesLater(16);
    const over = (await sent()).slice(4);
    expect(over.map(({ kind }) => kind)).toEqual(['staff-cabinet-back', 'staff-cabinet-back']);
    for (const one of over) for (const { number } of [wall, second, third]) expect(textOf(one)).toContain(String(number));
    expect(textOf(over[0])).not.toContain(String(far.number));
    await plug(far);
    await minutesLater(17);
    expect(await kinds()).toHaveLength(8);
  });

  it('are told again where one falls away long after, and nobody hears of an end whose beginning they were not told', async () => {
    const [second] = await beside(1);
    if (!second) throw new Error('a cabinet');
    await tell([mail('cabinet-offline')], { offlineMinutes: 5 });
    await cut(wall);
    await minutesLater(6);
    ahead = 50 * MINUTE;
    await cut(second);
    await minutesLater(56);
    expect(await kinds()).toHaveLength(2);
    await wentOut();
    ahead = 0;
    await tell([mail('cabinet-offline'), mail('cabinet-offline', 'later@example.test')], { offlineMinutes: 5 });
    ahead = 57 * MINUTE;
    await plug(wall, second);
    await minutesLater(58);
    expect((await sent()).map(({ kind, to_masked: to }) => `${kind} ${to}`)).toEqual([
      'staff-cabinet-offline b…@example.test',
      'staff-cabinet-offline b…@example.test',
      'staff-cabinet-back b…@example.test',
      'staff-cabinet-back b…@example.test',
    ]);
  });

  it('and are back before the night is over are told neither, and are back also by a clock that was set back', async () => {
    await tell([mail('cabinet-offline')], { offlineMinutes: 5, quietHours: { from: '00:00', to: '23:59' } });
    await cut(wall);
    await minutesLater(6);
    await plug(wall);
    await minutesLater(7);
    const [row] = await sent();
    await query(server.database.ownerUrl, 'update messages set not_before = null where id = $1', [row?.id]);
    await handlers.message(server.deps, { name: 'message', tenantId: ours.id, messageId: row?.id ?? '' });
    expect((await sent()).map(({ error }) => error)).toEqual([NOT_NEEDED]);
    // Also where our own clock was set back meanwhile.
    ahead = 60 * MINUTE;
    await cut(wall);
    ahead = 0;
    await plug(wall);
    const [outage] = await query<{ started_at: Date; ended_at: Date }>(
      server.database.ownerUrl,
      'select started_at, ended_at from outages where cabinet_id = $1 order by started_at desc limit 1',
      [wall.id],
    );
    expect(outage?.ended_at).toEqual(outage?.started_at);
  });
});

describe('an alarm of the housing', () => {
  beforeAll(build(2));
  const told = async () =>
    (await admin.api('GET /history', { query: { q: JSON.stringify({ type: 'locker_alarm' }), sort: 'at' } })).map((event) => [
      event.lockerId,
      event.actor.kind,
      event.data,
    ]);
  it('is written down at the cabinet, each time, and staff are told once an hour; of its doors it says nothing', async () => {
    await tell([mail('unexpected-opening')]);
    const { name } = await admin.api('GET /cabinets/{id}', { params: { id: wall.id } });
    const housing = { compartment: undefined };
    const hour = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
    // Said in the session before: what waited in the controller counts with its own time.
    const at = (minutes: number) => ({ session: 'before', ts: new Date(hour - minutes * MINUTE).toISOString() });
    await wall.say().event('jam', { ...housing, ...at(200) });
    await wall.say().event('tamper', { ...housing, ...at(130) });
    await wall.say().event('tamper', { ...housing, ...at(125) });
    await wall.say().event('forced', { compartment: 77, ...at(123) });
    await expect.poll(told).toEqual([
      [null, 'device', { cabinet: name, alert: 'tamper' }],
      [null, 'device', { cabinet: name, alert: 'tamper' }],
      [null, 'device', { cabinet: name, alert: 'forced', compartment: 77 }],
    ]);
    expect(await kinds()).toEqual(['staff-unexpected-opening mail', 'staff-unexpected-opening mail']);
    expect(textOf((await sent())[0])).toContain(`${name}, ${wall.number}`);
    await wall.say().event('tamper', { ...housing, ...at(65) });
    await expect.poll(kinds).toHaveLength(3);
    for (const { id } of wall.lockers)
      expect(await admin.api('GET /lockers/{id}', { params: { id } })).toMatchObject({ content: 'empty', inDoubt: false });
  });
});

describe('a door that stands open', () => {
  beforeAll(build(4));
  it('is told of once it has stood so for the minutes of the company, and again after it was shut', async () => {
    await tell([sms('door-left-open')], { doorOpenMinutes: 3 });
    await open(1);
    await minutesLater(2);
    expect(await kinds()).toEqual([]);
    await minutesLater(4);
    await minutesLater(5);
    expect(await kinds()).toEqual(['staff-door-left-open sms']);
    expect(textOf((await sent())[0])).toContain(locker(1).doorTag);
    // Whoever is named now hears of what is open still, and nobody twice.
    ahead = 0;
    await tell([sms('door-left-open'), mail('door-left-open')], { doorOpenMinutes: 3 });
    await minutesLater(6);
    expect(await kinds()).toEqual(['staff-door-left-open sms', 'staff-door-left-open mail']);
    ahead = 0;
    await wall.close(2);
    await expect.poll(() => door(1)).toBe('closed');
    await open(1);
    await minutesLater(4);
    expect(await kinds()).toHaveLength(4);
  });

  it('is told of after the company’s minutes, also where the controller reports it sooner by its own', async () => {
    await tell([mail('all')], { doorOpenMinutes: 10 });
    await open(2);
    await wall.say().event('left_open', { compartment: 3 });
    const seen = () => admin.api('GET /lockers/{id}', { params: { id: locker(2).id } });
    await expect.poll(seen).toMatchObject({ door: 'opened', content: 'unknown', contentWhy: 'left-open' });
    await minutesLater(9);
    expect(await kinds()).toEqual([]);
    await minutesLater(11);
    expect(await kinds()).toEqual(['staff-door-left-open mail']);
    await minutesLater(60);
    expect(await kinds()).toHaveLength(1);
  });

  it('is no news while its cabinet cannot be heard, or while it is out of service', async () => {
    await tell([sms('door-left-open')]);
    await open(0);
    await open(3);
    await admin.api('PUT /lockers/{id}/service', { params: { id: locker(3).id }, body: { outOfService: true, reason: 'Painting' } });
    await wall.cut();
    await expect.poll(() => door(0)).toBe('unknown');
    await minutesLater(60);
    expect(await kinds()).toEqual([]);
  });
});

describe('more doors at once than one look takes', () => {
  beforeAll(build(1));
  it('are all told of, the next with the next look, and each once', async () => {
    const doors = 104;
    await tell([mail('door-left-open')], { doorOpenMinutes: 3 });
    const { ownerUrl } = server.database;
    await query(
      ownerUrl,
      `insert into lockers (tenant_id, id, cabinet_id, compartment, door_tag, size, created_at, updated_at)
       select $1, gen_random_uuid(), $2, 100 + n, 'Many-' || n, 'M', now(), now() from generate_series(1, $3::int) n`,
      [ours.id, wall.id, doors - wall.lockers.length],
    );
    await query(
      ownerUrl,
      `update lockers l set door = 'opened', door_at = $2, device_session = c.session from cabinets c where c.id = l.cabinet_id and c.id = $1`,
      [wall.id, new Date().toISOString()],
    );
    await minutesLater(4);
    const first = (await kinds()).length;
    await minutesLater(5);
    await minutesLater(6);
    expect([first < doors, (await kinds()).length]).toEqual([true, doors]);
  });
});

describe('other news', () => {
  beforeAll(build(6));
  it('of a door that was torn open is told once, with or without a use behind it', async () => {
    await tell([mail('unexpected-opening')]);
    await wall.force(1);
    await expect.poll(kinds).toEqual(['staff-unexpected-opening mail']);
    const made = await admin.api('POST /occupations', {
      body: { type: 'delivery', lockerId: locker(1).id, receiver: { name: 'Kari', tlf: '91234567' } },
    });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
    await wall.force(2);
    await expect.poll(() => admin.api('GET /lockers/{id}', { params: { id: locker(1).id } }).then((row) => row.content)).toBe('unknown');
    await expect.poll(kinds).toHaveLength(2);
    await minutesLater(1);
    expect(await kinds()).toHaveLength(2);
    // Somebody has looked: the next one is another incident, and told too.
    await wall.close(2);
    await expect.poll(() => door(1)).toBe('closed');
    await admin.api('PUT /lockers/{id}/content', { params: { id: locker(1).id }, body: { content: 'occupied' } });
    await wall.force(2);
    await expect.poll(kinds).toHaveLength(3);
  });

  it('of a door whose alarm is heard before the door: it is one incident, and stands until the door is shut', async () => {
    await tell([mail('unexpected-opening')]);
    const stands = async () =>
      (await query<{ alert: string | null }>(server.database.ownerUrl, 'select alert from lockers where id = $1', [locker(2).id]))[0]
        ?.alert;
    const alarms = async () =>
      (await admin.api('GET /history', { query: { q: JSON.stringify({ lockerId: locker(2).id, type: 'locker_unknown' }) } })).length;
    await wall.say().event('forced', { compartment: 3 });
    await wall.say().state('open', { occupancy: 'unknown' }, 3);
    await expect.poll(() => door(2)).toBe('opened');
    expect(await stands()).toBe('forced');
    await wall.say().event('forced', { compartment: 3 });
    await wall.say().state('closed', { occupancy: 'unknown' }, 3);
    await expect.poll(() => door(2)).toBe('closed');
    expect([await stands(), await alarms(), await kinds()]).toEqual([null, 1, ['staff-unexpected-opening mail']]);
  });

  it('of a drop-off that has come', async () => {
    await tell([mail('dropped-off')]);
    const { id } = await admin.api('POST /occupations', {
      body: { type: 'drop-off', lockerId: locker(3).id, receiver: { name: 'Kari', tlf: '91234567' } },
    });
    await admin.api('PUT /occupations', { body: { id, action: 'fill' } });
    expect(await kinds()).toEqual(['staff-dropped-off mail']);
  });
});

describe('stock that runs low', () => {
  // At the wall of the other news, whose doors they leave.
  const take = async (id: string, quantity: number) => {
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id, quantity } });
    await admin.api('PUT /occupations', { body: { id, action: 'finnish' } });
  };
  const gloves = async (at: number, refillLevel = 2) => {
    const { id } = await admin.api('POST /occupations', {
      body: { type: 'consumable', lockerId: locker(at).id, assetText: 'Gloves', quantity: 5, refillLevel },
    });
    for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
    return id;
  };

  it('is told of at its refill level, to who is named for it and to nobody else, and once until it was refilled', async () => {
    await tell([mail('refill', 'store@example.test'), sms('all'), mail('dropped-off', 'other@example.test')]);
    const id = await gloves(4);
    await take(id, 2);
    expect(await kinds()).toEqual([]);
    await take(id, 1);
    expect((await sent()).map((row) => `${row.kind} ${row.channel} ${row.to_masked}`).toSorted()).toEqual([
      'staff-refill mail s…@example.test',
      expect.stringMatching(/^staff-refill sms /),
    ]);
    await take(id, 1);
    expect(await kinds()).toHaveLength(2);
    await admin.api('PUT /occupations', { body: { id, action: 'fill', quantity: 4 } });
    await take(id, 3);
    expect(await kinds()).toHaveLength(4);
  });

  it('is told of as soon as no more is put in than its refill level', async () => {
    await tell([mail('refill', 'store@example.test')]);
    const id = await gloves(5, 9);
    expect(await kinds()).toEqual(['staff-refill mail']);
    await take(id, 1);
    expect(await kinds()).toHaveLength(1);
  });
});

describe('quiet hours', () => {
  // Each of these has doors of its own at one wall.
  beforeAll(build(8));
  /** All day but the minute before now, on the company's clock. */
  const quiet = () => {
    const at = (shift: number) => new Date(Date.now() + shift * MINUTE).toISOString().slice(11, 16);
    return { from: at(-2), to: at(-5) };
  };
  const zone = async () => {
    const params = { tenant: ours.id };
    const { version } = await admin.api('GET /companies/{tenant}', { params });
    await admin.api('PUT /companies/{tenant}', { params, body: { version, timeZone: 'UTC' } });
  };
  const due = async (id: string) =>
    (
      await query<{ start_after: string }>(
        server.database.ownerUrl,
        `select start_after from jobs.job where name = 'message' and data->>'messageId' = $1`,
        [id],
      )
    )[0]?.start_after;

  it('hold an alert back until they are over, and drop it where all has come right by then', async () => {
    await zone();
    await tell([sms('door-left-open')], { quietHours: quiet(), doorOpenMinutes: 1 });
    await open(0);
    await open(1);
    await minutesLater(2);
    ahead = 0;
    const [first, second] = await sent();
    expect([first?.state, second?.state]).toEqual(['queued', 'queued']);
    const at = Date.parse((await due(first?.id ?? '')) ?? '');
    expect(at - Date.now()).toBeGreaterThan(20 * 60 * MINUTE);
    // And it says so to whoever looks at it.
    const [shown] = await admin.api('GET /messages', { query: { q: { id: first?.id ?? '' } } });
    expect(Date.parse(shown?.notBefore ?? '')).toBe(at);
    await wall.close(1);
    await expect.poll(() => door(0)).toBe('closed');
    // Morning: what the job does then.
    for (const row of [first, second])
      await handlers.message(server.deps, { name: 'message', tenantId: ours.id, messageId: row?.id ?? '' });
    const fates = (await sent()).map((row) => row.error ?? '');
    expect(fates.toSorted()).toEqual(['SMS is not set up', 'no longer needed']);
    await wall.close(2);
    await expect.poll(() => door(1)).toBe('closed');
  });

  it('call nobody to a door of which nobody knows in the morning, or that is out of service, and tell of it once it is heard', async () => {
    await zone();
    await tell([sms('door-left-open')], { quietHours: quiet(), doorOpenMinutes: 1 });
    await open(2);
    await open(3);
    await minutesLater(2);
    ahead = 0;
    const [first, second] = await sent();
    const morning = async () => {
      for (const row of [first, second])
        await handlers.message(server.deps, { name: 'message', tenantId: ours.id, messageId: row?.id ?? '' });
      return (await sent()).map(({ error }) => error);
    };
    await admin.api('PUT /lockers/{id}/service', { params: { id: locker(3).id }, body: { outOfService: true, reason: 'Painting' } });
    await wall.cut();
    await expect.poll(() => door(2)).toBe('unknown');
    expect(await morning()).toEqual([NOT_NEEDED, NOT_NEEDED]);
    await minutesLater(3);
    expect(await morning()).toEqual([NOT_NEEDED, NOT_NEEDED]);

    ahead = 0;
    await wall.plug({ doors: false });
    for (const compartment of [3, 4]) await wall.say().state('open', { occupancy: 'unknown' }, compartment);
    await expect.poll(() => door(2)).toBe('opened');
    await minutesLater(4);
    ahead = 0;
    const tagOf = (row: Sent) => wall.lockers.find(({ doorTag }) => textOf(row).includes(doorTag))?.doorTag;
    const stateOf = async (at: number) => (await sent()).filter((row) => tagOf(row) === locker(at).doorTag).map(({ state }) => state);
    expect([await stateOf(2), await stateOf(3)]).toEqual([['queued'], ['failed']]);
    expect(await morning()).toContain('SMS is not set up');
    await minutesLater(5);
    const errors = async (at: number) => (await sent()).filter((row) => tagOf(row) === locker(at).doorTag).map(({ error }) => error);
    expect([await errors(2), await errors(3)]).toEqual([['SMS is not set up'], [NOT_NEEDED]]);
  });

  it('call nobody in the morning to what was refilled, fetched or looked over in the night', async () => {
    await zone();
    await tell([sms('refill'), sms('dropped-off'), sms('brought-back'), sms('inspect')], { quietHours: quiet() });
    const { ref } = await admin.api('POST /policies', {
      body: { name: 'Tools', ref: `tools-${ours.id}`, services: ['lending'], inspectReturns: true },
    });
    const act = (id: string, action: 'fill' | 'publish' | 'finnish' | 'return', quantity?: number) =>
      admin.api('PUT /occupations', { body: { id, action, ...(quantity === undefined ? {} : { quantity }) } });
    const fill = async (at: number, body: Omit<NonNullable<CallInput<'POST /occupations'>['body']>, 'lockerId'>) => {
      const { id } = await admin.api('POST /occupations', { body: { ...body, lockerId: locker(at).id } });
      await act(id, 'fill');
      return id;
    };
    const takeOut = async (id: string) => {
      await admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
      await act(id, 'finnish');
    };
    const receiver = { name: 'Ola', tlf: '91234567' };
    const gloves = await fill(4, { type: 'consumable', assetText: 'Gloves', quantity: 2, refillLevel: 1 });
    const masks = await fill(5, { type: 'consumable', assetText: 'Masks', quantity: 2, refillLevel: 1 });
    const drill = await fill(6, { type: 'lending', assetText: 'Drill', receiver, policyRef: ref });
    const keys = await fill(7, { type: 'drop-off', assetText: 'Keys', receiver });
    for (const id of [gloves, masks, drill]) {
      await act(id, 'publish');
      await takeOut(id);
    }
    await act(drill, 'return');
    expect(await kinds()).toHaveLength(4);
    await act(gloves, 'fill', 5);
    await takeOut(keys);
    await act(drill, 'publish');
    for (const { id } of await sent()) await handlers.message(server.deps, { name: 'message', tenantId: ours.id, messageId: id });
    expect((await sent()).map(({ kind, error }) => `${kind}: ${error}`).toSorted()).toEqual([
      'staff-dropped-off: no longer needed',
      'staff-inspect: no longer needed',
      'staff-refill: SMS is not set up',
      'staff-refill: no longer needed',
    ]);
  });
});
