import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@hatchway/contract/client.ts';
import { ADMIN_NOUNS } from '@hatchway/domain/access.ts';
import { SCOPES } from '@hatchway/domain/terms.ts';
import { query } from '../../db/test-database.ts';
import { listen } from '../../live/test-listener.ts';
import { testCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

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

  it('live until the moment that was said, wherever that was said, and in no year that cannot be written', async () => {
    expect(await make(['read'], '2999-12-31T23:59:59-12:00')).toMatchObject({ expiresAt: '3000-01-01T11:59:59.000Z' });
    expect(await refusal(make(['read'], '9999-12-31T23:59:59-12:00'))).toEqual([400, 'malformed']);
  });

  it('are found by name, beginning and maker', async () => {
    const { _id, prefix } = await admin.api('POST /key', { body: { name: 'Zebra till', scopes: ['read'] } });
    const find = (words: string) => admin.api('GET /key', { query: { q: { $text: words } } }).then((rows) => rows.map((row) => row._id));
    expect(await find('zeb')).toEqual([_id]);
    expect(await find('till paul person')).toEqual([_id]);
    expect(await find(`zebra ${prefix}`)).toEqual([_id]);
    expect(await find('ebra')).toEqual([]);
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
  });

  it('are refused scopes that do not exist, and times that have passed', async () => {
    for (const scope of ['write', 'admin', 'admin:keys', 'admin:', 'READ'])
      expect([scope, ...(await refusal(make([scope])))]).toEqual([scope, 422, 'rule']);
    expect(await refusal(make(['read'], '2020-01-01T00:00:00Z'))).toEqual([422, 'rule']);
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

  // shows R6.11
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
    expect(await refusal(maker.api('POST /key', { body: { name: 'K', scopes: ['read'] } }))).toEqual([403, 'forbidden']);
    await licenses(['delivery', 'integrator']);
    await key('GET /groups');

    const [membership] = await boss.api('GET /companies/{tenant}/memberships', {
      params: { tenant: other.id },
      query: { q: { accountId: maker.accountId } },
    });
    const params = { tenant: other.id, membershipId: membership?.id ?? '' };
    const path = 'PUT /companies/{tenant}/memberships/{membershipId}' as const;
    const lowered = await boss.api(path, { params, body: { roles: ['delivery_manager'], version: membership?.version ?? 0 } });
    expect(await refusal(key('GET /groups'))).toEqual([401, 'unauthenticated']);
    expect(await boss.api('GET /key')).toEqual([]);
    // An administrator once more, they make new ones: nobody's old secret wakes again.
    await boss.api(path, { params, body: { roles: ['admin'], version: lowered.version } });
    expect(await refusal(key('GET /groups'))).toEqual([401, 'unauthenticated']);
    const anew = server.as((await maker.api('POST /key', { body: { name: 'K', scopes: ['read'] } })).secret);
    await anew('GET /groups');
    await boss.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params });
    expect(await refusal(anew('GET /groups'))).toEqual([401, 'unauthenticated']);
    expect(await boss.api('GET /key')).toEqual([]);
    // Back one day with the same rights, their old secret stays dead.
    await query(
      server.database.ownerUrl,
      `insert into memberships (tenant_id, id, account_id, roles, created_at, updated_at) values ($1, gen_random_uuid(), $2, '{admin}', now(), now())`,
      [other.id, maker.accountId],
    );
    expect(await refusal(anew('GET /groups'))).toEqual([401, 'unauthenticated']);
  });

  it('raise nobody above themselves: no role, scope or group beyond what the key holds', async () => {
    const keyOf = async (...scopes: string[]) => server.as((await make(scopes)).secret);
    const wall = await testCabinet(server, admin.api, 1);
    wall.end();
    const locker = wall.lockers[0]?.id ?? '';
    const member = await ours.person(['delivery_manager'], 'Mia Member');
    const membership = (await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: ours.id } })).find(
      ({ accountId }) => accountId === member.accountId,
    );
    const at = { tenant: ours.id, membershipId: membership?.id ?? '' };
    let version = membership?.version ?? 0;
    const asks = async (key: Client, roles: string[]) => {
      const path = 'PUT /companies/{tenant}/memberships/{membershipId}';
      const answer = await key(path, { params: at, body: { roles: roles as never, version } });
      ({ version } = answer);
      return answer;
    };
    const invites = (key: Client, roles: string[]) =>
      key('POST /companies/{tenant}/invitations', {
        params: { tenant: ours.id },
        body: { email: `${unique()}@example.test`, roles: roles as never },
      });
    const people = await keyOf('admin:memberships', 'admin:invitations');
    for (const role of ['admin', 'all', 'manager', 'asset_manager', 'sale_manager', 'drop-off_manager']) {
      expect([role, ...(await refusal(asks(people, ['delivery_manager', role])))]).toEqual([role, 403, 'forbidden']);
      expect([role, ...(await refusal(invites(people, [role])))]).toEqual([role, 403, 'forbidden']);
    }
    // Everything but what is an admin's own: keys.
    const most = await keyOf(
      'read',
      ...SCOPES,
      'admin:assets',
      'admin:lockers',
      'admin:payments',
      ...ADMIN_NOUNS.map((noun) => `admin:${noun}`),
    );
    expect(await refusal(asks(most, ['admin']))).toEqual([403, 'forbidden']);
    expect((await asks(most, ['all'])).roles).toEqual(['all']);
    // What they hold already is nobody's gift, and taking away raises nobody.
    expect((await asks(people, [])).roles).toEqual([]);
    const admins = await invites(admin.api, ['admin']);
    const params = { tenant: ours.id, id: admins.id };
    expect(await refusal(people('POST /companies/{tenant}/invitations/{id}/resend', { params }))).toEqual([403, 'forbidden']);
    await people('DELETE /companies/{tenant}/invitations/{id}', { params });

    const rights = await keyOf('admin:permissions', 'admin:groups', 'delivery');
    const group = await rights('POST /groups', { body: { name: `Group ${unique()}` } });
    const permission = (scopes: string[]) => ({ name: `P ${unique()}`, scopes, groups: [group.id], lockers: [locker] });
    expect(await refusal(rights('POST /permissions', { body: permission(['manage']) }))).toEqual([403, 'forbidden']);
    const own = await rights('POST /permissions', { body: permission(['delivery']) });
    expect(await refusal(rights('PUT /permissions/{id}', { params: { id: own.id }, body: permission(['delivery', 'sale']) }))).toEqual([
      403,
      'forbidden',
    ]);
    await rights('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: member.accountId } });
    const wide = await admin.api('POST /permissions', { body: permission(['manage']) });
    await rights('DELETE /groups/{id}/members/{userId}', { params: { id: group.id, userId: member.accountId } });
    expect(await refusal(rights('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: member.accountId } }))).toEqual([
      403,
      'forbidden',
    ]);
    // Fewer doors are less.
    const { name, scopes, groups } = wide;
    expect(
      (await rights('PUT /permissions/{id}', { params: { id: wide.id }, body: { name, scopes, groups, lockers: [] } })).lockers,
    ).toEqual([]);
  });

  it('that build may do all that a wall needs, with nothing beside it', async () => {
    const wall = await testCabinet(server, admin.api, 2);
    const [locker = '', other = ''] = wall.lockers.map(({ id }) => id);
    const key = server.as((await make(['admin:lockers'])).secret);
    const params = { id: locker };
    expect(await key('PUT /lockers/{id}/service', { params, body: { outOfService: true, reason: 'Hinge' } })).toMatchObject({
      outOfService: { reason: 'Hinge' },
    });
    await key('PUT /lockers/{id}/service', { params, body: { outOfService: false } });
    const { content, version } = await key('PUT /lockers/{id}/content', { params, body: { content: 'empty' } });
    expect(content).toBe('empty');
    expect((await key('PUT /lockers/{id}', { params, body: { version, name: 'Top' } })).name).toBe('Top');
    await key('DELETE /lockers/{id}', { params: { id: other } });
    expect((await key('POST /cabinets/{id}/pair', { params: { id: wall.id } })).code).toMatch(/./);
    wall.end();
    // The rest of the company is not theirs to read.
    expect(await refusal(key('GET /lockers'))).toEqual([403, 'forbidden']);
  });

  it('that administer the company read it', async () => {
    const params = { tenant: ours.id };
    const key = server.as((await make(['admin:companies'])).secret);
    expect(await key('GET /companies/{tenant}', { params })).toMatchObject({ id: ours.id });
    const other = server.as((await make(['admin:groups'])).secret);
    expect(await refusal(other('GET /companies/{tenant}', { params }))).toEqual([403, 'forbidden']);
    expect((await key('GET /companies')).map(({ id }) => id)).toEqual([ours.id]);
    expect(await refusal(other('GET /companies'))).toEqual([403, 'forbidden']);
  });

  it('note when they were used, at most once a minute', async () => {
    const { _id, secret } = await make(['read']);
    const watcher = await listen(server.url, admin.token);
    expect(await watcher.ask({ topic: 'subscribe', event: `keys/${_id}` })).toBeNull();
    const told = () => watcher.events.map(({ data }) => data['lastUsedAt']);
    await Promise.all([1, 2, 3].map(() => server.as(secret)('GET /lockers')));
    const used = async () => (await admin.api('GET /key/{id}', { params: { id: _id } })).lastUsedAt;
    const first = await used();
    expect(first).not.toBeNull();
    await expect.poll(told).toEqual([first]);
    await server.as(secret)('GET /lockers');
    expect(await used()).toBe(first);
    late += 61_000;
    await server.as(secret)('GET /lockers');
    await expect.poll(async () => told().length).toBe(2);
    expect(told()).toEqual([first, await used()]);
    watcher.close();
  });
});
