import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../db/test-database.ts';
import { codeAt, matchingStep, stepAt } from './second-factor.ts';
import { startWorld, type World } from './test-world.ts';
import { Visitor } from './test-visitor.ts';

let world: World;
let acme: string;
beforeAll(async () => {
  world = await startWorld();
  acme = await world.company('Acme <b>& Co</b>');
});
afterAll(() => world.close());

const password = 'correct horse battery';
const came = async <T extends { to: string }>(to: string, among: T[]): Promise<T> => {
  await expect.poll(() => among.some((one) => one.to === to), { timeout: 20_000, interval: 20 }).toBe(true);
  const [found] = among.filter((one) => one.to === to);
  if (!found) throw new Error(`nothing came to ${to}`);
  return found;
};
const mailFor = (address: string) => came(address, world.mails);

describe('second factor', () => {
  it('makes the codes of RFC 6238', () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    expect([59, 1111111109, 2000000000].map((time) => codeAt(secret, Math.floor(time / 30)))).toEqual(['287082', '081804', '279037']);
    const at = new Date(2_000_000_000_000);
    expect(matchingStep(secret, '279 037', at, null)).toBe(stepAt(at));
    expect(matchingStep(secret, '279037', at, stepAt(at))).toBeNull();
    expect(matchingStep(secret, '279037', new Date(at.getTime() + 90_000), null)).toBeNull();
  });

  it('is set up with the password, asked for at the next sign-in, takes no code twice, and each recovery code once', async () => {
    await world.person('totp@acme.test');
    const visitor = new Visitor(world.origin);
    await visitor.signIn('totp@acme.test');
    const page = await visitor.go('/realms/pml/account/second-factor');
    expect(page.text).toContain('<svg');
    const secret = (/class="key">([^<]+)</.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    const code = () => codeAt(secret, stepAt(world.now()));
    expect((await visitor.submit({ current: 'wrong password', code: code() })).status).toBe(422);
    await visitor.submit({ current: password, code: code() });
    const codes = [...visitor.page.text.matchAll(/<li>([A-Z2-7]{5}-[A-Z2-7]{5})</g)].map((found) => found[1] ?? '');
    expect(codes).toHaveLength(10);

    const enter = async (typed: string) => {
      const fresh = new Visitor(world.origin);
      const verifier = await fresh.startSignIn();
      await fresh.submit({ login: 'totp@acme.test', password });
      await fresh.submit({ code: typed });
      return fresh.page.status === 401 ? 401 : (await fresh.exchange(verifier)).status;
    };
    expect(await enter(code())).toBe(401);
    world.later(1);
    expect(await enter(code())).toBe(200);
    expect(await enter('000000')).toBe(401);
    expect(await enter((codes[0] ?? '').toLowerCase())).toBe(200);
    expect(await enter(codes[0] ?? '')).toBe(401);
  });

  it('cannot be walked around', async () => {
    const id = await world.person('around@acme.test');
    await world.member(acme, id, ['admin']);
    const setUp = new Visitor(world.origin);
    await setUp.signIn('around@acme.test');
    const page = await setUp.go('/realms/pml/account/second-factor');
    const secret = (/class="key">([^<]+)</.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    await setUp.submit({ current: password, code: codeAt(secret, stepAt(world.now())) });

    const visitor = new Visitor(world.origin);
    await visitor.startSignIn();
    await visitor.submit({ login: 'around@acme.test', password });
    const at = visitor.page.url;
    const jump = await visitor.go(at, {
      method: 'POST',
      body: new URLSearchParams({ step: 'company', tenant: acme }),
      headers: { origin: world.origin },
    });
    expect(jump.text).toContain('name="code"');
    await visitor.go(at.replace('/login/', '/protocol/openid-connect/auth/'));
    expect(visitor.page.url).not.toContain('code=');
  });
});

describe('forgotten password', () => {
  it('mails a link that works once, ends other sign-ins, and tells', async () => {
    await world.person('forgot@acme.test');
    const before = new Visitor(world.origin);
    const tokens = await before.signIn('forgot@acme.test');
    const visitor = new Visitor(world.origin, { language: 'nb-NO' });
    await visitor.go('/realms/pml/forgotten');
    const sent = await visitor.submit({ login: 'forgot@acme.test' });
    const link = /http\S+/.exec((await mailFor('forgot@acme.test')).text)?.[0] ?? '';

    await visitor.go(link);
    expect((await visitor.submit({ password: 'kort' })).status).toBe(422);
    expect(visitor.page.text).toContain('Passordet er for kort');
    await visitor.submit({ password: 'a whole new password' });
    expect(visitor.page.status).toBe(200);
    expect((await before.refresh(tokens)).status).toBe(400);
    expect((await visitor.go(link)).status).toBe(410);
    await new Visitor(world.origin).signIn('forgot@acme.test', 'a whole new password');

    // Somebody who does not exist is answered in the same words.
    await visitor.go('/realms/pml/forgotten');
    const nobody = await visitor.submit({ login: 'nobody@acme.test' });
    const bare = (text: string) => text.replace(/nonce="[^"]*"/g, '');
    expect([nobody.status, bare(nobody.text)]).toEqual([sent.status, bare(sent.text)]);
  });

  it('sends the link by SMS to whoever has a number alone, and tells them there', async () => {
    const tlf = '+4790000031';
    const visitor = new Visitor(world.origin);
    await visitor.go(await world.invite(acme, { tlf }, ['manager']));
    expect((await visitor.submit({ name: 'Nora Number', password })).status).toBe(200);
    await visitor.go('/realms/pml/forgotten');
    await visitor.submit({ login: '90 00 00 31' });
    expect(visitor.page.text).toContain('ask the person who invited you');
    const link = /http\S+/.exec((await came(tlf, world.texts)).text)?.[0] ?? '';
    world.texts.length = 0;
    await visitor.go(link);
    expect((await visitor.submit({ password: 'a whole new password' })).status).toBe(200);
    expect((await came(tlf, world.texts)).text).toContain('was changed');
    await new Visitor(world.origin).signIn(tlf, 'a whole new password');
    await expect(new Visitor(world.origin).signIn(tlf, password)).rejects.toThrow('was not let in');
    expect((await visitor.go(link)).status).toBe(410);
  });

  it('knows a number without its country code where exactly one account has it, and else asks for the code', async () => {
    const joined = async (tlf: string) => {
      const visitor = new Visitor(world.origin);
      await visitor.go(await world.invite(acme, { tlf }, ['manager']));
      expect((await visitor.submit({ name: 'Somebody', password })).status).toBe(200);
    };
    const forgot = async (login: string) => {
      world.texts.length = 0;
      const visitor = new Visitor(world.origin);
      await visitor.go('/realms/pml/forgotten');
      return (await visitor.submit({ login })).text;
    };
    await joined('+4541234501');
    for (const typed of ['41 23 45 01', '+45 41234501', '004541234501']) {
      await forgot(typed);
      await came('+4541234501', world.texts);
    }
    await new Visitor(world.origin).signIn('41234501', password);

    await joined('+4741234501');
    expect(await forgot('41 23 45 01')).toContain('write it with + and country code');
    await forgot('+4741234501');
    await came('+4741234501', world.texts);
    expect(world.texts.map(({ to }) => to)).toEqual(['+4741234501']);
    const visitor = new Visitor(world.origin);
    await expect(visitor.signIn('41234501', password)).rejects.toThrow('was not let in');
    expect(visitor.page.text).toContain('write the number with + and country code');
    for (const login of ['+45 41234501', '+47 412 34 501']) await new Visitor(world.origin).signIn(login, password);
    // A number that nobody has is answered in the same words.
    expect(await forgot('41 23 45 77')).toContain('write it with + and country code');
  });

  it('sends no SMS where there is an address, whichever of the two was typed', async () => {
    await world.person('two-names@acme.test', password, { tlf: '+4790000032' });
    const visitor = new Visitor(world.origin);
    await visitor.go('/realms/pml/forgotten');
    await visitor.submit({ login: '+4790000032' });
    expect((await mailFor('two-names@acme.test')).text).toContain('http');
    expect(world.texts.filter(({ to }) => to === '+4790000032')).toEqual([]);
  });

  it('forgets a link after an hour and when a newer one is sent', async () => {
    await world.person('late@acme.test');
    const visitor = new Visitor(world.origin);
    const ask = async () => {
      world.mails.length = 0;
      await visitor.go('/realms/pml/forgotten');
      await visitor.submit({ login: 'late@acme.test' });
      return /http\S+/.exec((await mailFor('late@acme.test')).text)?.[0] ?? '';
    };
    const [first, second] = [await ask(), await ask()];
    expect((await visitor.go(first)).status).toBe(410);
    expect((await visitor.go(second)).status).toBe(200);
    world.later(61);
    expect((await visitor.go(second)).status).toBe(410);
  });
});

it('counts links that lead nowhere against the address that tries them, and opens real ones all the same', async () => {
  const real = await world.invite(acme, { email: 'among@acme.test' }, []);
  // from the beginning of a window, so that none ends on the way
  world.later((600_000 - (world.now().getTime() % 600_000)) / 60_000);
  const visitor = new Visitor(world.origin);
  const invitation = async () => (await visitor.go(world.identity.inviteUrl(world.identity.newInvitationToken(acme).token))).status;
  const password = async () => (await visitor.go(`/realms/pml/password/${'x'.repeat(32)}`)).status;
  for (let times = 0; times < 30; times++) expect([await invitation(), await password()]).toEqual([404, 410]);
  expect([await invitation(), await password()]).toEqual([429, 429]);
  expect(Number(visitor.page.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await visitor.go(real)).status).toBe(200);
  world.later(10);
  expect(await invitation()).toBe(404);
});

it('keeps no secret in the clear', async () => {
  await world.person('known@acme.test');
  const rows = await query<{ text: string }>(
    world.database.ownerUrl,
    `select secret as text from identity_keys union all select secret from identity_second_factors union all select hash from identity_passwords
     union all select model || id || payload::text from identity_store where model in ('RefreshToken', 'AuthorizationCode')`,
  );
  const tokens = await new Visitor(world.origin).signIn('known@acme.test');
  const after = await query<{ text: string }>(world.database.ownerUrl, `select id || payload::text as text from identity_store`);
  expect(rows.length).toBeGreaterThan(4);
  for (const { text } of rows) expect(text).toMatch(/^([\w-]{38,}$|scrypt\$|RefreshToken|AuthorizationCode)/);
  for (const { text } of after) expect(text).not.toContain(tokens.refresh_token.split('.')[2]);
});

it('shows nothing of itself to the server’s other queries', async () => {
  const seen = await world.database.db.tenant(
    acme,
    async (tx) =>
      (
        await tx
          .selectFrom('identity_keys' as never)
          .selectAll()
          .execute()
      ).length,
  );
  expect(seen).toBe(0);
});
