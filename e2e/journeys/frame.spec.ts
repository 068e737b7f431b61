import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../journey.ts';
import { boxOf } from '../still.ts';

// What stands around every screen, and the figures that the specification gives for it.

const isIn = (page: Page, theme: string) => expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
const kept = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

// shows R1.7, R1.8, R1.14, R1.15, R2.28, R2.29, R2.30, R2.43, R8.11, R9.2
test('the theme follows the system until somebody chooses; the menu beside it leads to profile and settings; the token is printed, and calls the company where there is no document', async ({
  page,
  company,
  enter,
  go,
}) => {
  let gone = false;
  // the record and the token are told apart by another name
  await page.route(`**/v1/companies/${company.id}`, async (route) => {
    if (gone) {
      const body = { type: 'about:blank', title: 'Not found', status: 404, code: 'no-document', detail: 'no document' };
      return route.fulfill({ status: 404, contentType: 'application/problem+json', body: JSON.stringify(body) });
    }
    const answer = await route.fetch();
    return route.fulfill({ response: answer, json: { ...((await answer.json()) as object), name: 'As the record says' } });
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await enter(company.admin.email);
  await isIn(page, 'dark');
  const brand = page.getByRole('banner').getByRole('link', { name: 'Hatchway' });
  await expect(brand).toContainText('As the record says');
  expect(await kept(page, 'color-theme')).toBeNull();
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
  await isIn(page, 'light');
  await expect.poll(() => kept(page, 'color-theme')).toBe('light');

  const menu = page.getByRole('button', { name: /^Profile menu/ });
  for (const [item, path] of [
    ['Profile', '/portal/profile'],
    ['Settings', '/portal/settings'],
  ] as const) {
    await menu.click();
    await page.locator('#profile-menu').getByRole('link', { name: item, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole('heading', { level: 1, name: item })).toBeVisible();
  }
  await go('/token');
  const printed = await page.locator('pre').first().innerText();
  // with an indent of 2
  expect(printed).toBe(JSON.stringify(JSON.parse(printed), null, 2));
  expect(JSON.parse(printed)).toMatchObject({ tenant: { tenant_id: company.id } });

  await test.step('without a document the company is called by the token', async () => {
    gone = true;
    const again = page.waitForResponse((answer) => answer.url().endsWith(`/v1/companies/${company.id}`) && answer.status() === 404);
    await page.reload();
    await again;
    await expect(brand).toContainText(company.name);
  });

  await test.step('loaded anew the theme is the one that was chosen', async () => {
    await isIn(page, 'light');
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    await expect.poll(() => kept(page, 'color-theme')).toBe('dark');
  });

  await test.step('what is saved on a line that is down is refused at once, and is not sent later unasked', async () => {
    await go('/profile');
    const name = page.getByLabel('Name', { exact: true });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    let answers = 0;
    page.on('response', (response) => {
      if (response.request().method() === 'PUT') answers += 1;
    });
    await name.fill('Somebody Else');
    await page.context().setOffline(true);
    await save.click();
    await expect(page.getByRole('alert').filter({ hasText: 'We cannot reach the server.' })).toBeInViewport();
    await expect(save).toBeFocused();
    await page.context().setOffline(false);
    await expect(name).toHaveValue('Somebody Else');
    await save.click();
    await expect(page.getByText('Your profile is saved')).toBeVisible();
    expect(answers).toBe(1);
  });

  await page.getByRole('link', { name: 'Change password or second step' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign-in and security' })).toBeVisible();
});

// shows R1.10
test('the bar marks the part of the portal where one is, and none outside of them; what is typed or scanned anywhere goes straight to its place; a small screen keeps the links behind its menu', async ({
  page,
  company,
  enter,
  go,
}) => {
  await enter(company.admin.email);
  const bar = page.getByRole('navigation', { name: 'Main navigation' });

  await test.step('the part where one is', async () => {
    const marked = page.getByRole('banner').locator('[aria-current]:visible');
    await expect(bar.locator('[aria-current=page]')).toHaveText('Dashboard');
    for (const [path, word, current] of [
      ['/manage', 'Manage', 'page'],
      ['/manage/assets', 'Manage', 'true'],
      ['/services/manageoccupation', 'Manage', 'true'],
      ['/admin/permissions', 'Admin', 'true'],
      ['/iam/users', 'Admin', 'true'],
      ['/integration/vipps', 'Admin', 'true'],
    ] as const) {
      await go(path);
      await expect(marked).toHaveText(word);
      await expect(marked).toHaveAttribute('aria-current', current);
    }
    for (const [service, title] of [
      ['delivery', 'Delivery'],
      ['lock-control', 'Lock control'],
    ] as const) {
      await go(`/services/${service}`);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await expect(marked).toHaveCount(0);
    }
  });

  await test.step('what is typed or scanned anywhere goes straight to its place: an occupation, a thing, a free door', async () => {
    const { api } = company.admin;
    const [used, free] = (await company.wall({ doors: 2 })).lockers;
    if (!used || !free) throw new Error('no lockers');
    await api('POST /occupations', { body: { type: 'delivery', lockerId: used.id, assetText: 'Parcel 9' } });
    const identifiers = [{ kind: 'ean' as const, value: '7090001000998' }];
    const { _id } = await api('POST /assets', { body: { name: 'Ladder', identifiers } });
    await go('/settings');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    const field = page.getByRole('dialog').getByRole('textbox').or(page.getByRole('dialog').getByRole('combobox'));
    for (const [text, address] of [
      [used.doorTag, /\/services\/manageoccupation\?id=/],
      ['7090001000998', new RegExp(`/manage/assets/${_id}`)],
      [free.doorTag.toLowerCase(), new RegExp(`/services/lock-control\\?tag=.?.?.?${free.doorTag}`)],
    ] as const) {
      await page.keyboard.press('Control+k');
      await field.fill(text);
      // as a scanner does: Enter, before any answer can be there
      await field.press('Enter');
      await expect(page).toHaveURL(address);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }

    // a screen that comes late does not take the focus from where one types
    const sent = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await sent.promise;
      await route.continue();
    });
    const gone = go('/iam/groups');
    await page.keyboard.press('Control+k');
    await field.fill(used.doorTag);
    sent.resolve();
    await gone;
    await expect(page.locator('[data-page-title]')).toHaveText('Groups');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await expect(field).toBeFocused();
    await page.unroute('**/assets/*.js');
    await page.keyboard.press('Escape');
  });

  await test.step('on a small screen', async () => {
    await expect(bar.getByRole('link', { name: 'Admin' })).toBeVisible();
    const wide = await bar.getByRole('link').allInnerTexts();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(bar).toBeHidden();
    const burger = page.getByRole('button', { name: 'Menu', exact: true });
    await burger.click();
    const small = page.getByRole('banner').getByRole('navigation', { name: 'Menu' });
    await expect(small.getByRole('link')).toHaveText(wide);
    await page.keyboard.press('Escape');
    await expect(small).toBeHidden();
    await expect(burger).toBeFocused();
    await burger.click();
    await page.getByRole('button', { name: /^Profile menu/ }).click();
    await expect(page.locator('#profile-menu')).toBeVisible();
    await expect(small).toBeHidden();
    await burger.click();
    await expect(page.locator('#profile-menu')).toBeHidden();
    await small.getByRole('link', { name: 'History' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
    await expect(small).toBeHidden();
  });
});

/** What vite says of its chunks, by the module that each begins with. */
type Built = Record<string, { file: string; name?: string }>;

/** What the browser keeps of each file that it fetched, in bytes. */
type Sent = { name: string; encodedBodySize: number; decodedBodySize: number };

// shows R2.1, R2.2
test('scripts and styles go over the line compressed, at no more than a first visit may weigh, and each screen brings its own when it is asked for', async ({
  page,
  company,
  hatchway,
  enter,
}) => {
  const sent = () =>
    page.evaluate(() =>
      (performance.getEntriesByType('resource') as unknown as Sent[])
        .filter(({ name }) => /\.(js|css)$/.test(name))
        .map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize })),
    );
  const weigh = async (limit: number) => {
    const files = await sent();
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(({ encodedBodySize, decodedBodySize }) => decodedBodySize > 4000 && encodedBodySize > decodedBodySize / 2)).toEqual(
      [],
    );
    expect(files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)).toBeLessThanOrEqual(limit);
  };
  await enter(company.admin.email);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  // with what the dashboard fetches once it is painted; the check of front ends weighs what comes before that
  await weigh(320_000);
  const scripts = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').flatMap(({ name }) => (name.endsWith('.js') ? [new URL(name).pathname] : [])),
    );
  const built = JSON.parse(await readFile(new URL('../../portal/dist/.vite/manifest.json', import.meta.url), 'utf8')) as Built;
  const screens = Object.entries(built).flatMap(([name, { file }]) =>
    /^routes\/.*split=component$/.test(name) ? [`/portal/${file}`] : [],
  );
  expect(screens.length).toBeGreaterThan(30);
  const loaded = async () => (await scripts()).filter((path) => screens.includes(path));
  // the first screen is one file with what it needs, and no other one's is here
  const first = Object.values(built).find(({ name }) => name === 'dashboard');
  await expect.poll(scripts).toContain(`/portal/${first?.file}`);
  expect(await loaded()).toEqual([]);
  for (const place of ['Manage', 'History', 'Admin']) {
    const before = new Set(await scripts());
    await page.getByRole('banner').getByRole('link', { name: place, exact: true }).click();
    const more = async () => (await scripts()).filter((path) => !before.has(path));
    await expect.poll(async () => (await more()).length).toBeGreaterThan(0);
    await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible();
    for (const path of await more()) expect(path).toMatch(/^\/portal\//);
  }

  await page.goto(`${hatchway.origin}/`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await weigh(110_000);
});

// shows R2.31, R2.32, R2.33, R8.12
test('an address that is none is kept through the sign-in, leads to /404, and is corrected there; /portal without its slash works', async ({
  page,
  company,
  act,
  enter,
  go,
}) => {
  await enter(company.admin.email, '/portal/manage/asets?find=Drill');
  const typed = page.getByLabel('What follows /portal/', { exact: true });
  await expect(page).toHaveURL(/\/portal\/404$/);
  await expect(page).toHaveTitle('This page does not exist · Hatchway');
  await expect(typed).toHaveValue('manage/asets?find=Drill');
  // corrected wrongly, it is said again, and leads to no other site
  await act.write(typed, '//other.example/x');
  await act.press(page.getByRole('button', { name: 'Go there', exact: true }));
  await expect(typed).toHaveValue('other.example/x');
  await act.write(typed, 'manage/assets?find=Drill');
  await act.press(page.getByRole('button', { name: 'Go there', exact: true }));
  await expect(page).toHaveURL(/\/portal\/manage\/assets\?find=Drill$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Assets', exact: true })).toBeVisible();
  // /404 itself was not mistyped
  await go('/404');
  await expect(page.getByRole('heading', { level: 1, name: 'This page does not exist' })).toBeVisible();
  await expect(typed).toHaveCount(0);

  // one that cannot be read is answered by the server, before the portal is there
  await page.goto('/portal/%E0%A4%A');
  await expect(page).toHaveURL(/\/portal\/404$/);
  await expect(page.getByRole('heading', { level: 1, name: 'This page does not exist' })).toBeVisible();
  for (const none of ['x', '00000000-0000-7000-8000-000000000000']) {
    await go(`/history/occupation/${none}`);
    await expect(page.getByRole('heading', { level: 1, name: 'It does not exist, or you may not see it' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  }
  await go('/forbidden');
  await expect(page.getByRole('heading', { level: 1, name: 'Your company is not available' })).toBeVisible();
  await page.goto('/portal');
  await expect(page).toHaveURL(/\/portal\/$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

// shows R8.13
test.describe(() => {
  test.use({ isNew: true });
  test('a style sheet that does not come is an error that is said, not a bare page', async ({ page, company, enter }) => {
    await enter(company.admin.email);
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await page.route('**/assets/*.css', (route) => route.abort());
    const link = page.getByRole('banner').getByRole('link', { name: 'History', exact: true });
    // a screen is fetched ahead as soon as somebody points at its link: what failed then is not taken for loaded at the press
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'));
    await link.hover();
    await failed;
    await link.click();
    await expect(page.getByRole('heading', { name: 'We could not load part of this screen' })).toBeVisible();
    await expect(page.getByText(/preload CSS/)).toBeAttached();

    // on a line that is down the page is not given up for the browser's own
    await page.unroute('**/assets/*.css');
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await page.context().setOffline(true);
    await page.getByRole('banner').getByRole('link', { name: 'Manage', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'We could not load part of this screen' })).toBeVisible();
    await page.context().setOffline(false);
  });
});

// shows R9.9
test('toasts stand at the top right for 5 seconds, at most 20 at once', async ({ page, company, enter }) => {
  // once armed, waits of 5 s are noted and never end: 21 renewals take longer than a toast lives
  await page.addInitScript(`
    globalThis.held = [];
    const wait = globalThis.setTimeout;
    globalThis.setTimeout = (then, ms, ...more) => (globalThis.armed && ms === 5000 ? globalThis.held.push(ms) : wait(then, ms, ...more));
  `);
  await enter(company.admin.email, '/portal/token');
  const press = page.getByRole('button', { name: 'Refresh', exact: true });
  const toasts = page.getByText('The token is renewed');
  const pressedAt = Date.now();
  await press.click();
  await expect(toasts).toHaveCount(1);
  await expect(toasts).toHaveCount(0);
  expect(Date.now() - pressedAt).toBeGreaterThan(4_900);

  await page.evaluate('globalThis.armed = true');
  for (let n = 0; n < 21; n++) {
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/token'));
    await press.press('Enter'); // twenty toasts lie over the button
    await answered;
    await expect(press).toBeEnabled();
  }
  await expect(toasts).toHaveCount(20);
  expect(await page.evaluate<number>('globalThis.held.length')).toBeGreaterThanOrEqual(20);
  const box = await boxOf(toasts.first());
  expect(box.x).toBeGreaterThan((page.viewportSize()?.width ?? 0) / 2);
  expect(box.y).toBeLessThan(200);
});
