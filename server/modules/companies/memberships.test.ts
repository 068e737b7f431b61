import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../live/test-listener.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
});
afterAll(() => server.stop());

const tenant = () => ({ tenant: ours.id });
const list = (query: Record<string, unknown>) => admin.api('GET /companies/{tenant}/memberships', { params: tenant(), query });
const membershipOf = async (person: TestPerson) => (await list({ q: { accountId: person.accountId } }))[0]?.id ?? '';
const setRoles = async (person: TestPerson, roles: string[], by = admin, seen?: number) => {
  const [known] = await list({ q: { accountId: person.accountId } });
  return by.api('PUT /companies/{tenant}/memberships/{membershipId}', {
    params: { ...tenant(), membershipId: known?.id ?? '' },
    body: { roles: roles as never, version: seen ?? known?.version ?? 0 },
  });
};
const remove = async (person: TestPerson) =>
  admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { ...tenant(), membershipId: await membershipOf(person) } });

describe('members', () => {
  // shows R7.11, R3.2
  it('are found by word and role, and sorted by name and by when they were last here', async () => {
    await ours.person(['recall_manager'], 'Åse Æresgjest');
    await ours.person(['recall_manager', 'manager'], 'Bjarne Berg');
    const names = async (query: Record<string, unknown>) => (await list(query)).map((row) => row.name);
    expect(await names({ q: { $text: 'berg' } })).toEqual(['Bjarne Berg']);
    expect(await names({ q: { roles: 'recall_manager' }, sort: 'name' })).toEqual(['Bjarne Berg', 'Åse Æresgjest']);
    expect(await names({ q: { roles: { $in: ['manager'] } } })).toEqual(['Bjarne Berg']);
    expect(await names({ sort: '-lastSeenAt' })).toHaveLength(3);
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await admin.api.page('GET /companies/{tenant}/memberships', {
        params: tenant(),
        query: { limit: 1, sort: 'lastSeenAt', ...(cursor ? { cursor } : {}) },
      });
      pages.push(...page.rows.map((row) => row.name));
      cursor = page.next ?? undefined;
    } while (cursor);
    expect(pages.toSorted()).toEqual(['Ada Admin', 'Bjarne Berg', 'Åse Æresgjest'].toSorted());
  });

  it('hold what they are given with their next token, and nothing that was taken with the next call', async () => {
    const person = await ours.person([]);
    const sees = (api: TestPerson['api']) =>
      api('GET /policies').then(
        () => 'yes',
        () => 'no',
      );
    expect(await sees(person.api)).toBe('no');
    expect(await setRoles(person, ['manager', 'manager'])).toMatchObject({ roles: ['manager'] });
    const { api } = await person.again();
    expect(await sees(api)).toBe('yes');
    await setRoles(person, []);
    expect(await sees(api)).toBe('no');
    expect(await refusal(setRoles(person, ['emperor']))).toEqual([400, 'malformed']);
  });

  it('are told live by their new name, and by no other change of theirs', async () => {
    const person = await ours.person(['manager'], 'Kari Old');
    const listener = await listen(server.url, admin.token);
    expect(await listener.ask({ topic: 'subscribe', event: 'memberships' })).toBeNull();
    const [before] = await list({ q: { accountId: person.accountId } });
    await person.api('PUT /accounts/me', { body: { locale: 'nb' } });
    await person.api('PUT /accounts/me', { body: { name: 'Kari New' } });
    await expect.poll(() => listener.events.map(({ data }) => data['name'])).toEqual(['Kari New']);
    // The portal takes what it hears where it is newer than what it shows.
    const [told] = listener.events;
    expect(told?.data).toMatchObject({ id: before?.id, version: before?.version });
    expect(String(told?.data['updatedAt']) > String(before?.updatedAt)).toBe(true);
    listener.close();
  });

  it('whose last right is taken lose their open page at once', async () => {
    const person = await ours.person(['manager']);
    const listener = await listen(server.url, person.token);
    await setRoles(person, []);
    await expect.poll(listener.code).toBe(4000);
  });

  it('who are no administrator any more hear nothing of other members from then on', async () => {
    const second = await ours.person(['admin']);
    const listener = await listen(server.url, second.token);
    expect(await listener.ask({ topic: 'subscribe', event: 'memberships' })).toBeNull();
    const witness = await listen(server.url, admin.token);
    expect(await witness.ask({ topic: 'subscribe', event: 'memberships' })).toBeNull();
    await setRoles(second, ['delivery_manager']);
    await expect.poll(() => witness.events.length).toBe(1);
    const heard = listener.events.length;
    await setRoles(await ours.person(['manager']), ['recall_manager']);
    await expect.poll(() => witness.events.length).toBe(2);
    expect(listener.events.slice(heard).filter((event) => event.method !== 'DELETE')).toEqual([]);
    expect(await refusal(second.api('GET /accounts'))).toEqual([403, 'forbidden']);
    listener.close();
    witness.close();
  });

  // shows R7.12
  it('who are removed are shown out: page, token, key and groups', async () => {
    const person = await ours.person(['admin']);
    const listener = await listen(server.url, person.token);
    const key = await person.api('POST /key', { body: { name: 'Theirs', scopes: ['read'] } });
    const group = await admin.api('POST /groups', { body: { name: 'Crew' } });
    await admin.api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: person.accountId }, body: {} });
    await remove(person);
    await expect.poll(listener.code).toBe(4000);
    await expect.poll(() => refusal(person.api('GET /accounts/me'))).toEqual([401, 'unauthenticated']);
    expect((await refusal(server.as(key.secret)('GET /lockers')))[0]).toBeGreaterThanOrEqual(401);
    expect(await admin.api('GET /groups/{id}/members', { params: { id: group.id } })).toEqual([]);
  });

  it('whose rights were taken do not get them back from a form that was opened before', async () => {
    const person = await ours.person(['manager', 'sale_manager']);
    const [seen] = await list({ q: { accountId: person.accountId } });
    await setRoles(person, ['sale_manager']);
    expect(await refusal(setRoles(person, ['manager', 'sale_manager', 'recall_manager'], admin, seen?.version))).toEqual([409, 'stale']);
    expect((await list({ q: { accountId: person.accountId } }))[0]?.roles).toEqual(['sale_manager']);
  });

  it('two administrators cannot take each other out at once', async () => {
    const lonely = await testCompany(server);
    const [one, two] = [await lonely.person(['admin']), await lonely.person(['admin'])];
    const rows = await one.api('GET /companies/{tenant}/memberships', { params: { tenant: lonely.id } });
    const idOf = (person: TestPerson) => rows.find((row) => row.accountId === person.accountId)?.id ?? '';
    const oust = (by: TestPerson, whom: TestPerson) =>
      by.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant: lonely.id, membershipId: idOf(whom) } });
    const both = await Promise.allSettled([oust(one, two), oust(two, one)]);
    expect(both.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  // shows R7.7, R7.8
  it('are people with an account, in the list and by id; others’ people are in neither', async () => {
    const nora = await ours.person(['delivery_manager'], 'Nora Known');
    const stranger = await (await testCompany(server)).person(['admin'], 'Stine Stranger');
    const one = await admin.api('GET /accounts/{id}', { params: { id: nora.accountId } });
    expect(one).toMatchObject({ id: nora.accountId, name: 'Nora Known', email: nora.email });
    const list = await admin.api('GET /accounts', { query: { limit: 500 } });
    expect(list).toContainEqual(one);
    expect(JSON.stringify(list)).not.toContain('Stine Stranger');
    expect(await refusal(admin.api('GET /accounts/{id}', { params: { id: stranger.accountId } }))).toEqual([404, 'not-found']);
  });
});
