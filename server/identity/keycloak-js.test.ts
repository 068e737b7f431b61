import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from './test-world.ts';

/** The portal's client library as it comes from npm, in a real browser, against the provider: what no test by fetch can show. */
const PAGE = `<!doctype html><title>Portal</title><link rel="icon" href="data:,"><p id="state">starting</p><script type="module">
import Keycloak from '/portal/keycloak.js';
const keycloak = new Keycloak({ url: location.origin, realm: 'pml', clientId: 'pml-internal-portal' });
window.keycloak = keycloak;
keycloak.init({ onLoad: 'login-required', checkLoginIframeInterval: 1 }).then(
  (signedIn) => { document.querySelector('#state').textContent = signedIn ? 'signed in' : 'signed out'; },
  (error) => { document.querySelector('#state').textContent = 'failed ' + JSON.stringify(error); },
);
</script>`;

let world: World;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  const library = fs.readFileSync(fileURLToPath(import.meta.resolve('keycloak-js')), 'utf8');
  world = await startWorld({ html: { '/portal/': PAGE, '/portal/history': PAGE, '/portal/keycloak.js': library } });
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  page = await (await browser.newContext({ locale: 'nb-NO' })).newPage();
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const evaluate = <T>(script: string) => page.evaluate<T>(script);
const state = (text: string) => page.locator('#state', { hasText: text }).waitFor();

// shows R1.2, R7.78, R7.79, R7.80, R7.81
it('signs in, reads the profile, refreshes, switches company, watches the session and signs out', async () => {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(`${message.text()} ${message.location().url}`));
  page.on('pageerror', (error) => problems.push(error.message));
  const [acme, beta] = [await world.company('Acme'), await world.company('Beta')];
  const id = await world.person('both@demo.test', undefined, { name: 'Bo Berg' });
  await world.member(acme, id, ['delivery_manager']);
  await world.member(beta, id, ['admin']);

  // Back to the screen that was asked for, by way of the pages, in the browser's language.
  await page.goto(`${world.origin}/portal/history?type=x`);
  await page.getByLabel('E-post eller mobilnummer').fill('both@demo.test');
  await page.getByLabel('Passord', { exact: true }).fill('not this one');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'stemmer ikke' }).waitFor();
  expect(await page.getByLabel('E-post eller mobilnummer').inputValue()).toBe('both@demo.test');
  await page.getByLabel('Passord', { exact: true }).fill('correct horse battery');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Acme' }).click();
  await state('signed in');
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/portal/history?type=x');
  expect(await evaluate('keycloak.tokenParsed.tenant.tenant_name')).toBe('Acme');
  expect(await evaluate('keycloak.hasRealmRole("delivery_manager")')).toBe(true);
  expect(await evaluate('keycloak.loadUserInfo().then((info) => info.name)')).toBe('Bo Berg');
  expect(await evaluate('keycloak.loadUserProfile().then((profile) => profile.lastName)')).toBe('Berg');

  const sid = await evaluate<string>('keycloak.tokenParsed.sid');
  await world.identity.chooseCompany({ accountId: id, sessionUid: sid }, beta);
  expect(await evaluate('keycloak.updateToken(-1)')).toBe(true);
  expect(await evaluate('keycloak.tokenParsed.tenant.tenant_name')).toBe('Beta');

  // The login iframe asks every second and stays content.
  await page.waitForResponse((answer) => answer.url().includes('login-status-iframe.html/init') && answer.status() === 204);
  expect(await evaluate('keycloak.authenticated')).toBe(true);

  // A second visit in the same browser needs no page.
  const second = await page.context().newPage();
  await second.goto(`${world.origin}/portal/`);
  await second.locator('#state', { hasText: 'signed in' }).waitFor();

  // The sign-in ends elsewhere: the login iframe tells the first tab, which is at the sign-in page again by itself.
  await second.evaluate('keycloak.logout({ redirectUri: location.origin + "/portal/" })');
  await second.getByLabel('E-post eller mobilnummer').waitFor();
  await page.getByLabel('E-post eller mobilnummer').waitFor();
  // what is fetched ahead of the portal's build is not served here
  expect(problems.filter((text) => !/40[01]|404 .*\/portal\/assets\//.test(text))).toEqual([]);
});

