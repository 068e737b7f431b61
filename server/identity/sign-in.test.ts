import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import { startWorld, type World } from './test-world.ts';
import { Visitor } from './test-visitor.ts';

let world: World;
let acme: string;
let other: string;
beforeAll(async () => {
  world = await startWorld();
  acme = await world.company('Acme', { licenses: ['delivery', 'sale', 'sales'] });
  other = await world.company('Other AS', { licenses: ['lending'] });
});
afterAll(() => world.close());

const claimsOf = (token: string) => world.verifier.verify(token);

describe('signing in', () => {
  // shows R3.20
  it('gives an access token that says who, for which company, with what', async () => {
    const ann = await world.person('ann@acme.test', undefined, { name: 'Ann Berg', tlf: '+4791234567' });
    await world.member(acme, ann, ['delivery_manager']);
    const tokens = await new Visitor(world.origin).signIn('Ann@Acme.test');
    const claims = await claimsOf(tokens.access_token);
    expect(claims).toMatchObject({
      iss: `${world.origin}/realms/pml`,
      sub: ann,
      aud: 'hatchway-api',
      azp: 'pml-internal-portal',
      name: 'Ann Berg',
      email: 'ann@acme.test',
      phone_number: '+4791234567',
      locale: 'en',
      realm_access: { roles: ['delivery_manager'] },
      resource_access: { 'pml-internal-portal': { roles: ['delivery_manager'] } },
      tenant: { tenant_id: acme, tenant_name: 'Acme', roles: ['delivery_manager'] },
      licenses: ['delivery', 'sale', 'sales'],
      permissions: {},
    });
    expect(claims.exp - claims.iat).toBe(300);
    expect(claims.sid).toBeTruthy();
  });

  it('takes a mobile number as people write it', async () => {
    await world.person('bo@acme.test', undefined, { tlf: '+4798765432' });
    const tokens = await new Visitor(world.origin).signIn('987 65 432');
    expect((await claimsOf(tokens.access_token)).email).toBe('bo@acme.test');
  });

  // shows R3.21
  it('puts scopes in while a permission names a group of the person and at least one locker', async () => {
    const eva = await world.person('eva@acme.test');
    await world.member(acme, eva, []);
    const [group, permission, empty] = [newId(), newId(), newId()];
    const at = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() };
    await world.database.db.tenant(acme, async (tx) => {
      await tx
        .insertInto('groups')
        .values({ tenant_id: acme, id: group, name: 'Porters', external_id: null, ...at })
        .execute();
      await tx
        .insertInto('group_members')
        .values({ tenant_id: acme, group_id: group, account_id: eva, created_at: at.created_at })
        .execute();
      const shared = { tenant_id: acme, group_ids: [group], ...at };
      await tx
        .insertInto('permissions')
        .values([
          { ...shared, id: permission, name: 'Deliver', scopes: ['delivery'], locker_ids: [newId()] },
          { ...shared, id: empty, name: 'Nothing', scopes: ['manage'], locker_ids: [] },
        ])
        .execute();
    });
    const visitor = new Visitor(world.origin);
    const tokens = await visitor.signIn('eva@acme.test');
    expect((await claimsOf(tokens.access_token)).permissions).toEqual({
      'urn:pml:resources:locker': ['urn:pml:resources:locker:scopes:delivery'],
    });

    await world.database.db.tenant(acme, (tx) =>
      tx.deleteFrom('permissions').where('tenant_id', '=', acme).where('id', '=', permission).execute(),
    );
    const { tokens: next } = await visitor.refresh(tokens);
    expect((await claimsOf(next.access_token)).permissions).toEqual({});
  });

  it('lets somebody without a company in, with a token without one', async () => {
    await world.person('guest@demo.test');
    const tokens = await new Visitor(world.origin).signIn('guest@demo.test');
    expect(await claimsOf(tokens.access_token)).not.toHaveProperty('tenant');
  });

  it('mints for a suspended company too: the API is what refuses it', async () => {
    const closed = await world.company('Closed', { suspended: true });
    const sam = await world.person('sam@closed.test');
    await world.member(closed, sam, ['admin']);
    const tokens = await new Visitor(world.origin).signIn('sam@closed.test');
    expect((await claimsOf(tokens.access_token)).tenant?.tenant_id).toBe(closed);
  });

  it('keeps two tabs apart, and signs the second in without a question once the first is', async () => {
    await world.person('tabs@acme.test');
    const visitor = new Visitor(world.origin);
    await visitor.startSignIn();
    const first = visitor.page.url;
    const verifier = await visitor.startSignIn();
    const second = visitor.page.url;
    expect(first).not.toBe(second);
    await visitor.submit({ login: 'tabs@acme.test', password: 'correct horse battery' });
    expect((await visitor.exchange(verifier)).status).toBe(200);
    const again = await visitor.startSignIn({ prompt: 'none' });
    expect((await visitor.exchange(again)).status).toBe(200);
  });

  it('leads on from a page that is spent whoever is signed in by now, or was, and nobody without cookies', async () => {
    await world.person('back@acme.test');
    const visitor = new Visitor(world.origin);
    const verifier = await visitor.startSignIn();
    const spent = visitor.page.url;
    await visitor.submit({ login: 'back@acme.test', password: 'correct horse battery' });
    expect((await visitor.exchange(verifier)).status).toBe(200);
    expect((await visitor.go(spent)).url).toBe(`${world.origin}/portal/`);
    await visitor.go('/realms/pml/protocol/openid-connect/logout');
    await visitor.submit({ logout: 'yes' });
    expect((await visitor.go(spent)).url).toBe(`${world.origin}/portal/`);
    expect((await new Visitor(world.origin).go(spent)).status).toBe(400);
  });

  it('leads nobody whose password comes to a page that is spent into the session of another', async () => {
    await world.person('before@acme.test');
    await world.person('after@acme.test');
    const visitor = new Visitor(world.origin);
    const verifier = await visitor.startSignIn();
    const spent = visitor.page.url;
    await visitor.submit({ login: 'before@acme.test', password: 'correct horse battery' });
    expect((await visitor.exchange(verifier)).status).toBe(200);
    const body = new URLSearchParams({ login: 'after@acme.test', password: 'correct horse battery' });
    const told = await visitor.go(spent, { method: 'POST', body, headers: { origin: world.origin } });
    expect([told.status, told.url]).toEqual([400, spent]);
  });
});

