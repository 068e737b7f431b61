import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { ranked, type Candidate } from '@hatchway/domain/locker.ts';
import type { Tx } from '../../db/database.ts';
import { query, waitersFor } from '../../db/test-database.ts';
import { systemScope } from '../../scope.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { register } from './register.ts';
import { refusal } from './test-refusal.ts';

// The moments between looking for a door and having it, each held open by a transaction of the test's own.

let server: TestServer;
let ours: TestCompany;
let counter: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  counter = await ours.person(['admin']);
});
afterAll(() => server.stop());

const walls: TestCabinet[] = [];
const wall = async (doors: number) => {
  const made = await testCabinet(server, counter.api, doors);
  walls.push(made);
  return made;
};
afterAll(() => walls.forEach((one) => one.end()));

const take = (cabinetId: string) => counter.api('POST /occupations', { body: { type: 'delivery', size: 'M', cabinetId } });

it('is none that somebody can open by a link, as long as the link may open; whoever chooses it by hand has it', async () => {
  const { id: cabinetId, lockers } = await wall(2);
  const [first, second] = lockers;
  if (!first || !second) throw new Error('no locker');
  const link = await counter.api('POST /links', { body: { name: 'Cleaner', purpose: 'open', lockerIds: [first.id], maxUses: 5 } });
  const read = () => counter.api('GET /lockers/{id}', { params: { id: first.id } });
  expect((await read()).openLinkUntil).toBe(link.validTo);
  expect((await take(cabinetId)).lockerId).toBe(second.id);
  expect(await refusal(take(cabinetId))).toEqual([409, 'no-free-locker']);
  const byHand = await counter.api('POST /occupations', { body: { type: 'delivery', lockerId: first.id } });
  expect(byHand.lockerId).toBe(first.id);
  await counter.api('DELETE /occupations/{id}', { params: { id: byHand.id }, body: {} });
  await counter.api('DELETE /links/{id}', { params: { id: link.id } });
  expect((await read()).openLinkUntil).toBeNull();
  expect((await take(cabinetId)).lockerId).toBe(first.id);
});

it('is found in the order of the rule: reach first, then tags by the numbers in them, whatever their length and case', async () => {
  const { id: cabinetId, lockers } = await wall(8);
  const tags = ['A10', 'b9', 'A9', 'B-2', 'a1', 'A-3', 'A9b', 'B10'];
  const doors: Candidate[] = [];
  for (const [at, { id }] of lockers.entries()) {
    const { version } = await counter.api('GET /lockers/{id}', { params: { id } });
    const reach = at % 3 === 0 ? 'low' : 'middle';
    const body = { version, doorTag: tags[at] ?? '', reach } as const;
    const { doorTag, size, connection, door, content } = await counter.api('PUT /lockers/{id}', { params: { id }, body });
    doors.push({ id, cabinetId, doorTag, size, reach, connection, door, content, services: [], outOfService: false, occupied: false, failing: false, linked: false }); // prettier-ignore
  }
  const wish = { size: 'M', service: 'delivery', cabinetId, not: [] } as const;
  const got: string[] = [];
  for (let n = 0; n < doors.length; n++) got.push((await take(cabinetId)).doorTag);
  expect(got).toEqual(ranked(doors, wish).map(({ doorTag }) => doorTag));
});

/** Runs `meanwhile` while a transaction holds what `hold` took, which ends as `end` says. */
const meanwhileHeld = async <T>(
  hold: (tx: Tx) => Promise<unknown>,
  meanwhile: (tx: Tx) => Promise<T>,
  end: (tx: Tx) => Promise<unknown>,
): Promise<T> => {
  const held = Promise.withResolvers<Tx>();
  const done = Promise.withResolvers<void>();
  const holding = server.deps.db
    .tenant(ours.id, async (tx) => {
      await hold(tx);
      held.resolve(tx);
      await done.promise;
      await end(tx);
    })
    .catch((error: unknown) => held.reject(error));
  const tx = await held.promise;
  try {
    return await meanwhile(tx);
  } finally {
    done.resolve();
    await holding;
  }
};
const lockRows = (ids: string[]) => (tx: Tx) => sql`select id from lockers where id = any(${ids}::uuid[]) for update`.execute(tx);
const nothing = () => Promise.resolve();
const undo = () => Promise.reject(new Error('undone'));
/** Until it is so; a call that has ended by then is told by its own answer. */
const until = async (call: Promise<unknown>, so: () => Promise<boolean>): Promise<void> => {
  let ended = false;
  const end = () => {
    ended = true;
  };
  call.then(end, end);
  await expect.poll(async () => ended || (await so()), { interval: 5 }).toBe(true);
};

