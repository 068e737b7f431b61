import { ADDRESS_CHANGED } from '@hatchway/domain/receiver.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@hatchway/contract/client.ts';
import { newId } from '../../ids.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { query } from '../../db/test-database.ts';
import { testServer, type TestServer, unique } from '../../test-server.ts';
import { ApiError } from '@hatchway/contract/client.ts';
import { CHANGES, type OutboxMessage } from '../../events/outbox.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let steel: TestCabinet;
/** As the demo has them: a role, or scopes on the first two doors. */
let people: Record<string, TestPerson>;
let keys: Record<string, { id: string; api: Client }>;
const lockers: Record<string, { id: string; doorTag: string; occupationId: string | null }> = {};

beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  steel = await testCabinet(server, admin.api, 6);
  const [a, b, c, d, e] = steel.lockers;
  if (!a || !b || !c || !d || !e) throw new Error('no doors');
  people = {
    admin,
    all: await ours.person(['all']),
    manager: await ours.person(['manager']),
    counter: await ours.person(['delivery_manager']),
    shop: await ours.person(['sale_manager']),
    keeper: await ours.person(['asset_manager']),
    scoped: await ours.scoped(['delivery'], [a.id, b.id]),
    steward: await ours.scoped(['manage'], [b.id]),
    guest: await ours.person([]),
  };
  keys = {};
  for (const scope of ['read', 'manage', 'delivery']) {
    const made = await admin.api('POST /key', { body: { name: `Key ${scope}`, scopes: [scope] } });
    keys[scope] = { id: made._id, api: server.as(made.secret) };
  }
  const reserved = await admin.api('POST /occupations', {
    body: { type: 'delivery', lockerId: a.id, assetText: 'Parcel', receiver: { name: 'Rita Receiver', email: 'rita@example.test' } },
  });
  const offered = await admin.api('POST /occupations', {
    body: { type: 'delivery', lockerId: c.id, assetText: 'Parcel', receiver: { name: 'Ole Receiver', email: 'ole@example.test' } },
  });
  await admin.api('PUT /occupations', { body: { id: offered.id, action: 'fill' } });
  await admin.api('PUT /occupations', { body: { id: offered.id, action: 'send' } });
  const sale = await admin.api('POST /occupations', {
    body: { type: 'sale', lockerId: d.id, assetText: 'Rain jacket', quantity: 3, price: { amount: 100, currency: 'NOK' } },
  });
  lockers.reserved = { ...a, occupationId: reserved.id };
  lockers.free = { ...b, occupationId: null };
  lockers.offered = { ...c, occupationId: offered.id };
  lockers.sale = { ...d, occupationId: sale.id };
});
afterAll(async () => {
  steel.end();
  await server.stop();
});

/** Whether the door really opens for them: by itself, or else by naming what is in the locker, to take it out too. */
const opens = async (api: Client, locker: { id: string; doorTag: string; occupationId: string | null }): Promise<boolean> => {
  const named = locker.occupationId === null ? [] : [locker.occupationId];
  const ways = [{}, ...named.flatMap((occupationId) => [{ occupationId }, { occupationId, takeOut: 'keep' as const }])];
  for (const way of ways) {
    const body = { doorTag: locker.doorTag, ...way };
    const opened = await api('POST /lockers/{id}/open', { params: { id: locker.id }, body }).then(
      () => true,
      (error: { status?: number; problem?: { code?: string } }) => {
        // Refused for want of a right, for being out of sight, or because the stage keeps it shut; never for the steel.
        expect([403, 404, 409]).toContain(error.status);
        expect(['forbidden', 'not-found', 'occupation-transition']).toContain(error.problem?.code);
        return false;
      },
    );
    if (opened) return true;
  }
  return false;
};
const explained = (query: { lockerId?: string; accountId?: string }) => admin.api('GET /permissions/explain', { query });

