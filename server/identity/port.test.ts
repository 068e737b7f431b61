import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import { PASSWORD, refusal } from '../test-company.ts';
import { testServer, unique, type TestServer } from '../test-server.ts';
import { testKeycloak, type TestKeycloak } from './keycloak/test-keycloak.ts';
import { Visitor, type Tokens } from './test-visitor.ts';

/** Somebody at a browser: each `token` is what their page would have after a refresh; null where there is none to be had. */
type AtBrowser = { token: () => Promise<string | null> };
type Provider = { server: TestServer; keycloak: TestKeycloak | null; signIn: (accountId: string, email: string) => Promise<AtBrowser> };

const embedded = async (): Promise<Provider> => {
  const server = await testServer();
  return {
    server,
    keycloak: null,
    signIn: async (accountId, email) => {
      await server.setPassword(accountId, PASSWORD);
      const visitor = new Visitor(server.url);
      const verifier = await visitor.startSignIn();
      await visitor.submit({ login: email, password: PASSWORD });
      // Whoever belongs to several says which.
      if (visitor.page.text.includes('name="tenant"'))
        await visitor.submit({ tenant: /name="tenant" value="([^"]+)"/.exec(visitor.page.text)?.[1] ?? '' });
      const { tokens } = await visitor.exchange(verifier);
      return {
        token: async () => {
          const renewed: { status: number; tokens: Tokens } = await visitor.refresh(tokens);
          return renewed.status === 200 ? renewed.tokens.access_token : null;
        },
      };
    },
  };
};

const outside = async (): Promise<Provider> => {
  const keycloak = await testKeycloak();
  const server = await testServer({ config: { keycloak: keycloak.config } });
  keycloak.state.backChannel = server.url;
  return {
    server,
    keycloak,
    signIn: async (accountId) => {
      await server.setPassword(accountId, PASSWORD);
      const sid = randomUUID();
      await keycloak.tokenOf(accountId, sid);
      return { token: async () => (keycloak.state.sessions.has(sid) ? keycloak.tokenOf(accountId, sid) : null) };
    },
  };
};

