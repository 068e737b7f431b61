import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { CHANGES, type OutboxMessage } from '../../events/outbox.ts';
import { refusal, testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

let server: TestServer;
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
  server = await testServer();
  admin = await (await testCompany(server)).person(['admin']);
  lockerId = await lockerOf(admin);
  groupId = (await admin.api('POST /groups', { body: { name: unique() } })).id;
});
afterAll(() => server.stop());

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
    const refused = await admin.api('PUT /permissions/{id}', { params, body: { ...late, version: made.version } }).catch((e: unknown) => e);
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
