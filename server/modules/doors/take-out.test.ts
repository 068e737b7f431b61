import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stageName, type Stage } from '@hatchway/domain/terms.ts';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, UNANSWERED, type TestServer, FILLS } from '../../test-server.ts';
import { doubtTakeOut } from './take-out-commands.ts';
import { settleCommand } from '../lockers/door-commands.ts';
import { CHANGES, type OutboxMessage } from '../../events/outbox.ts';
import { newId } from '../../ids.ts';
import { likeTheFirst } from '../occupations/test-copy.ts';
import { emptied } from '../occupations/test-doors.ts';

let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
/** No sensor looks behind its doors. */
let plain: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  admin = await company.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 2, ['M'], ['door', 'occupancy']);
  plain = await testCabinet(server, admin.api, 4);
});
beforeEach(() => {
  began = newId();
});
afterEach(async () => {
  for (const cabinet of [wall, plain]) {
    cabinet.mode = 'obey';
    cabinet.commands.length = 0;
    await emptied(server, cabinet.lockers.slice(0, used.get(cabinet) ?? 0));
  }
  used.clear();
});
afterAll(async () => {
  wall?.end();
  plain?.end();
  await server.stop();
});

/** What happened before a test has a smaller id. */
let began: string;
const used = new Map<TestCabinet, number>();
/** Each test begins with walls that nobody uses. */
const next = (cabinet: TestCabinet): TestLocker => {
  const at = used.get(cabinet) ?? 0;
  used.set(cabinet, at + 1);
  const lot = cabinet.lockers[at];
  if (!lot) throw new Error('the wall is full');
  return lot;
};
type Row = { door: string; content: string; content_why: string | null; asked: string | null };
const rowOf = async (id: string): Promise<Row | undefined> =>
  (
    await query<Row>(
      server.database.ownerUrl,
      `select case when l.device_session = c.session and c.connection = 'online' then l.door else 'unknown' end as door,
         l.content, l.content_why, l.last_command->>'id' as asked
       from lockers l join cabinets c on c.id = l.cabinet_id where l.id = $1`,
      [id],
    )
  )[0];
const connectionOf = async ({ id }: TestCabinet) =>
  (await query<{ connection: string }>(server.database.ownerUrl, 'select connection from cabinets where id = $1', [id]))[0]?.connection;

const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
const reserved = async () => {
  const lot = next(wall);
  const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id, receiver } });
  return { ...made, compartment: lot.compartment };
};
type Made = Awaited<ReturnType<typeof reserved>>;
const like = likeTheFirst(
  () => server,
  async (lot) => {
    const made = await admin.api('POST /occupations/delivery', { body: { lockerId: lot.id, receiver, fill: true } });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
    return { ...made, compartment: lot.compartment };
  },
);
const offered = (given?: TestLocker) => like(given ?? next(wall));
const locker = (made: Made) => admin.api('GET /lockers/{id}', { params: { id: made.lockerId } });
const stage = async ({ id }: { id: string }) => {
  const [row] = await query<{ stage: Stage }>(server.database.ownerUrl, 'select stage from occupations where id = $1', [id]);
  return row && stageName(row.stage);
};
const story = async (made: Made) =>
  (
    await query<{ type: string }>(server.database.ownerUrl, 'select type from events where locker_id = $1 and id > $2 order by id', [
      made.lockerId,
      began,
    ])
  ).map((row) => row.type);
const takeOut = (made: Made, how: 'keep' | 'end' = 'keep', more: object = {}, person = admin) =>
  person.api('POST /lockers/{id}/open', {
    params: { id: made.lockerId },
    body: { doorTag: made.doorTag, occupationId: made.id, takeOut: how, ...more },
  });
const told = (made: Made) =>
  query<{ kind: string }>(server.database.ownerUrl, `select kind from messages where occupation_id = $1 and kind = 'taken-out'`, [made.id]);
const shutEmpty = (made: Made) => wall.close(made.compartment, { occupancy: 'empty' });
/** Whether it is being taken out, and whether its use ends with that. */
const under = async (made: Made) => (await admin.api('GET /occupations/{id}', { params: { id: made.id } })).takingOut;
/** Nobody is taking it out any more. */
const over = async (made: Made) =>
  await expect
    .poll(() =>
      query(server.database.ownerUrl, 'select from commands where occupation_id = $1 and takes_out and take_out_over_at is null', [
        made.id,
      ]),
    )
    .toEqual([]);
