import { screens } from '@hatchway/dev/screens.ts';
import type { Page } from '@playwright/test';
import { expect, follow } from '../journey.ts';
import { pressUnlessGone } from '../still.ts';
import { expectNone } from './look.ts';
import { test } from './shared.ts';

// What a screen is before its rows are there, where they are refused, and where there are none: each a state of its own, and as readable.

// of a company that has nothing yet
test.use({ hasRows: false });

/** Whatever a screen asks for before it stands at all. */
const FRAME = /\/v1\/(accounts\/me|companies\/[^/]+)$/;
const SLOW = '[data-skeleton], .mantine-Skeleton-root, [aria-busy=true]';
/** One of each composition: board, list, tree, wall, form, matrix, cards, texts. Every list is drawn by the one table. */
const COMPOSED = [
  'dashboard', 'occupations', 'occupations-board', 'lockers', 'doubt', 'lock-control', 'storefront', 'admin-templates', 'permissions', 'vipps',
] as const; // prettier-ignore
/** What is refused is said by the one note. */
const NOTED = 'occupations';
/** What has no rows is the same for everybody. */
const ROWLESS = ['token', 'profile', 'settings', 'forbidden', 'not-found', 'admin-settings', 'admin-system'];
/** The heading of a screen, and the words of its empty state where it is a list. */
const SAYS: Readonly<Record<string, readonly [heading: string, empty?: string]>> = {
  dash: ['Dashboard'],
  manage: ['Manage'],
  assets: ['Assets', 'No asset yet'],
  occupations: ['Occupations', 'No occupation yet'],
  links: ['Access links', 'No access link yet'],
  payments: ['Payments', 'No payment yet'],
  lockers: ['Locker builder'],
  delivery: ['Delivery', 'Set up a cabinet'],
  storage: ['Storage', 'Set up a cabinet'],
  lending: ['Lending Locker'],
  consumable: ['Consumables Locker'],
  sale: ['Sale'],
  recall: ['Recall'],
  'drop-off': ['Drop-Off'],
  selfservice: ['Self-service'],
  'lock-control': ['Lock control', 'No cabinet yet'],
  storefront: ['Storefront', 'Nothing is for sale yet'],
  'manage-occupation': ['Manage occupation'],
  users: ['Users', 'Ada Admin'],
  groups: ['Groups', 'No group yet'],
  'asset-groups': ['Asset groups', 'No asset group yet'],
  admin: ['Admin'],
  'api-keys': ['API keys', 'No API key yet'],
  permissions: ['Manage permissions', 'No permission yet'],
  vipps: ['Payment integration'],
  entra: ['Directory integration'],
  history: ['History'],
};
const addressOf = (name: string): string => screens.find((one) => one.name === name)?.path ?? name;
/** In a portal that stands open, whatever was read is forgotten, but what its frame shows: it is read anew. */
const FORGET = `globalThis.__TSR_ROUTER__.options.context.portal.queryClient.removeQueries({ type: 'inactive' })`;

/** The calls of a screen: answered as ever, or kept waiting until they are refused. */
const calls = async (page: Page) => {
  const kept: (() => void)[] = [];
  const state: { mode: 'pass' | 'keep' | 'refuse' } = { mode: 'pass' };
  await page.route('**/v1/**', async (route) => {
    if (state.mode === 'pass' || FRAME.test(new URL(route.request().url()).pathname)) return route.fallback();
    if (state.mode === 'keep') await new Promise<void>((resolve) => kept.push(resolve));
    if (state.mode === 'refuse')
      return route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Too many requests',
          status: 429,
          code: 'too-many-requests',
          detail: 'Wait a little',
        }),
      });
    return route.fallback();
  });
  return {
    become: (mode: typeof state.mode) => {
      state.mode = mode;
      for (const go of kept.splice(0)) go();
    },
  };
};

test.describe('while it loads, and where it is refused', () => {
  test.use({ colorScheme: 'light' });
  for (const name of COMPOSED)
    test(`${name}, loading and refused`, async ({ page, say, show }) => {
      const main = page.getByRole('main');
      const wire = await calls(page);
      const again = { name: say('tryAgain'), exact: true };
      const refused = main.getByRole('alert').filter({ has: page.getByRole('button', again) });
      await show('/portal/404');
      await expect(main.locator('h1')).toBeVisible();
      await page.evaluate(FORGET);
      wire.become('keep');
      await follow(page, addressOf(name));
      await expect.soft(main.locator(SLOW).first(), `${name}, loading`).toBeVisible();
      // the screen itself, not what stands there until its code is
      await expect.soft(main.locator('h1'), `${name}, loading`).toBeVisible();
      await expectNone(page, `${name}, loading`, { part: 'main' });

      wire.become('refuse');
      await expect.soft(refused.first(), `${name}, refused`).toBeVisible();
      await expect.soft(main.locator(SLOW), `${name}, refused`).toHaveCount(0);
      await expectNone(page, `${name}, refused`, { themes: name === NOTED ? 'both' : 'one', part: 'main' });

      wire.become('pass');
      for (let left = await refused.count(); left > 0; left = await refused.count()) {
        await pressUnlessGone(refused.first().getByRole('button', again));
        await expect.poll(() => refused.count(), { message: `${name}, asked again` }).toBeLessThan(left);
      }
    });
});

test.describe('with nothing in it', () => {
  test.use({ colorScheme: 'dark' });
  const emptied = screens.filter(
    (one) => !one.open && one.path.startsWith('/portal') && !one.path.includes('{') && !ROWLESS.includes(one.name),
  );
  const unknown = Object.keys(SAYS).filter((name) => !emptied.some((one) => one.name === name));
  if (unknown.length > 0) throw new Error(`No such screen is walked: ${unknown.join(', ')}`);
  for (const { name, path } of emptied)
    // shows R1.1, R1.3, R2.5, R2.6, R2.7, R2.9, R2.10, R2.11, R2.12, R2.13, R2.14, R2.15, R2.16, R2.17, R2.18, R2.19, R2.20, R2.21, R2.22, R2.23, R2.24, R2.25, R2.26
    test(`${name}, empty`, async ({ page, show }) => {
      const main = page.getByRole('main');
      const [heading, empty] = SAYS[name] ?? [];
      await show(path);
      await expect(main.locator('h1')).toBeVisible();
      await expect(main.locator(SLOW)).toHaveCount(0);
      if (heading !== undefined) await expect.soft(main.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      if (empty !== undefined) await expect.soft(main.getByText(empty).first()).toBeVisible();
      await expect.soft(main.getByText(/could not (load|read|show|get)/i), name).toHaveCount(0);
      await expect.soft(main.getByRole('alert'), name).toHaveCount(0);
      // the other ones have nothing of their own to be empty in
      await expectNone(page, `${name}, empty`, { themes: COMPOSED.some((one) => one === name) ? 'both' : 'one', part: 'main' });
    });
});
