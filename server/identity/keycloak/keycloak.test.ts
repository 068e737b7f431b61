import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import { inDirectory } from '../../modules/directory/commands.ts';
import { takePerson, type ToldPerson } from '../../modules/directory/people-commands.ts';
import { systemScope } from '../../scope.ts';
import { PASSWORD } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { acceptInvitation, findInvitation, newInvitationToken } from '../invitations.ts';
import { inIdentity } from '../tables.ts';
import { Visitor } from '../test-visitor.ts';
import { createAdmin } from './admin.ts';
import { lookAtAll } from './follow.ts';
import { startGuard } from './guard.ts';
import { testKeycloak, type TestKeycloak } from './test-keycloak.ts';

let keycloak: TestKeycloak;
let server: TestServer;
/** Theirs who are told of whatever becomes of it: no test changes it. */
let calm: Awaited<ReturnType<typeof company>>;
beforeAll(async () => {
  keycloak = await testKeycloak();
  server = await testServer({ config: { keycloak: keycloak.config, logLevel: 'silent' } });
  keycloak.state.backChannel = server.url;
  calm = await company();
});
afterAll(async () => {
  await server.stop();
  await keycloak.close();
});
beforeEach(() => {
  Object.assign(keycloak.state, { away: false, refuse: null });
  keycloak.told.length = 0;
});

const stamps = () => ({ created_at: new Date().toISOString(), updated_at: new Date().toISOString() });
const address = () => `p-${unique()}@example.test`;
const company = async (admin = address()) => {
  const id = randomUUID();
  const made = await server.operator('POST /operator/companies', {
    body: { id, name: `Company ${unique()}`, licenses: ['delivery'], admin: { name: 'Ada', email: admin } },
  });
  return { id, link: made.invitationUrl, admin };
};
const account = async (more: { email?: string | null; tlf?: string; name?: string } = {}) => {
  const id = newId();
  const row = { id, email: more.email === undefined ? address() : more.email, tlf: more.tlf ?? null, name: more.name ?? 'Per Person' };
  await server.deps.db.account(id, (tx) =>
    tx
      .insertInto('accounts')
      .values({ ...row, ...stamps() })
      .execute(),
  );
  return row;
};
const join = (tenantId: string, accountId: string, roles: string[] = ['manager']) =>
  server.deps.db.tenant(tenantId, (tx) =>
    tx
      .insertInto('memberships')
      .values({ tenant_id: tenantId, id: newId(), account_id: accountId, roles, ...stamps() })
      .execute(),
  );
/** A directory of the company says this of a person. Answers whose account they are. */
const directorySays = async (tenantId: string, ref: string, more: Partial<ToldPerson>): Promise<string> => {
  const scope = systemScope(tenantId, server.deps.now().toISOString());
  await inDirectory(server.deps, scope, (run) => takePerson(run, 'scim', { ref, userName: ref, active: true, ...more }));
  const [row] = await query<{ account_id: string }>(server.database.ownerUrl, 'select account_id from directory_people where ref = $1', [
    ref,
  ]);
  return row?.account_id ?? '';
};
const state = () => server.operator('GET /operator/identity');
const rename = (id: string, name: string) => server.operator('PUT /operator/companies/{id}', { params: { id }, body: { name } });
const attributes = (accountId: string) => keycloak.byAccount(accountId).attributes;
/** Asked again by the next look, and not after the seconds that it would wait. The lock keeps it from a deadlock with whoever writes rows. */
const dueNow = () =>
  query(server.database.ownerUrl, 'lock table identity_people in share row exclusive mode; update identity_people set next_at = null');