const unchanged = async (made: Made) => {
  expect(await stage(made)).toBe('ACQUIRABLE');
  expect(await story(made)).not.toContain('occupation_extract');
  expect(await told(made)).toEqual([]);
};

it('staff take it out: written down, and told to its receiver, once the door that opened for it has closed on nothing', async () => {
  const made = await offered();
  expect(await takeOut(made, 'keep', { reason: 'sent back' })).toMatchObject({ door: 'opened', content: 'occupied', inDoubt: false });
  await unchanged(made);
  expect(await under(made)).toBe('keep');
  await shutEmpty(made);
  await expect.poll(() => stage(made)).toBe('VACANT');
  expect(await under(made)).toBe(null);
  expect(await locker(made)).toMatchObject({ content: 'empty', contentWhy: 'taken-out', inDoubt: false });
  expect((await story(made)).slice(-3)).toEqual(['locker_opened', 'locker_closed', 'occupation_extract']);
  expect(await told(made)).toHaveLength(1);
  const [event] = await admin.api('GET /history', { query: { q: { occupationId: made.id, type: 'occupation_extract' } } });
  expect(event).toMatchObject({ actor: { name: 'Ada Admin' }, data: { reason: 'sent back' } });

  const ended = await offered();
  await takeOut(ended, 'end');
  expect(await under(ended)).toBe('end');
  expect(await stage(ended)).toBe('ACQUIRABLE');
  await shutEmpty(ended);
  await expect.poll(() => stage(ended)).toBe('TERMINATED');
  expect(await locker(ended)).toMatchObject({ occupationId: null, content: 'empty', inDoubt: false });
  expect(await told(ended)).toHaveLength(1);
});

it('while it is being taken out nobody is let in, and two who take it out take it once', async () => {
  const made = await offered();
  await takeOut(made);
  expect(await refusal(admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } }))).toEqual([409, 'in-use']);
  await takeOut(made, 'end');
  await shutEmpty(made);
  await expect.poll(() => stage(made)).toBe('TERMINATED');
  expect((await story(made)).filter((type) => type === 'occupation_extract')).toHaveLength(1);
  expect(await told(made)).toHaveLength(1);
});

it('what staff say while the door stands open counts, and its closing adds nothing', async () => {
  const made = await offered();
  await takeOut(made);
  await admin.api('POST /occupations/{id}/doubt', { params: { id: made.id }, body: { kind: 'stays-inside' } });
  expect(await under(made)).toBe(null);
  await wall.close(made.compartment);
  await expect.poll(async () => (await rowOf(made.lockerId))?.door).toBe('closed');
  await unchanged(made);
  expect(await locker(made)).toMatchObject({ content: 'occupied', inDoubt: false });
  const again = admin.api('POST /occupations/{id}/doubt', { params: { id: made.id }, body: { kind: 'stays-inside' } });
  expect(await refusal(again)).toEqual([409, 'occupation-transition']);
  const other = await offered();
  await takeOut(other);
  for (const action of ['extract', 'fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id: other.id, action } });
  await wall.close(other.compartment);
  await expect.poll(async () => (await rowOf(other.lockerId))?.door).toBe('closed');
  expect(await stage(other)).toBe('ACQUIRABLE');
  expect(await locker(other)).toMatchObject({ content: 'occupied', inDoubt: false });
});

it('a sensor that senses it inside still, once the door is shut, outweighs what it was opened for', async () => {
  const made = await offered();
  await takeOut(made);
  await wall.close(made.compartment, { occupancy: 'occupied' });
  await over(made);
  await unchanged(made);
  expect(await locker(made)).toMatchObject({ content: 'occupied', inDoubt: false });
});

it('left open meanwhile, nobody says who was there: it is to be checked', async () => {
  const made = await offered();
  await takeOut(made);
  await wall.say().event('left_open', { compartment: made.compartment });
  await expect.poll(async () => (await rowOf(made.lockerId))?.content).toBe('unknown');
  await wall.close(made.compartment);
  await over(made);
  await unchanged(made);
  expect(await locker(made)).toMatchObject({ content: 'unknown', inDoubt: true });
});

it('its cabinet fell silent while the door stood open: nobody claims that it was taken, nor that it lies there', async () => {
  const made = await offered();
  await takeOut(made);
  await wall.cut();
  await wall.plug();
  await over(made);
  await unchanged(made);
  expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'aborted', inDoubt: true });
  expect(await story(made)).toContain('locker_unknown');
});

