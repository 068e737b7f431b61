import { fillIn, screens } from '@hatchway/dev/screens.ts';
import type { Page } from '@playwright/test';
import { expect } from '../journey.ts';
import { goTo } from './look.ts';
import { test } from './shared.ts';

// That no text is React's alone is seen at every look (`LOOSE` in look.ts); here, that this is enough: one of each composition.
const COMPOSED = ['dashboard', 'occupations', 'lock-control', 'manage-one', 'builder'];
const OPEN = ['pickup', 'pickup-link'];

/** What Chrome does to a page that somebody reads in another language: now, and with whatever comes later. */
const TRANSLATE = `(() => {
  const font = (content) => Object.assign(document.createElement('font'), { style: 'vertical-align: inherit' }).appendChild(content).parentNode;
  const translate = (within) => {
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (text.nodeValue.trim() === '' || text.parentElement?.closest('font, svg, script, style') !== null) continue;
      text.replaceWith(font(font(document.createTextNode('«' + text.nodeValue + '»'))));
    }
  };
  translate(document.body);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) [target, ...addedNodes].filter((one) => one.isConnected).forEach((one) => translate(one.parentNode ?? one));
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
})()`;
const lines = async (page: Page): Promise<string[]> =>
  (await page.getByRole('main').innerText())
    .replaceAll(/[«»]/g, '')
    .split('\n')
    .map((line) => line.trim().replaceAll(/\d+/g, '#'));

/** What stands beside a name may still be on its way as it is read first. */
const wordsOn = async (page: Page): Promise<string[]> => (await lines(page)).flatMap((line) => line.split(/\s+/));

/** Words that people gave. */
const GIVEN = /"(name|doorTag|assetName|assetText|cabinetName|siteName|description)":"([^"\\]+)"/g;
const [BEFORE, AFTER] = ['×', '÷'];

for (const screen of screens.filter(({ name }) => COMPOSED.includes(name)))
  test(`${screen.name}, translated: what changes is read`, async ({ page, rows }) => {
    let mark = BEFORE;
    let cut = (): unknown => undefined;
    await page.routeWebSocket(/\/live/, (socket) => {
      const server = socket.connectToServer();
      cut = () => Promise.all([server.close(), socket.close({ code: 3001 })]);
    });
    await page.route(/\/v1\//, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      if (response.headers()['content-type']?.includes('json') !== true) return route.fulfill({ response });
      const body = (await response.text()).replaceAll(GIVEN, (_, key: string, word: string) => `"${key}":"${word}${mark}"`);
      return route.fulfill({ response, body });
    });
    await goTo(page, fillIn(screen.path, rows));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[data-skeleton], [aria-busy=true]')).toHaveCount(0);
    const due = (await wordsOn(page)).filter((word) => word.includes(BEFORE)).map((word) => word.replaceAll(BEFORE, AFTER));
    await page.evaluate(TRANSLATE);
    mark = AFTER;
    // The line comes back, at once since the network is said to be there, and all that is shown is asked for anew.
    await cut();
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await expect(page.getByRole('banner').locator('output[data-state=open]')).toBeVisible();
    await expect
      .poll(async () => {
        const now = await wordsOn(page);
        return [...now.filter((word) => word.includes(BEFORE)), ...due.filter((word) => !now.includes(word))];
      })
      .toEqual([]);
  });

test.describe(() => {
  test.use({ isSignedIn: false });
  for (const screen of screens.filter(({ name }) => OPEN.includes(name)))
    test(`${screen.name}, translated: what changes is read`, async ({ page, rows }) => {
      await goTo(page, fillIn(screen.path, rows));
      await expect(page.locator('main h1')).toBeVisible();
      await page.evaluate(TRANSLATE);
      await page.locator('button[lang=nb]').click();
      await expect(page.locator('button[lang=en]')).toBeVisible();
      const now = await lines(page);
      await page.reload();
      await expect.poll(() => lines(page)).toEqual(now);
    });
});
