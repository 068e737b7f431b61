import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Fastify from 'fastify';
import { query } from '../db/test-database.ts';
import { mountIdentity } from './mount.ts';
import { startWorld, type World } from './test-world.ts';
import { type Tokens, Visitor } from './test-visitor.ts';

let world: World;
let acme: string;
beforeAll(async () => {
  world = await startWorld();
  acme = await world.company('Acme');
});
afterAll(() => world.close());

async function staff(email: string, roles = ['admin']): Promise<{ id: string; visitor: Visitor; tokens: Tokens }> {
  const id = await world.person(email);
  await world.member(acme, id, roles);
  const visitor = new Visitor(world.origin);
  return { id, visitor, tokens: await visitor.signIn(email) };
}

const userinfo = (token: string) =>
  fetch(`${world.origin}/realms/pml/protocol/openid-connect/userinfo`, {
    headers: { authorization: `Bearer ${token}`, origin: world.origin },
  });
const account = (token: string) =>
  fetch(`${world.origin}/realms/pml/account`, { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } });

describe('refresh', () => {
  it('keeps the refresh token, so that two tabs may use it at the same moment', async () => {
    const { visitor, tokens } = await staff('tabs@acme.test');
    const answers = await Promise.all([visitor.refresh(tokens), visitor.refresh(tokens), visitor.refresh(tokens)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await visitor.refresh(answers[0].tokens)).status).toBe(200);
    // keycloak-js decodes it before use.
    expect(JSON.parse(Buffer.from(tokens.refresh_token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({ typ: 'Refresh' });
  });

  it('carries new roles', async () => {
    const { id, visitor, tokens } = await staff('promoted@acme.test', ['manager']);
    await world.database.db.tenant(acme, (tx) =>
      tx
        .updateTable('memberships')
        .set({ roles: ['admin'] })
        .where('account_id', '=', id)
        .execute(),
    );
    const { tokens: next } = await visitor.refresh(tokens);
    expect((await world.verifier.verify(next.access_token)).tenant?.roles).toEqual(['admin']);
  });

  it('answers 400 once the membership is withdrawn, also where nobody told the provider', async () => {
    const { id, visitor, tokens } = await staff('gone@acme.test');
    await world.database.db.tenant(acme, (tx) => tx.deleteFrom('memberships').where('account_id', '=', id).execute());
    expect(await visitor.refresh(tokens)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('answers 400 once the account is disabled', async () => {
    const { id, visitor, tokens } = await staff('disabled@acme.test');
    await world.database.db.account(id, (tx) =>
      tx.updateTable('accounts').set({ disabled_at: new Date().toISOString() }).where('id', '=', id).execute(),
    );
    expect((await visitor.refresh(tokens)).status).toBe(400);
    await visitor.startSignIn();
    expect((await visitor.submit({ login: 'disabled@acme.test', password: 'correct horse battery' })).status).toBe(401);
  });

  it('answers 400 for what is no refresh token', async () => {
    const { visitor, tokens } = await staff('curious@acme.test');
    expect((await visitor.refresh({ ...tokens, refresh_token: tokens.access_token })).status).toBe(400);
  });

  it('survives a restart: keys and sessions lie in the database', async () => {
    const { tokens } = await staff('stays@acme.test');
    const app = Fastify();
    await mountIdentity(app, world.options);
    const body = new URLSearchParams({
      client_id: 'pml-internal-portal',
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    });
    const answer = await app.inject({
      method: 'POST',
      url: '/realms/pml/protocol/openid-connect/token',
      payload: body.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.statusCode).toBe(200);
    await expect(world.verifier.verify(answer.json<Tokens>().access_token)).resolves.toMatchObject({ email: 'stays@acme.test' });
    await app.close();
    await expect(mountIdentity(Fastify(), { ...world.options, secretKey: 'another secret' })).rejects.toThrow('another SECRET_KEY');
  });
});

describe('ending', () => {
  it('revokes a membership: refresh 400, tokens that are out are refused, others stay', async () => {
    const { id, visitor, tokens } = await staff('revoked@acme.test');
    const bystander = await staff('bystander@acme.test');
    const told = world.revoked.length;
    await world.identity.revoke({ accountId: id, tenantId: acme });
    expect(world.revoked.slice(told)).toEqual([{ kind: 'membership', accountId: id, tenantId: acme, at: expect.any(Number) }]);
    world.revoked.slice(told).forEach((event) => world.identity.verifier.revoke(event, event.at));
    await expect(world.identity.verifier.verify(tokens.access_token)).rejects.toThrow('revoked');
    expect((await visitor.refresh(tokens)).status).toBe(400);
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    expect((await account(tokens.access_token)).status).toBe(401);
    expect((await account(bystander.tokens.access_token)).status).toBe(200);
    await expect(world.verifier.verify(bystander.tokens.access_token)).resolves.toBeTruthy();
    expect((await bystander.visitor.refresh(bystander.tokens)).status).toBe(200);
    // The session is gone as well: the next visit asks for the password.
    await visitor.startSignIn();
    expect(visitor.page.text).toContain('name="password"');
  });

  it('signs out with an id token without a question, back to the portal, and ends the session', async () => {
    const { id, visitor, tokens } = await staff('leaves@acme.test');
    const { sid } = await world.verifier.verify(tokens.access_token);
    const query = new URLSearchParams({
      client_id: 'pml-internal-portal',
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: `${world.origin}/portal/history?type=x`,
    });
    const page = await visitor.go(`/realms/pml/protocol/openid-connect/logout?${query.toString()}`);
    expect(page.text).toContain('.click()');
    await visitor.submit({ logout: 'yes' });
    expect(visitor.page.url).toBe(`${world.origin}/portal/history?type=x`);
    expect((await visitor.refresh(tokens)).status).toBe(400);
    expect(world.revoked).toContainEqual({ kind: 'session', sessionUid: sid, accountId: id, at: expect.any(Number) });
    await visitor.startSignIn({ prompt: 'none' });
    expect(visitor.page.url).toContain('error=login_required');
  });

  it('is written down before anybody hears of it, and told by another node where one was cut off in between', async () => {
    const written: number[] = [];
    const deaf = await startWorld({
      // Dies between the commit and the telling, as far as others can see.
      onRevoked: async () => {
        written.push((await deaf.identity.revokedLately()).length);
        return false;
      },
    });
    const id = await deaf.person('cut-off@acme.test');
    await deaf.member(await deaf.company('Acme'), id, ['admin']);
    const visitor = new Visitor(deaf.origin);
    const { id_token: hint } = await visitor.signIn('cut-off@acme.test');
    await visitor.go(`/realms/pml/protocol/openid-connect/logout?id_token_hint=${hint}`);
    await visitor.submit({ logout: 'yes' });
    expect(written[0]).toBe(1);

    const app = Fastify();
    const heard: string[] = [];
    await mountIdentity(app, {
      ...deaf.options,
      onRevoked: async (events) => {
        heard.push(...events.map(({ kind, accountId }) => `${kind} ${accountId}`));
        return true;
      },
    });
    await expect.poll(() => heard).toEqual([`session ${id}`]);
    await app.close();
    await deaf.close();
  });

  it('is whole or not at all: who could not be signed out is still signed in', async () => {
    const { visitor, tokens } = await staff('stuck@acme.test');
    await query(
      world.database.ownerUrl,
      `create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
       create trigger fail before insert on identity_revocations for each row execute function fail()`,
    );
    await visitor.go(`/realms/pml/protocol/openid-connect/logout?id_token_hint=${tokens.id_token}`);
    await visitor.submit({ logout: 'yes' });
    expect(visitor.page.status).toBe(500);
    await query(world.database.ownerUrl, 'drop trigger fail on identity_revocations; drop function fail()');
    await visitor.startSignIn({ prompt: 'none' });
    expect(visitor.page.url).toContain('code=');
    await visitor.go(`/realms/pml/protocol/openid-connect/logout?id_token_hint=${tokens.id_token}`);
    await visitor.submit({ logout: 'yes' });
    await visitor.startSignIn({ prompt: 'none' });
    expect(visitor.page.url).toContain('error=login_required');
  });

  it('asks whoever comes to sign out without an id token', async () => {
    const { visitor } = await staff('asked@acme.test');
    const page = await visitor.go('/realms/pml/protocol/openid-connect/logout');
    expect(page.text).toContain('Stay signed in');
    expect(page.text).not.toContain('<script');
    await visitor.submit({ logout: 'yes' });
    expect(visitor.page.text).toContain('You are signed out');
  });

  it('asks again which company, when the chosen one is gone and several are left', async () => {
    const id = await world.person('three@acme.test');
    const [second, third] = [await world.company('Second'), await world.company('Third')];
    for (const one of [acme, second, third]) await world.member(one, id, ['admin']);
    const visitor = new Visitor(world.origin);
    const tokens = await visitor.signIn('three@acme.test', undefined, acme);
    await world.database.db.tenant(acme, (tx) => tx.deleteFrom('memberships').where('account_id', '=', id).execute());
    expect((await visitor.refresh(tokens)).status).toBe(400);
    const verifier = await visitor.startSignIn();
    expect(visitor.page.text).toContain('Choose a company');
    expect(visitor.page.text).not.toContain('name="password"');
    await visitor.submit({ tenant: third });
    const { tokens: next } = await visitor.exchange(verifier);
    expect((await world.verifier.verify(next.access_token)).tenant?.tenant_name).toBe('Third');
  });
});

describe('what keycloak-js asks beside', () => {
  it('answers userinfo with the token of a living session alone', async () => {
    const { id, tokens } = await staff('info@acme.test');
    const answer = await userinfo(tokens.access_token);
    expect(answer.headers.get('access-control-allow-origin')).toBe(world.origin);
    expect(await answer.json()).toMatchObject({ sub: id, email: 'info@acme.test', tenant: { tenant_id: acme } });
    expect((await userinfo('nonsense')).status).toBe(401);
  });

  // shows R7.81
  it('tells in userinfo what is so now, not what was when the token was given out', async () => {
    const { id, tokens } = await staff('changed@acme.test');
    await world.database.db.tenant(acme, (tx) =>
      tx
        .updateTable('memberships')
        .set({ roles: ['recall_manager'] })
        .where('account_id', '=', id)
        .execute(),
    );
    expect((await world.verifier.verify(tokens.access_token)).tenant?.roles).not.toContain('recall_manager');
    expect(await (await userinfo(tokens.access_token)).json()).toMatchObject({ tenant: { tenant_id: acme, roles: ['recall_manager'] } });
    await world.database.db.tenant(acme, (tx) => tx.deleteFrom('memberships').where('account_id', '=', id).execute());
    expect((await userinfo(tokens.access_token)).status).toBe(401);
  });

  it('serves its frames to the portal alone', async () => {
    for (const name of ['3p-cookies/step1.html', 'login-status-iframe.html']) {
      const answer = await fetch(`${world.origin}/realms/pml/protocol/openid-connect/${name}`);
      expect(answer.headers.get('content-security-policy')).toContain(`frame-ancestors ${world.origin}`);
    }
    const init = (origin: string) =>
      fetch(
        `${world.origin}/realms/pml/protocol/openid-connect/login-status-iframe.html/init?client_id=pml-internal-portal&origin=${origin}&sid=x`,
      );
    expect((await init('https://evil.test')).status).toBe(403);
    expect((await init(world.origin)).status).toBe(200);
  });

  it('holds a policy on what the provider writes by itself too, and lets its own form send itself', async () => {
    const at = `${world.origin}/realms/pml`;
    for (const path of ['/protocol/openid-connect/logout', '/protocol/openid-connect/certs', '/.well-known/openid-configuration']) {
      const { headers } = await fetch(at + path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer']);
    }
    // Nobody is signed in, so nobody is asked: the page is the provider's own.
    const page = await fetch(`${at}/protocol/openid-connect/logout`);
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(await page.text()) ?? [];
    const digest = createHash('sha256').update(script).digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${digest}'`);
  });

  it('announces the addresses it is configured for, whatever host the caller names', async () => {
    const answer = await fetch(`${world.origin}/realms/pml/.well-known/openid-configuration`, {
      headers: { 'x-forwarded-host': 'evil.test' },
    });
    const { issuer, token_endpoint: token } = (await answer.json()) as Record<string, string>;
    expect([issuer, token]).toEqual([`${world.origin}/realms/pml`, `${world.origin}/realms/pml/protocol/openid-connect/token`]);
  });
});
