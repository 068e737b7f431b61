import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { hearFact } from './facts.ts';

let server: TestServer;
let company: TestCompany;
let tenantId: string;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  tenantId = company.id;
  admin = await company.person(['admin']);
  wall = await testCabinet(server, admin.api, 1);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

it('a cabinet whose controller is paired anew: no session that was over comes back, and no alarm is told twice', async () => {
  const [lot] = wall.lockers;
  const params = { id: lot?.id ?? '' };
  const read = () => admin.api('GET /lockers/{id}', { params });
  const first = wall.say().session;
  await wall.cut();
  await expect.poll(async () => (await read()).connection).toBe('offline');
  await wall.plug();
  await expect.poll(async () => (await read()).door).toBe('closed');
  const { session } = wall.say();
  await wall.say().event('tamper', { seq: 900 });
  await expect.poll(async () => (await read()).inDoubt).toBe(true);
  await admin.api('PUT /lockers/{id}/content', { params, body: { content: 'empty', note: 'looked' } });

  const { code } = await admin.api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
  await server.as(null)('POST /devices/pair', { body: { code, fw: '2', model: 'new' } });
  // Said by a server that lags, or carried late by a broker.
  const from = { tenantId, controllerId: wall.id, at: new Date().toISOString(), retained: false };
  const birth = {
    kind: 'birth',
    fw: 'old',
    model: 'old',
    canLock: false,
    sensors: false,
    compartments: [] as [],
    after: [] as [],
  } as const;
  for (const over of [first, session]) {
    await hearFact(server.deps, { ...birth, ...from, session: over });
    await hearFact(server.deps, { kind: 'connection', ...from, online: true, session: over, reason: null });
  }
  await hearFact(server.deps, { kind: 'event', ...from, type: 'tamper', compartment: 1, session, seq: 900 });
  expect(await read()).toMatchObject({ connection: 'offline', content: 'empty', inDoubt: false });
  expect(await query(server.database.ownerUrl, 'select firmware from cabinets where id = $1', [wall.id])).toEqual([{ firmware: '2' }]);
});

describe('a pairing code is worth something for as long as whoever gave it may pair', () => {
  const give = (api: TestPerson['api']) => api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
  const trade = (code: string) => refusal(server.as(null)('POST /devices/pair', { body: { code, fw: '3', model: 'another' } }));
  const until = async () => (await admin.api('GET /cabinets/{id}', { params: { id: wall.id } })).pairingUntil;
  const membershipOf = async (accountId: string) => {
    const members = await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: tenantId } });
    const { id = '', version = 0 } = members.find((one) => one.accountId === accountId) ?? {};
    return { params: { tenant: tenantId, membershipId: id }, version };
  };

  it.each(['admin', 'manager'])('whose role %s was taken', async (role) => {
    const max = await company.person([role, 'sale_manager']);
    const { code } = await give(max.api);
    const { params, version } = await membershipOf(max.accountId);
    await admin.api('PUT /companies/{tenant}/memberships/{membershipId}', { params, body: { roles: ['sale_manager'], version } });
    expect(await until()).toBeNull();
    expect(await trade(code)).toEqual([410, 'gone']);
  });

  it('who was removed; somebody else’s stays good', async () => {
    const max = await company.person(['admin']);
    const { code } = await give(max.api);
    const { params } = await membershipOf(max.accountId);
    await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params });
    expect(await until()).toBeNull();
    expect(await trade(code)).toEqual([410, 'gone']);
    const mine = await give(admin.api);
    const other = await membershipOf((await company.person(['admin'])).accountId);
    await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: other.params });
    expect(await until()).toBe(mine.expiresAt);
    await server.as(null)('POST /devices/pair', { body: { code: mine.code, fw: '4', model: 'ours' } });
  });

  it('whose key was revoked', async () => {
    const key = await admin.api('POST /key', { body: { name: 'installer', scopes: ['admin:lockers', 'read'], expiresAt: null } });
    const { code } = await give(server.as(key.secret));
    await admin.api('DELETE /key/{_id}', { params: { _id: key._id } });
    expect(await until()).toBeNull();
    expect(await trade(code)).toEqual([410, 'gone']);
  });

  it('whose permission for its lockers ended', async () => {
    const ids = wall.lockers.map(({ id }) => id);
    const sam = await company.scoped(['manage'], ids);
    const { code } = await give(sam.api);
    const [mine] = (await admin.api('GET /permissions')).filter(({ lockers }) => lockers.some((one) => ids.includes(one)));
    await admin.api('DELETE /permissions/{id}', { params: { id: mine?.id ?? '' } });
    expect(await trade(code)).toEqual([410, 'gone']);
  });
});
