import type { Page } from '@playwright/test';
import { expect, test as base } from '../counter.ts';
import { startProxy, type Proxy } from '../proxy.ts';

// The live socket and the token, cut and refused in front of a real page and a real server.

const test = base.extend<{ line: Proxy }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  line: async ({}, use) => {
    const line = await startProxy();
    await use(line);
    await line.close();
  },
});
const TOKEN = '**/protocol/openid-connect/token';
/** A page that was loaded anew has forgotten it. */
const mark = (page: Page) => page.evaluate('globalThis.mark = true');
const marked = (page: Page) => page.evaluate<boolean>('globalThis.mark === true');
const live = (page: Page) => page.getByRole('banner').getByRole('status', { name: 'Live' });

test.describe('over a line that can be cut', () => {
  test.use({
    contextOptions: async ({ line }, use) => use({ proxy: { server: line.server, bypass: '<-loopback>' } }),
  });

  // shows R4.36, R8.5
  test('cut: it is back after two seconds, and what was missed appears without loading the page', async ({
    page,
    line,
    company,
    enter,
  }) => {
    const cabinet = await company.cabinet({ doors: 2 });
    const [lot] = cabinet.lockers;
    if (!lot) throw new Error('no locker');
    await enter(company.admin.email, '/portal/services/lock-control');
    const door = page.locator(`[data-door="${lot.id}"]`);
    await expect(door).toHaveAttribute('data-look', 'free');
    await expect(live(page)).toBeVisible();
    await mark(page);

    const before = line.tunnels.length;
    expect(before, 'the page has a websocket').toBeGreaterThan(0);
    line.cut();
    const cutAt = Date.now();
    await company.admin.api('PUT /lockers/{id}/service', { params: { id: lot.id }, body: { outOfService: true, reason: 'hinge' } });
    await expect.poll(() => line.tunnels.length).toBeGreaterThan(before);
    expect((line.tunnels[before] ?? 0) - cutAt).toBeGreaterThanOrEqual(1_900);
    expect((line.tunnels[before] ?? 0) - cutAt).toBeLessThan(3_500);
    await expect(
      page.getByRole('banner').getByRole('status', { name: 'Not connected. What you see may be old; trying again.' }),
    ).toBeVisible();
    await expect(door).toHaveAttribute('data-look', 'free');

    line.mend();
    await expect(door).toHaveAttribute('data-look', 'out-of-service');
    await expect(live(page)).toBeVisible();
    // and it hears again what comes from now on
    await company.admin.api('PUT /lockers/{id}/service', { params: { id: lot.id }, body: { outOfService: false } });
    await expect(door).toHaveAttribute('data-look', 'free');
    expect(await marked(page)).toBe(true);
  });
});

// shows R8.5
test('close code 4000 loads the page anew, once', async ({ page, company, enter }) => {
  let sockets = 0;
  let end: (() => void) | null = null;
  await page.routeWebSocket(/\/live/, (socket) => {
    sockets += 1;
    const server = socket.connectToServer();
    end = () => {
      void server.close();
      void socket.close({ code: 4000 });
    };
  });
  await enter(company.admin.email);
  await expect(live(page)).toBeVisible();
  await mark(page);
  (end as (() => void) | null)?.();
  await expect.poll(() => marked(page).catch(() => true)).toBe(false);
  await expect(live(page)).toBeVisible();
  expect(sockets).toBe(2);
});

test('whose membership ends is shown out at once, not at their next press', async ({ page, company, enter }) => {
  const leaver = await company.person(['delivery_manager']);
  await enter(leaver.email);
  await expect(live(page)).toBeVisible();
  const { api } = company.admin;
  const members = await api('GET /companies/{tenant}/memberships', { params: { tenant: company.id }, query: { limit: 100 } });
  const me = await leaver.api('GET /accounts/me');
  const membershipId = members.find((one) => one.accountId === me.account.id)?.id ?? '';
  await api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant: company.id, membershipId } });
  await expect(page.getByRole('banner').getByRole('link', { name: 'History' })).toHaveCount(0);
  await expect(page).not.toHaveURL(/\/portal\//);
});

test('signed out elsewhere: this page comes to the sign-in page too, by itself', async ({ page, company, enter, act, say }) => {
  await page.clock.install();
  // the socket would be quicker: here it hears nothing
  await page.routeWebSocket(/\/live/, () => {});
  await enter(company.admin.email);
  const other = await page.context().newPage();
  await other.goto('/realms/pml/protocol/openid-connect/logout');
  await act.press(other.locator('button[name=logout]').first());
  await other.close();
  await page.clock.fastForward(60 * 60_000);
  await expect(page.getByLabel(say('password'), { exact: true })).toBeVisible();
});

// shows R8.6
test('a refresh that is refused with 400 signs out, and begins the sign-in anew', async ({ page, company, enter }) => {
  await page.clock.install();
  await enter(company.admin.email);
  await expect(live(page)).toBeVisible();
  await mark(page);
  const signIn = page.waitForRequest(/\/openid-connect\/auth\?/);
  await page.route(TOKEN, (route) => route.fulfill({ status: 400, json: { error: 'invalid_grant' } }), { times: 1 });
  await page.clock.fastForward(60 * 60_000);
  await signIn;
  // the session at the provider lives on in this test, so that the sign-in brings a whole new page
  await expect(live(page)).toBeVisible();
  expect(await marked(page)).toBe(false);
});

test('a refresh that fails otherwise ends nothing: the page stays, and the next one is taken', async ({ page, company, enter }) => {
  await page.clock.install();
  await enter(company.admin.email);
  await expect(live(page)).toBeVisible();
  await mark(page);
  let tried = 0;
  await page.route(TOKEN, (route) => {
    tried += 1;
    return tried % 2 === 1 ? route.fulfill({ status: 500, body: 'away' }) : route.abort('connectionrefused');
  });
  await page.clock.fastForward(60 * 60_000);
  await expect.poll(() => tried).toBe(1);
  await page.clock.fastForward(10_000);
  await expect.poll(() => tried).toBe(2);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');

  await page.unroute(TOKEN);
  const taken = page.waitForResponse(TOKEN);
  await page.clock.fastForward(10_000);
  expect((await taken).status()).toBe(200);
  await page.getByRole('banner').getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('History');
  expect(await marked(page)).toBe(true);
});
