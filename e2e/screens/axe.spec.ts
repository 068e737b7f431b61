import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { handOn } from '@hatchway/dev/hand.ts';
import { fillIn, lookThrough, screens } from '@hatchway/dev/screens.ts';
import { messagesTo } from '../company.ts';
import { expect, test } from '../journey.ts';
import { rowsOf } from './rows.ts';

/** No violation of WCAG 2.2 AA on what stands there now. */
async function expectNone(page: Page, name: string): Promise<void> {
  // what stands behind a dialog was looked at before it opened
  const covered = (await page.getByRole('dialog').filter({ visible: true }).count()) > 0;
  const builder = new AxeBuilder({ page });
  const { violations } = await (covered ? builder.include('[role=dialog]') : builder)
    // what is in order is not asked for
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    // everything is of one origin, so it may run in the page itself instead of in a second one a screen
    .setLegacyMode(true)
    .analyze();
  expect
    .soft(
      violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`),
      name,
    )
    .toEqual([]);
}

/** What the browser complains of while screens are walked: anything that the content policy forbids, or that nobody caught. */
function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on('pageerror', (error) => void heard.push(`${page.url()}: ${error.message}`));
  page.on('console', (line) => {
    if (line.type() === 'error' && /Content Security Policy|Refused to/i.test(line.text())) heard.push(`${page.url()}: ${line.text()}`);
  });
  return heard;
}
/** A policy of its own on every page: nothing from elsewhere, and no script that the page itself brings. */
async function goTo(page: Page, address: string): Promise<void> {
  const answer = await page.goto(address);
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect.soft(policy, address).toMatch(/default-src 'none'/);
  expect.soft(policy, address).not.toMatch(/script-src[^;]*('unsafe-inline'|'unsafe-eval'|\*|https?:)/);
  // nothing of an address reaches another origin; the sign-in pages check where their own forms come from
  expect.soft(answer?.headers()['referrer-policy'], address).toMatch(/^(no-referrer|same-origin)$/);
}

const staff = screens.filter((one) => !one.open);
const half = Math.ceil(staff.length / 2);
const parts = [staff.slice(0, half), staff.slice(half)];

// Every screen of the product in both themes and both languages, two at a time: what colours break, words don't, and the other way round.
for (const [colorScheme, language, locale] of [
  ['light', 'en', 'en-US'],
  ['dark', 'nb', 'nb-NO'],
] as const)
  test.describe(`${colorScheme}, ${language}`, () => {
    test.use({ colorScheme, locale, language });
    // for what hangs: a part is some seventy looks
    test.setTimeout(600_000);

    for (const part of parts)
      test(`portal, ${part[0]?.name} to ${part.at(-1)?.name}`, async ({ page, company, enter, language }) => {
        const rows = await rowsOf(company);
        await enter(company.admin.email);
        const hand = handOn(page, language);
        const heard = complaints(page);
        for (const screen of part) {
          await goTo(page, fillIn(screen.path, rows) ?? screen.path);
          await expect(page.getByRole('main')).toBeVisible();
          await lookThrough(screen, hand, (name) => expectNone(page, name));
        }
        expect(heard).toEqual([]);
      });

    test('screens that anybody may open', async ({ page }) => {
      const heard = complaints(page);
      // the inbox comes below, with one receiver's messages: whatever ran before has filled it, and each mail is a frame to look into
      for (const screen of screens.filter((one) => one.open && one.name !== 'sandbox-inbox')) {
        const address = fillIn(screen.path, {});
        if (!address) continue;
        await goTo(page, address);
        await expect(page.locator('main, form').first()).toBeVisible();
        await expectNone(page, screen.name);
      }
      expect(heard).toEqual([]);
    });

    test('the end-user site behind a link', async ({ page, company, hatchway, say }) => {
      const { lockers } = await company.cabinet({ doors: 2 });
      const { api } = company.admin;
      const to = `ingrid-${Math.random().toString(36).slice(2)}@e2e.test`;
      const held = await api('POST /occupations/delivery', {
        body: { lockerId: lockers[0]?.id ?? '', assetText: 'Parcel', receiver: { name: 'Ingrid Solberg', email: to }, fill: true },
      });
      await api('PUT /occupations', { body: { id: held.id, action: 'send' } });
      const link = (await messagesTo(hatchway.origin, to))[0]?.links[0] ?? '';
      await goTo(page, link);
      await expect(page.getByRole('button', { name: say('openLocker') })).toBeVisible();
      await expectNone(page, 'pickup-link');
      const inbox = `/sandbox/inbox?to=${encodeURIComponent(to)}`;
      await goTo(page, inbox);
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
      await expectNone(page, 'sandbox-inbox');
      for (const purpose of ['open', 'drop-off'] as const) {
        const { url } = await api('POST /links', { body: { name: 'Supplier', purpose, lockerIds: lockers.map(({ id }) => id) } });
        await goTo(page, url);
        await expect(page.getByRole('button', { name: say('openLocker') })).toBeVisible();
        await expectNone(page, `pickup-access-link ${purpose}`);
      }
    });
  });