it('a sensor that sensed nothing before either has seen nobody take it: staff are asked', async () => {
  const made = await offered();
  await shutEmpty(made);
  await expect.poll(async () => (await rowOf(made.lockerId))?.content).toBe('empty');
  await admin.api('PUT /lockers/{id}/content', { params: { id: made.lockerId }, body: { content: 'occupied' } });
  await takeOut(made);
  await shutEmpty(made);
  await expect.poll(async () => (await rowOf(made.lockerId))?.door).toBe('closed');
  await unchanged(made);
  expect(await under(made)).toBe('keep');
  await admin.api('PUT /occupations', { body: { id: made.id, action: 'extract' } });
  expect(await stage(made)).toBe('VACANT');
});

/** What the job behind its command does. */
const itsTime = async (made: Made) => doubtTakeOut(server.deps, company.id, (await rowOf(made.lockerId))?.asked ?? '');

const askedEarlier = (made: Made) =>
  query(server.database.ownerUrl, `update commands set issued_at = issued_at - interval '2 minutes' where occupation_id = $1`, [made.id]);
const movedEarlier = (made: Made) =>
  query(server.database.ownerUrl, `update lockers set door_at = door_at - interval '2 minutes' where id = $1`, [made.lockerId]);

describe('no sensor looks behind the door', () => {
  /** Closed again, and nothing more: that proves nothing of what lies there. */
  const shut = async (how: 'keep' | 'end') => {
    const made = await offered(next(plain));
    await takeOut(made, how);
    await plain.close(made.compartment);
    await expect.poll(async () => (await rowOf(made.lockerId))?.door).toBe('closed');
    return made;
  };

  it('whoever closed it says that they took it out, and only then it is written down and told', async () => {
    const kept = await shut('keep');
    await itsTime(kept);
    await unchanged(kept);
    expect(await under(kept)).toBe('keep');
    expect(await locker(kept)).toMatchObject({ occupationId: kept.id, content: 'occupied', inDoubt: false });
    expect(await refusal(admin.api('PUT /occupations/assign', { body: { action: 'claim', id: kept.id } }))).toEqual([409, 'in-use']);
    await admin.api('PUT /occupations', { body: { id: kept.id, action: 'extract' } });
    expect(await stage(kept)).toBe('VACANT');
    const ended = await shut('end');
    await admin.api('POST /occupations/{id}/retrieve', { params: { id: ended.id }, body: {} });
    expect(await stage(ended)).toBe('TERMINATED');
    for (const made of [kept, ended]) {
      expect(await told(made)).toHaveLength(1);
      expect(await under(made)).toBe(null);
      expect(await locker(made)).toMatchObject({ content: 'empty', inDoubt: false });
    }
  });

  it('or that it stays inside, and its receiver can fetch it', async () => {
    const made = await shut('end');
    await admin.api('POST /occupations/{id}/doubt', { params: { id: made.id }, body: { kind: 'stays-inside' } });
    expect(await under(made)).toBe(null);
    await unchanged(made);
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    expect(await stage(made)).toBe('CLAIMING');
  });

  it('and where nobody says it in the two minutes after, what lies inside is to be checked', async () => {
    const made = await shut('end');
    await askedEarlier(made);
    // It stood open for long: the time to say what came of it begins when it is shut.
    await itsTime(made);
    expect(await under(made)).toBe('end');
    await movedEarlier(made);
    await itsTime(made);
    expect(await under(made)).toBe(null);
    await unchanged(made);
    expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'aborted', inDoubt: true });
    expect((await story(made)).filter((type) => type === 'locker_unknown')).toHaveLength(1);
  });

  it('somebody was let in as it opened: its closing ends the taking out, and the claim goes on', async () => {
    const made = await offered(next(plain));
    plain.mode = 'mute';
    const asked = plain.commands.length;
    const opening = takeOut(made);
    await expect.poll(() => plain.commands.length).toBe(asked + 1);
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    const { cmdId } = plain.commands.at(-1) ?? {};
    await plain.say().state('open', { cmdId, occupancy: 'unknown' }, made.compartment);
    await opening;
    plain.mode = 'obey';
    await plain.close(made.compartment);
    await over(made);
    expect(await stage(made)).toBe('CLAIMING');
    expect(await locker(made)).toMatchObject({ content: 'occupied' });
  });
});

