import type { Page } from '@playwright/test';
import { asOperator } from '@hatchway/dev/person.ts';
import { makeCompany } from '../company.ts';
import { expect, test } from '../journey.ts';

// What a session begins with, what keeps it, and the figures that the specification gives for both.

// shows R7.85, R9.1
test('the portal reads its addresses from /config', async ({ hatchway }) => {
  const config = (await (await fetch(`${hatchway.origin}/config`)).json()) as Record<string, string>;
  expect(config).toMatchObject({ realm: 'pml', resource: 'pml-internal-portal' });
  expect(config['auth-server-url']).toContain(hatchway.origin);
  for (const key of ['api', 'live', 'endUser']) expect(config[key]).toBeTruthy();
});

// shows R7.1, R7.80, R7.85
test('what /config names is where the portal goes: the API, the live socket, the end-user site', async ({
  page,
  company,
  hatchway,
  enter,
}) => {
  const live = `${hatchway.origin.replace('http', 'ws')}/elsewhere/live`;
  await page.route('**/config', async (route) => {
    const answer = await route.fetch();
    const config = (await answer.json()) as object;
    await route.fulfill({
      json: { ...config, api: `${hatchway.origin}/elsewhere/v1`, live, endUser: `${hatchway.origin}/elsewhere/site` },
    });
  });
  await page.route('**/elsewhere/v1/**', (route) => route.continue({ url: route.request().url().replace('/elsewhere', '') }));
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes('/v1/')) calls.push(pathname);
  });
  const socket = page.waitForEvent('websocket', (one) => one.url() === live);
  await enter(company.admin.email, '/portal/manage/assets');
  await socket;
  await expect(page.getByText('No asset yet')).toBeVisible();
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.filter((path) => !path.startsWith('/elsewhere/v1/'))).toEqual([]);
  const guest = await company.person([]);
  await page.context().clearCookies();
  await page.goto('/portal/');
  await page.getByLabel('E-mail or mobile number').fill(guest.email);
  await page.getByLabel('Password', { exact: true }).fill(company.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(`${hatchway.origin}/elsewhere/site`);
});

// shows R2.3, R2.4
test('a right that is gone is noticed at the next navigation, without loading the page', async ({ page, company, hatchway, enter }) => {
  const counter = await company.person(['delivery_manager']);
  // nothing but the new token tells this page
  await page.routeWebSocket(/\/live/, () => {});
  await enter(counter.email, '/portal/token');
  const { api } = company.admin;
  const rows = await api('GET /companies/{tenant}/memberships', { query: { q: { email: counter.email } } });
  const { id = '', version = 0 } = rows[0] ?? {};
  await api('PUT /companies/{tenant}/memberships/{membershipId}', { params: { membershipId: id }, body: { roles: [], version } });
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await expect(page.locator('pre').first()).not.toContainText('delivery_manager');
  await expect(page).toHaveURL(/\/portal\/token$/);
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(`${hatchway.origin}/`);
});

// shows R2.43, R4.35, R7.79, R7.81, R9.4, R9.5
test('the provider is asked who somebody is, and each 5 seconds whether they are; the token is renewed in its last minute alone', async ({
  page,
  company,
  signIn,
}) => {
  const questions: number[] = [];
  await page.exposeBinding('asked', (_source, at: number) => void questions.push(at));
  await page.clock.install();
  // by the page's own clock: the moments at which it asked for a new token, and its frame for the login state
  await page.addInitScript(`
    if (location.pathname.includes('login-status-iframe')) addEventListener('message', () => void globalThis.asked(Date.now()));
    globalThis.renewed = [];
    const send = globalThis.fetch;
    globalThis.fetch = (to, init) => {
      if (String(init?.body ?? '').includes('grant_type=refresh_token')) globalThis.renewed.push(Date.now());
      return send(to, init);
    };
  `);
  const asked = page.waitForResponse((answer) => answer.url().endsWith('/protocol/openid-connect/userinfo'));
  await signIn(company.admin.email, '/portal/token');
  const { exp } = JSON.parse(await page.locator('pre').first().innerText()) as { exp: number };

  await test.step('its answer is printed beside the token', async () => {
    expect((await asked).status()).toBe(200);
    const printed = await page
      .getByRole('region', { name: /userinfo/ })
      .locator('pre')
      .innerText();
    expect(printed).toBe(JSON.stringify(JSON.parse(printed), null, 2));
    expect(JSON.parse(printed)).toMatchObject({ email: company.admin.email, name: 'Ada Admin' });
  });

  await test.step('the login state is asked every 5 seconds', async () => {
    await page.clock.pauseAt(Date.now() + 60_000);
    // The frame hears some messages twice. On a slow machine either hearing may come a step of the clock late.
    const asks = () => questions.filter((at, i) => at - (questions[i - 1] ?? 0) > 2_000);
    await expect
      .poll(
        async () => {
          await page.clock.runFor(1_000);
          return asks().length;
        },
        { intervals: [200] },
      )
      .toBeGreaterThan(4);
    const [first = 0, , , last = 0] = asks().slice(-4);
    expect(Math.abs((last - first) / 3 - 5_000)).toBeLessThan(700);
  });

  await test.step('the token is renewed once less than a minute of it is left, and not before', async () => {
    const renewed = () => page.evaluate<number[]>('globalThis.renewed');
    // its time passes as it is told to, however long a busy machine takes
    await page.clock.pauseAt(exp * 1000 - 75_000);
    await page.clock.runFor(10_500);
    expect(await renewed()).toEqual([]);
    await page.clock.runFor(21_000);
    await expect.poll(async () => (await renewed()).length).toBe(1);
    const [at = 0] = await renewed();
    expect(exp * 1000 - at).toBeLessThan(60_000);
    expect(exp * 1000 - at).toBeGreaterThan(30_000);
  });
});

