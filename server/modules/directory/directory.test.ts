import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { newInvitationToken } from '../../identity/invitations.ts';
import { Visitor } from '../../identity/test-visitor.ts';
import { listen } from '../../live/test-listener.ts';
import { systemScope } from '../../scope.ts';
import { PASSWORD, refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { inDirectory, settleDue, settleLeft } from './commands.ts';
import { addMembers, dropGroup, markGroupDue, removeMembers, setMembers, takeGroup } from './group-commands.ts';
import { dropPerson, releaseDirectory, takePerson, takeUpPerson, type ToldPerson } from './people-commands.ts';
import type { Run } from './run.ts';

let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.stop());

const fresh = async () => {
  company = await testCompany(server);
  admin = await company.person(['admin']);
};
const run = <T>(act: (run: Run) => Promise<T>, tenantId = company.id): Promise<T> =>
  inDirectory(server.deps, systemScope(tenantId, server.deps.now().toISOString()), act);
const sql = <R extends object>(text: string, values: unknown[] = []) =>
  query<R & Record<string, unknown>>(server.database.ownerUrl, text, values);

const told = (ref: string, more: Partial<ToldPerson> = {}): ToldPerson => ({
  ref,
  userName: `${ref}@firm.test`,
  displayName: `Person ${ref}`,
  email: `${ref}@firm.test`,
  active: true,
  ...more,
});
const take = (ref: string, more: Partial<ToldPerson> = {}) => run((r) => takePerson(r, 'entra', told(ref, more)));
const members = () => admin.api('GET /companies/{tenant}/memberships', { params: { tenant: company.id } });
const memberOf = async (email: string) => (await members()).find((one) => one.email === email);
const state = async (ref: string) => (await sql<{ problem: string | null; account_id: string | null; left_out: string[] }>('select problem, account_id, left_out from directory_people where tenant_id = $1 and ref = $2', [company.id, ref]))[0]; // prettier-ignore
/** What administrators chose that a group gives; the call is tested with the mapping. */
const gives = async (ref: string, roles: string[], groups: string[] = []) => {
  await sql('update directory_groups set roles = $3, group_ids = $4 where tenant_id = $1 and ref = $2', [company.id, ref, roles, groups]);
  await run((r) => markGroupDue(r, 'entra', ref));
};
const refOf = () => unique();
const group = async (roles: string[], groups: string[] = []) => {
  const ref = refOf();
  await run((r) => takeGroup(r, 'entra', { ref, displayName: `Group ${ref}` }));
  await gives(ref, roles, groups);
  return ref;
};

