import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '@hatchway/contract/client.ts';
import type { Tx } from '../db/database.ts';
import { query } from '../db/test-database.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../test-cabinet.ts';
import { testDoors } from '../modules/occupations/test-doors.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';

// A right is asked when a call begins, and the call may wait long after that. Whoever takes the right away waits for what was begun with it.

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
/** Lockers whose doors do not move. */
let shelf: TestLocker[];
/** Those whose doors do. */
let wall: TestCabinet;
let used = 0;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  shelf = (await testDoors(admin.api, 20)).lockers;
  wall = await testCabinet(server, admin.api, 3);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const door = () => {
  const one = shelf[used++];
  if (!one) throw new Error('no locker is left');
  return one;
};
/**
 * Holds a row, and counts the calls that wait for it, behind this transaction or behind whoever does. A call holds its caller's turn; a
 * job or a sweep, which may wait for the same row, holds none. `beforeRights`: the call asks for the row first.
 */
const holding = async (tx: Tx, row: RawBuilder<unknown>, { beforeRights = false } = {}): Promise<() => Promise<number>> => {
  await row.execute(tx);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  return async () => {
    const behind = await query<{ count: number }>(
      server.database.ownerUrl,
      `with recursive behind(pid) as (
         values ($1::int)
         union select a.pid from pg_stat_activity a join behind b on b.pid = any(pg_blocking_pids(a.pid))
           where a.datname = current_database())
       select count(distinct l.pid)::int as count from behind b join pg_locks l on l.pid = b.pid
         where (l.locktype = 'advisory' and l.granted or ${beforeRights}) and b.pid <> $1::int`,
      [rows[0]?.pid],
    );
    return behind[0]?.count ?? 0;
  };
};
const captured = async () => {
  const { id } = await admin.api('POST /occupations', {
    body: { type: 'sale', lockerId: door().id, assetText: 'Coffee', price: { amount: 1_000, currency: 'NOK' } },
  });
  for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
  const { _id } = await admin.api('POST /payments', { body: { occupationId: id, received: true } });
  await admin.api('PUT /payments/capture', { body: { _id } });
  return _id;
};
/** What has been done of a call that waits for a row, once what takes its caller's right away meanwhile is answered. */
const doneBefore = async <T>(
  row: RawBuilder<unknown>,
  call: () => Promise<unknown>,
  withdraw: () => Promise<unknown>,
  done: () => Promise<T>,
): Promise<T> => {
  const ended = await server.deps.db.tenant(ours.id, async (tx) => {
    const waiting = await holding(tx, row);
    const called = call();
    await expect.poll(waiting).toBe(1);
    const withdrawn = withdraw().then(done);
    await expect.poll(waiting).toBe(2);
    return { called, withdrawn };
  });
  await ended.called;
  return ended.withdrawn;
};

it('a role that is taken, a key that is revoked: what was begun with it is done before', async () => {
  const seller = await ours.person(['sale_manager'], 'Sam Seller');
  const members = await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: ours.id } });
  const { id: membershipId = '', version = 0 } = members.find((one) => one.accountId === seller.accountId) ?? {};
  const key = await admin.api('POST /key', { body: { name: 'till', scopes: ['admin:payments'], expiresAt: null } });
  const till = createClient({ base: `${server.url}/v1`, token: () => key.secret });
  const paid = [await captured(), await captured()] as const;
  const held = (_id: string) => sql`select 1 from payments where id = ${_id} for update`;
  const withdrawals = [
    [
      seller.api,
      () =>
        admin.api('PUT /companies/{tenant}/memberships/{membershipId}', {
          params: { tenant: ours.id, membershipId },
          body: { roles: [], version },
        }),
    ],
    [till, () => admin.api('DELETE /key/{_id}', { params: { _id: key._id } })],
  ] as const;
  for (const [at, [api, withdraw]] of withdrawals.entries()) {
    const _id = paid[at] ?? '';
    const refund = () => api('PUT /payments/refund', { body: { _id, amount: 100 } });
    const refunded = async () => (await admin.api('GET /payments/{id}', { params: { id: _id } })).refunded;
    expect(await doneBefore(held(_id), refund, withdraw, refunded)).toBe(100);
    expect((await refusal(refund()))[0]).toBe(at === 0 ? 403 : 401);
  }
});