describe('who can open this locker', () => {
  it('names the receiver where the code opens it, and no secret', async () => {
    const { openings } = await explained({ lockerId: lockers.offered?.id ?? '' });
    expect(openings.filter((one) => one.kind === 'receiver')).toMatchObject([
      { id: null, name: 'Ole Receiver', why: [{ by: 'receiver', service: 'delivery' }] },
    ]);
    const reserved = await explained({ lockerId: lockers.reserved?.id ?? '' });
    expect(reserved.openings.filter((one) => one.kind === 'receiver')).toEqual([]);
    // Corrected: what was sent opens nothing any more, and nothing was sent to the new address yet.
    const id = lockers.offered?.occupationId ?? '';
    const told = async () =>
      (await explained({ lockerId: lockers.offered?.id ?? '' })).openings.flatMap((one) => (one.kind === 'receiver' ? [one.name] : []));
    const known = (error: string | null) =>
      query(server.database.ownerUrl, 'update occupations set contact_error = $2 where id = $1', [id, error]);
    await known(ADDRESS_CHANGED);
    expect(await told()).toEqual([]);
    await known(null);
    expect(await told()).toEqual(['Ole Receiver']);
  });

  it.each(['free', 'offered', 'sale', 'reserved'])('says of %s what the door itself answers, for each role and key', async (which) => {
    const locker = lockers[which];
    if (!locker) throw new Error('no locker');
    const { openings } = await explained({ lockerId: locker.id });
    const said = (kind: string, id: string) => openings.some((one) => one.kind === kind && one.id === id);
    // Asked of all before any door opens: an opened door may move the use on.
    const told = Object.entries(people).map(([name, one]) => [name, one.api, said('person', one.accountId)] as const);
    const toldKeys = Object.entries(keys).map(([name, one]) => [`key ${name}`, one.api, said('key', one.id)] as const);
    for (const [name, api, says] of [...told, ...toldKeys]) expect([name, await opens(api, locker)]).toEqual([name, says]);
    expect(told.filter(([, , says]) => says).length).toBeGreaterThan(1);
    expect(told.filter(([, , says]) => !says).length).toBeGreaterThan(1);
  });

  it('says the same when it is asked of a person, locker by locker', async () => {
    const ofAll = await Promise.all(Object.values(lockers).map(({ id }) => explained({ lockerId: id })));
    for (const [name, person] of Object.entries(people)) {
      const mine = await explained({ accountId: person.accountId });
      for (const [at, [which, locker]] of Object.entries(lockers).entries()) {
        const openings = ofAll[at]?.openings ?? [];
        const can = openings.some((one) => one.id === person.accountId);
        const says = mine.everywhere.length > 0 || mine.openings.some((one) => one.lockerId === locker.id);
        expect([name, which, says]).toEqual([name, which, can]);
        expect((await explained({ lockerId: locker.id, accountId: person.accountId })).openings).toHaveLength(can ? 1 : 0);
      }
    }
  });

  it('knows locker and person by their ids in capitals too, and of none asked nothing', async () => {
    expect(await explained({})).toEqual({ everywhere: [], openings: [], more: false });
    const [lockerId, accountId] = [lockers.free?.id ?? '', people.steward?.accountId ?? ''];
    const asked = await explained({ lockerId, accountId });
    expect(asked.openings).toHaveLength(1);
    expect(await explained({ lockerId: lockerId.toUpperCase(), accountId: accountId.toUpperCase() })).toEqual(asked);
  });

  it('names the role, and the permission with its group', async () => {
    const { openings } = await explained({ lockerId: lockers.free?.id ?? '' });
    const of = (name: string) => openings.find((one) => one.id === people[name]?.accountId)?.why;
    expect(of('all')).toEqual([{ by: 'role', service: 'lock-control', role: 'all', scope: null, permissions: [], policies: [] }]);
    expect(of('steward')).toEqual([
      {
        by: 'scope',
        service: 'lock-control',
        role: null,
        scope: 'manage',
        permissions: [
          {
            id: expect.any(String),
            name: expect.stringMatching(/^Permission/),
            groups: [{ id: expect.any(String), name: expect.stringMatching(/^Group/) }],
          },
        ],
        policies: [],
      },
    ]);
    expect(of('scoped')).toBeUndefined();
  });

  it('names whoever may take what is offered there by signing in, and by which policy, as long as they may', async () => {
    const asker = admin;
    const wall = await testCabinet(server, asker.api, 3);
    const [crew, mate, outsider] = [await ours.person([], 'Cara Crew'), await ours.person([], 'Mats Mate'), people.guest!];
    const { id: groupId } = await asker.api('POST /groups', { body: { name: 'Crew' } });
    const grouped = ({ accountId }: TestPerson) => ({ params: { id: groupId, userId: accountId }, body: {} });
    for (const one of [crew, mate]) await asker.api('POST /groups/{id}/members/{userId}', grouped(one));
    const lockerIds = wall.lockers.slice(0, 2).map(({ id }) => id);
    const policy = await asker.api('POST /policies', {
      body: { name: 'Tools', ref: newId(), services: ['lending'], lockerIds, groupIds: [groupId], maxActivePerPerson: 1 },
    });
    const lent = await Promise.all(
      wall.lockers.map(async ({ id: lockerId, doorTag, compartment }) => {
        const { id } = await asker.api('POST /occupations', { body: { type: 'lending', lockerId, assetText: 'A drill' } });
        for (const action of ['fill', 'publish'] as const) await asker.api('PUT /occupations', { body: { id, action } });
        return { id, lockerId, doorTag, compartment };
      }),
    );
    const [drill, saw, unruled] = lent;
    if (!drill || !saw || !unruled) throw new Error('no doors');
    const ask = async (asked: { lockerId?: string; accountId?: string }) =>
      (await asker.api('GET /permissions/explain', { query: asked })).openings.filter(({ why }) => why.some(({ by }) => by === 'offer'));
    const told = async () => {
      const byLocker: string[] = [];
      for (const { lockerId, doorTag } of lent) for (const one of await ask({ lockerId })) byLocker.push(`${one.name} ${doorTag}`);
      return byLocker.toSorted();
    };
    const toldOfPeople = async () => {
      const byPerson: string[] = [];
      for (const { accountId } of [crew, mate, outsider, asker])
        for (const one of await ask({ accountId })) byPerson.push(`${one.name} ${one.doorTag}`);
      return byPerson.toSorted();
    };
    const both = (name: string) => [drill, saw].map(({ doorTag }) => `${name} ${doorTag}`);
    const why = { by: 'offer', service: 'lending', role: null, scope: null, permissions: [] };

    for (const ask of [told, toldOfPeople]) expect(await ask()).toEqual([...both('Cara Crew'), ...both('Mats Mate')].toSorted());
    expect(await ask({ lockerId: drill.lockerId, accountId: crew.accountId })).toMatchObject([
      { kind: 'person', id: crew.accountId, why: [{ ...why, policies: [{ id: policy._id, name: 'Tools' }] }] },
    ]);
    const take = (person: TestPerson, { id }: typeof drill) => person.api('POST /pickup/take', { body: { id } });
    for (const person of [outsider, asker]) expect(await refusal(take(person, drill))).toEqual([403, 'not-in-group']);
    expect(await refusal(take(crew, unruled))).toEqual([403, 'not-in-group']);

    // Whoever has one may take no further one by this policy; theirs they open again, and nobody else does.
    const { token } = await take(crew, drill);
    expect(await told()).toEqual([`Cara Crew ${drill.doorTag}`, `Mats Mate ${saw.doorTag}`]);
    expect(await refusal(take(crew, saw))).toEqual([409, 'too-many']);
    expect(await refusal(take(mate, drill))).toEqual([409, 'in-use']);
    const key = { token };
    expect(await server.as(null)('POST /pickup/open', { body: { key, doorTag: drill.doorTag } })).toMatchObject({ outcome: 'opened' });
    await wall.close(drill.compartment);
    await expect.poll(async () => (await server.as(null)('POST /pickup/look', { body: { key } }))?.door.state).toBe('closed');
    await server.as(null)('POST /pickup/done', { body: { key } });
    for (const ask of [told, toldOfPeople]) expect(await ask()).toEqual([`Cara Crew ${drill.doorTag}`, `Mats Mate ${saw.doorTag}`]);
    expect(await ask({ accountId: crew.accountId })).toMatchObject([{ doorTag: drill.doorTag, why: [{ ...why, policies: [] }] }]);
    expect(await take(crew, drill)).toEqual({ token });

    await asker.api('DELETE /groups/{id}/members/{userId}', grouped(mate));
    for (const ask of [told, toldOfPeople]) expect(await ask()).toEqual([`Cara Crew ${drill.doorTag}`]);
    expect(await refusal(take(mate, saw))).toEqual([403, 'not-in-group']);
    wall.end();
  });

  it('lists access links while they hold', async () => {
    const lockerId = lockers.free?.id ?? '';
    const link = (name: string, more: { from?: string; to?: string; used?: number; revoked?: string | null; lockers?: string[]; by?: string; purpose?: string }) =>
      query(
        server.database.ownerUrl,
        `insert into access_links (tenant_id, id, name, locker_ids, purpose, token_hash, token_sealed, valid_from, valid_to, used, revoked_at, created_by, created_at, updated_at)
         values ($1, $2, $3, $4, $11, $5, '\\x00', $6, $7, $8, $9, $10, now(), now())`,
        [ours.id, newId(), name, more.lockers ?? [lockerId], Buffer.from(name), more.from ?? '2020-01-01', more.to ?? '2090-01-01', more.used ?? 0, more.revoked ?? null,
          { kind: 'person', id: more.by ?? admin.accountId, name: 'Somebody' }, more.purpose ?? 'open'],
      ); // prettier-ignore
    await link('Plumber', {});
    await link('Too early', { from: '2080-01-01' });
    await link('Over', { to: '2021-01-01' });
    await link('Spent', { used: 1 });
    await link('Withdrawn', { revoked: '2021-01-01' });
    await link('Elsewhere', { lockers: [lockers.sale?.id ?? ''] });
    await link('Of the manager', { by: people.manager?.accountId ?? '' });
    await link('Of somebody else', { by: newId() });
    await link('Nothing waits', { purpose: 'pick-up' });
    await link('In', { purpose: 'drop-off' });
    const named = async (id: string) =>
      (await explained({ lockerId: id })).openings.filter((one) => one.kind === 'link').map((one) => one.name);
    expect(await named(lockerId)).toEqual(['Plumber', 'In']);
    const offered = [lockers.offered?.id ?? ''];
    await link('Nothing goes in here', { purpose: 'drop-off', lockers: offered });
    await link('Out', { purpose: 'pick-up', lockers: offered });
    // Told of already: a link fetches what waits, and that nobody is being told of right now.
    await admin.api('PUT /lockers/{id}/service', { params: { id: lockerId }, body: { outOfService: true, reason: 'Broken' } });
    expect(await named(lockerId)).toEqual([]);
    await admin.api('PUT /lockers/{id}/service', { params: { id: lockerId }, body: { outOfService: false } });
    expect(await named(lockerId)).toEqual(['Plumber', 'In']);
  });

  it('tells a key only of those by name whom it may read elsewhere', async () => {
    for (const [more, names, details] of [
      [[], [], []],
      [['admin:memberships'], ['person'], ['person']],
      [['admin:groups'], ['person'], ['person']],
      [['admin:lockers'], ['link'], []],
      [['read'], ['key', 'link', 'person'], []],
    ] as const) {
      const { secret } = await admin.api('POST /key', { body: { name: 'Program', scopes: ['admin:permissions', ...more] } });
      const asKey = (query: { lockerId?: string; accountId?: string }) => server.as(secret)('GET /permissions/explain', { query });
      const { openings } = await asKey({ lockerId: lockers.free?.id ?? '' });
      const kinds = (found: typeof openings) => [...new Set(found.map(({ kind }) => kind))].toSorted();
      expect(kinds(openings)).toEqual(['key', 'link', 'person']);
      expect([more, kinds(openings.filter(({ name }) => name !== ''))]).toEqual([more, names]);
      expect([more, kinds(openings.filter(({ kind, detail }) => kind !== 'link' && detail !== null))]).toEqual([more, details]);
      const ofPerson = await asKey({ accountId: people.scoped?.accountId ?? '' });
      expect(kinds(ofPerson.openings.filter(({ detail }) => detail !== null))).toEqual(details);
    }
  });

  it('tells 500 lockers of a person, says that there are more, and answers for each of those when it is asked of it', async () => {
    const other = await testCompany(server);
    const asker = await other.person(['admin']);
    const [near, far] = [newId(), newId()];
    const made = await query<{ id: string }>(
      server.database.ownerUrl,
      `with s as (insert into sites (tenant_id, id, name, created_at, updated_at) values ($1, $2, 'Hall', now(), now())),
       c as (insert into cabinets (tenant_id, id, number, site_id, name, created_at, updated_at) values ($1, $3, 987654, $2, 'Wall', now(), now()))
       insert into lockers (tenant_id, id, cabinet_id, compartment, door_tag, name, size, reach, created_at, updated_at)
       select $1, gen_random_uuid(), $3, n, 'T' || lpad(n::text, 4, '0'), '', 'M', 'middle', now(), now() from generate_series(1, 501) n returning id`,
      [other.id, near, far],
    );
    const lockerIds = made.map(({ id }) => id);
    const all = await other.scoped(['manage'], lockerIds);
    const some = await other.scoped(['manage'], lockerIds.slice(0, 500));
    const ask = (asked: { lockerId?: string; accountId?: string }) => asker.api('GET /permissions/explain', { query: asked });
    const told = await ask({ accountId: all.accountId });
    expect([told.openings.length, told.openings[0]?.doorTag, told.openings.at(-1)?.doorTag, told.more]).toEqual([
      500,
      'T0001',
      'T0500',
      true,
    ]);
    expect((await ask({ accountId: all.accountId, lockerId: lockerIds[500] ?? '' })).openings).toHaveLength(1);
    const whole = await ask({ accountId: some.accountId });
    expect([whole.openings.length, whole.more]).toEqual([500, false]);
    const everywhere = await ask({ accountId: asker.accountId });
    expect([everywhere.everywhere.length, everywhere.openings.length, everywhere.more]).toEqual([1, 0, false]);
  });

  it('knows a withdrawn permission at once', async () => {
    const { openings } = await explained({ lockerId: lockers.free?.id ?? '' });
    const steward = openings.find((one) => one.id === people.steward?.accountId);
    await admin.api('DELETE /permissions/{id}', { params: { id: steward?.why[0]?.permissions[0]?.id ?? '' } });
    const after = await explained({ lockerId: lockers.free?.id ?? '' });
    expect(after.openings.some((one) => one.id === people.steward?.accountId)).toBe(false);
    expect(await opens(people.steward!.api, lockers.free!)).toBe(false);
  });
});