// shows R7.78, R9.1, R9.6, R9.7
test('signing in keeps its state for 60 minutes, has a verifier of 96 characters, fetches the portal ahead, and asks nothing twice', async ({
  page,
  company,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const count = (what: RegExp) => asked.filter((pathname) => what.test(pathname)).length;
  const begun = page.waitForRequest((request) => request.url().includes('/realms/pml/protocol/openid-connect/auth?'));
  const verifier = page.waitForRequest((request) => request.url().endsWith('/protocol/openid-connect/token'));
  await page.goto('/portal/');
  expect(Object.fromEntries(new URL((await begun).url()).searchParams)).toMatchObject({
    client_id: 'pml-internal-portal',
    response_type: 'code',
    code_challenge_method: 'S256',
  });
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  const states = await page.evaluate(() =>
    Object.entries(localStorage).flatMap(([key, value]) => (key.startsWith('kc-callback-') ? [String(value)] : [])),
  );
  const minutes = states.map((state) => ((JSON.parse(state) as { expires: number }).expires - Date.now()) / 60_000);
  expect(Math.max(...minutes)).toBeGreaterThan(59);
  expect(Math.max(...minutes)).toBeLessThanOrEqual(60);
  expect(count(/^\/config$/)).toBe(1);
  await expect.poll(() => [count(/\/application-[^/]*\.js$/), count(/\/dashboard-[^/]*\.js$/)]).toEqual([1, 1]);
  await page.getByLabel('E-mail or mobile number').fill(company.admin.email);
  await page.getByLabel('Password', { exact: true }).fill(company.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  expect(new URLSearchParams((await verifier).postData() ?? '').get('code_verifier')).toHaveLength(96);
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  // its addresses once for each of the two pages, the typeface once for both
  expect(count(/^\/config$/)).toBe(2);
  await expect.poll(() => [...new Set(asked.filter((pathname) => /inter.*\.woff2$/.test(pathname)))]).toHaveLength(1);
});

// shows R9.8
test('a provider’s message that never comes is awaited 10 seconds, and then it is said', async ({ page, company, enter }) => {
  await enter(company.admin.email);
  const asked = page.waitForRequest('**/3p-cookies/**');
  await page.route('**/3p-cookies/**', () => new Promise(() => undefined));
  await page.clock.install();
  // the page is not loaded before its frame is, which never comes
  await page.goto('/portal/', { waitUntil: 'commit' });
  await asked;
  const failed = page.getByRole('heading', { name: 'Hatchway could not start' });
  await page.clock.pauseAt(Date.now() + 1_000);
  await page.clock.runFor(7_000);
  await expect(failed).toBeHidden();
  await page.clock.runFor(10_000);
  await expect(failed).toBeVisible();
});

// shows R2.31
test('whose company is suspended or deleted while they work is told so at /forbidden; reinstated, they come back without signing in anew', async ({
  page,
  context,
  hatchway,
  enter,
}) => {
  const doomed = await makeCompany(hatchway);
  const operator = asOperator(hatchway.origin, hatchway.operatorKey);
  const set = (suspended: boolean) => operator('PUT /operator/companies/{id}', { params: { id: doomed.id }, body: { suspended } });
  await enter(doomed.admin.email, '/portal/manage/assets');
  await expect(page.getByText('No asset yet')).toBeVisible();
  const isTold = async (tab: Page) => {
    // by itself: they had pressed nothing
    await expect(tab).toHaveURL(/\/portal\/forbidden$/);
    await expect(tab.getByRole('heading', { name: 'Your company is not available' })).toBeVisible();
    await expect(tab.getByText('your company is suspended or no longer in Hatchway')).toBeVisible();
  };
  await set(true);
  await isTold(page);
  await expect(page.getByRole('button', { name: 'Logout', exact: true })).toBeVisible();
  await page.goto('/portal/iam/users');
  await expect(page.getByRole('heading', { name: 'Your company is not available' })).toBeVisible();
  await expect(page.getByText(doomed.admin.email)).toHaveCount(0);
  await set(false);
  await page.goto('/portal/manage/assets');
  await expect(page.getByText('No asset yet')).toBeVisible();

  // deleted, in each of their tabs, also where nothing is asked
  const tab = await context.newPage();
  await tab.goto('/portal/settings');
  await expect(tab.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await operator('DELETE /operator/companies/{id}', { params: { id: doomed.id } });
  for (const one of [page, tab]) await isTold(one);
  // by then their token is of no company
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Your company is not available' })).toBeVisible();
});

test.describe(() => {
  test.use({ isNew: true });
  test('opened at another address than its own it says which that is, and leads there', async ({ page, hatchway }) => {
    const home = new URL(hatchway.origin);
    await page.goto(`http://127.0.0.1:${home.port}/portal/`);
    await expect(page.getByRole('heading', { name: 'Hatchway could not start' })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText(`Hatchway only answers at ${home.origin}`)).toBeVisible();
    await page.getByRole('button', { name: 'Go there' }).click();
    await expect(page).toHaveURL((url) => url.origin === home.origin);
    await expect(page.getByRole('textbox').first()).toBeVisible();
  });
});