describe('no sensor saw the door move', () => {
  const unseen = async () => {
    const made = await offered();
    wall.mode = 'blind';
    await takeOut(made, 'end', { reason: 'sent back' });
    wall.mode = 'obey';
    await unchanged(made);
    expect(await under(made)).toBe('end');
    return made;
  };

  it('and where nobody says it, what lies inside is to be checked after two minutes', async () => {
    const made = await unseen();
    await itsTime(made);
    expect(await under(made)).toBe('end');
    await askedEarlier(made);
    await movedEarlier(made);
    await itsTime(made);
    await itsTime(made);
    expect(await under(made)).toBe(null);
    await unchanged(made);
    expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'aborted', inDoubt: true });
    expect((await story(made)).filter((type) => type === 'locker_unknown')).toHaveLength(1);
    // whoever looks says it, and it can be taken out as before
    await admin.api('PUT /lockers/{id}/content', { params: { id: made.lockerId }, body: { content: 'occupied' } });
    await takeOut(made);
    await shutEmpty(made);
    await expect.poll(() => stage(made)).toBe('VACANT');
  });
});

it('jammed: nothing is written down and nobody is told', async () => {
  const made = await offered();
  wall.mode = 'jam';
  for (const how of ['keep', 'end'] as const) expect(await refusal(takeOut(made, how))).toEqual([409, 'door-refused']);
  await unchanged(made);
  expect(await locker(made)).toMatchObject({ content: 'occupied', inDoubt: false });
  // Their word is enough, and why it is lies in the history.
  await admin.api('POST /occupations/{id}/retrieve', { params: { id: made.id }, body: { reason: 'by key' } });
  expect(await stage(made)).toBe('TERMINATED');
});

it('silent, and opened after it had been given up: it is not taken out, and nobody knows what lies inside', async () => {
  const made = await offered();
  wall.mode = 'silent';
  expect(await server.paced(UNANSWERED, () => refusal(takeOut(made)))).toEqual([504, 'no-answer']);
  await unchanged(made);
  const { content, lastCommand } = await locker(made);
  expect(content).toBe('occupied');
  await wall.say().state('open', { cmdId: lastCommand?.id, occupancy: 'unknown' }, made.compartment);
  await expect.poll(async () => (await rowOf(made.lockerId))?.content).toBe('unknown');
  await unchanged(made);
  await wall.close(made.compartment);
});

it('stays shut where nothing is to be taken out, and for who may not', async () => {
  const empty = await reserved();
  const asked = wall.commands.length;
  expect(await refusal(takeOut(empty))).toEqual([409, 'occupation-transition']);
  const made = await offered();
  const lender = await company.person(['lending_manager']);
  expect(await refusal(takeOut(made, 'keep', {}, lender))).toEqual([403, 'forbidden']);
  expect(await refusal(takeOut(made, 'keep', { doorTag: empty.doorTag }))).toEqual([422, 'door-tag-mismatch']);
  expect(await refusal(takeOut(made, 'keep', { occupationId: undefined }))).toEqual([400, 'malformed']);
  expect(await refusal(takeOut(made, 'keep', { occupationId: empty.id }))).toEqual([422, 'unknown-reference']);
  await unchanged(made);
  expect(wall.commands).toHaveLength(asked);
  const deliverer = await company.person(['delivery_manager']);
  await takeOut(made, 'keep', {}, deliverer);
  await shutEmpty(made);
  await expect.poll(() => stage(made)).toBe('VACANT');
});