describe('permissions', () => {
  let admin: TestPerson;
  const lockerOf = async (person: TestPerson): Promise<string> => {
    const site = await person.api('POST /sites', { body: { name: unique() } });
    const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
    const cabinet = await person.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
    return cabinet.columns[0]?.doors[0]?.lockerId ?? '';
  };
  let lockerId: string;
  let groupId: string;
  beforeAll(async () => {
    admin = await (await testCompany(server)).person(['admin']);
    lockerId = await lockerOf(admin);
    groupId = (await admin.api('POST /groups', { body: { name: unique() } })).id;
  });

  const input = (change: object = {}) => ({ name: unique(), scopes: ['delivery'], groups: [groupId], lockers: [lockerId], ...change });

  describe('permissions', () => {
    // shows R3.16, R7.71
    it('take scopes as word or URN, and keep the word once', async () => {
      const scopes = ['urn:pml:resources:locker:scopes:delivery', 'delivery', 'manage'];
      const made = await admin.api('POST /permissions', { body: input({ scopes, lockers: [lockerId, lockerId] }) });
      expect(made).toMatchObject({ scopes: ['delivery', 'manage'], lockers: [lockerId], groups: [groupId] });
      expect(await refusal(admin.api('POST /permissions', { body: input({ scopes: ['rule-all'] }) }))).toEqual([422, 'rule']);
    });

    // shows R3.16, R7.70, R7.71, R7.72, R7.73, R7.74
    it('are made, read, changed and deleted, as lists and single answers say', async () => {
      const made = await admin.api('POST /permissions', { body: input() });
      const params = { id: made.id };
      expect(await admin.api('GET /permissions/{id}', { params })).toEqual(made);
      const name = unique();
      const changed = await admin.api('PUT /permissions/{id}', { params, body: input({ name, scopes: ['sale', 'storage'], groups: [] }) });
      expect(changed).toMatchObject({ id: made.id, name, scopes: ['sale', 'storage'], groups: [], lockers: [lockerId] });
      expect(await admin.api('GET /permissions', { query: { limit: 500 } })).toContainEqual(changed);
      await admin.api('DELETE /permissions/{id}', { params });
      expect(await refusal(admin.api('GET /permissions/{id}', { params }))).toEqual([404, 'not-found']);
      expect((await admin.api('GET /permissions', { query: { limit: 500 } })).map(({ id }) => id)).not.toContain(made.id);
    });

    it('are found by the beginning of a word of their name', async () => {
      const { id } = await admin.api('POST /permissions', { body: input({ name: `Zebra doors ${unique()}` }) });
      const find = (words: string) =>
        admin.api('GET /permissions', { query: { q: { $text: words } } }).then((rows) => rows.map((row) => row.id));
      expect(await find('zeb')).toEqual([id]);
      expect(await find('doors zebra')).toEqual([id]);
      expect(await find('ebra')).toEqual([]);
    });

    // shows R7.73
    it('that were narrowed are not widened again by a form that was opened before', async () => {
      const made = await admin.api('POST /permissions', { body: input({ scopes: ['delivery', 'manage'] }) });
      const params = { id: made.id };
      const narrow = await admin.api('PUT /permissions/{id}', {
        params,
        body: { ...input({ scopes: ['delivery'] }), version: made.version },
      });
      expect(narrow).toMatchObject({ version: made.version + 1 });
      const late = input({ name: 'Renamed', scopes: ['delivery', 'manage'] });
      const refused = await admin
        .api('PUT /permissions/{id}', { params, body: { ...late, version: made.version } })
        .catch((e: unknown) => e);
      expect(refused instanceof ApiError ? refused.problem : null).toMatchObject({
        status: 409,
        code: 'stale',
        detail: 'Somebody changed this meanwhile',
        data: { version: narrow.version },
      });
      expect(await admin.api('GET /permissions/{id}', { params })).toEqual(narrow);
      // The specification's body names no version: then the last word holds.
      expect(await admin.api('PUT /permissions/{id}', { params, body: late })).toMatchObject({
        name: 'Renamed',
        version: narrow.version + 1,
      });
    });

    it('are told to whoever listens to rights, with every change', async () => {
      const heard: string[] = [];
      const stop = server.deps.bus.subscribe(CHANGES, (payload) => {
        for (const change of (payload as OutboxMessage).changes)
          if (change.kind === 'permissions') heard.push(`${change.method} ${change.id}`);
      });
      const { id } = await admin.api('POST /permissions', { body: input() });
      await admin.api('PUT /permissions/{id}', { params: { id }, body: input({ scopes: [] }) });
      await admin.api('POST /groups/{id}/members/{userId}', { params: { id: groupId, userId: admin.accountId }, body: {} });
      await admin.api('DELETE /permissions/{id}', { params: { id } });
      const own = () => heard.filter((one) => one.endsWith(id)).map((one) => one.split(' ')[0]);
      await expect.poll(own).toEqual(['POST', 'PUT', 'PUT', 'DELETE']);
      stop();
      expect(await refusal(admin.api('GET /permissions/{id}', { params: { id } }))).toEqual([404, 'not-found']);
    });
  });
});
