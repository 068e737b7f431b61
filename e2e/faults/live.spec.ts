import type { Page } from '@playwright/test';
import { expect, test as base } from '../counter.ts';
import type { Hands } from '../journey.ts';
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
    // Not sooner than its two seconds. That it is not later either, live-client.test holds by a clock of its own: here, on a busy machine,
    // all that is seen is that it came by itself.
    expect((line.tunnels[before] ?? 0) - cutAt).toBeGreaterThanOrEqual(1_900);
    await expect(
      page.getByRole('banner').getByRole('status', { name: 'Not connected; what you see may be old. Trying again.' }),
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

  for (const [how, comesBack] of [
    ['after half a minute', false],
    ['at once when the tab comes back', true],
  ] as const) {
    test(`swallowed without a close: it is said ${how}, and a new line brings what was missed`, async ({ page, line, company, enter }) => {
      const cabinet = await company.cabinet({ doors: 1 });
      const [lot] = cabinet.lockers;
      if (!lot) throw new Error('no locker');
      await page.clock.install();
      await enter(company.admin.email, '/portal/services/lock-control');
      const door = page.locator(`[data-door="${lot.id}"]`);
      await expect(door).toHaveAttribute('data-look', 'free');
      await expect(live(page)).toBeVisible();
      await page.clock.pauseAt(new Date(Date.now() + 60_000));
      await expect(live(page)).toBeVisible();
      const before = line.tunnels.length;
      line.swallow();
      await company.admin.api('PUT /lockers/{id}/service', { params: { id: lot.id }, body: { outOfService: true, reason: 'hinge' } });
      if (comesBack) await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await page.clock.runFor(comesBack ? 4_000 : 21_000);
      await expect(live(page)).toHaveCount(0);
      await page.clock.runFor(2_000);
      await expect.poll(() => line.tunnels.length).toBeGreaterThan(before);
      await expect(live(page)).toBeVisible();
      await page.clock.resume();
      await expect(door).toHaveAttribute('data-look', 'out-of-service');
    });
  }
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

/** From here on no timer of the page comes: what it still learns, somebody told it. */
const stopClock = (page: Page) => page.clock.pauseAt(new Date(Date.now() + 60_000));

test('whose membership ends is shown out at once, not at their next press', async ({ page, company, enter, say }) => {
  const leaver = await company.person(['delivery_manager']);
  await page.clock.install();
  await enter(leaver.email);
  await expect(live(page)).toBeVisible();
  const { api } = company.admin;
  const members = await api('GET /companies/{tenant}/memberships', { params: { tenant: company.id }, query: { limit: 100 } });
  const me = await leaver.api('GET /accounts/me');
  const membershipId = members.find((one) => one.accountId === me.account.id)?.id ?? '';
  await stopClock(page);
  await expect(live(page)).toBeVisible();
  await api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant: company.id, membershipId } });
  await expect(page.getByLabel(say('password'), { exact: true })).toBeVisible();
  await expect(page).not.toHaveURL(/\/portal\//);
});

// Three ways lead from a sign-out elsewhere to this page; each is walked with the two others shut.
test.describe('signed out elsewhere: this page comes to the sign-in page too, by itself', () => {
  const STATUS = '**/login-status-iframe.html';
  const signOutElsewhere = async (page: Page, act: Hands) => {
    const other = await page.context().newPage();
    await other.goto('/realms/pml/protocol/openid-connect/logout');
    await act.press(other.locator('button[name=logout]').first());
    await expect(other.locator('button[name=logout]')).toHaveCount(0);
    await other.close();
  };
  const deaf = (page: Page) => page.routeWebSocket(/\/live/, () => {});
  const noRefresh = (page: Page) => page.route(TOKEN, (route) => route.abort());

  test('the socket is closed, before any clock strikes', async ({ page, company, enter, act, say }) => {
    await page.clock.install();
    await enter(company.admin.email);
    await expect(live(page)).toBeVisible();
    await stopClock(page);
    await expect(live(page)).toBeVisible();
    await signOutElsewhere(page, act);
    await expect(page.getByLabel(say('password'), { exact: true })).toBeVisible();
  });

  test('a socket that hears nothing: the look at the login state, every five seconds', async ({ page, company, enter, act, say }) => {
    await page.clock.install();
    await deaf(page);
    await enter(company.admin.email);
    await noRefresh(page);
    await signOutElsewhere(page, act);
    await page.clock.fastForward(5_000);
    await expect(page.getByLabel(say('password'), { exact: true })).toBeVisible();
  });

  test('while the line is down nobody is signed out and the screen stays; once it is back the look goes on', async ({
    page,
    company,
    enter,
    act,
    say,
  }) => {
    await page.clock.install();
    await deaf(page);
    await enter(company.admin.email);
    await noRefresh(page);
    await mark(page);
    await page.context().setOffline(true);
    // more than once: a look that got no answer is followed by another
    for (let looks = 0; looks < 2; looks++) {
      const unanswered = page.waitForEvent('requestfailed', (request) => request.url().includes('login-status-iframe.html/init'));
      await page.clock.fastForward(5_000);
      await unanswered;
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
    expect(await marked(page)).toBe(true);
    await page.context().setOffline(false);
    await signOutElsewhere(page, act);
    await page.clock.fastForward(5_000);
    await expect(page.getByLabel(say('password'), { exact: true })).toBeVisible();
  });

  test('and where that sees nothing either, the next renewal of the token', async ({ page, company, enter, act, say }) => {
    await page.clock.install();
    await deaf(page);
    // a browser that keeps the provider's cookie from a frame: it never learns of a change
    await page.route(STATUS, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script>addEventListener('message', (asked) => asked.source.postMessage('unchanged', asked.origin))</script>`,
      }),
    );
    await enter(company.admin.email);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
    await signOutElsewhere(page, act);
    const refused = page.waitForResponse(TOKEN);
    await page.clock.fastForward(60 * 60_000);
    expect((await refused).status()).toBe(400);
    await expect(page.getByLabel(say('password'), { exact: true })).toBeVisible();
  });
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
  await expect.poll(() => marked(page).catch(() => true)).toBe(false);
  await expect(live(page)).toBeVisible();
});

// shows R4.35, R8.6
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
  await expect.poll(() => tried).toBeGreaterThanOrEqual(1);
  await page.clock.fastForward(10_000);
  await expect.poll(() => tried).toBeGreaterThanOrEqual(2);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');

  await page.unroute(TOKEN);
  const taken = page.waitForResponse(TOKEN);
  await page.clock.fastForward(10_000);
  expect((await taken).status()).toBe(200);
  await page.getByRole('banner').getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('History');
  expect(await marked(page)).toBe(true);
});
