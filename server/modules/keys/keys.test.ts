import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let late = 0;
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + late) });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
});
afterAll(() => server.stop());

const make = (scopes: string[], expiresAt: string | null = null) => admin.api('POST /key', { body: { name: 'Shop', scopes, expiresAt } });

describe('API keys', () => {
  // shows R3.13, R7.54, R7.55, R7.56
  it('show their secret once, and keep its hash alone', async () => {
    const { secret, ...made } = await make(['read']);
    expect(secret).toMatch(/^hw_[\w-]{54}$/);
    expect(made).toMatchObject({ name: 'Shop', scopes: ['read'], createdBy: 'Paul Person', lastUsedAt: null });
    expect(secret.startsWith(made.prefix)).toBe(true);
    expect(JSON.stringify(await admin.api('GET /key'))).not.toContain(secret.slice(made.prefix.length));
    expect(await admin.api('GET /key/{id}', { params: { id: made._id } })).toEqual(made);
    expect(await admin.api('GET /key', { query: { q: { _id: made._id } } })).toEqual([made]);
    const rows = await query<{ row: string }>(server.database.ownerUrl, 'select k::text as row from api_keys k where id = $1', [made._id]);
    expect(rows[0]?.row).not.toContain(secret.slice(made.prefix.length));
  });

  it('do what their scopes say and no more', async () => {
    const reader = server.as((await make(['read'])).secret);
    expect(await reader('GET /lockers')).toEqual([]);
    expect(await refusal(reader('POST /assets', { body: { name: 'X' } }))).toEqual([403, 'forbidden']);
    expect(await refusal(reader('POST /groups', { body: { name: 'X' } }))).toEqual([403, 'forbidden']);
    const writer = server.as((await make(['admin:assets', 'admin:groups'])).secret);
    expect(await writer('POST /assets', { body: { name: 'By key' } })).toMatchObject({ name: 'By key' });
    expect(await writer('POST /groups', { body: { name: 'By key' } })).toMatchObject({ name: 'By key' });
    expect(await refusal(writer('GET /permissions'))).toEqual([403, 'forbidden']);
    const urn = await make(['urn:pml:resources:locker:scopes:delivery']);
    expect(urn.scopes).toEqual(['delivery']);
    expect(await server.as(urn.secret)('GET /lockers')).toEqual([]);
  });

  it('make no keys, and are no person', async () => {
    const key = server.as((await make(['read', 'admin:accounts', 'admin:companies'])).secret);
    expect(await refusal(key('POST /key', { body: { name: 'X', scopes: ['read'] } }))).toEqual([403, 'forbidden']);
    expect(await refusal(key('GET /key'))).toEqual([403, 'forbidden']);
    expect(await refusal(key('PUT /accounts/me', { body: { name: 'Mallory' } }))).toEqual([403, 'forbidden']);
    expect(await refusal(key('GET /companies'))).toEqual([403, 'forbidden']);
  });

  it('are refused scopes that do not exist, and times that have passed', async () => {
    for (const scope of ['write', 'admin', 'admin:keys', 'admin:', 'READ'])
      expect([scope, ...(await refusal(make([scope])))]).toEqual([scope, 422, 'rule']);
    expect(await refusal(make(['read'], '2020-01-01T00:00:00Z'))).toEqual([422, 'rule']);
    const all = await ours.person(['all']);
    expect(await refusal(all.api('POST /key', { body: { name: 'X', scopes: ['read'] } }))).toEqual([403, 'forbidden']);
  });

  // shows R7.57
  it('end at once when revoked, and at their time', async () => {
    const { _id, secret } = await make(['read']);
    const key = server.as(secret);
    await key('GET /lockers');
    await admin.api('DELETE /key/{_id}', { params: { _id } });
    expect(await refusal(key('GET /lockers'))).toEqual([401, 'unauthenticated']);
    expect(await refusal(admin.api('DELETE /key/{_id}', { params: { _id } }))).toEqual([404, 'not-found']);
    expect(await admin.api('GET /key', { query: { q: { _id } } })).toEqual([]);

    const short = server.as((await make(['read'], new Date(Date.now() + 60_000).toISOString())).secret);
    await short('GET /lockers');
    late = 61_000;
    expect(await refusal(short('GET /lockers'))).toEqual([401, 'unauthenticated']);
    late = 0;
  });

  it('are worth what their maker and company are worth at the time of use', async () => {
    const other = await testCompany(server);
    const maker = await other.person(['admin']);
    const boss = await other.person(['admin']);
    const { secret } = await maker.api('POST /key', { body: { name: 'K', scopes: ['read', 'admin:groups'] } });
    const key = server.as(secret);
    await key('GET /groups');
    const licenses = (given: string[]) =>
      server.operator('PUT /operator/companies/{id}', { params: { id: other.id }, body: { licenses: given } });
    await licenses(['delivery']);
    expect(await refusal(key('GET /groups'))).toEqual([403, 'forbidden']);
    expect(await refusal(maker.api('GET /key'))).toEqual([403, 'forbidden']);
    await licenses(['delivery', 'integrator']);
    await key('GET /groups');

    const [membership] = await boss.api('GET /companies/{tenant}/memberships', {
      params: { tenant: other.id },
      query: { q: { accountId: maker.accountId } },
    });
    const params = { tenant: other.id, membershipId: membership?.id ?? '' };
    const version = membership?.version ?? 0;
    await boss.api('PUT /companies/{tenant}/memberships/{membershipId}', { params, body: { roles: ['delivery_manager'], version } });
    expect(await refusal(key('GET /groups'))).toEqual([403, 'forbidden']);
    await boss.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params });
    expect(await refusal(key('GET /groups'))).toEqual([401, 'unauthenticated']);
  });

  it('note when they were used, at most once a minute', async () => {
    const { _id, secret } = await make(['read']);
    await server.as(secret)('GET /lockers');
    const used = async () => (await admin.api('GET /key/{id}', { params: { id: _id } })).lastUsedAt;
    const first = await used();
    expect(first).not.toBeNull();
    await server.as(secret)('GET /lockers');
    expect(await used()).toBe(first);
  });
});