describe('what Keycloak is told', () => {
  it('who has a number signs in by it as well as by their address, and a name goes over whole, whatever is in it', async () => {
    const both = await account({ tlf: '+4791234567', name: 'Per <b> (vikar) Ås' });
    const number = await account({ email: null, tlf: '+4791234568', name: 'Solo' });
    for (const { id } of [both, number]) {
      await join(calm.id, id);
      await server.setPassword(id, PASSWORD);
    }
    expect(keycloak.byAccount(both.id)).toMatchObject({ username: '+4791234567', email: both.email, emailVerified: true, lastName: 'Ås' });
    expect(keycloak.byAccount(number.id)).toMatchObject({ username: '+4791234568', emailVerified: false, firstName: 'Solo', lastName: '' });
  });

  it('waits while Keycloak is away, is told once it is back, and only as it stands then', async () => {
    const acme = await company();
    const people = [await account(), await account(), await account()];
    for (const { id } of people) {
      await join(acme.id, id);
      await server.setPassword(id, PASSWORD);
    }
    keycloak.state.away = true;
    for (const name of ['One', 'Two', 'Three']) await rename(acme.id, `${name} ${acme.id}`);
    await expect.poll(state).toMatchObject({ provider: 'keycloak', waiting: 3, lastError: 'Keycloak cannot be reached' });
    expect((await state()).waitingSince).not.toBeNull();
    // whoever is being told of at that moment is told as they stood when it began
    const underWay = () => query(server.database.ownerUrl, 'select from identity_people where busy_until is not null');
    await expect.poll(underWay).toEqual([]);
    keycloak.told.length = 0;
    keycloak.state.away = false;
    await dueNow();
    await expect.poll(state, { timeout: 10_000 }).toMatchObject({ waiting: 0, waitingSince: null, lastError: null });
    for (const { id } of people) expect(attributes(id)['tenant_name']).toEqual([`Three ${acme.id}`]);
    expect(keycloak.told.filter(({ method }) => method === 'PUT')).toHaveLength(3);
  });

  it('nothing where nothing changed for them, and all of it again to a server that was killed before it wrote down that it told', async () => {
    const acme = await company();
    const who = await account();
    await join(acme.id, who.id);
    await server.setPassword(who.id, PASSWORD);
    const { lastToldAt } = await state();
    keycloak.told.length = 0;
    await server.operator('PUT /operator/companies/{id}', { params: { id: acme.id }, body: { suspended: false } });
    await expect.poll(async () => (await state()).lastToldAt, { timeout: 10_000 }).not.toBe(lastToldAt);
    await expect.poll(async () => (await state()).waiting).toBe(0);
    expect(keycloak.told).toEqual([]);
    await query(
      server.database.ownerUrl,
      'update identity_people set subject = null, told = null, asked = asked + 1 where account_id = $1',
      [who.id],
    );
    await expect.poll(async () => (await state()).waiting, { timeout: 10_000 }).toBe(0);
    expect(keycloak.told.map(({ method }) => method)).toEqual(['PUT']);
    expect([...keycloak.users.values()].filter(({ email }) => email === who.email)).toHaveLength(1);
  });

  it('what Keycloak refuses waits with its reason, keeps nobody else waiting, and is told once it is mended there', async () => {
    const acme = await company();
    const [taken, free] = [await account(), await account()];
    keycloak.users.set('stranger', {
      id: 'stranger',
      username: 'stranger',
      email: taken.email ?? '',
      emailVerified: false,
      enabled: true,
      firstName: 'S',
      lastName: '',
      attributes: {},
    });
    for (const { id } of [taken, free]) await join(acme.id, id);
    await rename(acme.id, `Refused ${acme.id}`);
    await expect.poll(state, { timeout: 10_000 }).toMatchObject({ waiting: 1, lastError: expect.stringContaining('did not verify') });
    expect(attributes(free.id)['tenant_id']).toEqual([acme.id]);
    // Its administrators say that it is the same person; what they keep there stays.
    Object.assign(keycloak.users.get('stranger') ?? {}, { emailVerified: true, attributes: { shoe_size: ['43'] } });
    await dueNow();
    await expect.poll(async () => (await state()).waiting, { timeout: 10_000 }).toBe(0);
    expect(keycloak.byAccount(taken.id)).toMatchObject({ id: 'stranger', attributes: { shoe_size: ['43'], tenant_id: [acme.id] } });
  });

  it('no address that a directory alone says is taken for proved, and nobody becomes one with who has it there', async () => {
    const email = address();
    const theirs = { username: email, email, emailVerified: true, enabled: true, firstName: 'Vera', lastName: 'Victim', attributes: {} };
    keycloak.users.set('victim', { id: 'victim', ...theirs });
    const accountId = await directorySays(calm.id, unique(), { displayName: 'Mallory', email });
    await expect.poll(state, { timeout: 10_000 }).toMatchObject({ waiting: 1, lastError: expect.stringContaining('directory') });
    expect(keycloak.users.get('victim')).toEqual({ id: 'victim', ...theirs });
    // Its administrators say that it is the same person.
    Object.assign(keycloak.users.get('victim') ?? {}, { attributes: { account_id: [accountId] } });
    await dueNow();
    await expect.poll(async () => (await state()).waiting, { timeout: 10_000 }).toBe(0);
    expect(keycloak.byAccount(accountId)).toMatchObject({ id: 'victim', emailVerified: false, attributes: { tenant_id: [calm.id] } });
  });

  it('no address but what a mailed link proved, whoever joins another company: its SMS proves the number alone', async () => {
    const [acme, other] = [calm, await company()];
    const [email, tlf, ref] = [address(), '+4791234577', unique()];
    const accountId = await directorySays(acme.id, ref, { displayName: 'Mallory', email, phone: tlf });
    const verified = () => keycloak.byAccount(accountId).emailVerified;
    const joinsBy = async (channel: 'mail' | 'sms') => {
      const { token, hash } = newInvitationToken(other.id);
      const now = new Date();
      const row = { invited_by_kind: 'system' as const, invited_by: null, invited_by_name: 'Test', ...stamps() };
      await server.deps.db.tenant(other.id, (tx) =>
        tx
          .insertInto('invitations')
          .values({
            ...row,
            tenant_id: other.id,
            id: newId(),
            email: channel === 'mail' ? email : null,
            tlf: channel === 'sms' ? tlf : null,
            roles: ['manager'],
            [`${channel}_token_hash`]: hash,
            expires_at: new Date(now.getTime() + 60_000).toISOString(),
          })
          .execute(),
      );
      await inIdentity(server.deps.db)(async (tx) => {
        const found = await findInvitation(tx, token, now);
        if (found === null) throw new Error('the invitation is not found');
        expect(await acceptInvitation(tx, found, '', '', now)).toBe(accountId);
      });
      server.deps.outbox.wake();
      await expect.poll(async () => (await state()).waiting, { timeout: 10_000 }).toBe(0);
    };
    await expect.poll(verified, { timeout: 10_000 }).toBe(false);
    await joinsBy('sms');
    await server.setPassword(accountId, PASSWORD);
    expect(verified()).toBe(false);
    await joinsBy('mail');
    await server.setPassword(accountId, PASSWORD);
    expect(verified()).toBe(true);
  });

  it('what a directory says anew of a person, also where their tokens are for another company', async () => {
    const [acme, other] = [calm, await company()];
    const [ref, email, later] = [unique(), address(), address()];
    const accountId = await directorySays(acme.id, ref, { displayName: 'Dag Dahl', email });
    await expect.poll(() => [...keycloak.users.values()].some((user) => user.email === email), { timeout: 10_000 }).toBe(true);
    await directorySays(acme.id, ref, { displayName: 'Dag Berg', email: later, phone: '+4791234599' });
    const now = { lastName: 'Berg', email: later, emailVerified: false, username: '+4791234599' };
    await expect.poll(() => keycloak.byAccount(accountId), { timeout: 10_000 }).toMatchObject(now);
    await join(other.id, accountId);
    await query(server.database.ownerUrl, 'update identity_people set told_id = $2 where account_id = $1', [accountId, other.id]);
    await directorySays(acme.id, ref, { displayName: 'Dag Lund', email });
    await expect.poll(() => keycloak.byAccount(accountId), { timeout: 10_000 }).toMatchObject({ lastName: 'Lund', email });
  });

  it('a company that is deleted leaves everybody’s tokens', async () => {
    const [gone, kept] = [await company(), await company()];
    const [one, both] = [await account(), await account()];
    for (const { id } of [one, both]) await join(gone.id, id);
    await server.setPassword(both.id, PASSWORD);
    await join(kept.id, both.id);
    await server.setPassword(one.id, PASSWORD);
    await server.operator('DELETE /operator/companies/{id}', { params: { id: gone.id } });
    await expect.poll(() => attributes(one.id)['tenant_id'], { timeout: 10_000 }).toBeUndefined();
    await expect.poll(() => attributes(both.id)['tenant_id'], { timeout: 10_000 }).toEqual([kept.id]);
  });

  it('somebody who joins another company stays in theirs, whatever the names are, until that one is suspended', async () => {
    const [first, second] = [await company(), await company()];
    const who = await account();
    await join(first.id, who.id);
    await rename(first.id, `Z ${unique()}`);
    await server.setPassword(who.id, PASSWORD);
    await rename(second.id, `A ${unique()}`);
    await join(second.id, who.id);
    await server.setPassword(who.id, PASSWORD);
    expect(attributes(who.id)['tenant_id']).toEqual([first.id]);
    await server.operator('PUT /operator/companies/{id}', { params: { id: first.id }, body: { suspended: true } });
    await expect.poll(() => attributes(who.id)['tenant_id'], { timeout: 10_000 }).toEqual([second.id]);
  });

  it('all of it again at a start, to a Keycloak that was restored from a backup', async () => {
    const who = await account();
    await join(calm.id, who.id);
    await server.setPassword(who.id, PASSWORD);
    keycloak.byAccount(who.id).attributes['tenant_roles'] = ['admin'];
    await lookAtAll(server.deps.db, inIdentity(server.deps.db), () => new Date());
    await expect.poll(() => attributes(who.id)['tenant_roles'], { timeout: 10_000 }).toEqual(['manager']);
  });

  it('a company cannot be chosen while it is away, and is once it is back', async () => {
    const [first, second] = [await company(), await company()];
    const who = await account();
    await join(first.id, who.id);
    await server.setPassword(who.id, PASSWORD);
    await join(second.id, who.id);
    const api = server.as(await keycloak.tokenOf(who.id, randomUUID()));
    expect((await api('GET /accounts/me')).tenantId).toBe(first.id);
    keycloak.state.away = true;
    await expect(api('PUT /accounts/me/company', { body: { tenantId: second.id } })).rejects.toMatchObject({ status: 503 });
    keycloak.state.away = false;
    await dueNow();
    await expect.poll(() => attributes(who.id)['tenant_id'], { timeout: 10_000 }).toEqual([second.id]);
  });
});