describe.each([
  ['the embedded provider', embedded],
  ['Keycloak', outside],
])('signed in by %s', (_name, start) => {
  let provider: Provider;
  let server: TestServer;
  const companies: string[] = [];
  beforeAll(async () => {
    provider = await start();
    ({ server } = provider);
    for (const name of ['A', 'B', 'C']) companies.push(await company(name));
  });
  afterAll(async () => {
    await server.stop();
    await provider.keycloak?.close();
  });

  const company = async (name: string): Promise<string> => {
    const id = randomUUID();
    await server.operator('POST /operator/companies', {
      body: {
        id,
        name: `${name} ${unique()}`,
        licenses: ['delivery', 'lending'],
        admin: { name: 'Ada', email: `ada-${unique()}@example.test` },
      },
    });
    return id;
  };
  const stamps = () => ({ created_at: new Date().toISOString(), updated_at: new Date().toISOString() });
  const account = async (): Promise<{ id: string; email: string }> => {
    const [id, email] = [newId(), `p-${unique()}@example.test`];
    await server.deps.db.account(id, (tx) =>
      tx
        .insertInto('accounts')
        .values({ id, email, name: 'Kari Nordmann Berg', ...stamps() })
        .execute(),
    );
    return { id, email };
  };
  const join = (tenantId: string, accountId: string, roles: string[]) =>
    server.deps.db.tenant(tenantId, (tx) =>
      tx
        .insertInto('memberships')
        .values({ tenant_id: tenantId, id: newId(), account_id: accountId, roles, ...stamps() })
        .execute(),
    );
  const verified = async (token: string | null) => server.deps.verify(token ?? '');
  /** Until the next token says it. */
  const says = async (browser: AtBrowser, what: object) =>
    await expect.poll(async () => verified(await browser.token()), { timeout: 10_000 }).toMatchObject(what);

  it('a token says company, roles, licences and permissions, and the next one what was changed since', async () => {
    const acme = await company('Acme');
    const [boss, worker] = [await account(), await account()];
    await join(acme, boss.id, ['admin']);
    await join(acme, worker.id, ['delivery_manager']);
    const [admin, browser] = [await provider.signIn(boss.id, boss.email), await provider.signIn(worker.id, worker.email)];
    expect(await verified(await browser.token())).toMatchObject({
      sub: worker.id,
      name: 'Kari Nordmann Berg',
      email: worker.email,
      tenant: { tenant_id: acme, roles: ['delivery_manager'] },
      licenses: ['delivery', 'lending'],
      permissions: {},
    });
    const api = server.as(async () => (await admin.token()) ?? '');
    const site = await api('POST /sites', { body: { name: 'Site', address: 'Storgata 1' } });
    const columns = [{ width: 450, doors: [{ doorTag: `D-${unique()}`, compartment: 1, size: 'M' as const, height: 300 }] }];
    const cabinet = await api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns } });
    const lockers = await api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } });
    const group = await api('POST /groups', { body: { name: 'Crew' } });
    await api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: worker.id }, body: {} });
    await api('POST /permissions', { body: { name: 'P', scopes: ['lending'], groups: [group.id], lockers: lockers.map(({ id }) => id) } });
    await says(browser, { permissions: { 'urn:pml:resources:locker': ['urn:pml:resources:locker:scopes:lending'] } });

    const memberships = await api('GET /companies/{tenant}/memberships', { params: { tenant: acme }, query: {} });
    const theirs = memberships.find(({ accountId }) => accountId === worker.id);
    const before = (await browser.token()) ?? '';
    await api('PUT /companies/{tenant}/memberships/{membershipId}', {
      params: { tenant: acme, membershipId: theirs?.id ?? '' },
      body: { roles: ['manager'], version: theirs?.version ?? 0 },
    });
    // A right that was withdrawn is gone at once, whatever a token says.
    expect((await server.as(before)('GET /accounts/me')).roles).toEqual([]);
    await says(browser, { tenant: { roles: ['manager'] } });
    await server.operator('PUT /operator/companies/{id}', {
      params: { id: acme },
      body: { name: 'Acme anew', licenses: ['sale', 'sales'] },
    });
    await says(browser, { tenant: { tenant_name: 'Acme anew' }, licenses: ['sale', 'sales'] });
  });

  it('another company is chosen for the next token, and nobody chooses one that they are not in', async () => {
    const [first = '', second = '', foreign = ''] = companies;
    const who = await account();
    await join(first, who.id, ['manager']);
    await join(second, who.id, ['admin']);
    const browser = await provider.signIn(who.id, who.email);
    const token = (await browser.token()) ?? '';
    const api = server.as(token);
    for (const tenantId of [second, first]) {
      await api('PUT /accounts/me/company', { body: { tenantId } });
      expect((await verified(await browser.token())).tenant?.tenant_id).toBe(tenantId);
    }
    expect(await refusal(api('PUT /accounts/me/company', { body: { tenantId: foreign } }))).toEqual([404, 'not-found']);
  });

  it('a membership that ends takes the sign-in for that company with it, and no other', async () => {
    const [left = '', kept = ''] = companies;
    const [who, boss] = [await account(), await account()];
    await join(left, who.id, ['manager']);
    await join(left, boss.id, ['admin']);
    const browser = await provider.signIn(who.id, who.email);
    const token = (await browser.token()) ?? '';
    await join(kept, who.id, ['manager']);
    const admin = server.as(async () => (await (await provider.signIn(boss.id, boss.email)).token()) ?? '');
    const memberships = await admin('GET /companies/{tenant}/memberships', { params: { tenant: left }, query: {} });
    const membershipId = memberships.find(({ accountId }) => accountId === who.id)?.id ?? '';
    await admin('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant: left, membershipId } });
    await expect
      .poll(() =>
        verified(token).then(
          () => 'taken',
          () => 'refused',
        ),
      )
      .toBe('refused');
    await expect.poll(() => browser.token(), { timeout: 10_000 }).toBeNull();
    // Signed in anew they are where they still belong.
    const again = await provider.signIn(who.id, who.email);
    expect((await verified(await again.token())).tenant?.tenant_id).toBe(kept);
  });

  it('a suspended company keeps its tokens, and the API refuses them until it is taken back', async () => {
    const [acme = ''] = companies;
    const who = await account();
    await join(acme, who.id, ['admin']);
    const browser = await provider.signIn(who.id, who.email);
    const api = server.as(async () => (await browser.token()) ?? '');
    await server.operator('PUT /operator/companies/{id}', { params: { id: acme }, body: { suspended: true } });
    expect(await refusal(api('GET /groups', { query: {} }))).toEqual([403, 'suspended']);
    await server.operator('PUT /operator/companies/{id}', { params: { id: acme }, body: { suspended: false } });
    expect(await api('GET /groups', { query: {} })).toEqual([]);
  });
});
