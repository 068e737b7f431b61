import { GROUP_MEMBERS } from '@hatchway/contract/access.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let worker: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  worker = await ours.person([]);
});
afterAll(() => server.stop());

const group = () => admin.api('POST /groups', { body: { name: `Group ${unique()}`, description: 'West' } });
const put = (id: string, userId: string) => admin.api('POST /groups/{id}/members/{userId}', { params: { id, userId }, body: {} });
const take = (id: string, userId: string) => admin.api('DELETE /groups/{id}/members/{userId}', { params: { id, userId } });

describe('groups', () => {
  // shows R3.14, R7.58, R7.63
  it('count their members and name them', async () => {
    const { id, members, count, total } = await group();
    expect([members, count, total]).toEqual([[], 0, 0]);
    await put(id, worker.accountId);
    await put(id, worker.accountId);
    await put(id, admin.accountId);
    const whole = await admin.api('GET /groups/{id}', { params: { id } });
    expect(whole).toMatchObject({ count: 2, total: 2, description: 'West' });
    const names = await admin.api('GET /groups/{id}/members', { params: { id } });
    expect(names.map((one) => one.id).toSorted()).toEqual([worker.accountId, admin.accountId].toSorted());
    const known = [worker, admin].map(({ accountId, email }) => `${accountId} ${email}`);
    expect(names.map((one) => `${one.id} ${one.email}`).toSorted()).toEqual(known.toSorted());
    expect(names.filter(({ name }) => name === '')).toEqual([]);
    expect(whole.members.map((one) => one.id).toSorted()).toEqual(names.map((one) => one.id).toSorted());
    // Who is in it is for those who see its members.
    const counter = await ours.person(['delivery_manager']);
    expect(await counter.api('GET /groups/{id}', { params: { id } })).toMatchObject({ members: [], count: 0, total: 2 });
    expect((await counter.api('GET /groups', { query: { q: { id } } }))[0]).toMatchObject({ members: [], count: 0, total: 2 });
    await take(id, worker.accountId);
    expect(await refusal(take(id, worker.accountId))).toEqual([404, 'not-found']);
    expect((await admin.api('GET /groups', { query: { q: { id } } }))[0]).toMatchObject({ count: 1, total: 1 });
  });

  it('carry their first members alone, however many there are', async () => {
    const { id } = await group();
    const { ownerUrl } = server.database;
    const mark = unique();
    const theirs = `select $1::uuid, id, now() from accounts where email like '${mark}-%'`;
    await query(
      ownerUrl,
      `insert into accounts (id, name, email, created_at, updated_at)
        select gen_random_uuid(), 'Member ' || n, '${mark}-' || n || '@many.test', now(), now() from generate_series(1, 60) as n`,
    );
    await query(
      ownerUrl,
      `insert into memberships (tenant_id, account_id, created_at, id, updated_at) select t.*, gen_random_uuid(), now() from (${theirs}) as t`,
      [ours.id],
    );
    await query(ownerUrl, `insert into group_members (tenant_id, account_id, created_at, group_id) select t.*, $2 from (${theirs}) as t`, [
      ours.id,
      id,
    ]);
    const many = await admin.api('GET /groups/{id}', { params: { id } });
    expect([many.members.length, many.count, many.total]).toEqual([GROUP_MEMBERS, GROUP_MEMBERS, 60]);
  });

  it('page their members, in the order that was asked for', async () => {
    const { id } = await group();
    const [anna, berit] = [await ours.person([], 'anna'), await ours.person([], 'Berit')];
    for (const one of [berit, anna]) await put(id, one.accountId);
    const page = (more: object) => admin.api.page('GET /groups/{id}/members', { params: { id }, query: { sort: 'name', ...more } });
    const first = await page({ limit: 1, count: 'true' });
    expect(first).toMatchObject({ rows: [{ name: 'anna' }], total: 2 });
    const second = await page({ limit: 1, cursor: first.next ?? '' });
    expect(second).toMatchObject({ rows: [{ name: 'Berit' }], next: null });
    expect((await page({ q: { email: berit.email } })).rows).toMatchObject([{ id: berit.accountId }]);
    const query = { sort: 'name', q: { id: { $in: [berit.accountId, anna.accountId] } } };
    expect(await admin.api('GET /accounts', { query })).toMatchObject([{ name: 'anna' }, { name: 'Berit' }]);
  });

  it('are found by the beginning of a word of their name or description', async () => {
    const { id } = await admin.api('POST /groups', { body: { name: `Zebra crew ${unique()}`, description: 'Night shift' } });
    const find = (words: string) => admin.api('GET /groups', { query: { q: { $text: words } } }).then((rows) => rows.map((row) => row.id));
    expect(await find('zeb')).toEqual([id]);
    expect(await find('shift zebra')).toEqual([id]);
    expect(await find('ebra')).toEqual([]);
  });

  it('have a name of their own, whatever its case', async () => {
    const { id, name } = await group();
    expect(await refusal(admin.api('POST /groups', { body: { name: name.toUpperCase() } }))).toEqual([409, 'name-taken']);
    expect(await admin.api('PUT /groups/{id}', { params: { id }, body: { name: `${name}!` } })).toMatchObject({ name: `${name}!` });
  });

  // shows R3.14, R7.58, R7.59, R7.60, R7.61, R7.62
  it('are made, read, changed and deleted, as lists and single answers say', async () => {
    const made = await admin.api('POST /groups', { body: { name: `Crew ${unique()}` } });
    const params = { id: made.id };
    expect(made).toMatchObject({ members: [], count: 0 });
    expect(await admin.api('GET /groups/{id}', { params })).toEqual(made);
    const changed = await admin.api('PUT /groups/{id}', { params, body: { name: `${made.name} East`, description: 'East' } });
    expect(changed).toMatchObject({ id: made.id, name: `${made.name} East`, description: 'East' });
    const renamed = await admin.api('PUT /groups/{id}', { params, body: { name: `${made.name} West` } });
    expect(renamed).toMatchObject({ name: `${made.name} West`, description: 'East' });
    expect(await admin.api('GET /groups', { query: { limit: 500 } })).toContainEqual(renamed);
    await admin.api('DELETE /groups/{id}', { params });
    expect(await refusal(admin.api('GET /groups/{id}', { params }))).toEqual([404, 'not-found']);
    expect((await admin.api('GET /groups', { query: { limit: 500 } })).map(({ id }) => id)).not.toContain(made.id);
  });

  // shows R7.64, R7.65
  it('carry rights: whoever is put in has them with the next call, whoever is taken out has none', async () => {
    const { id } = await group();
    const site = await admin.api('POST /sites', { body: { name: `Site ${unique()}` } });
    const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
    const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
    const lockerId = cabinet.columns[0]?.doors[0]?.lockerId ?? '';
    const permission = await admin.api('POST /permissions', {
      body: { name: unique(), scopes: ['delivery'], groups: [id], lockers: [lockerId] },
    });
    const sees = () =>
      worker.api('GET /lockers').then(
        (rows) => rows.map((row) => row.id),
        () => 'nothing',
      );
    expect(await sees()).toBe('nothing');
    await put(id, worker.accountId);
    expect(await sees()).toEqual([lockerId]);
    await take(id, worker.accountId);
    expect(await sees()).toBe('nothing');
    await put(id, worker.accountId);
    await admin.api('DELETE /groups/{id}', { params: { id } });
    expect(await sees()).toBe('nothing');
    expect(await admin.api('GET /permissions/{id}', { params: { id: permission.id } })).toMatchObject({ groups: [] });
  });

  it('stay while a policy is for them', async () => {
    const { id } = await group();
    const policy = await admin.api('POST /policies', { body: { name: 'P', ref: unique(), groupIds: [id] } });
    expect(await refusal(admin.api('DELETE /groups/{id}', { params: { id } }))).toEqual([409, 'in-use-elsewhere']);
    await admin.api('DELETE /policies/{_id}', { params: { _id: policy._id } });
    await admin.api('DELETE /groups/{id}', { params: { id } });
  });
});