it('a permission that ends, and a group that is left, likewise', async () => {
  for (const how of ['permission', 'group'] as const) {
    const locker = door();
    const sam = await ours.scoped(['delivery'], [locker.id]);
    const { id } = await sam.api('POST /occupations', { body: { type: 'delivery', lockerId: locker.id, assetText: 'Box' } });
    const [mine] = (await admin.api('GET /permissions')).filter(({ lockers }) => lockers.some((one) => one === locker.id));
    const [groupId = ''] = mine?.groups ?? [];
    const withdraw = () =>
      how === 'permission'
        ? admin.api('DELETE /permissions/{id}', { params: { id: mine?.id ?? '' } })
        : admin.api('DELETE /groups/{id}/members/{userId}', { params: { id: groupId, userId: sam.accountId } });
    const fill = () => sam.api('PUT /occupations', { body: { id, action: 'fill' } });
    const stage = async () => (await admin.api('GET /occupations/{id}', { params: { id } })).stageName;
    expect(await doneBefore(sql`select 1 from lockers where id = ${locker.id} for update`, fill, withdraw, stage)).toBe('FILLED');
    expect((await refusal(sam.api('GET /occupations/{id}', { params: { id } })))[0]).toBe(403);
  }
});

it('a member who is removed: of many things at once those under way are done before, and the rest is not', async () => {
  const seller = await ours.person(['delivery_manager'], 'Dan Driver');
  const ids: string[] = [];
  const lockers = Array.from({ length: 9 }, () => door().id);
  for (const lockerId of lockers)
    ids.push((await admin.api('POST /occupations', { body: { type: 'delivery', lockerId, assetText: 'Box' } })).id);
  const members = await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: ours.id } });
  const membershipId = members.find((one) => one.accountId === seller.accountId)?.id ?? '';
  const told: (string | null)[] = [];
  const fill = async () => {
    for (const { problem } of await seller.api('POST /occupations/bulk', { body: { ids, action: 'fill' } }))
      told.push(problem?.code ?? null);
  };
  const remove = () => admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant: ours.id, membershipId } });
  const first = async () => (await admin.api('GET /occupations/{id}', { params: { id: ids[0] ?? '' } })).stageName;
  expect(await doneBefore(sql`select 1 from lockers where id = ${lockers[0]} for update`, fill, remove, first)).toBe('FILLED');
  expect([told[0], told.at(-1)]).toEqual([null, 'unauthenticated']);
});

describe('somebody whose calls never cease', () => {
  /** What takes a right of theirs, done while calls of theirs come without a pause. */
  const between = async (call: () => Promise<unknown>, withdraw: () => Promise<unknown>) => {
    const until = Date.now() + 60_000;
    let calls = 0;
    const onAndOn = async () => {
      const goesOn = () =>
        call().then(
          () => Date.now() < until,
          () => false,
        );
      while (await goesOn()) calls++;
    };
    const streams = Promise.all(Array.from({ length: 5 }, onAndOn));
    await expect.poll(() => calls).toBeGreaterThan(10);
    await withdraw();
    const withdrawn = Date.now();
    await streams;
    return [withdrawn, Date.now()].every((at) => at < until);
  };

  const drill = (sam: TestPerson) => () => sam.api('POST /assets', { body: { name: 'Drill' } });

  it('is removed between them', async () => {
    const sam = await ours.person(['manager'], 'Sam');
    const members = await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: ours.id } });
    const membershipId = members.find(({ accountId }) => accountId === sam.accountId)?.id ?? '';
    const remove = () => admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant: ours.id, membershipId } });
    expect(await between(drill(sam), remove)).toBe(true);
  });

  it.each([
    'a permission that is withdrawn',
    'a permission that names the locker no more',
    'a group that they are taken out of',
    'a group that is deleted',
  ] as const)('loses their right between them: %s', async (how) => {
    const locker = door();
    const sam = await ours.scoped(['delivery'], [locker.id]);
    const { id } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: locker.id, assetText: 'Box' } });
    /** Refused as stale and not before, with their rights held. */
    const note = async () =>
      expect(await refusal(sam.api('PUT /occupations/{id}', { params: { id }, body: { version: 999, note: 'again' } }))).toEqual([
        409,
        'stale',
      ]);
    const [mine] = (await admin.api('GET /permissions')).filter(({ lockers }) => lockers.some((one) => one === locker.id));
    if (!mine) throw new Error('no permission');
    const [groupId = ''] = mine.groups;
    const withdraw = {
      'a permission that is withdrawn': () => admin.api('DELETE /permissions/{id}', { params: { id: mine.id } }),
      'a permission that names the locker no more': () =>
        admin.api('PUT /permissions/{id}', {
          params: { id: mine.id },
          body: { name: mine.name, scopes: ['delivery'], groups: [groupId], lockers: [] },
        }),
      'a group that they are taken out of': () =>
        admin.api('DELETE /groups/{id}/members/{userId}', { params: { id: groupId, userId: sam.accountId } }),
      'a group that is deleted': () => admin.api('DELETE /groups/{id}', { params: { id: groupId } }),
    }[how];
    expect(await between(note, withdraw)).toBe(true);
    expect((await refusal(sam.api('GET /occupations/{id}', { params: { id } })))[0]).toBe(403);
  });
});