describe('A directory’s people', () => {
  beforeAll(fresh);

  it('become members with name, address and number, and follow what it says', async () => {
    const ref = refOf();
    await take(ref, { phone: '912 34 567' });
    expect(await memberOf(`${ref}@firm.test`)).toMatchObject({ name: `Person ${ref}`, tlf: '+4791234567', roles: [] });
    await take(ref, { displayName: 'Another Name', email: `new-${ref}@firm.test`, phone: null });
    expect(await memberOf(`new-${ref}@firm.test`)).toMatchObject({ name: 'Another Name', tlf: null });
    expect(await memberOf(`${ref}@firm.test`)).toBeUndefined();
  });

  it('need neither address nor number, and keep theirs where two have one', async () => {
    const [a, b] = [refOf(), refOf()];
    await take(a, { email: null, phone: '+4792345678' });
    await take(b, { email: 'not an address', phone: '+4792345678', displayName: '', givenName: 'Bo', familyName: 'Berg' });
    expect((await members()).find(({ name }) => name === 'Bo Berg')).toMatchObject({ email: null, tlf: null });
    expect(await state(b)).toMatchObject({ problem: null, left_out: ['tlf'] });
  });

  it('are out at once when deactivated or gone: tokens, socket and membership; and come back as the same account', async () => {
    const ref = refOf();
    const person = await company.person(['delivery_manager']);
    await take(ref, { email: person.email });
    const socket = await listen(server.url, person.token);
    await take(ref, { email: person.email, active: false });
    expect(await refusal(person.api('GET /accounts/me'))).toEqual([401, 'unauthenticated']);
    await expect.poll(socket.code).toBe(4000);
    expect(await memberOf(person.email)).toBeUndefined();
    await take(ref, { email: person.email });
    expect(await memberOf(person.email)).toMatchObject({ accountId: person.accountId, roles: ['delivery_manager'] });
    await run((r) => dropPerson(r, 'entra', ref));
    expect(await memberOf(person.email)).toBeUndefined();
    expect(await state(ref)).toBeUndefined();
    await take(ref, { email: `${ref}@firm.test` });
    await run((r) => dropPerson(r, 'entra', ref));
    // An account that the directory made is its own again, whatever id it has there now.
    const anew = refOf();
    await take(anew, { email: `${ref}@firm.test` });
    expect(await memberOf(`${ref}@firm.test`)).toMatchObject({ name: `Person ${anew}` });
  });

  it('are nobody who belongs elsewhere: their account is theirs, until they follow an invitation', async () => {
    const stranger = await (await testCompany(server)).person(['admin'], 'Stella Stranger');
    const ref = refOf();
    await take(ref, { email: stranger.email, displayName: 'Mallory' });
    expect(await state(ref)).toMatchObject({ problem: 'account-elsewhere', account_id: null });
    expect(await memberOf(stranger.email)).toBeUndefined();
    expect((await stranger.api('GET /accounts/me')).account.name).toBe('Stella Stranger');
    // They came by themselves.
    await sql(
      `insert into memberships (tenant_id, id, account_id, created_at, updated_at) values ($1, gen_random_uuid(), $2, now(), now())`,
      [company.id, stranger.accountId],
    );
    await take(ref, { email: stranger.email, displayName: 'Mallory' });
    expect(await state(ref)).toMatchObject({ problem: null, account_id: stranger.accountId });
    expect((await memberOf(stranger.email))?.name).toBe('Stella Stranger');
  });

  it('are no administrator by an address alone, and are taken over once they are none', async () => {
    const boss = await company.person(['admin']);
    const ref = refOf();
    await take(ref, { email: boss.email });
    expect(await state(ref)).toMatchObject({ problem: 'administrator', account_id: null });
    await run((r) => dropPerson(r, 'entra', ref));
    expect(await memberOf(boss.email)).toMatchObject({ roles: ['admin'] });
    await take(ref, { email: boss.email });
    const member = await memberOf(boss.email);
    const params = { tenant: company.id, membershipId: member?.id ?? '' };
    const body = { roles: ['manager' as const], version: member?.version ?? 0 };
    await admin.api('PUT /companies/{tenant}/memberships/{membershipId}', { params, body });
    await settleLeft(server.deps, company.id);
    expect(await state(ref)).toMatchObject({ problem: null, account_id: boss.accountId });
  });

  it('are one account each', async () => {
    const [a, b] = [refOf(), refOf()];
    await take(a);
    await take(b, { email: `${a}@firm.test` });
    expect(await state(b)).toMatchObject({ problem: 'address-taken' });
    await run((r) => dropPerson(r, 'entra', a));
    await settleLeft(server.deps, company.id);
    expect(await state(b)).toMatchObject({ problem: null });
    expect(await memberOf(`${a}@firm.test`)).toMatchObject({ name: `Person ${b}` });
  });

  it('stay away where an administrator removed them, until one says otherwise', async () => {
    const ref = refOf();
    const id = await take(ref);
    const member = await memberOf(`${ref}@firm.test`);
    await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', {
      params: { tenant: company.id, membershipId: member?.id ?? '' },
    });
    await take(ref, { displayName: 'Once more' });
    expect(await state(ref)).toMatchObject({ problem: 'removed-here' });
    expect(await memberOf(`${ref}@firm.test`)).toBeUndefined();
    await run((r) => takeUpPerson(r, id));
    expect(await memberOf(`${ref}@firm.test`)).toMatchObject({ name: 'Once more' });
  });

  it('come in again by an invitation, and stay with the directory’s next word', async () => {
    const ref = refOf();
    const person = await company.person(['manager']);
    await take(ref, { email: person.email });
    const member = await memberOf(person.email);
    await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', {
      params: { tenant: company.id, membershipId: member?.id ?? '' },
    });
    const { token, hash } = newInvitationToken(company.id);
    await sql(
      `insert into invitations (tenant_id, id, email, roles, mail_token_hash, invited_by_kind, expires_at, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, '{manager}', $3, 'system', now() + interval '1 day', now(), now())`,
      [company.id, person.email, hash],
    );
    const visitor = new Visitor(server.url);
    await visitor.go(`${server.url}/realms/pml/invitations/${token}`);
    expect((await visitor.submit({ password: PASSWORD })).status).toBe(200);
    await take(ref, { email: person.email, displayName: 'Once more' });
    expect(await memberOf(person.email)).toMatchObject({ accountId: person.accountId, roles: ['manager'] });
    expect(await state(ref)).toMatchObject({ problem: null, account_id: person.accountId });
  });

  it('of one company are nobody in another', async () => {
    const ref = refOf();
    await take(ref);
    const other = await testCompany(server);
    await run((r) => takePerson(r, 'entra', told(ref)), other.id);
    expect(await sql('select problem from directory_people where tenant_id = $1', [other.id])).toEqual([{ problem: 'account-elsewhere' }]);
    await run((r) => dropPerson(r, 'entra', ref), other.id);
    expect(await memberOf(`${ref}@firm.test`)).toBeDefined();
  });

  it('come by two words at once as one', async () => {
    const ref = refOf();
    const seen = refOf();
    await Promise.all([take(ref), take(ref), take(seen, { email: `${ref}@firm.test` })]);
    expect((await members()).filter(({ email }) => email === `${ref}@firm.test`)).toHaveLength(1);
  });
});