// A controller says that it moved a door, and no sensor bears it out: the history tells that, with whoever asked and why.
describe('a door that no sensor saw', () => {
  const open = ({ id, doorTag }: TestLocker, more: object = {}) =>
    admin.api('POST /lockers/{id}/open', { params: { id }, body: { doorTag, reason: 'Audit', ...more } });
  const story = ({ id }: TestLocker) =>
    query<{ type: string; actor: string | null; data: Record<string, unknown> }>(
      server.database.ownerUrl,
      `select type, actor_name as actor, data from events where locker_id = $1 and id > $2 and type not like 'occupation_%' order by at, id`,
      [id, began],
    );
  const asked = async ({ id }: TestLocker) => (await rowOf(id))?.asked ?? '';
  /** The time of its job has come, and another node's too. */
  const itsTime = async (lot: TestLocker) => {
    await settleCommand(server.deps, company.id, await asked(lot));
    await settleCommand(server.deps, company.id, await asked(lot));
  };
  const SAID = { by: 'controller', seen: false };

  describe('a door that its controller says it opened', () => {
    it('and a sensor saw in time, is told by the sensor alone', async () => {
      const lot = next(plain);
      await open(lot);
      await itsTime(lot);
      expect(await story(lot)).toEqual([{ type: 'locker_opened', actor: 'Ada Admin', data: { reason: 'Audit' } }]);
    });

    it('and no sensor saw, stands in the history as just that, once, with who and why; seen later, it is told a second time, in a use of the locker too', async () => {
      const [lot, claimed] = [next(plain), next(plain)];
      const { id } = await admin.api('POST /occupations/delivery', {
        body: { lockerId: claimed.id, receiver: { name: 'Kari Nordmann', tlf: '91234567' }, fill: true },
      });
      await admin.api('PUT /occupations', { body: { id, action: 'publish' } });
      await admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
      plain.mode = 'blind';
      const [opened] = await Promise.all([open(lot), open(claimed, { occupationId: id })]);
      expect(opened).toMatchObject({ door: 'closed', lastCommand: { outcome: 'opened' } });
      for (const one of [lot, claimed]) {
        await itsTime(one);
        const said = { type: 'locker_opened', actor: 'Ada Admin', data: { ...SAID, reason: 'Audit' } };
        const opened = async () => (await story(one)).filter(({ type }) => type === 'locker_opened');
        expect(await opened()).toEqual([said]);
        await plain.say().state('open', { cmdId: await asked(one), occupancy: 'unknown' }, one.compartment);
        await expect.poll(opened).toEqual([said, { ...said, data: { reason: 'Audit', why: 'seen-later' } }]);
        await itsTime(one);
        expect(await opened()).toHaveLength(2);
        const question = { q: { lockerId: one.id, type: 'locker_opened' as const }, sort: '-at' as const, limit: 2 };
        const [, first] = await admin.api('GET /history', { query: question });
        expect(first).toMatchObject({ actor: { name: 'Ada Admin' }, data: { ...SAID, reason: 'Audit' } });
      }
      const told = await query<{ type: string }>(server.database.ownerUrl, `select type from events where occupation_id = $1`, [id]);
      expect(told.filter(({ type }) => type === 'locker_opened')).toHaveLength(2);
      expect(told.filter(({ type }) => type === 'occupation_claiming')).toHaveLength(1);
    });
  });

  it('a door that was opened to put something back, and that nobody saw, leaves in doubt what lies there when its use ends or starts over', async () => {
    const [ended, anew, untouched] = [next(plain), next(plain), next(plain)];
    const vacant = async (lot: TestLocker) => {
      const { id } = await admin.api('POST /occupations/delivery', { body: { lockerId: lot.id, assetText: 'Drill', fill: true } });
      await admin.api('PUT /occupations', { body: { id, action: 'extract' } });
      return id;
    };
    const ids = [await vacant(ended), await vacant(anew), await vacant(untouched)] as const;
    plain.mode = 'blind';
    await open(ended, { occupationId: ids[0] });
    await open(anew, { occupationId: ids[1] });
    await admin.api('DELETE /occupations/{id}', { params: { id: ids[0] }, body: {} });
    await admin.api('PUT /occupations', { body: { id: ids[1], action: 'reset' } });
    await admin.api('DELETE /occupations/{id}', { params: { id: ids[2] }, body: {} });
    const content = async ({ id }: TestLocker) => (await rowOf(id))?.content;
    expect([await content(ended), await content(anew), await content(untouched)]).toEqual(['unknown', 'unknown', 'empty']);
  });

  it('a door that somebody says they open by hand, as it does not open by itself, leaves in doubt what lies there when its use ends', async () => {
    const [away, jammed, asked, looked] = [next(plain), next(plain), next(plain), next(plain)];
    const reserve = async ({ id: lockerId }: TestLocker) =>
      (await admin.api('POST /occupations/delivery', { body: { lockerId, receiver: { name: 'Kari Nordmann', tlf: '91234567' } } })).id;
    const ids = [await reserve(away), await reserve(jammed), await reserve(asked), await reserve(looked)] as const;
    const give = async (lot: TestLocker, occupationId: string, more: object) =>
      refusal(admin.api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, occupationId, ...more } }));
    plain.mode = 'jam';
    await give(jammed, ids[1], { reason: 'The key' });
    await give(asked, ids[2], {});
    await give(looked, ids[3], { reason: 'The key' });
    await admin.api('PUT /lockers/{id}/content', { params: { id: looked.id }, body: { content: 'empty' } });
    await plain.cut();
    await expect.poll(() => connectionOf(plain)).toBe('offline');
    await give(away, ids[0], { reason: 'The key' });
    for (const id of ids) await admin.api('DELETE /occupations/{id}', { params: { id }, body: {} });
    const now = ({ id }: TestLocker) => admin.api('GET /lockers/{id}', { params: { id } });
    for (const lot of [away, jammed]) expect(await now(lot)).toMatchObject({ content: 'unknown', contentWhy: 'unseen' });
    for (const lot of [asked, looked]) expect((await now(lot)).content).toBe('empty');
    await plain.plug();
    // until that is heard, what its birth says of its locks is still to come
    for (const { id } of plain.lockers) await expect.poll(async () => (await rowOf(id))?.door).toBe('closed');
  });

  const letLock = () => query(server.database.ownerUrl, 'update cabinets set can_lock = true where id = $1', [plain.id]);

  it('a door that was locked is told, and whether its lock was sensed', async () => {
    const [lot, other] = [next(plain), next(plain)];
    await letLock();
    const lock = async ({ id, compartment }: TestLocker, sensed: boolean) => {
      await plain.close(compartment, { lock: 'unlocked' });
      await expect
        .poll(() => query(server.database.ownerUrl, 'select lock_state as lock from lockers where id = $1', [id]))
        .toEqual([{ lock: 'unlocked' }]);
      plain.mode = sensed ? 'mute' : 'blind';
      const locking = admin.api('PUT /lockers/{id}/lock', { params: { id }, body: {} });
      const command = () => plain.commands.findLast((one) => one.compartment === compartment);
      await expect.poll(command).toMatchObject({ op: 'lock' });
      if (sensed) await plain.close(compartment, { lock: 'locked', cmdId: command()?.cmdId });
      return locking;
    };
    expect(await lock(lot, true)).toMatchObject({ lock: 'locked', lastCommand: { outcome: 'locked' } });
    expect(await lock(other, false)).toMatchObject({ lock: 'unlocked', lastCommand: { outcome: 'locked' } });
    for (const one of [lot, other]) await itsTime(one);
    expect(await story(lot)).toEqual([{ type: 'locker_locked', actor: 'Ada Admin', data: {} }]);
    expect(await story(other)).toEqual([{ type: 'locker_locked', actor: 'Ada Admin', data: SAID }]);
  });

  it('a door that would not lock is told as that, and not as one that would not open', async () => {
    const lot = next(plain);
    await letLock();
    plain.mode = 'jam';
    const locking = admin.api('PUT /lockers/{id}/lock', { params: { id: lot.id }, body: {} });
    expect(await refusal(locking)).toEqual([409, 'door-refused']);
    const data = { op: 'lock', outcome: 'refused', code: 'jammed' };
    expect(await story(lot)).toEqual([{ type: 'locker_lock_refused', actor: 'Ada Admin', data }]);
    const words = await admin.api('GET /types/{kind}', { params: { kind: 'history' } });
    expect(words).toContainEqual({ value: 'locker_lock_refused', en: 'Door refused to lock', nb: 'Døren ble ikke låst' });
  });

  it('a controller whose clock is half a minute behind tells of its door in the order in which it moved', async () => {
    const lot = next(plain);
    plain.mode = 'mute';
    const opening = open(lot);
    await expect.poll(() => plain.commands.some(({ compartment }) => compartment === lot.compartment)).toBe(true);
    const cmdId = await asked(lot);
    const behind = () => ({ occupancy: 'unknown' as const, cmdId, ts: new Date(Date.now() - 30_000).toISOString() });
    await plain.say().state('open', behind(), lot.compartment);
    await opening;
    await plain.say().state('closed', behind(), lot.compartment);
    const read = () => admin.api('GET /lockers/{id}', { params: { id: lot.id } });
    await expect.poll(async () => (await read()).door).toBe('closed');
    const { lastCommand, doorSince } = await read();
    expect(Date.parse(doorSince ?? '')).toBeGreaterThan(Date.parse(lastCommand?.at ?? ''));
    expect((await story(lot)).map(({ type }) => type)).toEqual(['locker_opened', 'locker_closed']);
  });

  describe('a controller names the last command with all that its door does after', () => {
    const unexpected = async (lot: TestLocker) => (await rowOf(lot.id))?.content_why;
    const nobodys = { type: 'locker_opened', data: { unexpected: true } };

    // shows R4.25
    it('and forced after it was locked by staff is not opened by them', async () => {
      const lot = next(plain);
      await letLock();
      plain.mode = 'blind';
      await admin.api('PUT /lockers/{id}/lock', { params: { id: lot.id }, body: {} });
      await plain.say().state('open', { cmdId: await asked(lot), occupancy: 'unknown' }, lot.compartment);
      await expect.poll(() => unexpected(lot)).toBe('unexpected-opening');
      expect((await story(lot)).find(({ type }) => type === 'locker_opened')).toMatchObject(nobodys);
    });

    it('and back after a break says nothing new of what its history has told', async () => {
      const lot = next(plain);
      plain.mode = 'blind';
      await open(lot);
      await itsTime(lot);
      const told = await story(lot);
      expect(told).toMatchObject([{ type: 'locker_opened', data: SAID }]);
      const before = await rowOf(lot.id);
      await plain.cut();
      await expect.poll(() => connectionOf(plain)).toBe('offline');
      await plain.plug();
      await expect.poll(async () => (await rowOf(lot.id))?.door).toBe('closed');
      expect(await rowOf(lot.id)).toMatchObject({ content: before?.content });
      expect((await story(lot)).filter(({ type }) => type === 'locker_opened')).toEqual(told);
    });

    it('and forced long after one that was given up is not opened by it', async () => {
      const lot = next(plain);
      plain.mode = 'jam';
      expect(await refusal(open(lot))).toEqual([409, 'door-refused']);
      await query(server.database.ownerUrl, `update commands set issued_at = issued_at - interval '3 minutes' where id = $1`, [
        await asked(lot),
      ]);
      await plain.say().state('open', { cmdId: await asked(lot), occupancy: 'unknown' }, lot.compartment);
      await expect.poll(() => unexpected(lot)).toBe('unexpected-opening');
      expect((await story(lot)).find(({ type }) => type === 'locker_opened')).toMatchObject(nobodys);
    });
  });
});