it('what a door is asked is written down before the right to ask ends', async () => {
  const locker = await wall.free();
  const sam = await ours.scoped(['manage'], [locker.id]);
  const [mine] = (await admin.api('GET /permissions')).filter(({ lockers }) => lockers.some((one) => one === locker.id));
  const press = () => refusal(sam.api('POST /lockers/{id}/open', { params: { id: locker.id }, body: { doorTag: locker.doorTag } }));
  const withdraw = () => admin.api('DELETE /permissions/{id}', { params: { id: mine?.id ?? '' } });
  const asked = () =>
    server.deps.db.tenant(ours.id, (tx) => tx.selectFrom('commands').select('op').where('locker_id', '=', locker.id).execute());
  // Its command is of this cabinet: with that held it waits past the question whether it may.
  expect(await doneBefore(sql`select 1 from cabinets where id = ${wall.id} for update`, press, withdraw, asked)).toHaveLength(1);
});

it('no door opens for whose right ended while they waited for its locker', async () => {
  const locker = await wall.free();
  const sam = await ours.scoped(['manage'], [locker.id]);
  const [mine] = (await admin.api('GET /permissions')).filter(({ lockers }) => lockers.some((one) => one === locker.id));
  const before = wall.commands.length;
  const opening = await server.deps.db.tenant(ours.id, async (tx) => {
    const waiting = await holding(tx, sql`select 1 from lockers where id = ${locker.id} for update`, { beforeRights: true });
    const asked = refusal(sam.api('POST /lockers/{id}/open', { params: { id: locker.id }, body: { doorTag: locker.doorTag } }));
    await expect.poll(waiting).toBe(1);
    await admin.api('DELETE /permissions/{id}', { params: { id: mine?.id ?? '' } });
    return { asked };
  });
  expect((await opening.asked)[0]).toBe(403);
  expect(wall.commands.length).toBe(before);
});

it('nor is whose right ended while their door moved told what lies behind it', async () => {
  const locker = await wall.free();
  const sam = await ours.scoped(['manage'], [locker.id]);
  const [mine] = (await admin.api('GET /permissions')).filter(({ lockers }) => lockers.some((one) => one === locker.id));
  wall.mode = 'silent';
  const before = wall.commands.length;
  const asked = refusal(sam.api('POST /lockers/{id}/open', { params: { id: locker.id }, body: { doorTag: locker.doorTag } }));
  await expect.poll(() => wall.commands.length).toBe(before + 1);
  await admin.api('DELETE /permissions/{id}', { params: { id: mine?.id ?? '' } });
  const command = wall.commands.at(-1)?.cmdId ?? '';
  await wall.say().ack(command, 'accepted');
  await wall.say().state('open', { cmdId: command, lock: 'unlocked', occupancy: 'unknown' }, locker.compartment);
  await wall.say().ack(command, 'opened', { door: 'open' });
  wall.mode = 'obey';
  expect((await asked)[0]).toBe(403);
});
