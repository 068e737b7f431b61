import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, UNANSWERED, type TestServer } from '../../test-server.ts';
import { doubtTakeOut } from './take-out-commands.ts';

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
  wall = await testCabinet(server, admin.api, 16, ['M'], ['door', 'occupancy']);
  plain = await testCabinet(server, admin.api, 6);
});
afterEach(() => {
  wall.mode = 'obey';
});
afterAll(async () => {
  wall?.end();
  plain?.end();
  await server.stop();
});

const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
const reserved = async (given?: TestLocker) => {
  const lot = given ?? (await wall.free());
  const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id, receiver } });
  return { ...made, compartment: lot.compartment };
};
type Made = Awaited<ReturnType<typeof reserved>>;
const offered = async (lot?: TestLocker) => {
  const made = await reserved(lot);
  for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id: made.id, action } });
  return made;
};
const locker = (made: Made) => admin.api('GET /lockers/{id}', { params: { id: made.lockerId } });
const stage = async (made: Made) => (await admin.api('GET /occupations/{id}', { params: { id: made.id } })).stageName;
const story = async (made: Made) =>
  (
    await query<{ type: string }>(server.database.ownerUrl, 'select type from events where locker_id = $1 order by id', [made.lockerId])
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
  await expect.poll(async () => (await locker(made)).door).toBe('closed');
  await unchanged(made);
  expect(await locker(made)).toMatchObject({ content: 'occupied', inDoubt: false });
  const again = admin.api('POST /occupations/{id}/doubt', { params: { id: made.id }, body: { kind: 'stays-inside' } });
  expect(await refusal(again)).toEqual([409, 'occupation-transition']);
  const other = await offered();
  await takeOut(other);
  for (const action of ['extract', 'fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id: other.id, action } });
  await wall.close(other.compartment);
  await expect.poll(async () => (await locker(other)).door).toBe('closed');
  expect(await stage(other)).toBe('ACQUIRABLE');
  expect(await locker(other)).toMatchObject({ content: 'occupied', inDoubt: false });
});

it('a sensor that senses it inside still, once the door is shut, outweighs what it was opened for', async () => {
  const made = await offered();
  await takeOut(made);
  await wall.close(made.compartment, { occupancy: 'occupied' });
  await expect.poll(() => under(made)).toBe(null);
  await unchanged(made);
  expect(await locker(made)).toMatchObject({ content: 'occupied', inDoubt: false });
});

it('left open meanwhile, nobody says who was there: it is to be checked', async () => {
  const made = await offered();
  await takeOut(made);
  await wall.say().event('left_open', { compartment: made.compartment });
  await expect.poll(async () => (await locker(made)).content).toBe('unknown');
  await wall.close(made.compartment);
  await expect.poll(() => under(made)).toBe(null);
  await unchanged(made);
  expect(await locker(made)).toMatchObject({ content: 'unknown', inDoubt: true });
});

it('its cabinet fell silent while the door stood open: nobody claims that it was taken, nor that it lies there', async () => {
  const made = await offered();
  await takeOut(made);
  await wall.cut();
  await wall.plug();
  await expect.poll(() => under(made)).toBe(null);
  await unchanged(made);
  expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'aborted', inDoubt: true });
  expect(await story(made)).toContain('locker_unknown');
});

it('a sensor that sensed nothing before either has seen nobody take it: staff are asked', async () => {
  const made = await offered();
  await shutEmpty(made);
  await expect.poll(async () => (await locker(made)).content).toBe('empty');
  await admin.api('PUT /lockers/{id}/content', { params: { id: made.lockerId }, body: { content: 'occupied' } });
  await takeOut(made);
  await shutEmpty(made);
  await expect.poll(async () => (await locker(made)).door).toBe('closed');
  await unchanged(made);
  expect(await under(made)).toBe('keep');
  await admin.api('PUT /occupations', { body: { id: made.id, action: 'extract' } });
  expect(await stage(made)).toBe('VACANT');
});

/** What the job behind its command does. */
const itsTime = async (made: Made) => doubtTakeOut(server.deps, company.id, (await locker(made)).lastCommand?.id ?? '');

const askedEarlier = (made: Made) =>
  query(server.database.ownerUrl, `update commands set issued_at = issued_at - interval '2 minutes' where occupation_id = $1`, [made.id]);
const movedEarlier = (made: Made) =>
  query(server.database.ownerUrl, `update lockers set door_at = door_at - interval '2 minutes' where id = $1`, [made.lockerId]);

describe('no sensor looks behind the door', () => {
  /** Closed again, and nothing more: that proves nothing of what lies there. */
  const shut = async (how: 'keep' | 'end') => {
    const made = await offered(await plain.free());
    await takeOut(made, how);
    await plain.close(made.compartment);
    await expect.poll(async () => (await locker(made)).door).toBe('closed');
    await itsTime(made);
    await unchanged(made);
    expect(await under(made)).toBe(how);
    expect(await locker(made)).toMatchObject({ occupationId: made.id, content: 'occupied', inDoubt: false });
    expect(await refusal(admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } }))).toEqual([409, 'in-use']);
    return made;
  };

  it('whoever closed it says that they took it out, and only then it is written down and told', async () => {
    const kept = await shut('keep');
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
    const made = await offered(await plain.free());
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
    await expect.poll(() => under(made)).toBe(null);
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

  it('whoever took it out says so', async () => {
    const made = await unseen();
    await admin.api('POST /occupations/{id}/retrieve', { params: { id: made.id }, body: {} });
    expect(await stage(made)).toBe('TERMINATED');
    await itsTime(made);
    expect(await locker(made)).toMatchObject({ content: 'empty', inDoubt: false });
  });

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
  await expect.poll(async () => (await locker(made)).content).toBe('unknown');
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
