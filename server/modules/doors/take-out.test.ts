import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

/** A command that nobody answers takes 7 s here as anywhere. */
const UNANSWERED = 30_000;

let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
let used = 0;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  admin = await company.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 12);
});
afterEach(() => {
  wall.mode = 'obey';
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
const reserved = async () => {
  const lot = wall.lockers[used++];
  if (!lot) throw new Error('the wall is full');
  const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id, receiver } });
  return { ...made, compartment: lot.compartment };
};
type Made = Awaited<ReturnType<typeof reserved>>;
const offered = async () => {
  const made = await reserved();
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
const unchanged = async (made: Made) => {
  expect(await stage(made)).toBe('ACQUIRABLE');
  expect(await story(made)).not.toContain('occupation_extract');
  expect(await told(made)).toEqual([]);
};

it('staff take it out, and the door opens: then it is written down and its receiver is told, in this order', async () => {
  const made = await offered();
  expect(await takeOut(made, 'keep', { reason: 'sent back' })).toMatchObject({ content: 'empty', contentWhy: 'taken-out', inDoubt: false });
  expect(await stage(made)).toBe('VACANT');
  expect((await story(made)).slice(-2)).toEqual(['locker_opened', 'occupation_extract']);
  expect(await told(made)).toHaveLength(1);
  await wall.close(made.compartment);
  const ended = await offered();
  expect(await takeOut(ended, 'end')).toMatchObject({ occupationId: null, content: 'empty', inDoubt: false });
  expect(await stage(ended)).toBe('TERMINATED');
  expect(await told(ended)).toHaveLength(1);
  await wall.close(ended.compartment);
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

it(
  'silent, and opened after it had been given up: it is not taken out, and nobody knows what lies inside',
  async () => {
    const made = await offered();
    wall.mode = 'silent';
    expect(await refusal(takeOut(made))).toEqual([504, 'no-answer']);
    await unchanged(made);
    expect((await locker(made)).content).toBe('occupied');
    const { cmdId } = wall.commands.at(-1) ?? {};
    await wall.say().state('open', { cmdId, occupancy: 'unknown' }, made.compartment);
    await expect.poll(async () => (await locker(made)).content).toBe('unknown');
    await unchanged(made);
    await wall.close(made.compartment);
  },
  UNANSWERED,
);

it('stays shut where nothing is to be taken out, and for who may not', async () => {
  const empty = await reserved();
  const asked = wall.commands.length;
  expect(await refusal(takeOut(empty))).toEqual([409, 'occupation-transition']);
  const made = await offered();
  const lender = await company.person(['lending_manager']);
  const stranger = await (await testCompany(server)).person(['admin']);
  expect(await refusal(takeOut(made, 'keep', {}, lender))).toEqual([403, 'forbidden']);
  expect(await refusal(takeOut(made, 'keep', {}, stranger))).toEqual([404, 'not-found']);
  expect(await refusal(takeOut(made, 'keep', { doorTag: empty.doorTag }))).toEqual([422, 'door-tag-mismatch']);
  expect(await refusal(takeOut(made, 'keep', { occupationId: undefined }))).toEqual([400, 'malformed']);
  expect(await refusal(takeOut(made, 'keep', { occupationId: empty.id }))).toEqual([422, 'unknown-reference']);
  await unchanged(made);
  expect(wall.commands).toHaveLength(asked);
  const deliverer = await company.person(['delivery_manager']);
  await takeOut(made, 'keep', {}, deliverer);
  expect(await stage(made)).toBe('VACANT');
  await wall.close(made.compartment);
});

describe('the process ends once the door has opened, and before it is written down as taken out', () => {
  /** As `kill -9` leaves it: the door was heard, and what should follow is in no transaction that was ever committed. */
  const cutOff = async (made: Made, how: 'keep' | 'end'): Promise<void> => {
    const owner = (sql: string) => query(server.database.ownerUrl, sql);
    await owner(`create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'the process is gone'; end $$`);
    await owner(
      `create trigger cut_off before insert on events for each row when (new.type = 'occupation_extract') execute function cut_off()`,
    );
    try {
      await expect(takeOut(made, how)).rejects.toThrow('API Error');
    } finally {
      await owner('drop trigger cut_off on events');
      await owner('drop function cut_off()');
    }
  };

  it.each(['keep', 'end'] as const)(
    'to %s its locker: the opening is told, nobody claims that it was taken, and what lies inside is to be checked',
    async (how) => {
      const made = await offered();
      await cutOff(made, how);
      await wall.close(made.compartment);
      await expect.poll(async () => (await locker(made)).inDoubt, { timeout: UNANSWERED }).toBe(true);
      expect(await locker(made)).toMatchObject({ content: 'unknown', contentWhy: 'aborted', occupationId: made.id });
      await unchanged(made);
      expect(await story(made)).toEqual(expect.arrayContaining(['locker_opened', 'locker_unknown']));
      // whoever looks says it, and it can be taken out as before
      await admin.api('PUT /lockers/{id}/content', { params: { id: made.lockerId }, body: { content: 'occupied' } });
      expect(await takeOut(made)).toMatchObject({ content: 'empty', inDoubt: false });
      await wall.close(made.compartment);
    },
    UNANSWERED * 2,
  );

  it(
    'and staff who took it out at once again are believed: nothing is put in doubt after them',
    async () => {
      const made = await offered();
      await cutOff(made, 'keep');
      await wall.close(made.compartment);
      await takeOut(made, 'keep');
      await wall.close(made.compartment);
      await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
      const waiting = () =>
        query(
          server.database.ownerUrl,
          `select id from jobs.job where name = 'settle-command' and state in ('created', 'active', 'retry')`,
        );
      await expect.poll(async () => (await waiting()).length, { timeout: UNANSWERED }).toBe(0);
      expect(await locker(made)).toMatchObject({ content: 'occupied', inDoubt: false });
      expect(await story(made)).not.toContain('locker_unknown');
    },
    UNANSWERED * 2,
  );
});