describe('The last administrator', () => {
  beforeAll(fresh);
  it('is not put out by a directory, and goes once somebody else is there', async () => {
    const ref = refOf();
    const roles = (all: string[]) =>
      sql('update memberships set roles = $3 where tenant_id = $1 and account_id = $2', [company.id, admin.accountId, all]);
    await roles(['manager']);
    await take(ref, { email: admin.email });
    await roles(['admin']);
    await run((r) => dropPerson(r, 'entra', ref));
    expect(await state(ref)).toMatchObject({ problem: 'last-admin' });
    expect(await memberOf(admin.email)).toMatchObject({ roles: ['admin'] });
    const next = await company.person(['admin']);
    await settleLeft(server.deps, company.id);
    expect(await refusal(admin.api('GET /groups'))).toEqual([401, 'unauthenticated']);
    admin = next;
    expect(await state(ref)).toBeUndefined();
  });
  it('stays one where a group gave it', async () => {
    const its = await group(['admin']);
    const ref = refOf();
    await take(ref);
    await run((r) => addMembers(r, 'entra', its, [ref]));
    const member = await memberOf(`${ref}@firm.test`);
    expect(member).toMatchObject({ roles: ['admin'] });
    await sql(`delete from memberships where tenant_id = $1 and account_id = $2`, [company.id, admin.accountId]);
    await run((r) => removeMembers(r, 'entra', its, [ref]));
    expect(await state(ref)).toMatchObject({ problem: 'last-admin' });
    expect(await sql('select roles from memberships where tenant_id = $1 and id = $2', [company.id, member?.id])).toEqual([
      { roles: ['admin'] },
    ]);
  });
});

