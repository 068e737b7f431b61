import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@hatchway/contract/client.ts';
import type { PickupLink } from '@hatchway/contract/pickup.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { problemOf, refusal } from '../occupations/test-refusal.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let manager: TestPerson;
let wall: TestCabinet;
let phone: Client;
beforeAll(async () => {
  server = await testServer();
  phone = server.as(null);
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  manager = await ours.person(['manager'], 'Mona Manager');
  wall = await testCabinet(server, admin.api, 15);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

type Purpose = PickupLink['purpose'];
const doors = (count: number) => Promise.all(Array.from({ length: count }, () => wall.free()));
const make = async (api: Client, purpose: Purpose, at: readonly TestLocker[], more: Record<string, unknown> = {}) => {
  const made = await api('POST /links', { body: { name: 'Plumber', purpose, lockerIds: at.map(({ id }) => id), ...more } });
  return { ...made, token: made.url.split('/l/')[1] ?? '' };
};
const press = (token: string, more: { doorTag?: string; use?: string } = {}) =>
  phone('POST /pickup/link/open', { body: { token, ...more } });
const look = async (token: string) => (await phone('POST /pickup/link', { body: { token } })) as PickupLink;
const seen = (id: string) => admin.api('GET /links/{id}', { params: { id } });
const takeOver = (api: Client, { id, version }: { id: string; version: number }) =>
  api('POST /links/{id}/take-over', { params: { id }, body: { version } });
const GONE = { status: 410, code: 'gone', data: { state: 'revoked' } };
const permissionOf = async (lockerId: string | undefined): Promise<string> =>
  (await admin.api('GET /permissions', {})).find((one) => one.lockers.includes(lockerId ?? ''))?.id ?? '';
const dropOff = async (door: TestLocker | undefined, type: 'drop-off' | 'delivery' = 'drop-off') => {
  const receiver = { name: 'Kari', email: 'k@example.test' };
  const made = await admin.api('POST /occupations', {
    body: { type, lockerId: door?.id ?? '', receiver, ...(type === 'delivery' ? { assetText: 'Box' } : {}) },
  });
  await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
  if (type === 'delivery') await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
  return made.id;
};

describe('a link is made by who may open its doors for that purpose', () => {
  it('not by who only builds: neither to open, nor to drop off, nor to fetch', async () => {
    const [door] = await doors(1);
    for (const purpose of ['open', 'drop-off', 'pick-up'] as const)
      expect(await problemOf(make(manager.api, purpose, door ? [door] : []))).toMatchObject({
        status: 422,
        code: 'rule',
        errors: [{ pointer: '/lockerIds/0' }],
      });
    const builder = await admin.api('POST /key', { body: { name: 'Builder', scopes: ['admin:lockers'] } });
    expect(await refusal(make(server.as(builder.secret), 'open', door ? [door] : []))).toEqual([422, 'rule']);
  });

  it('a service’s role lets hand on that service alone', async () => {
    const both = await ours.person(['manager', 'drop-off_manager']);
    const [a, b] = await doors(2);
    const at = [a, b].filter((one) => one !== undefined);
    expect(await refusal(make(both.api, 'open', at))).toEqual([422, 'rule']);
    expect(await press((await make(both.api, 'drop-off', [at[0] as TestLocker])).token)).toMatchObject({ outcome: 'opened' });
    const [c, d] = await doors(2);
    await dropOff(c, 'delivery');
    const fetches = await make(both.api, 'pick-up', [c, d].filter((one) => one !== undefined), { maxUses: 2 }); // prettier-ignore
    // The delivery waits longer, and is not theirs to take out.
    expect((await look(fetches.token)).waiting).toBe(0);
    expect(await refusal(press(fetches.token))).toEqual([409, 'nothing-waiting']);
    await dropOff(d);
    expect((await look(fetches.token)).waiting).toBe(1);
    expect(await press(fetches.token)).toMatchObject({ outcome: 'opened', doorTag: d?.doorTag });
  });

  it('who only builds neither reads its address nor lets it open for longer; ends it they may', async () => {
    const made = await make(admin.api, 'open', await doors(1), { maxUses: 2 });
    const params = { id: made.id };
    for (const call of ['GET /links/{id}/url', 'GET /links/{id}/qr'] as const)
      expect(await refusal(manager.api(call, { params }))).toEqual([403, 'forbidden']);
    const { version, validFrom, validTo } = await manager.api('GET /links/{id}', { params });
    const later = (hours: number) => new Date(Date.parse(validTo) + hours * 3600_000).toISOString();
    for (const more of [{ maxUses: 3 }, { validTo: later(1) }, { validFrom: new Date(Date.parse(validFrom) - 3600_000).toISOString() }])
      expect(await refusal(manager.api('PUT /links/{id}', { params, body: { version, name: 'Mine', ...more } }))).toEqual([
        403,
        'forbidden',
      ]);
    expect(await refusal(takeOver(manager.api, made))).toEqual([403, 'forbidden']);
    const shorter = await manager.api('PUT /links/{id}', { params, body: { version, name: 'Shorter', validTo: later(-1), maxUses: 1 } });
    expect(shorter).toMatchObject({ name: 'Shorter', maxUses: 1, answeredBy: { name: 'Ada Admin' } });
    await manager.api('DELETE /links/{id}', { params });
    expect(await problemOf(press(made.token))).toMatchObject(GONE);
  });
});

describe('a link opens what who answers for it may open now', () => {
  it('stops with the permission, is said to, and goes on once somebody took it over', async () => {
    const [a, b] = await doors(2);
    const maker = await ours.scoped(['manage'], [a?.id ?? '', b?.id ?? '']);
    const made = await make(maker.api, 'open', [a, b].filter((one) => one !== undefined), { maxUses: 9 }); // prettier-ignore
    expect(await press(made.token, { doorTag: a?.doorTag ?? '' })).toMatchObject({ outcome: 'opened' });
    const permission = await admin.api('GET /permissions/{id}', { params: { id: await permissionOf(a?.id) } });
    const body = { ...permission, lockers: [b?.id ?? ''] };
    const { name, scopes, groups, lockers } = body;
    await admin.api('PUT /permissions/{id}', { params: { id: permission.id }, body: { name, scopes, groups, lockers } });
    // One door is theirs no longer, nor the five minutes in which it would have opened once more; the other still is.
    const use = (await seen(made.id)).uses[0]?.id ?? '';
    expect(await refusal(press(made.token, { doorTag: a?.doorTag ?? '', use }))).toEqual([422, 'door-tag-mismatch']);
    expect((await look(made.token)).places.flatMap((place) => place.doors.map((door) => door.doorTag))).toEqual([b?.doorTag]);
    expect((await seen(made.id)).doors.map(({ opens }) => opens)).toEqual([false, true]);
    await admin.api('DELETE /permissions/{id}', { params: { id: permission.id } });
    const before = wall.commands.length;
    expect(await problemOf(press(made.token, { doorTag: b?.doorTag ?? '' }))).toMatchObject(GONE);
    expect(await look(made.token)).toMatchObject({ state: 'revoked', places: [], current: null });
    expect(wall.commands.length).toBe(before);
    const stopped = await seen(made.id);
    expect(stopped).toMatchObject({ state: 'active', used: 1, answeredBy: { id: maker.accountId } });
    expect(stopped.doors.map(({ opens }) => opens)).toEqual([false, false]);
    const twice = await Promise.allSettled([takeOver(admin.api, stopped), takeOver(admin.api, stopped)]);
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await seen(made.id)).toMatchObject({
      createdBy: { id: maker.accountId },
      answeredBy: { id: admin.accountId },
      doors: [{ opens: true }, { opens: true }],
    });
    expect(await press(made.token, { doorTag: b?.doorTag ?? '' })).toMatchObject({ outcome: 'opened' });
  });

  it('stops with its maker’s role and membership', async () => {
    const maker = await ours.person(['all']);
    const [a, b] = await doors(2);
    const made = await make(maker.api, 'open', a ? [a] : [], { maxUses: 9 });
    const other = await make(maker.api, 'drop-off', b ? [b] : []);
    const member = (await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: ours.id } })).find(
      ({ accountId }) => accountId === maker.accountId,
    );
    const params = { tenant: ours.id, membershipId: member?.id ?? '' };
    let version = member?.version ?? 0;
    const become = async (...roles: ('all' | 'manager' | 'delivery_manager')[]) => {
      const path = 'PUT /companies/{tenant}/memberships/{membershipId}';
      ({ version } = await admin.api(path, { params, body: { roles, version } }));
    };
    await become('manager', 'delivery_manager');
    expect(await problemOf(press(made.token))).toMatchObject(GONE);
    await become('all');
    expect(await press(made.token)).toMatchObject({ outcome: 'opened' });
    await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params });
    expect(await problemOf(press(made.token))).toMatchObject(GONE);
    expect(await problemOf(press(other.token))).toMatchObject(GONE);
  });

  it('stops with the key that made it', async () => {
    const key = await admin.api('POST /key', { body: { name: 'Robot', scopes: ['manage'] } });
    const made = await make(server.as(key.secret), 'open', await doors(1), { maxUses: 9 });
    expect(await press(made.token)).toMatchObject({ outcome: 'opened' });
    await admin.api('DELETE /key/{_id}', { params: { _id: key._id } });
    expect(await problemOf(press(made.token))).toMatchObject(GONE);
  });

  it('is withdrawn in the middle of a use: what was begun opens no more', async () => {
    const [door] = await doors(1);
    const maker = await ours.scoped(['manage'], [door?.id ?? '']);
    const made = await make(maker.api, 'drop-off', door ? [door] : []);
    const use = (await press(made.token)).use ?? '';
    const key = { link: made.token, use };
    await admin.api('DELETE /permissions/{id}', { params: { id: await permissionOf(door?.id) } });
    const before = wall.commands.length;
    expect(await refusal(phone('POST /pickup/open', { body: { key, doorTag: door?.doorTag ?? '' } }))).toEqual([404, 'unknown-link']);
    expect(await refusal(phone('POST /pickup/look', { body: { key } }))).toEqual([404, 'unknown-link']);
    expect(wall.commands.length).toBe(before);
  });

  it('does not follow what it fetched to a door that it never named', async () => {
    const [named, elsewhere] = await doors(2);
    const id = await dropOff(named);
    const made = await make(admin.api, 'pick-up', named ? [named] : [], { maxUses: 2 });
    const use = (await press(made.token)).use ?? '';
    const key = { link: made.token, use };
    const act = (body: Record<string, unknown>) => admin.api('PUT /occupations', { body: { id, ...body } as never });
    await act({ action: 'return' });
    await act({ action: 'extract' });
    await act({ action: 'fill', lockerId: elsewhere?.id });
    expect((await admin.api('GET /occupations/{id}', { params: { id } })).doorTag).toBe(elsewhere?.doorTag);
    const before = wall.commands.length;
    for (const doorTag of [named?.doorTag ?? '', elsewhere?.doorTag ?? ''])
      expect(await refusal(phone('POST /pickup/open', { body: { key, doorTag } }))).toEqual([404, 'unknown-link']);
    expect(await refusal(phone('POST /pickup/look', { body: { key } }))).toEqual([404, 'unknown-link']);
    expect(wall.commands.length).toBe(before);
    expect((await look(made.token)).current).toBeNull();
  });
});