describe('refusing', () => {
  it('says the same for a wrong password and for nobody', async () => {
    await world.person('kim@acme.test');
    const texts: string[] = [];
    for (const login of ['kim@acme.test', 'nobody@acme.test']) {
      const visitor = new Visitor(world.origin);
      await visitor.startSignIn();
      const page = await visitor.submit({ login, password: 'not this one at all' });
      expect(page.status).toBe(401);
      expect(page.text).toContain('role="alert"');
      texts.push(
        page.text
          .replaceAll(login, '')
          .replace(/nonce="[^"]*"/g, '')
          .replace(/login\/[\w-]+/g, ''),
      );
    }
    expect(texts[0]).toBe(texts[1]);
  });

  it('stops guessing after five attempts, sent at once too, and tells how long', async () => {
    await world.person('target@acme.test');
    world.newQuarter();
    const guesses = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const visitor = new Visitor(world.origin);
        await visitor.startSignIn();
        return (await visitor.submit({ login: 'target@acme.test', password: 'guess guess guess' })).status;
      }),
    );
    expect(guesses.toSorted((a, b) => a - b)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const visitor = new Visitor(world.origin);
    await visitor.startSignIn();
    const page = await visitor.submit({ login: 'target@acme.test', password: 'correct horse battery' });
    expect(page.status).toBe(429);
    expect(page.text).toMatch(/Try again in \d+ min/);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    world.later(16);
    await new Visitor(world.origin).signIn('target@acme.test');
  });

  it('counts names that do not exist in the same way', async () => {
    world.newQuarter();
    const visitor = new Visitor(world.origin);
    await visitor.startSignIn();
    for (let i = 0; i < 5; i++) expect((await visitor.submit({ login: 'ghost@acme.test', password: 'x' })).status).toBe(401);
    expect((await visitor.submit({ login: 'ghost@acme.test', password: 'x' })).status).toBe(429);
  });

  it('takes no form of another site, no redirect elsewhere and no request without PKCE', async () => {
    const visitor = new Visitor(world.origin);
    await visitor.startSignIn();
    const forged = await visitor.go(visitor.page.url, {
      method: 'POST',
      body: new URLSearchParams({ login: 'a', password: 'b' }),
      headers: { origin: 'https://evil.test' },
    });
    expect(forged.status).toBe(403);
    for (const redirect_uri of [
      'https://evil.test/portal/',
      `${world.origin}/elsewhere`,
      `${world.origin}/portal/../elsewhere`,
      `${world.origin}/portalx`,
      `${world.origin}/c/1001/elsewhere`,
      `https://evil.test/c/1001`,
    ]) {
      await visitor.startSignIn({ redirect_uri });
      expect([redirect_uri, visitor.page.status]).toEqual([redirect_uri, 400]);
    }
    await visitor.startSignIn({ redirect_uri: `${world.origin}/c/1001` });
    expect(visitor.page.status).toBe(200);
    await visitor.startSignIn({ code_challenge_method: 'plain' });
    expect(visitor.page.url).toContain('error=invalid_request');
  });

  it('does not take a password that works in a sandbox only', async () => {
    await world.person('demo@acme.test', 'demo');
    const visitor = new Visitor(world.origin);
    await visitor.startSignIn();
    expect((await visitor.submit({ login: 'demo@acme.test', password: 'demo' })).status).toBe(401);
  });
});

describe('several companies', () => {
  it('asks which one, and switches at the next refresh', async () => {
    const both = await world.person('both@demo.test');
    await world.member(acme, both, ['delivery_manager']);
    await world.member(other, both, ['admin']);
    const visitor = new Visitor(world.origin);
    const verifier = await visitor.startSignIn();
    const page = await visitor.submit({ login: 'both@demo.test', password: 'correct horse battery' });
    expect(page.text).toContain('Other AS');
    await visitor.submit({ tenant: acme });
    const { tokens } = await visitor.exchange(verifier);
    const claims = await claimsOf(tokens.access_token);
    expect(claims.tenant).toEqual({ tenant_id: acme, tenant_name: 'Acme', roles: ['delivery_manager'] });

    expect(await world.identity.chooseCompany({ accountId: both, sessionUid: claims.sid! }, other)).toBe(true);
    const { tokens: next } = await visitor.refresh(tokens);
    expect(await claimsOf(next.access_token)).toMatchObject({
      tenant: { tenant_id: other, roles: ['admin'] },
      licenses: ['lending'],
      sid: claims.sid,
    });

    const foreign = await world.company('Foreign');
    expect(await world.identity.chooseCompany({ accountId: both, sessionUid: claims.sid! }, foreign)).toBe(false);
  });
});
