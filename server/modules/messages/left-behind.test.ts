import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { sweep } from '../../jobs/sweep.ts';
import { systemScope } from '../../scope.ts';
import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import { testDoors, type TestDoors } from '../occupations/test-doors.ts';
import { queueMessage, reminderCause } from './commands.ts';
import { takeUpLeft } from './left-commands.ts';

// A message whose job gave up or was lost: nobody would ever hear what became of it.

let ahead = 0;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestDoors;
let used = 0;
beforeAll(async () => {
  // Nobody listens there: each try is a temporary refusal.
  server = await testServer({ now: () => new Date(Date.now() + ahead), config: { smtpUrl: 'smtp://127.0.0.1:9' } });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  wall = await testDoors(admin.api, 9);
});
afterEach(() => {
  ahead = 0;
});
afterAll(async () => {
  await server.stop();
});

type Row = { id: string; state: string; attempts: number; error: string | null };
const one = async (sql: string, values: unknown[]): Promise<Row> => {
  const [row] = await query<Row>(server.database.ownerUrl, sql, values);
  if (!row) throw new Error('no message');
  return row;
};
const read = (id: string) => one('select id, state, attempts, error from messages where id = $1', [id]);
/** A message that was tried twice and waits for its third try. */
const waiting = async (): Promise<Row> => {
  const lot = wall.lockers[used++];
  const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
  const body = { lockerId: lot?.id ?? '', receiver, fill: true, send: true };
  const made = await admin.api('POST /occupations/delivery', { body });
  const of = () => one('select id, state, attempts, error from messages where occupation_id = $1', [made.id]);
  await expect.poll(async () => (await of()).attempts).toBe(2);
  await expect.poll(async () => (await of()).state).toBe('queued');
  return of();
};
const jobs = async (id: string) =>
  (
    await query<{ state: string }>(
      server.database.ownerUrl,
      `select state::text from jobs.job where name = 'message' and data->>'messageId' = $1 and state in ('created', 'retry', 'active')`,
      [id],
    )
  ).map(({ state }) => state);
const loseJob = (id: string) =>
  query(server.database.ownerUrl, `delete from jobs.job where name = 'message' and data->>'messageId' = $1`, [id]);
const sweepLater = async (minutes: number) => {
  ahead = minutes * 60_000;
  await sweep(server.deps, ours.id);
};

it('is taken up after a while, and not while its job still waits', async () => {
  const { id } = await waiting();
  await sweepLater(11);
  expect(await jobs(id)).toEqual(['created']);
  expect((await read(id)).attempts).toBe(2);

  await loseJob(id);
  await sweepLater(5);
  expect(await jobs(id)).toEqual([]);
  await sweepLater(11);
  await expect.poll(async () => (await read(id)).attempts).toBe(3);
});

it('is taken up however many wait for a later try before it', async () => {
  const waits = await waiting();
  const lost = await waiting();
  await loseJob(lost.id);
  await query(server.database.ownerUrl, `update messages set updated_at = updated_at - interval '1 minute' where id = $1`, [waits.id]);
  ahead = 11 * 60_000;
  await takeUpLeft(server.deps, systemScope(ours.id, server.deps.now().toISOString()), 1);
  await expect.poll(async () => (await read(lost.id)).attempts).toBe(3);
});

it('that calls to what staff took out meanwhile is not sent, also where the locker is to be filled anew', async () => {
  const { id } = await waiting();
  const { occupation_id: occupation } = await query<{ occupation_id: string }>(
    server.database.ownerUrl,
    'select occupation_id from messages where id = $1',
    [id],
  ).then(([row]) => row ?? { occupation_id: '' });
  for (const action of ['extract', 'reset'] as const) await admin.api('PUT /occupations', { body: { id: occupation, action } });
  await loseJob(id);
  await sweepLater(11);
  await expect.poll(async () => (await read(id)).state).toBe('failed');
  expect(await read(id)).toMatchObject({ attempts: 2, error: NOT_NEEDED });
});

it('that asks for a thing is sent while it is awaited, and not once it was brought', async () => {
  const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
  const asked = async () => {
    const { id } = await admin.api('POST /occupations', { body: { type: 'drop-off', lockerId: wall.lockers[used++]?.id ?? '', receiver } });
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await server.deps.db.tenant(ours.id, (tx) =>
      queueMessage(tx, server.deps, systemScope(ours.id, new Date().toISOString()), {
        occupationId: id,
        kind: 'request',
        cause: `request:${id}:test`,
        channel: 'mail',
        receiver: { ...receiver, tlf: null },
        locale: 'nb',
        at,
      }),
    );
    return { id, message: (await one('select id, state, attempts, error from messages where cause = $1', [`request:${id}:test`])).id };
  };
  const [awaited, brought] = [await asked(), await asked()];
  await admin.api('PUT /occupations', { body: { id: brought.id, action: 'fill' } });
  for (const { message } of [awaited, brought]) await loseJob(message);
  await sweepLater(75);
  await expect.poll(async () => (await read(awaited.message)).attempts).toBe(1);
  await expect.poll(async () => (await read(brought.message)).state).toBe('failed');
  expect(await read(brought.message)).toMatchObject({ attempts: 0, error: NOT_NEEDED });
});

it('that reminds of a loan is sent while it runs, and not once it is back', async () => {
  const receiver = { name: 'Kari Nordmann', tlf: null, email: 'kari@example.test' };
  const lend = async () => {
    const { id } = await admin.api('POST /occupations', { body: { type: 'lending', lockerId: wall.lockers[used++]?.id ?? '' } });
    for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id, receiver } });
    const { dueAt } = await admin.api('PUT /occupations', { body: { id, action: 'finnish' } });
    const cause = reminderCause(id, dueAt ?? '', 0);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await server.deps.db.tenant(ours.id, (tx) =>
      queueMessage(tx, server.deps, systemScope(ours.id, new Date().toISOString()), {
        occupationId: id,
        kind: 'reminder',
        cause,
        channel: 'mail',
        // as it was typed, from before addresses were kept in one form
        receiver: { ...receiver, email: 'Kari@Example.test' },
        locale: 'nb',
        at,
      }),
    );
    return { id, message: (await one('select id, state, attempts, error from messages where cause = $1', [cause])).id };
  };
  const [out, back] = [await lend(), await lend()];
  await admin.api('PUT /occupations', { body: { id: back.id, action: 'return' } });
  for (const { message } of [out, back]) await loseJob(message);
  await sweepLater(75);
  await expect.poll(async () => (await read(out.message)).attempts).toBe(1);
  await expect.poll(async () => (await read(back.message)).state).toBe('failed');
  expect(await read(back.message)).toMatchObject({ attempts: 0, error: NOT_NEEDED });
});

it('that may have gone out is called unknown, and is not sent', async () => {
  const { id } = await waiting();
  await loseJob(id);
  await query(server.database.ownerUrl, `update messages set state = 'sent' where id = $1`, [id]);
  await sweepLater(11);
  await expect.poll(async () => (await read(id)).state).toBe('unknown');
  expect((await read(id)).attempts).toBe(2);
  await sweepLater(60);
  expect(await jobs(id)).toEqual([]);
  expect(await read(id)).toMatchObject({ state: 'unknown', attempts: 2 });
});
