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
  await join(admin.accountId, ['admin']);
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
    // What every member may read is told to every member.
    const deaf = route.access === 'company' || route.access === 'signed-in' ? [stranger] : [mere, stranger];
    for (const { token } of deaf) expect(heard(await ask(server, route, { token, params }))).toEqual([404, undefined]);
  });

  it('is nobody’s where it is in none of theirs', async () => {
    for (const [, route] of byName(rows).filter(([, { path }]) => path.endsWith('/{id}'))) {
      const params = { ...paramsOf(route, world), id: newId() };
      expect([route.path, ...heard(await ask(server, route, { token: admin.token, params }))]).toEqual([route.path, 404, undefined]);
    }
  });

  it('is named with its company', async () => {
    const name = (await world.admin.api('GET /companies/{tenant}', { params: { tenant: there.id } })).name;
    const told = server.as(() => Promise.resolve(admin.token))('GET /lockers/{id}', { params: { id: String(world.known['lockerId']) } });
    await expect(told).rejects.toMatchObject({ problem: { code: 'not-found', data: { company: { tenantId: there.id, name } } } });
  });
});