it('a door for deliveries is found for self-service, one for self-service alone for no delivery', async () => {
  const { id, lockers } = await wall(2);
  const only = async (at: number, service: 'delivery' | 'selfservice') => {
    const door = await counter.api('GET /lockers/{id}', { params: { id: lockers[at]?.id ?? '' } });
    await counter.api('PUT /lockers/{id}', { params: { id: door.id }, body: { version: door.version, services: [service] } });
    return door.id;
  };
  const parcels = await only(0, 'delivery');
  const desk = await only(1, 'selfservice');
  const parcel = await take(id);
  expect(parcel.lockerId).toBe(parcels);
  expect(await refusal(take(id))).toEqual([409, 'no-free-locker']);
  const served = () => counter.api('POST /occupations', { body: { type: 'delivery', service: 'selfservice', size: 'M', cabinetId: id } });
  expect(await served()).toMatchObject({ lockerId: desk });
  await counter.api('DELETE /occupations/{id}', { params: { id: parcel.id }, body: {} });
  expect(await served()).toMatchObject({ lockerId: parcels });
});

it('a door that somebody else is about to take is passed by, not waited for', async () => {
  const { id, lockers } = await wall(2);
  const first = await take(id);
  await counter.api('DELETE /occupations/{id}', { params: { id: first.id }, body: {} });
  const got = await meanwhileHeld(lockRows([first.lockerId]), () => take(id), nothing);
  expect(got.lockerId).toBe(lockers.find((one) => one.id !== first.lockerId)?.id);
});

it('a door that was taken between the look and the lock is somebody else’s: the next best is given', async () => {
  const { id, lockers } = await wall(2);
  const first = await take(id);
  await counter.api('DELETE /occupations/{id}', { params: { id: first.id }, body: {} });
  let call: ReturnType<typeof take> | undefined;
  // Each row that is looked at waits for this turn, and the look began before it: what was seen free is taken in between.
  const turn = 4_711;
  await query(
    server.database.ownerUrl,
    `create policy waits on lockers as restrictive using (id <> '${first.lockerId}' or pg_advisory_xact_lock_shared(${turn}) is not null)`,
  );
  await meanwhileHeld(
    (tx) => sql`select pg_advisory_xact_lock(${turn})`.execute(tx),
    async (tx) => {
      call = take(id);
      await until(call, async () => (await waitersFor(server.database.ownerUrl, tx)) > 0);
    },
    (tx) =>
      register(
        tx,
        server.deps,
        systemScope(ours.id, server.deps.now().toISOString()),
        { type: 'delivery', lockerId: first.lockerId },
        null,
      ),
  );
  expect((await call)?.lockerId).toBe(lockers.find((one) => one.id !== first.lockerId)?.id);
  await query(server.database.ownerUrl, 'drop policy waits on lockers');
});

it('where all that is left is held, it is looked at again, with no transaction open meanwhile: what came to nothing is given', async () => {
  const { id, lockers } = await wall(1);
  let call: ReturnType<typeof take> | undefined;
  const [clock] = await query<{ at: string }>(server.database.ownerUrl, 'select clock_timestamp()::text as at');
  const gaveUp = `select 1 from pg_stat_activity
    where datname = current_database() and state = 'idle' and query ilike 'rollback' and state_change > '${clock?.at}'`;
  await meanwhileHeld(
    lockRows(lockers.map((one) => one.id)),
    async () => {
      call = take(id);
      await until(call, async () => (await query(server.database.ownerUrl, gaveUp)).length > 0);
    },
    undo,
  );
  expect((await call)?.lockerId).toBe(lockers[0]?.id);
});
