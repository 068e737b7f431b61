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

/** The one page without an address: the others are looked at with all screens. It fits into the narrowest phone, and axe finds no fault. */
const expectCompanies = async () => {
  const usual = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await evaluate('document.documentElement.scrollWidth')).toBe(320);
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    // what fades has no colour of its own while it does
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = await evaluate<string[]>(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`))',
    );
    expect([colorScheme, violations]).toEqual([colorScheme, []]);
  }
  if (usual) await page.setViewportSize(usual);
};

// shows R1.2, R7.78, R7.79, R7.80, R7.81
it('signs in by a page of companies that fits, reads the profile, refreshes, switches company, watches the session and signs out', async () => {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(`${message.text()} ${message.location().url}`));
  page.on('pageerror', (error) => problems.push(error.message));
  const [acme, beta] = [await world.company('Acme'), await world.company('Beta')];
  const closed = await world.company('Closed', { suspended: true });
  const id = await world.person('both@demo.test', undefined, { name: 'Bo Berg' });
  await world.member(acme, id, ['delivery_manager']);
  await world.member(beta, id, ['admin']);
  await world.member(closed, id, ['admin']);

  // Back to the screen that was asked for, by way of the pages, in the browser's language.
  await page.goto(`${world.origin}/portal/history?type=x`);
  await page.getByLabel('E-post eller mobilnummer').fill('both@demo.test');
  await page.getByLabel('Passord', { exact: true }).fill('not this one');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'stemmer ikke' }).waitFor();
  expect(await page.getByLabel('E-post eller mobilnummer').inputValue()).toBe('both@demo.test');
  await page.getByLabel('Passord', { exact: true }).fill('correct horse battery');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Acme' }).waitFor();
  await expectCompanies();
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
