import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../ids.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { query } from '../../db/test-database.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { testDoors } from '../occupations/test-doors.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  stranger = await (await testCompany(server)).person(['admin']);
});
afterAll(() => server.stop());

describe('policies', () => {
  // shows R3.10, R7.36, R7.37, R7.39
  it('keep what they were given, and leave the rest to the house', async () => {
    const ref = unique();
    await admin.api('POST /policies', { body: { name: 'Another', ref: unique() } });
    const made = await admin.api('POST /policies', {
      body: { name: 'Tools', ref, services: ['lending'], loanHours: 48, reminders: [-24, 0], price: { amount: 4900, currency: 'NOK' } },
    });
    expect(made).toMatchObject({ ref, loanHours: 48, reminders: [-24, 0], price: { amount: 4900, currency: 'NOK' }, pickupHours: null });
    const reader = await ours.person(['delivery_manager']);
    expect(await reader.api('GET /policies/{id}', { params: { id: made._id } })).toEqual(made);
    expect(await reader.api('GET /policies', { query: { q: { ref } } })).toEqual([made]);
    expect(await refusal(reader.api('POST /policies', { body: { name: 'X', ref: unique() } }))).toEqual([403, 'forbidden']);
    expect(await refusal(stranger.api('GET /policies/{id}', { params: { id: made._id } }))).toEqual([404, 'not-found']);
  });

  it('keep for whom, where and for what price they hold where a change does not name it', async () => {
    const wall = await testDoors(admin.api, 1);
    const group = await admin.api('POST /groups', { body: { name: unique() } });
    const ref = unique();
    const body = {
      services: ['lending'],
      lockerIds: wall.lockers.map(({ id }) => id),
      groupIds: [group.id],
      reserveMinutes: 5,
      pickupHours: 6,
      loanHours: 7,
      reminders: [-1],
      claimSeconds: 80,
      claimGraceSeconds: 9,
      maxActivePerPerson: 2,
      price: { amount: 100, currency: 'NOK' },
      inspectReturns: true,
      staffConfirmsClaim: true,
      loginHint: '@example.test',
      idpHint: 'entra',
    };
    const { _id } = await admin.api('POST /policies', { body: { name: 'Tools', ref, ...body } });
    const change = (more: object) => admin.api('PUT /policies/{_id}', { params: { _id }, body: { name: 'Renamed', ref, ...more } });
    expect(await change({})).toMatchObject({ name: 'Renamed', ...body });
    // What is named is taken, nothing and nobody too.
    for (const [field, value] of Object.entries(body))
      expect(await change({ [field]: Array.isArray(value) ? [] : typeof value === 'boolean' ? false : null })).toMatchObject({
        [field]: Array.isArray(value) ? [] : typeof value === 'boolean' ? false : null,
      });
  });

  // shows R7.40
  it('have an address of their own among all companies, given up with them', async () => {
    const [ref, other] = [unique(), unique()];
    const { _id } = await admin.api('POST /policies', { body: { name: 'A', ref } });
    expect(await refusal(stranger.api('POST /policies', { body: { name: 'B', ref } }))).toEqual([409, 'name-taken']);
    expect(await admin.api('PUT /policies/{_id}', { params: { _id }, body: { name: 'Z', ref: other } })).toMatchObject({
      name: 'Z',
      ref: other,
    });
    const theirs = await stranger.api('POST /policies', { body: { name: 'B', ref } });
    const refs = () =>
      query(server.database.ownerUrl, `select ref, target_id from public_refs where kind = 'policy' and ref = any($1) order by ref`, [
        [ref, other],
      ]);
    expect(await refs()).toEqual(
      [
        { ref, target_id: theirs._id },
        { ref: other, target_id: _id },
      ].toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
    );
    await admin.api('DELETE /policies/{_id}', { params: { _id } });
    expect(await refs()).toEqual([{ ref, target_id: theirs._id }]);
  });

  it('are found by the beginning of a word of their name or reference', async () => {
    const ref = `crossing-${unique()}`;
    const { _id } = await admin.api('POST /policies', { body: { name: 'Zebra rules', ref } });
    await stranger.api('POST /policies', { body: { name: 'Zebra rules', ref: `crossing-${unique()}` } });
    const find = (words: string) =>
      admin.api('GET /policies', { query: { q: { $text: words } } }).then((rows) => rows.map((row) => row._id));
    expect(await find('zeb')).toEqual([_id]);
    expect(await find('cross zebra')).toEqual([_id]);
    expect(await find(ref)).toEqual([_id]);
    expect(await find('ebra')).toEqual([]);
  });

  it('name only services that exist and rows of their company', async () => {
    const post = (change: object) => refusal(admin.api('POST /policies', { body: { name: 'X', ref: unique(), ...change } }));
    expect(await post({ services: ['teleport'] })).toEqual([422, 'rule']);
    expect(await post({ price: { amount: 100, currency: 'NOK', per: 'day' } })).toEqual([400, 'malformed']);
    expect(await post({ price: { amount: 1e15, currency: 'NOK' } })).toEqual([400, 'malformed']);
    expect(await post({ lockerIds: [newId()] })).toEqual([422, 'unknown-reference']);
    expect(await post({ groupIds: [(await stranger.api('POST /groups', { body: { name: 'G' } })).id] })).toEqual([
      422,
      'unknown-reference',
    ]);
  });

  // shows R7.38
  it('tell anybody who knows the ref how to sign in, and nothing else', async () => {
    const ref = unique();
    const hints = { loginHint: '@example.test', idpHint: 'entra' };
    await admin.api('POST /policies', { body: { name: 'Guests', ref, ...hints } });
    const anybody = server.as(null);
    expect(await anybody('GET /policies/{ref}/login_hint', { params: { ref } })).toEqual(hints);
    const bare = unique();
    await admin.api('POST /policies', { body: { name: 'Bare', ref: bare } });
    expect(await anybody('GET /policies/{ref}/login_hint', { params: { ref: bare } })).toEqual({ loginHint: null, idpHint: null });
    for (const none of [unique(), newId(), 'NO', '../x'])
      expect(await refusal(anybody('GET /policies/{ref}/login_hint', { params: { ref: none } }))).toEqual([404, 'not-found']);
    await expect(anybody('GET /policies/{ref}/login_hint', { params: { ref: '' } })).rejects.toThrow('Missing / Format issue of ref');
  });

  it('are not guessed: whoever asks for too many that are none has to wait', async () => {
    const codes = new Set<string | undefined>();
    await query(server.database.ownerUrl, 'delete from rate_limits');
    // Sixty in ten minutes, of which each of these is the last; three, since ten minutes may end among them.
    for (let tries = 0; tries < 3; tries++) {
      codes.add((await refusal(server.as(null)('GET /policies/{ref}/login_hint', { params: { ref: unique() } })))[1]);
      await query(server.database.ownerUrl, 'update rate_limits set count = 60');
    }
    expect(codes).toEqual(new Set(['not-found', 'too-many-requests']));
    // Then one that is there is told from none no more.
    const ref = unique();
    await admin.api('POST /policies', { body: { name: 'There', ref } });
    const now = server.as(null)('GET /policies/{ref}/login_hint', { params: { ref } });
    expect(await refusal(now)).toEqual([429, 'too-many-requests']);
    await query(server.database.ownerUrl, 'delete from rate_limits');
  });

  // shows R7.41, R5.23
  it('stay while a running occupation or a locker names them, and keep their ref so long', async () => {
    const ref = unique();
    const body = { name: 'Parcels', ref, services: ['delivery'], pickupHours: 5 };
    const { _id } = await admin.api('POST /policies', { body });
    const site = await admin.api('POST /sites', { body: { name: unique() } });
    const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
    const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
    const lockerId = cabinet.columns[0]?.doors[0]?.lockerId ?? '';
    const use = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId, assetText: 'Parcel', policyRef: ref } });
    const remove = () => admin.api('DELETE /policies/{_id}', { params: { _id } });
    expect(await refusal(remove())).toEqual([409, 'in-use-elsewhere']);
    const moved = admin.api('PUT /policies/{_id}', { params: { _id }, body: { ...body, ref: unique() } });
    expect(await refusal(moved)).toEqual([409, 'in-use-elsewhere']);
    // Its rules may change all the same: what runs keeps the times that it was given.
    expect(await admin.api('PUT /policies/{_id}', { params: { _id }, body: { ...body, pickupHours: 9 } })).toMatchObject({
      pickupHours: 9,
    });
    await admin.api('DELETE /occupations/{id}', { params: { id: use.id }, body: {} });
    const set = (value: string | null) =>
      query(server.database.ownerUrl, 'update lockers set policy_ref = $2 where id = $1', [lockerId, value]);
    await set(ref);
    expect(await refusal(remove())).toEqual([409, 'in-use-elsewhere']);
    await set(null);
    expect(await refusal(stranger.api('DELETE /policies/{_id}', { params: { _id } }))).toEqual([404, 'not-found']);
    await remove();
    expect(await refusal(admin.api('GET /policies/{id}', { params: { id: _id } }))).toEqual([404, 'not-found']);
    await expect(admin.api('DELETE /policies/{_id}', { params: { _id: '' } })).rejects.toThrow('Missing / Format issue of policyId');
  });

  it.each([
    ['deleted', (_id: string) => admin.api('DELETE /policies/{_id}', { params: { _id } })],
    [
      'renamed',
      (_id: string, lockerId: string) =>
        admin.api('PUT /policies/{_id}', { params: { _id }, body: { name: 'Tools', ref: unique(), lockerIds: [lockerId] } }),
    ],
  ])('%s while a locker is set aside under them are named by nothing, or stay', async (_what, change) => {
    const wall = await testDoors(admin.api, 8);
    const each = wall.lockers.map(async ({ id: lockerId }, at) => {
      const ref = unique();
      // By its name, and as the one that holds for this locker.
      const named = at % 2 === 0;
      const { _id } = await admin.api('POST /policies', { body: { name: 'Tools', ref, ...(named ? {} : { lockerIds: [lockerId] }) } });
      const body = { type: 'delivery' as const, lockerId, assetText: 'Parcel', ...(named ? { policyRef: ref } : {}) };
      await Promise.allSettled([admin.api('POST /occupations', { body }), change(_id, lockerId)]);
    });
    await Promise.all(each);
    expect(
      await query(
        server.database.ownerUrl,
        `select o.policy_ref from occupations o where o.tenant_id = $1 and o.stage < 98 and o.policy_ref is not null
         and not exists (select from policies p where p.tenant_id = o.tenant_id and p.ref = o.policy_ref)`,
        [ours.id],
      ),
    ).toEqual([]);
    // Lockers first and policies then, whoever asks.
    const deadlocks = () => query(server.database.ownerUrl, 'select deadlocks from pg_stat_database where datname = current_database()');
    expect(await deadlocks()).toEqual([{ deadlocks: '0' }]);
  });
});