// shows R8.6
it('a refresh that is answered with 400 clears the token, and any other failure keeps it', async () => {
  const company = await world.company('Gamma');
  const id = await world.person('refresh@demo.test');
  await world.member(company, id, ['admin']);
  const visit = await (await browser.newContext()).newPage();
  await visit.goto(`${world.origin}/portal/`);
  await visit.locator('input[name=login]').fill('refresh@demo.test');
  await visit.locator('input[name=password]').fill('correct horse battery');
  await visit.keyboard.press('Enter');
  await visit.locator('#state', { hasText: 'signed in' }).waitFor();
  let status = 500;
  await visit.route('**/protocol/openid-connect/token', (route) => route.fulfill({ status, json: { error: 'invalid_grant' } }));
  const refreshed = () => visit.evaluate<string>('keycloak.updateToken(-1).then(() => "refreshed", () => "failed")');
  expect(await refreshed()).toBe('failed');
  expect(await visit.evaluate('typeof keycloak.token')).toBe('string');
  // where the token is cleared the library signs in anew; here it is only noted that it would
  await visit.evaluate('keycloak.login = () => Promise.resolve(void (window.asked = true))');
  status = 400;
  expect(await refreshed()).toBe('failed');
  expect(await visit.evaluate('[typeof keycloak.token, keycloak.authenticated, window.asked]')).toEqual(['undefined', false, true]);
  await visit.context().close();
});

it('has pages that fit into 320 pixels, and to choose a company on without a fault for axe, in both themes', async () => {
  const login = 'axe@demo.test';
  const [first, second] = [await world.company('First AS'), await world.company('Second AS', { suspended: true })];
  const id = await world.person(login);
  for (const one of [first, second]) await world.member(one, id, ['admin']);
  const invitation = await world.invite(first, { email: 'invited@demo.test' }, ['admin']);
  // Norwegian has the longer words; what fades has no colour of its own while it does
  const context = await browser.newContext({ locale: 'nb-NO', reducedMotion: 'reduce', viewport: { width: 320, height: 640 } });
  const visit = await context.newPage();
  const fits = async (name: string) => expect([name, await visit.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 320]);
  await visit.goto(`${world.origin}/portal/`);
  await visit.locator('input[name=login]').fill(login);
  await fits('sign-in');
  await visit.locator('input[name=password]').fill('not this one');
  await visit.keyboard.press('Enter');
  await visit.getByRole('alert').waitFor();
  await fits('sign-in-wrong');
  await visit.locator('input[name=password]').fill('correct horse battery');
  await visit.keyboard.press('Enter');
  await visit.getByRole('button', { name: 'First AS' }).waitFor();
  await fits('company');
  // The other pages have addresses, and are looked at with all screens.
  await visit.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await visit.emulateMedia({ colorScheme });
    const violations = await visit.evaluate<string[]>(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`))',
    );
    expect([colorScheme, violations]).toEqual([colorScheme, []]);
  }
  await visit.getByRole('button', { name: 'First AS' }).click();
  await visit.locator('#state', { hasText: 'signed in' }).waitFor();
  for (const [name, address] of [
    ['security', '/realms/pml/account/security'],
    ['second-factor', '/realms/pml/account/second-factor'],
    ['forgotten', '/realms/pml/forgotten'],
    ['dead-link', '/realms/pml/password/nonsense'],
    ['invitation', new URL(invitation).pathname],
    ['error', '/realms/pml/protocol/openid-connect/auth?client_id=nobody'],
    ['sign-out', '/realms/pml/protocol/openid-connect/logout'],
  ] as const) {
    await visit.goto(world.origin + address);
    await fits(name);
  }
  await context.close();
});