describe('whose tokens are taken', () => {
  const signedIn = async () => {
    const who = await account();
    await join(calm.id, who.id);
    await server.setPassword(who.id, PASSWORD);
    const sid = randomUUID();
    const token = await keycloak.tokenOf(who.id, sid);
    const status = (held: string) =>
      fetch(`${server.url}/v1/accounts/me`, { headers: { authorization: `Bearer ${held}` } }).then((answer) => answer.status);
    return { who, sid, token, status, subject: keycloak.byAccount(who.id).id };
  };

  it('nobody’s whom Hatchway does not know, though Keycloak signed them in', async () => {
    const token = await keycloak.sign({ sub: randomUUID(), typ: 'Bearer', azp: 'pml-internal-portal' }, 'hatchway-api');
    const answer = await fetch(`${server.url}/v1/accounts/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
  });

  it('who is signed out at Keycloak is out here once its session is gone there, sockets too; no logout is believed that Keycloak did not send', async () => {
    const { who, status, subject, sid, token } = await signedIn();
    expect(await keycloak.backChannel({ sub: subject, sid }, { events: {} })).toBe(400);
    expect(await keycloak.backChannel({ sub: subject, sid, nonce: 'n' })).toBe(400);
    expect(await keycloak.backChannel({ sub: subject, sid }, { audience: 'hatchway-api' })).toBe(400);
    const post = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${server.url}/hooks/identity/logout`, { method: 'POST', body, headers: { 'content-type': type } });
    for (const body of ['', 'logout_token=', 'logout_token=a.b.c', 'logout_token=x&logout_token=y', '%'])
      expect([body, (await post(body)).status]).toEqual([body, 400]);
    expect((await post('{}', 'application/json')).status).toBe(415);
    expect(await status(token)).toBe(200);

    // One session of theirs, and all of them.
    const other = await keycloak.tokenOf(who.id, randomUUID());
    for (const [held, ended] of [
      [token, { sub: subject, sid }],
      [other, { sub: subject }],
    ] as const) {
      expect(await status(held)).toBe(200);
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/live`, [held]);
      await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
      const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code), { once: true }));
      expect(await keycloak.backChannel(ended)).toBe(200);
      expect(await closed).toBe(4000);
      expect(await status(held)).toBe(401);
    }
  });

  it('nobody’s while people could write their own company there, and the operator is told why', async () => {
    const other = await testKeycloak();
    const before = other.state.profile;
    other.state.profile = before.replace('"ADMIN_EDIT"', '"ENABLED"');
    const unsafe = await testServer({ config: { keycloak: other.config, logLevel: 'silent' } });
    const answer = await fetch(`${unsafe.url}/v1/accounts/me`, { headers: { authorization: 'Bearer a.b.c' } });
    expect(answer.status).toBe(503);
    expect((await unsafe.operator('GET /operator/identity')).lastError).toContain('ENABLED');
    await unsafe.stop();
    await other.close();
  });

  it('nobody’s until Keycloak said what people may write there; later what was found last holds while it is away', async () => {
    const other = await testKeycloak();
    const safe = other.state.profile;
    Object.assign(other.state, { secret: 'not that of Hatchway', profile: safe.replace('"ADMIN_EDIT"', '"ENABLED"') });
    const fresh = await testServer({ config: { keycloak: other.config, logLevel: 'silent' } });
    const token = await other.sign({ sub: randomUUID(), account_id: newId(), typ: 'Bearer', azp: 'pml-internal-portal' }, 'hatchway-api');
    const status = async () => (await fetch(`${fresh.url}/v1/accounts/me`, { headers: { authorization: `Bearer ${token}` } })).status;
    const lastError = async () => (await fresh.operator('GET /operator/identity')).lastError;
    expect([await status(), await lastError()]).toEqual([503, expect.stringContaining('401: unauthorized_client')]);
    Object.assign(other.state, { secret: other.config.secret, profile: safe });
    // Trusted, though the account is not there.
    await expect.poll(status, { timeout: 10_000, interval: 500 }).toBe(404);
    expect(await lastError()).toBeNull();
    await fresh.stop();

    const admin = createAdmin({ ...other.config, now: () => new Date() });
    const guard = await startGuard(admin, fresh.deps.log);
    other.state.away = true;
    await guard.look();
    expect(guard.fault()).toBeNull();
    Object.assign(other.state, { away: false, profile: safe.replace('"ADMIN_EDIT"', '"ENABLED"') });
    await guard.look();
    other.state.away = true;
    await guard.look();
    expect(guard.fault()).toContain('ENABLED');
    guard.stop();
    await other.close();
  });
});

describe('an invitation', () => {
  it('makes somebody new an account with the password that they chose, and is worth nothing afterwards', async () => {
    const { id, link, admin } = await company();
    const visitor = new Visitor(server.url);
    await visitor.go(link);
    expect((await visitor.submit({ name: 'Ada Admin', password: 'short' })).status).toBe(422);
    expect((await visitor.submit({ name: 'Ada Admin', password: PASSWORD })).text).toContain('You can sign in now');
    const user = [...keycloak.users.values()].find(({ email }) => email === admin);
    expect(user).toMatchObject({ password: PASSWORD, firstName: 'Ada', attributes: { tenant_id: [id], tenant_roles: ['admin'] } });
    expect((await visitor.go(link)).status).toBe(410);
    const kept = await query(server.database.ownerUrl, 'select password from identity_people where password is not null');
    expect(kept).toEqual([]);
  });

  it('says so where the realm wants a better password than they chose', async () => {
    const { link } = await company();
    const visitor = new Visitor(server.url);
    await visitor.go(link);
    // Ten characters are what the test's realm asks for.
    keycloak.state.passwordLength = 100;
    expect((await visitor.submit({ name: 'Ada Admin', password: PASSWORD })).text).toContain('another password');
    keycloak.state.passwordLength = 10;
  });

  it('is used up by nobody while Keycloak is away', async () => {
    const { link } = await company();
    const visitor = new Visitor(server.url);
    await visitor.go(link);
    keycloak.state.away = true;
    expect((await visitor.submit({ name: 'Ada Admin', password: PASSWORD })).status).toBe(503);
    keycloak.state.away = false;
    await visitor.go(link);
    expect((await visitor.submit({ name: 'Ada Admin', password: PASSWORD })).status).toBe(200);
  });

  it('keeps the password, sealed, until Keycloak that went away in that moment is told', async () => {
    const { link, admin } = await company();
    const visitor = new Visitor(server.url);
    await visitor.go(link);
    keycloak.state.refuse = { status: 503, error: 'starting' };
    expect((await visitor.submit({ name: 'Ada Admin', password: PASSWORD })).text).toContain('in a few minutes');
    const [row] = await query<{ password: string }>(
      server.database.ownerUrl,
      'select password from identity_people where password is not null',
    );
    expect(row?.password).not.toContain(PASSWORD);
    keycloak.state.refuse = null;
    await dueNow();
    await expect
      .poll(() => [...keycloak.users.values()].find(({ email }) => email === admin)?.password, { timeout: 10_000 })
      .toBe(PASSWORD);
  });

  it('adds a company to whoever shows at Keycloak that the account is theirs, and to nobody else', async () => {
    const known = await account();
    const other = await account();
    const before = await company();
    for (const { id } of [known, other]) {
      await join(before.id, id);
      await server.setPassword(id, PASSWORD);
    }
    const { id, link } = await company(known.email ?? '');
    const visitor = new Visitor(server.url);
    const page = await visitor.go(link);
    expect(page.text).not.toContain('type="password"');
    const away = async (path: string) => {
      const answer = await fetch(`${link}${path}`, { redirect: 'manual' });
      const [cookie = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';');
      return { to: answer.headers.get('location') ?? '', cookie };
    };
    const back = async ({ to, cookie }: { to: string; cookie: string }, accountId: string) => {
      const answer = await fetch(keycloak.signIn(to, accountId), { headers: { cookie } });
      return { status: answer.status, text: await answer.text() };
    };
    const theirs = () => server.deps.db.tenant(id, (tx) => tx.selectFrom('memberships').select('account_id').execute());

    const begun = await away('/sign-in');
    expect(begun.to).toContain('code_challenge_method=S256');
    expect(await back(begun, other.id)).toMatchObject({ status: 409, text: expect.stringContaining('somebody else') });
    // A code without the browser that it was asked from, or that browser with another code.
    expect((await back({ ...begun, cookie: '' }, known.id)).status).toBe(400);
    expect((await back({ to: (await away('/sign-in')).to, cookie: begun.cookie }, known.id)).status).toBe(400);
    expect(await theirs()).toEqual([]);
    const again = await away('/sign-in?again=1');
    expect(again.to).toContain('prompt=login');
    expect(await back(again, known.id)).toMatchObject({ status: 200 });
    expect(await theirs()).toEqual([{ account_id: known.id }]);
    expect((await back(again, known.id)).status).toBe(410);
  });

  it('of two presses at once makes one account', async () => {
    const { id, link } = await company();
    const visitors = [new Visitor(server.url), new Visitor(server.url)];
    for (const visitor of visitors) await visitor.go(link);
    const pages = await Promise.all(visitors.map((visitor) => visitor.submit({ name: 'Ada Admin', password: PASSWORD })));
    expect(pages.filter(({ text }) => text.includes('You can sign in now'))).toHaveLength(1);
    expect(await server.deps.db.tenant(id, (tx) => tx.selectFrom('memberships').select('roles').execute())).toHaveLength(1);
  });
});

it('promises no company a sign-in by its directory', async () => {
  const admin = await account();
  await join(calm.id, admin.id, ['admin']);
  await server.setPassword(admin.id, PASSWORD);
  const api = server.as(await keycloak.tokenOf(admin.id, randomUUID()));
  expect(await api('GET /integrations/entra')).toMatchObject({ signsIn: false });
});

it('says on /config where to sign in, and serves no sign-in of its own', async () => {
  const config = (await (await fetch(`${server.url}/config`)).json()) as Record<string, string>;
  expect([config['auth-server-url'], config['realm'], config['resource']]).toEqual([keycloak.config.url, 'pml', 'pml-internal-portal']);
  for (const path of ['protocol/openid-connect/auth', 'protocol/openid-connect/token', 'protocol/openid-connect/certs', 'forgotten'])
    expect([path, (await fetch(`${server.url}/realms/pml/${path}`, { redirect: 'manual' })).status]).toEqual([path, 302]);
  expect((await fetch(`${server.url}/realms/pml/protocol/openid-connect/token`, { method: 'POST' })).status).toBe(404);
});
