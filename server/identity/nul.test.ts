import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../db/test-database.ts';
import { Visitor } from './test-visitor.ts';
import { PORTAL_CLIENT } from './options.ts';
import { startWorld, type World } from './test-world.ts';

let world: World;
let acme: string;
beforeAll(async () => {
  world = await startWorld();
  acme = await world.company('Acme');
  await world.member(acme, await world.person('ann@acme.test'), ['delivery_manager']);
});
afterAll(() => world.close());

const NUL = '\u0000';
/** The status of a page of ours, with the policy that every page has; null of anything else. */
const pageOf = ({ page }: Visitor): number | null =>
  page.headers.get('content-security-policy')?.includes("default-src 'none'") && page.text.startsWith('<!doctype html>')
    ? page.status
    : null;

describe('a form that is no UTF-8', () => {
  it.each([
    ['in its bytes', 'application/x-www-form-urlencoded', 'latin1', 'login=bjørn'],
    ['behind its %', 'application/x-www-form-urlencoded', 'utf8', 'login=bj%F8rn'],
    ['by what it declares', 'application/x-www-form-urlencoded; charset=iso-8859-1', 'utf8', 'login=x'],
  ] as const)('is refused: %s', async (_, type, encoding, text) => {
    const headers = { 'content-type': type, origin: world.origin };
    const body = Buffer.from(text, encoding);
    const send = (sent: string | Buffer) => fetch(`${world.origin}/realms/pml/forgotten`, { method: 'POST', headers, body: sent });
    expect((await send(body)).status).toBe(400);
  });
});

describe('a NUL, which no column holds, is refused', () => {
  it.each(['state', 'nonce', 'login_hint', 'redirect_uri', 'client_id', 'ui_locales', 'scope', 'code_challenge', 'prompt', 'made_up'])(
    'where the sign-in starts: %s',
    async (name) => {
      const visitor = new Visitor(world.origin);
      await visitor.startSignIn({ [name]: `x${NUL}y` });
      expect(pageOf(visitor)).toBe(400);
    },
  );

  it('where somebody signs in', async () => {
    const visitor = new Visitor(world.origin);
    await visitor.startSignIn();
    await visitor.submit({ login: `ann${NUL}@acme.test`, password: `p${NUL}` });
    expect(pageOf(visitor)).toBe(400);
    await visitor.startSignIn();
    await visitor.submit({ login: 'ann@acme.test', password: `p${NUL}` });
    expect(pageOf(visitor)).toBe(400);
    await visitor.go('/realms/pml/login/%00?lang=%00');
    expect(pageOf(visitor)).toBe(400);
  });

  it('where a password is forgotten and set', async () => {
    const visitor = new Visitor(world.origin);
    await visitor.go('/realms/pml/forgotten');
    await visitor.submit({ login: `ann${NUL}@acme.test` });
    expect(pageOf(visitor)).toBe(400);
    await visitor.go('/realms/pml/password/%00');
    expect(pageOf(visitor)).toBe(410);
    await visitor.go('/realms/pml/forgotten');
    await visitor.submit({ login: 'ann@acme.test' });
    await expect.poll(() => world.mails.length).toBe(1);
    await visitor.go(/http\S+/.exec(world.mails[0]?.text ?? '')?.[0] ?? '');
    await visitor.submit({ password: `correct ${NUL} battery` });
    expect(pageOf(visitor)).toBe(400);
  });

  it('where an invitation is accepted', async () => {
    const visitor = new Visitor(world.origin);
    await visitor.go('/realms/pml/invitations/%00');
    expect(pageOf(visitor)).toBe(404);
    const link = await world.invite(acme, { email: 'new@acme.test' }, ['delivery_manager']);
    await visitor.go(link);
    await visitor.submit({ name: `Nina${NUL}Ny`, password: 'correct horse battery' });
    expect(pageOf(visitor)).toBe(400);
    await visitor.go(link);
    for (const name of ['Nina\u0007Ny', 'N'.repeat(101)]) {
      await visitor.submit({ name, password: 'correct horse battery' });
      expect(pageOf(visitor)).toBe(422);
      expect(visitor.page.text).toContain('A name has at most 100 characters, without control characters.');
    }
    await visitor.submit({ name: 'Nina Ny', password: 'correct horse battery' });
    expect(visitor.page.status).toBe(200);
  });

  it.each(['state', 'post_logout_redirect_uri', 'client_id', 'id_token_hint', 'logout_hint', 'ui_locales'])(
    'where somebody signs out: %s',
    async (name) => {
      const visitor = new Visitor(world.origin);
      const address = '/realms/pml/protocol/openid-connect/logout';
      await visitor.go(`${address}?${name}=x%00y`);
      expect(pageOf(visitor)).toBe(400);
      await visitor.go(address, { method: 'POST', body: new URLSearchParams({ [name]: `x${NUL}y` }) });
      expect(pageOf(visitor)).toBe(400);
      await visitor.go(`${address}/confirm`, { method: 'POST', body: new URLSearchParams({ xsrf: NUL, logout: NUL }) });
      expect(pageOf(visitor)).toBe(400);
    },
  );

  it('of a token and its end', async () => {
    for (const path of ['token', 'revoke'])
      for (const grant_type of ['authorization_code', 'refresh_token', NUL]) {
        const body = new URLSearchParams({
          client_id: PORTAL_CLIENT,
          grant_type,
          code: NUL,
          refresh_token: NUL,
          token: NUL,
          code_verifier: NUL,
        });
        const answer = await fetch(`${world.origin}/realms/pml/protocol/openid-connect/${path}`, { method: 'POST', body });
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      }
  });
});

it('what fails while a session is saved is answered by a page of ours, with its headers', async () => {
  const { ownerUrl } = world.database;
  await query(ownerUrl, `create function fail() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`);
  await query(ownerUrl, 'create trigger fail before insert on identity_store for each row execute function fail()');
  const visitor = new Visitor(world.origin);
  await visitor.go('/realms/pml/protocol/openid-connect/logout');
  expect(pageOf(visitor)).toBe(500);
  expect(visitor.page.text).toContain('did not work');
  expect(visitor.page.headers.get('x-request-id')).toMatch(/^req-\w+$/);
  expect(visitor.page.headers.get('x-content-type-options')).toBe('nosniff');
});