describe('A directory’s groups', () => {
  beforeAll(fresh);

  it('give roles and groups beside what people gave, and take nothing else', async () => {
    const ours = await admin.api('POST /groups', { body: { name: unique() } });
    const byHand = await admin.api('POST /groups', { body: { name: unique() } });
    const its = await group(['delivery_manager', 'manager'], [ours.id, byHand.id]);
    const person = await company.person(['manager']);
    await admin.api('POST /groups/{id}/members/{userId}', { params: { id: byHand.id, userId: person.accountId } });
    const ref = refOf();
    await take(ref, { email: person.email });
    await run((r) => setMembers(r, 'entra', its, [ref]));
    const roles = async () => [...((await memberOf(person.email))?.roles ?? [])].sort();
    const inside = async (id: string) => (await admin.api('GET /groups/{id}/members', { params: { id } })).length;
    expect(await roles()).toEqual(['delivery_manager', 'manager']);
    expect([await inside(ours.id), await inside(byHand.id)]).toEqual([1, 1]);

    // What the directory gives is not taken by hand.
    const member = await memberOf(person.email);
    const params = { tenant: company.id, membershipId: member?.id ?? '' };
    const path = 'PUT /companies/{tenant}/memberships/{membershipId}' as const;
    expect(await refusal(admin.api(path, { params, body: { roles: ['manager'], version: member?.version ?? 0 } }))).toEqual([
      409,
      'by-directory',
    ]);
    const place = { id: ours.id, userId: person.accountId };
    expect(await refusal(admin.api('DELETE /groups/{id}/members/{userId}', { params: place }))).toEqual([409, 'by-directory']);
    await admin.api(path, { params, body: { roles: ['manager', 'delivery_manager', 'sale_manager'], version: member?.version ?? 0 } });

    await run((r) => removeMembers(r, 'entra', its, [ref]));
    expect(await roles()).toEqual(['manager', 'sale_manager']);
    expect([await inside(ours.id), await inside(byHand.id)]).toEqual([0, 1]);
    await run((r) => addMembers(r, 'entra', its, [ref]));
    await run((r) => dropGroup(r, 'entra', its));
    expect(await roles()).toEqual(['manager', 'sale_manager']);
  });

  it('may name people before they are told of, and before the group is', async () => {
    const [person, its] = [refOf(), refOf()];
    await run((r) => addMembers(r, 'entra', its, [person]));
    await take(person);
    expect((await memberOf(`${person}@firm.test`))?.roles).toEqual([]);
    await run((r) => takeGroup(r, 'entra', { ref: its, displayName: 'Late' }));
    await gives(its, ['manager']);
    expect((await memberOf(`${person}@firm.test`))?.roles).toEqual(['manager']);
    const later = refOf();
    await run((r) => addMembers(r, 'entra', its, [later]));
    await take(later);
    expect((await memberOf(`${later}@firm.test`))?.roles).toEqual(['manager']);
  });

  it('of many people are dealt with to the last of them', async () => {
    const refs = Array.from({ length: 52 }, refOf);
    await run(async (r) => {
      for (const ref of refs) await takePerson(r, 'entra', told(ref));
    });
    const its = await group(['manager']);
    await run((r) => setMembers(r, 'entra', its, refs));
    await settleDue(server.deps, company.id);
    const having = () => sql<{ n: number }>(`select count(*)::int as n from memberships m join directory_people p using (tenant_id, account_id) where m.tenant_id = $1 and p.ref = any($2) and m.roles = '{manager}'`, [company.id, refs]); // prettier-ignore
    expect(await having()).toEqual([{ n: 52 }]);
    await gives(its, []);
    await settleDue(server.deps, company.id);
    expect(await having()).toEqual([{ n: 0 }]);
  });

  it('let go of, leave whoever was here before or was given something by hand', async () => {
    const before = await company.person(['manager']);
    const [a, b, c] = [refOf(), refOf(), refOf()];
    const its = await group(['delivery_manager']);
    await take(a, { email: before.email });
    await take(b);
    await take(c);
    const group2 = await admin.api('POST /groups', { body: { name: unique() } });
    const kept = await memberOf(`${c}@firm.test`);
    await admin.api('POST /groups/{id}/members/{userId}', { params: { id: group2.id, userId: kept?.accountId ?? '' } });
    await run((r) => setMembers(r, 'entra', its, [a, b, c]));
    await run((r) => releaseDirectory(r, 'entra'));
    await settleDue(server.deps, company.id);
    expect((await memberOf(before.email))?.roles).toEqual(['manager']);
    expect(await memberOf(`${b}@firm.test`)).toBeUndefined();
    expect((await memberOf(`${c}@firm.test`))?.roles).toEqual([]);
    expect(await sql('select id from directory_people where tenant_id = $1', [company.id])).toEqual([]);
  });
});