// Wherever card and wall say that nobody knows what lies inside, the history says so too, once and with its reason.
describe('a locker in doubt', () => {
  const registered = likeTheFirst(
    () => server,
    async ({ id: lockerId, compartment }) => ({
      ...(await admin.api('POST /occupations', { body: { type: 'delivery', lockerId } })),
      compartment,
    }),
  );
  const reserved = async (cabinet: TestCabinet) => registered(next(cabinet));
  type Made = Awaited<ReturnType<typeof reserved>>;
  const act = (made: Made, action: 'fill' | 'publish' | 'reset') => admin.api('PUT /occupations', { body: { id: made.id, action } });
  const filled = async (cabinet: TestCabinet) => {
    const { id: lockerId, compartment } = next(cabinet);
    return { ...(await admin.api('POST /occupations/delivery', { body: { lockerId, fill: true } })), compartment };
  };
  const claimed = async (cabinet: TestCabinet) => {
    const made = await filled(cabinet);
    await act(made, 'publish');
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    return made;
  };
  const open = (made: Made) =>
    admin.api('POST /lockers/{id}/open', { params: { id: made.lockerId }, body: { doorTag: made.doorTag, occupationId: made.id } });
  type Told = { type: string; data: Record<string, unknown>; actor_kind: string };
  const story = (made: Made) =>
    query<Told>(server.database.ownerUrl, 'select type, data, actor_kind from events where occupation_id = $1 order by id', [made.id]);
  const said = async (made: Made, type: string) => (await story(made)).filter((event) => event.type === type);
  const doubts = (made: Made) => said(made, 'locker_unknown');
  const shut = async (cabinet: TestCabinet, made: Made, more: object = {}) => {
    await cabinet.close(made.compartment, more);
    await expect.poll(async () => (await rowOf(made.lockerId))?.door).toBe('closed');
  };

  describe('a use that leaves nobody sure what lies inside says so in the history', () => {
    it('broken off after its door was open', async () => {
      const made = await reserved(plain);
      await open(made);
      await shut(plain, made);
      await admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: {} });
      expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'aborted', inDoubt: true });
      expect(await doubts(made)).toMatchObject([{ data: { why: 'aborted' }, actor_kind: 'person' }]);
      expect((await story(made)).map(({ type }) => type).slice(-2)).toEqual(['occupation_terminated', 'locker_unknown']);
    });

    it('started over after its door was open, and told once however often', async () => {
      const made = await reserved(plain);
      await open(made);
      await shut(plain, made);
      await act(made, 'reset');
      expect(await doubts(made)).toMatchObject([{ data: { why: 'reset' } }]);
      await open(made);
      await shut(plain, made);
      await act(made, 'reset');
      expect(await doubts(made)).toHaveLength(1);
    });

    it('ended by itself after its cabinet was silent with the door open', async () => {
      const [made, never] = [await claimed(plain), await claimed(plain)];
      await open(made);
      await plain.cut();
      await expect.poll(() => connectionOf(plain)).toBe('offline');
      await plain.plug();
      await expect.poll(() => stage(made)).toBe('TERMINATED');
      // Whose door was not seen open has let nobody take it.
      await expect.poll(() => stage(never)).toBe('ACQUIRABLE');
      expect(await locker(never)).toMatchObject({ content: 'occupied' });
      expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'silent' });
      expect((await doubts(made)).at(-1)).toMatchObject({ data: { why: 'silent' } });
      const types = (await story(made)).map(({ type }) => type);
      expect(types.indexOf('occupation_delivered')).toBeLessThan(types.lastIndexOf('locker_unknown'));
    });

    it('said to be taken where the sensor still senses something', async () => {
      const made = await claimed(wall);
      await open(made);
      await shut(wall, made, { occupancy: 'occupied' });
      await admin.api('PUT /occupations', { body: { id: made.id, action: 'finnish' } });
      expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'still-sensed' });
      expect(await doubts(made)).toMatchObject([{ data: { why: 'still-sensed' }, actor_kind: 'person' }]);
    });
  });

  describe('a sensor’s word', () => {
    const filledBySilence = (made: Made) =>
      server.paced(FILLS, async () => {
        await shut(wall, made, { occupancy: 'occupied' });
        await expect.poll(() => stage(made)).toBe('FILLED');
      });

    it('that comes some seconds after the door was shut fills what it waited for, and says nothing new', async () => {
      const made = await reserved(wall);
      await open(made);
      await shut(wall, made, { occupancy: 'empty' });
      expect(await stage(made)).toBe('INITIATED');
      await filledBySilence(made);
      const types = (await story(made)).map(({ type }) => type);
      expect(types.filter((type) => type === 'locker_occupied' || type === 'locker_unknown')).toEqual([]);
    });

    it('that settles a doubt is told as the sensor’s', async () => {
      const made = await reserved(wall);
      await open(made);
      await shut(wall, made);
      await act(made, 'reset');
      expect(await doubts(made)).toHaveLength(1);
      await wall.say().state('closed', { occupancy: 'empty' }, made.compartment);
      await expect.poll(async () => (await rowOf(made.lockerId))?.content).toBe('empty');
      expect(await said(made, 'locker_empty')).toMatchObject([{ data: { by: 'sensor', settled: true }, actor_kind: 'device' }]);
    });

    it('that senses nothing where something should lie is told, nothing more is claimed, and it is not published nor sent until somebody has looked', async () => {
      const made = await filled(wall);
      const heard: string[] = [];
      const stop = server.deps.bus.subscribe(CHANGES, (payload) => {
        for (const change of (payload as OutboxMessage).changes) if (change.kind === 'occupations') heard.push(change.id);
      });
      await wall.say().state('closed', { occupancy: 'empty' }, made.compartment);
      await expect.poll(async () => (await locker(made)).inDoubt).toBe(true);
      // Whoever looks at the use hears of it: what may be done with it is something else now.
      await expect.poll(() => heard).toContain(made.id);
      stop();
      expect(await stage(made)).toBe('FILLED');
      expect(await said(made, 'locker_empty')).toMatchObject([{ data: { by: 'sensor', settled: false } }]);
      const receiver = { name: 'Rita', email: 'rita@example.test' };
      const tries = (body: object) => refusal(admin.api('PUT /occupations', { body: { id: made.id, ...body } as never }));
      expect(await tries({ action: 'publish' })).toEqual([409, 'locker-in-doubt']);
      expect(await tries({ action: 'send', receiver })).toEqual([409, 'locker-in-doubt']);
      const { actions } = await admin.api('GET /occupations/{id}', { params: { id: made.id } });
      expect(actions.filter((action) => action === 'publish' || action === 'send')).toEqual([]);
      await admin.api('PUT /lockers/{id}/content', { params: { id: made.lockerId }, body: { content: 'occupied' } });
      expect(await admin.api('PUT /occupations', { body: { id: made.id, action: 'send', receiver } })).toMatchObject({
        stageName: 'CONTACTING',
      });
    });
  });
});
