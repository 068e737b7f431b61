import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import { testCompany, type TestCompany, type TestPerson } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';
import { ask, byName, guarded, paramsOf, testWorld, type Answer, type World } from './test-world.ts';

// Somebody in two companies opens a link of the one while they are in the other.

let server: TestServer;
let there: TestCompany;
let world: World;
let admin: TestPerson;
let mere: TestPerson;
let stranger: TestPerson;
/** May do little here, and everything there. */
let clerk: TestPerson;
const join = (accountId: string, roles: string[]) => {
  const stamp = server.deps.now().toISOString();
  const row = { tenant_id: there.id, id: newId(), account_id: accountId, roles, created_at: stamp, updated_at: stamp };
  return server.deps.db.tenant(there.id, (tx) => tx.insertInto('memberships').values(row).execute());
};
beforeAll(async () => {
  server = await testServer();
  there = await testCompany(server);
  world = await testWorld(server, there);
  const here = await testCompany(server);
  [admin, mere, stranger] = [await here.person(['admin']), await here.person(['admin']), await here.person(['admin'])];
  clerk = await here.person(['delivery_manager']);
  for (const { accountId } of [admin, clerk]) await join(accountId, ['admin']);
  await join(mere.accountId, []);
});
afterAll(() => server.stop());

const heard = ({ status, text }: Answer) => {
  const { data } = JSON.parse(text) as { data?: { company?: { tenantId: string } } };
  return [status, data?.company?.tenantId];
};
const rows = guarded.filter(
  (route) => route.method === 'GET' && /\{(?!kind)/.test(route.path) && route.secret !== true && !route.path.includes('{token}'),
);

describe('a row of another company', () => {
  it.each(byName(rows))('is told whose it is to who may read it there, and to nobody else, by %s', async (_, route) => {
    const params = paramsOf(route, world);
    expect(heard(await ask(server, route, { token: admin.token, params }))).toEqual([404, there.id]);
    // Who may not even ask for such a row here is told no less.
    expect(heard(await ask(server, route, { token: clerk.token, params }))[1]).toBe(there.id);
    // What every member may read is told to every member.
    const deaf = route.access === 'company' || route.access === 'signed-in' ? [stranger] : [mere, stranger];
    for (const { token } of deaf) expect(heard(await ask(server, route, { token, params }))).toEqual([404, undefined]);
  });

  it('is nobody’s where it is in none of theirs', async () => {
    for (const [, route] of byName(rows).filter(([, { path }]) => path.endsWith('/{id}'))) {
      const params = { ...paramsOf(route, world), id: newId() };
      expect([route.path, ...heard(await ask(server, route, { token: admin.token, params }))]).toEqual([route.path, 404, undefined]);
      expect([route.path, heard(await ask(server, route, { token: clerk.token, params }))[1]]).toEqual([route.path, undefined]);
    }
    // A kind of rows is in every company.
    for (const [, route] of byName(guarded).filter(([, { method, path }]) => method === 'GET' && path.endsWith('/{kind}')))
      expect(heard(await ask(server, route, { token: clerk.token, params: paramsOf(route, world) }))[1]).toBeUndefined();
  });

  it('is told by nothing that this person may not read it by, or that is no person reading', async () => {
    const [locker] = rows.filter(({ path }) => path === '/lockers/{id}');
    const params = { id: String(world.known['lockerId']) };
    const said = async (token: string | null, route = locker!, more: object = {}) =>
      heard(await ask(server, route, { token, params, ...more }))[1];
    const key = await admin.api('POST /key', { body: { name: 'Program', scopes: ['read', 'manage'] } });
    const change = guarded.find((route) => route.method === 'PUT' && route.path === '/lockers/{id}')!;
    expect(await said(admin.token)).toBe(there.id);
    expect(await said(key.secret)).toBeUndefined();
    expect(await said(null)).toBeUndefined();
    expect(await said(server.deps.config.operatorKey)).toBeUndefined();
    expect(await said(admin.token, change, { body: { version: 1 } })).toBeUndefined();
    for (const id of [newId(), ` ${params.id}`, `${params.id}/`, `${params.id}\0`, 'x', ''])
      expect([id, heard(await ask(server, locker!, { token: admin.token, params: { id } }))]).toEqual([
        id,
        [expect.any(Number), undefined],
      ]);
    // Somebody of a third company, who is invited there and has not come, or who has left, or whose company there is suspended.
    const guest = await (await testCompany(server)).person(['admin']);
    await world.admin.api('POST /companies/{tenant}/invitations', { params: { tenant: there.id }, body: { email: guest.email } });
    expect(await said(guest.token)).toBeUndefined();
    await join(guest.accountId, ['manager']);
    expect(await said(guest.token)).toBe(there.id);
    const [seat] = await world.admin.api('GET /companies/{tenant}/memberships', {
      params: { tenant: there.id },
      query: { q: { accountId: guest.accountId } },
    });
    await world.admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', {
      params: { tenant: there.id, membershipId: seat?.id ?? '' },
    });
    expect(await said(guest.token)).toBeUndefined();
    const suspend = (suspended: boolean) =>
      server.deps.db.tenant(there.id, (tx) =>
        tx
          .updateTable('companies')
          .set({ suspended_at: suspended ? server.deps.now().toISOString() : null })
          .where('id', '=', there.id)
          .execute(),
      );
    await suspend(true);
    expect(await said(admin.token)).toBeUndefined();
    await suspend(false);
    expect(await said(admin.token)).toBe(there.id);
  });

  it('is named with its company', async () => {
    const name = (await world.admin.api('GET /companies/{tenant}', { params: { tenant: there.id } })).name;
    const told = server.as(() => Promise.resolve(admin.token))('GET /lockers/{id}', { params: { id: String(world.known['lockerId']) } });
    await expect(told).rejects.toMatchObject({ problem: { code: 'not-found', data: { company: { tenantId: there.id, name } } } });
  });
});
