import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { CHANGES, type OutboxMessage } from '../../events/outbox.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestPerson } from '../../test-company.ts';
import { FILLS, testServer, UNANSWERED, type TestServer } from '../../test-server.ts';

// Wherever card and wall say that nobody knows what lies inside, the history says so too, once and with its reason.

let server: TestServer;
let admin: TestPerson;
let wall: TestCabinet;
let sensing: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  const company = await testCompany(server);
  admin = await company.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 6);
  sensing = await testCabinet(server, admin.api, 6, ['M'], ['door', 'occupancy']);
});
afterEach(() => {
  for (const cabinet of [wall, sensing]) cabinet.mode = 'obey';
});
afterAll(async () => {
  wall?.end();
  sensing?.end();
  await server.stop();
});

const used = new Map<TestCabinet, number>();
const reserved = async (cabinet: TestCabinet) => {
  const at = used.get(cabinet) ?? 0;
  used.set(cabinet, at + 1);
  const lot = cabinet.lockers[at];
  if (!lot) throw new Error('the wall is full');
  const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id } });
  return { ...made, compartment: lot.compartment };
};
type Made = Awaited<ReturnType<typeof reserved>>;
const act = (made: Made, action: 'fill' | 'publish' | 'reset') => admin.api('PUT /occupations', { body: { id: made.id, action } });
const filled = async (cabinet: TestCabinet) => {
  const made = await reserved(cabinet);
  await act(made, 'fill');
  return made;
};
const claimed = async (cabinet: TestCabinet) => {
  const made = await filled(cabinet);
  await act(made, 'publish');
  await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
  return made;
};
const open = (made: Made) =>
  admin.api('POST /lockers/{id}/open', { params: { id: made.lockerId }, body: { doorTag: made.doorTag, occupationId: made.id } });
const locker = (made: Made) => admin.api('GET /lockers/{id}', { params: { id: made.lockerId } });
const stage = async (made: Made) => (await admin.api('GET /occupations/{id}', { params: { id: made.id } })).stageName;
type Told = { type: string; data: Record<string, unknown>; actor_kind: string };
const story = (made: Made) =>
  query<Told>(server.database.ownerUrl, 'select type, data, actor_kind from events where occupation_id = $1 order by id', [made.id]);
const said = async (made: Made, type: string) => (await story(made)).filter((event) => event.type === type);
const doubts = (made: Made) => said(made, 'locker_unknown');
const shut = async (cabinet: TestCabinet, made: Made, more: object = {}) => {
  await cabinet.close(made.compartment, more);
  await expect.poll(async () => (await locker(made)).door).toBe('closed');
};

