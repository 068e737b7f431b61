import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@hatchway/contract/client.ts';
import type { PickupLink } from '@hatchway/contract/pickup.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { problemOf, refusal } from '../occupations/test-refusal.ts';

let ahead = 0;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let scoped: TestPerson;
let wall: TestCabinet;
const door = (index: number): string => wall.lockers[index]?.id ?? '';

beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + ahead) });
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 19);
  scoped = await ours.scoped(['manage'], [door(0), door(1)]);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const make = (api: Client, lockerIds: string[], more: Record<string, unknown> = {}) =>
  api('POST /links', { body: { name: 'Plumber', purpose: 'open', lockerIds, ...more } });
const DAY = 24 * 3600_000;

describe('an access link', () => {
  it('is made for a day and one use, shows its address to whoever may manage its lockers, and nowhere else', async () => {
    const made = await make(admin.api, [door(0), door(0), door(2)]);
    expect(made).toMatchObject({ state: 'active', used: 0, maxUses: 1, createdBy: { name: 'Ada Admin' } });
    expect(made.lockerIds).toEqual([door(0), door(2)].toSorted());
    expect(Date.parse(made.validTo) - Date.parse(made.validFrom)).toBe(DAY);
    expect(made.url).toMatch(/\/l\/[A-Za-z0-9_-]{43}$/);
    expect(await admin.api('GET /links/{id}/url', { params: { id: made.id } })).toEqual({ url: made.url });
    const secret = made.url.split('/l/')[1] ?? '';
    const told = [
      await admin.api('GET /links', {}),
      await admin.api('GET /links/{id}', { params: { id: made.id } }),
      await admin.api('GET /history', {}),
    ];
    expect(JSON.stringify(told)).not.toContain(secret);
  });

  it('is for lockers that its maker may manage, all of them', async () => {
    expect(await problemOf(make(scoped.api, [door(0), door(2)]))).toMatchObject({
      status: 422,
      code: 'unknown-reference',
      errors: [{ pointer: expect.stringMatching(/^\/lockerIds\/\d$/) as unknown }],
    });
    const own = await make(scoped.api, [door(0), door(1)]);
    const wide = await make(admin.api, [door(1), door(2)]);
    const seen = (await scoped.api('GET /links', {})).map((link) => link.id);
    expect(seen).toContain(own.id);
    expect(seen).not.toContain(wide.id);
    const params = { id: wide.id };
    expect(await refusal(scoped.api('GET /links/{id}', { params }))).toEqual([404, 'not-found']);
    expect(await refusal(scoped.api('GET /links/{id}/url', { params }))).toEqual([404, 'not-found']);
    expect(await refusal(scoped.api('DELETE /links/{id}', { params }))).toEqual([404, 'not-found']);
    const body = { version: wide.version, name: 'Mine now' };
    expect(await refusal(scoped.api('PUT /links/{id}', { params, body }))).toEqual([404, 'not-found']);
  });

  it.each([
    [{ validTo: '2020-01-01T00:00:00Z' }, '/validTo'],
    [{ validFrom: '2031-01-02T00:00:00Z', validTo: '2031-01-01T00:00:00Z' }, '/validTo'],
    [{ validFrom: '2031-01-02T00:00:00Z', validTo: '2033-01-01T00:00:00Z' }, '/validTo'],
  ])('cannot be for %o', async (more, pointer) => {
    expect(await problemOf(make(admin.api, [door(0)], more))).toMatchObject({ status: 422, code: 'rule', errors: [{ pointer }] });
  });

  it('cannot be until a moment that no year can be written of', async () => {
    const beyond = { validFrom: '9999-06-01T00:00:00Z', validTo: '9999-12-31T23:59:59-12:00' };
    expect(await problemOf(make(admin.api, [door(0)], beyond))).toMatchObject({ status: 400, code: 'malformed' });
  });

  it('is listed by its state, as of now', async () => {
    const now = Date.now();
    const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
    const waiting = await make(admin.api, [door(3)], { validFrom: at(1), validTo: at(60) });
    const active = await make(admin.api, [door(3)], { validTo: at(1) });
    const revoked = await make(admin.api, [door(3)]);
    await admin.api('DELETE /links/{id}', { params: { id: revoked.id } });
    const ids = async (state: string) =>
      (await admin.api('GET /links', { query: { q: { state, lockerIds: door(3) } } })).map((link) => [link.id, link.state]);
    expect(await ids('waiting')).toEqual([[waiting.id, 'waiting']]);
    expect(await ids('active')).toEqual([[active.id, 'active']]);
    expect(await ids('revoked')).toEqual([[revoked.id, 'revoked']]);
    // Not so far that the token runs out too.
    ahead = 90_000;
    expect(await ids('expired')).toEqual([[active.id, 'expired']]);
    expect(await ids('active')).toEqual([[waiting.id, 'active']]);
    ahead = 0;
  });

  it('is found by the words of its name', async () => {
    const made = await make(admin.api, [door(0)], { name: 'Nordlys Rør og 100%_varme' });
    const found = async ($text: string) => (await admin.api('GET /links', { query: { q: { $text } } })).map((link) => link.id);
    expect(await found('nord rør')).toEqual([made.id]);
    expect(await found('100%_v')).toEqual([made.id]);
    expect(await found('ordlys')).toEqual([]);
    expect(await found('%')).toEqual([made.id]);
    expect(await found('100_')).toEqual([]);
    const qr = await admin.api('GET /links/{id}/qr', { params: { id: made.id } });
    expect(qr.type).toBe('image/svg+xml');
    const shown = await fetch(`${server.url}/v1/links/${made.id}/qr`, { headers: { authorization: `Bearer ${admin.token}` } });
    expect([shown.headers.get('cache-control'), shown.headers.get('etag')]).toEqual(['no-store', null]);
    expect(await refusal(scoped.api('GET /links/{id}/qr', { params: { id: (await make(admin.api, [door(2)])).id } }))).toEqual([
      404,
      'not-found',
    ]);
  });

  it('ends with its last door, and says so to whoever holds it', async () => {
    const site = await admin.api('POST /sites', { body: { name: 'Annex' } });
    const doors = [{ doorTag: 'LINKED-1', compartment: 1, size: 'M' as const, height: 300 }];
    const built = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Annex', columns: [{ width: 400, doors }] } });
    const lockerId = built.columns[0]?.doors[0]?.lockerId ?? '';
    const made = await make(admin.api, [lockerId]);
    await admin.api('DELETE /cabinets/{id}', { params: { id: built.id } });
    expect(await admin.api('GET /links/{id}', { params: { id: made.id } })).toMatchObject({ state: 'revoked', lockerIds: [] });
    const token = made.url.split('/l/')[1] ?? '';
    const seen = await server
      .as(null)('POST /pickup/link', { body: { token } })
      .catch((error: unknown) => error);
    expect(JSON.stringify(seen)).toMatch(/revoked/);
    expect(await refusal(server.as(null)('POST /pickup/link/open', { body: { token } }))).toEqual([410, 'gone']);
  });

  it('is changed by whoever saw it last, and not once it is withdrawn', async () => {
    const made = await make(admin.api, [door(0)]);
    const params = { id: made.id };
    const changed = await admin.api('PUT /links/{id}', { params, body: { version: made.version, name: 'Electrician', maxUses: 5 } });
    expect(changed).toMatchObject({ name: 'Electrician', maxUses: 5, validTo: made.validTo });
    expect(await refusal(admin.api('PUT /links/{id}', { params, body: { version: made.version, name: 'Late' } }))).toEqual([409, 'stale']);
    await admin.api('DELETE /links/{id}', { params });
    await admin.api('DELETE /links/{id}', { params });
    const after = await admin.api('GET /links/{id}', { params });
    expect(after.state).toBe('revoked');
    expect(await refusal(admin.api('PUT /links/{id}', { params, body: { version: after.version, name: 'Again' } }))).toEqual([410, 'gone']);
    expect(await refusal(admin.api('GET /links/{id}/url', { params }))).toEqual([410, 'gone']);
  });
});

describe('whose right a link needs', () => {
  let phone: Client;
  let manager: TestPerson;
  beforeAll(async () => {
    phone = server.as(null);
    manager = await ours.person(['manager'], 'Mona Manager');
    // those of the links above
    for (let index = 0; index < 4; index++) await wall.free();
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
});
