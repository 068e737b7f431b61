import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testSession } from '../../identity/test-token.ts';
import { newId } from '../../ids.ts';
import { systemScope } from '../../scope.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { inDirectory } from './commands.ts';
import { addMembers, removeMembers, takeGroup } from './group-commands.ts';
import { takePerson } from './people-commands.ts';
import type { Run } from './run.ts';

let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  admin = await company.person(['admin']);
});
afterAll(() => server.stop());

const run = <T>(act: (run: Run) => Promise<T>, tenantId = company.id): Promise<T> =>
  inDirectory(server.deps, systemScope(tenantId, server.deps.now().toISOString()), act);
/** A group of the directory with one person in it. */
const crew = async (tenantId = company.id) => {
  const ref = unique();
  const name = `Person ${ref}`;
  const id = await run(async (r) => {
    await takePerson(r, 'entra', { ref, userName: ref, displayName: name, email: `${ref}@firm.test`, active: true });
    const made = await takeGroup(r, 'entra', { ref, displayName: `Crew ${ref}` });
    await addMembers(r, 'entra', ref, [ref]);
    return made;
  }, tenantId);
  return { id, ref, name };
};
type Gives = { roles?: ('admin' | 'manager' | 'delivery_manager')[]; groups?: string[]; permissions?: string[]; version?: number };
const map = (id: string, { version, ...gives }: Gives, by = admin.api) =>
  by('PUT /directory/groups/{id}', {
    params: { id },
    body: { roles: [], groups: [], permissions: [], ...gives, ...(version === undefined ? {} : { version }) },
  });
const memberOf = async (name: string) =>
  (await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: company.id } })).find((one) => one.name === name);
const rolesOf = async (name: string) => (await memberOf(name))?.roles;
const ownGroup = () => admin.api('POST /groups', { body: { name: unique(), description: '' } });
const peopleIn = async (id: string) => (await admin.api('GET /groups/{id}/members', { params: { id } })).map(({ name }) => name);
const permission = (groups: string[] = []) =>
  admin.api('POST /permissions', { body: { name: unique(), scopes: ['delivery'], groups, lockers: [] } });

describe('What a group of the directory gives', () => {
  it('holds at once for who is in it, and for who comes, until it is taken back', async () => {
    const { id, ref, name } = await crew();
    const own = await ownGroup();
    const given = await map(id, { roles: ['delivery_manager'], groups: [own.id] });
    expect(given).toMatchObject({ roles: ['delivery_manager'], groups: [own.id], members: 1 });
    expect([await rolesOf(name), await peopleIn(own.id)]).toEqual([['delivery_manager'], [name]]);
    const late = await crew();
    await run((r) => addMembers(r, 'entra', ref, [late.ref]));
    expect([await rolesOf(late.name), (await peopleIn(own.id)).toSorted()]).toEqual([['delivery_manager'], [late.name, name].toSorted()]);
    await run((r) => removeMembers(r, 'entra', ref, [late.ref]));
    expect([await rolesOf(late.name), await peopleIn(own.id)]).toEqual([[], [name]]);
    await map(id, {});
    expect([await rolesOf(name), await peopleIn(own.id)]).toEqual([[], []]);
  });

  it('takes what an administrator handed on away with that role', async () => {
    const { id, name } = await crew();
    await map(id, { roles: ['admin'] });
    const mint = await testSession(server.deps, (await memberOf(name))?.accountId ?? '', company.id);
    const { secret } = await server.as(await mint())('POST /key', { body: { name: 'K', scopes: ['read', 'admin:groups'] } });
    const key = server.as(secret);
    await key('GET /groups');
    await map(id, { roles: ['manager'] });
    expect(await refusal(key('GET /groups'))).toEqual([401, 'unauthenticated']);
  });

  it('names permissions through a group of ours, which comes and goes with them', async () => {
    const { id, name } = await crew();
    const [one, two] = [await permission(), await permission()];
    const count = async () => (await admin.api('GET /groups', { query: { limit: 200 } })).length;
    const before = await count();
    expect((await map(id, { permissions: [one.id, two.id] })).permissions.toSorted()).toEqual([one.id, two.id].toSorted());
    expect(await count()).toBe(before + 1);
    const groups = async (of: string) => (await admin.api('GET /permissions')).find((row) => row.id === of)?.groups ?? [];
    const [between = ''] = await groups(one.id);
    expect(await peopleIn(between)).toEqual([name]);
    expect((await map(id, { permissions: [two.id] })).permissions).toEqual([two.id]);
    expect([await groups(one.id), await groups(two.id)]).toEqual([[], [between]]);
    await map(id, {});
    expect([await count(), await groups(two.id)]).toEqual([before, []]);
  });

  it('is no more than who says it holds', async () => {
    const { id, name } = await crew();
    const { secret } = await admin.api('POST /key', { body: { name: 'K', scopes: ['admin:integrations'] } });
    const own = await ownGroup();
    const { id: reaching } = await permission([own.id]);
    for (const gives of [{ roles: ['admin'] }, { permissions: [reaching] }, { groups: [own.id] }] satisfies Gives[])
      expect([gives, await refusal(map(id, gives, server.as(secret)))]).toEqual([gives, [403, 'forbidden']]);
    expect(await refusal(map(id, { roles: ['manager'] }, (await company.person(['all'])).api))).toEqual([403, 'forbidden']);
    expect(await rolesOf(name)).toEqual([]);
  });

  it('is of one company, and of what is there', async () => {
    const { id } = await crew();
    const other = await testCompany(server);
    const boss = await other.person(['admin']);
    const theirs = await boss.api('POST /groups', { body: { name: 'Theirs', description: '' } });
    const lent = await boss.api('POST /permissions', { body: { name: 'Theirs', scopes: ['delivery'], groups: [], lockers: [] } });
    expect(await refusal(map(id, {}, boss.api))).toEqual([404, 'not-found']);
    expect(await refusal(map((await crew(other.id)).id, {}))).toEqual([404, 'not-found']);
    for (const gives of [{ groups: [theirs.id] }, { permissions: [lent.id] }, { groups: [newId()] }, { permissions: [newId()] }])
      expect([gives, await refusal(map(id, gives))]).toEqual([gives, [422, 'unknown-reference']]);
  });

  it('is said by one of two at once', async () => {
    const { id, name } = await crew();
    const [seen] = await admin.api('GET /directory/groups', { query: { q: { id } } });
    const version = seen?.version ?? 0;
    const both = await Promise.allSettled([map(id, { roles: ['manager'], version }), map(id, { roles: ['delivery_manager'], version })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await rolesOf(name)).toHaveLength(1);
    expect(await refusal(map(id, { version }))).toEqual([409, 'stale']);
  });
});
