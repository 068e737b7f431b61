import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from './test-world.ts';
import { Visitor } from './test-visitor.ts';

let world: World;
let acme: string;
beforeAll(async () => {
  world = await startWorld();
  acme = await world.company('Acme', { licenses: ['delivery'] });
});
afterAll(() => world.close());

/** The field as it stands on the page, and what is said beside it. */
const fieldOf = ({ page }: Visitor, name: string) => {
  const tag = new RegExp(`<input\\s[^>]*name="${name}"[^>]*>`).exec(page.text)?.[0] ?? '';
  return {
    invalid: tag.includes('aria-invalid="true"'),
    focus: /\sautofocus/.test(tag),
    pointsAtIt: tag.includes(`${name}-fault`),
    said: new RegExp(`id="${name}-fault"[^>]*>([^<]*)<`).exec(page.text)?.[1] ?? null,
  };
};
const fine = { invalid: false, pointsAtIt: false, said: null };
const wrong = (said: string) => ({ invalid: true, pointsAtIt: true, said });

describe('an empty field is told beside it, in the page’s language, and has the focus', () => {
  it.each([
    ['en', 'Type your e-mail or mobile number.', 'Type your password.'],
    ['nb', 'Skriv e-postadressen eller mobilnummeret ditt.', 'Skriv passordet ditt.'],
  ])('signing in (%s)', async (locale, login, password) => {
    const visitor = new Visitor(world.origin);
    await visitor.startSignIn({ ui_locales: locale });
    expect(visitor.page.text).toMatch(/<form[^>]*novalidate/);
    expect((await visitor.submit({ login: ' ', password: '' })).status).toBe(422);
    expect(fieldOf(visitor, 'login')).toEqual({ ...wrong(login), focus: true });
    expect(fieldOf(visitor, 'password')).toEqual({ ...wrong(password), focus: false });
    await visitor.submit({ login: 'ann@acme.test', password: '' });
    expect(fieldOf(visitor, 'login')).toEqual({ ...fine, focus: false });
    expect(fieldOf(visitor, 'password')).toEqual({ ...wrong(password), focus: true });
    expect(visitor.page.text).toContain('value="ann@acme.test"');
  });

  it('accepting an invitation: only what is wrong is marked', async () => {
    const visitor = new Visitor(world.origin);
    await visitor.go(await world.invite(acme, { email: 'new@acme.test' }, ['delivery_manager']));
    expect(visitor.page.text).toMatch(/<form[^>]*novalidate/);
    expect((await visitor.submit({ name: '', password: 'correct horse battery' })).status).toBe(422);
    expect(fieldOf(visitor, 'name')).toEqual({ ...wrong('Type your name.'), focus: true });
    expect(fieldOf(visitor, 'password')).toEqual({ ...fine, focus: false });
    await visitor.submit({ name: 'Nina Ny', password: '' });
    expect(fieldOf(visitor, 'name')).toEqual({ ...fine, focus: false });
    expect(fieldOf(visitor, 'password')).toEqual({ ...wrong('Type your password.'), focus: true });
    await visitor.submit({ name: '', password: 'kort' });
    expect(fieldOf(visitor, 'name')).toEqual({ ...wrong('Type your name.'), focus: true });
    expect(fieldOf(visitor, 'password')).toMatchObject({ invalid: true, focus: false });
  });

  it('changing the own sign-in: nothing empty is counted as an attempt', async () => {
    const visitor = new Visitor(world.origin);
    await world.member(acme, await world.person('self@acme.test'), ['delivery_manager']);
    await visitor.signIn('self@acme.test');
    const to = `${world.origin}/realms/pml/account`;
    await visitor.go(`${to}/security`);
    expect(visitor.page.text.match(/<form[^>]*novalidate/g)).toHaveLength(visitor.page.text.match(/<form/g)?.length ?? 0);
    for (let times = 0; times < 12; times++) expect((await visitor.submit({ current: '', password: '' })).status).toBe(422);
    expect(fieldOf(visitor, 'current')).toEqual({ ...wrong('Type your current password.'), focus: true });
    expect(fieldOf(visitor, 'password')).toMatchObject({ said: 'Type a new password.', focus: false });
    await visitor.submit({ current: 'correct horse battery', password: '' });
    expect(fieldOf(visitor, 'current')).toEqual({ ...fine, focus: false });
    expect(fieldOf(visitor, 'password')).toMatchObject({ said: 'Type a new password.', focus: true });
    await visitor.go(`${to}/second-factor`);
    expect(visitor.page.text).toMatch(/<form[^>]*novalidate/);
    expect((await visitor.submit({ current: 'correct horse battery', code: '' })).status).toBe(422);
    expect(fieldOf(visitor, 'code')).toEqual({ ...wrong('Type the code.'), focus: true });
    // the attempts are all still there
    await visitor.go(`${to}/security`);
    expect((await visitor.submit({ current: 'correct horse battery', password: 'another horse battery' })).status).toBe(200);
  });

  it('asking for a new password', async () => {
    const visitor = new Visitor(world.origin);
    await visitor.go(`${world.origin}/realms/pml/forgotten`);
    expect((await visitor.submit({ login: '' })).status).toBe(422);
    expect(fieldOf(visitor, 'login')).toEqual({ ...wrong('Type your e-mail or mobile number.'), focus: true });
  });
});

it('an address that is none is a page of the family, in both languages; a program reads the status', async () => {
  const ask = (path: string, accept: string, language = 'en') =>
    fetch(`${world.origin}/realms/pml/${path}`, { headers: { accept, 'accept-language': language } });
  for (const path of ['nowhere', 'protocol/openid-connect/nowhere', 'login']) {
    const page = await ask(path, 'text/html');
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('This page does not exist')]);
    expect(await (await ask(path, 'text/html', 'nb')).text()).toContain('Denne siden finnes ikke');
    const told = await ask(path, 'application/json');
    expect([told.status, await told.text()]).toEqual([404, expect.not.stringContaining('<html')]);
  }
});