describe('a use that leaves nobody sure what lies inside says so in the history', () => {
  it('broken off after its door was open', async () => {
    const made = await reserved(wall);
    await open(made);
    await shut(wall, made);
    await admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: {} });
    expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'aborted', inDoubt: true });
    expect(await doubts(made)).toMatchObject([{ data: { why: 'aborted' }, actor_kind: 'person' }]);
    expect((await story(made)).map(({ type }) => type).slice(-2)).toEqual(['occupation_terminated', 'locker_unknown']);
  });

  it('started over after its door was open, and told once however often', async () => {
    const made = await reserved(wall);
    await open(made);
    await shut(wall, made);
    await act(made, 'reset');
    expect(await doubts(made)).toMatchObject([{ data: { why: 'reset' } }]);
    await open(made);
    await shut(wall, made);
    await act(made, 'reset');
    expect(await doubts(made)).toHaveLength(1);
  });

  it('ended by itself after its cabinet was silent with the door open', async () => {
    const made = await claimed(wall);
    await open(made);
    await wall.cut();
    await expect.poll(async () => (await locker(made)).connection).toBe('offline');
    await wall.plug();
    await expect.poll(() => stage(made)).toBe('TERMINATED');
    expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'silent' });
    expect((await doubts(made)).at(-1)).toMatchObject({ data: { why: 'silent' } });
    const types = (await story(made)).map(({ type }) => type);
    expect(types.indexOf('occupation_delivered')).toBeLessThan(types.lastIndexOf('locker_unknown'));
  });

  it('said to be taken where the sensor still senses something', async () => {
    const made = await claimed(sensing);
    await open(made);
    await shut(sensing, made, { occupancy: 'occupied' });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'finnish' } });
    expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'still-sensed' });
    expect(await doubts(made)).toMatchObject([{ data: { why: 'still-sensed' }, actor_kind: 'person' }]);
  });

  it('opened after the command had been given up: the opening itself says so', async () => {
    const made = await claimed(wall);
    wall.mode = 'silent';
    expect(await server.paced(UNANSWERED, () => refusal(open(made)))).toEqual([504, 'no-answer']);
    const cmdId = (await locker(made)).lastCommand?.id;
    await wall.say().state('open', { cmdId, occupancy: 'unknown' }, made.compartment);
    await expect.poll(() => said(made, 'locker_opened')).toMatchObject([{ data: { late: true } }]);
    expect((await locker(made)).content).toBe('unknown');
    // One doubt for the answer that never came; the opening has no second one beside it.
    expect(await doubts(made)).toMatchObject([{ data: { why: 'unseen' } }]);
    wall.mode = 'obey';
    await shut(wall, made);
  });
});

describe('a sensor’s word', () => {
  const filledBySilence = (made: Made) =>
    server.paced(FILLS, async () => {
      await shut(sensing, made, { occupancy: 'occupied' });
      await expect.poll(() => stage(made)).toBe('FILLED');
    });

  it('that comes some seconds after the door was shut fills what it waited for', async () => {
    const made = await reserved(sensing);
    await open(made);
    await shut(sensing, made, { occupancy: 'empty' });
    expect(await stage(made)).toBe('INITIATED');
    await filledBySilence(made);
  });

  it('that settles a doubt is told as the sensor’s', async () => {
    const made = await reserved(sensing);
    await open(made);
    await shut(sensing, made);
    await act(made, 'reset');
    expect(await doubts(made)).toHaveLength(1);
    await sensing.say().state('closed', { occupancy: 'empty' }, made.compartment);
    await expect.poll(async () => (await locker(made)).content).toBe('empty');
    expect(await said(made, 'locker_empty')).toMatchObject([{ data: { by: 'sensor', settled: true }, actor_kind: 'device' }]);
  });

  it('that contradicts what is written down is told, and nothing more is claimed', async () => {
    const made = await filled(sensing);
    await sensing.say().state('closed', { occupancy: 'empty' }, made.compartment);
    await expect.poll(async () => (await locker(made)).inDoubt).toBe(true);
    expect(await stage(made)).toBe('FILLED');
    expect(await said(made, 'locker_empty')).toMatchObject([{ data: { by: 'sensor', settled: false } }]);
  });

  it('that senses nothing keeps what should lie there from being published and sent, until somebody has looked', async () => {
    const made = await filled(sensing);
    const heard: string[] = [];
    const stop = server.deps.bus.subscribe(CHANGES, (payload) => {
      for (const change of (payload as OutboxMessage).changes) if (change.kind === 'occupations') heard.push(change.id);
    });
    await sensing.say().state('closed', { occupancy: 'empty' }, made.compartment);
    await expect.poll(async () => (await locker(made)).inDoubt).toBe(true);
    // Whoever looks at the use hears of it: what may be done with it is something else now.
    await expect.poll(() => heard).toContain(made.id);
    stop();
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

  it('that says what everybody knew is no news', async () => {
    const made = await reserved(sensing);
    await open(made);
    await filledBySilence(made);
    const types = (await story(made)).map(({ type }) => type);
    expect(types.filter((type) => type === 'locker_occupied' || type === 'locker_unknown')).toEqual([]);
  });
});
