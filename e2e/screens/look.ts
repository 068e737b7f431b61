import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect } from '../journey.ts';
import { isStill } from '../still.ts';

/** Minified: each page that is looked at reads it anew. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that a theme alone can break. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
const IS_DARK = `matchMedia('(prefers-color-scheme: dark)').matches`;
const SHADE = `[document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor).join()`;
/** What is soon over is not waited for long. */
const soon = { intervals: [10, 20, 50, 100] };

const softly = expect.configure({ soft: true });

/** What is wrong is there at every look, a second apart; what a screen that reads anew shows between two states is gone at the next. */
const LOOKS = 5;
const LATER = 'new Promise((done) => setTimeout(done, 1000))';

type Violations = readonly { id: string; nodes: readonly { target: unknown }[] }[];
async function violations(page: Page, within: string, runOnly: readonly string[]): Promise<string[]> {
  for (const frame of page.frames()) {
    // axe looks into none that nobody sees, as the one that asks for the login state
    if (frame !== page.mainFrame() && !(await frame.frameElement().then((element) => element.isVisible()))) continue;
    if (!(await frame.evaluate(`'axe' in globalThis`))) await frame.evaluate(AXE);
  }
  // what is in order is not asked for
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const found = await page.evaluate<Violations>(`axe.run(${within}, ${options}).then(({ violations }) => violations)`);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(', ')}`);
}

async function look(page: Page, name: string, runOnly: readonly string[], part = 'document'): Promise<void> {
  await expect.poll(() => isStill(page), { ...soon, message: `${name} stands still` }).toBe(true);
  // what stands behind a dialog was looked at before it opened
  const covered = (await page.getByRole('dialog').filter({ visible: true }).count()) > 0;
  // until its code is there, a slow machine shows no screen yet
  if (!covered) await softly(page.locator('h1').first(), `${name} has its title`).toBeVisible();
  const within = covered ? `'[role=dialog]'` : part;
  // a frame that goes while it is looked into, as the one that asks for the login state does, is an error that does not stay either
  const now = () => violations(page, within, runOnly).catch((error: unknown) => [String(error)]);
  let found = await now();
  const window = page.viewportSize();
  // what the foot of a long dialog cuts off is too small for axe, though it scrolls: in a taller window nothing is cut off
  if (window && found.some((one) => one.startsWith('target-size'))) await page.setViewportSize({ ...window, height: window.height * 2 });
  for (let looks = 1; found.length > 0 && looks < LOOKS; looks++) {
    await page.evaluate(LATER).catch(() => undefined);
    found = await now();
  }
  if (window) await page.setViewportSize(window);
  expect.soft(found, name).toEqual([]);
}

/**
 * No violation of WCAG 2.2 AA on what stands there now, in the theme that it has; the page is left in that one.
 * @param themes `both`: what no look in the other theme shows. The theme alone is looked at then, and the page is left in the other one.
 * @param part `main`: the frame around it is looked at elsewhere
 */
export async function expectNone(
  page: Page,
  name: string,
  { themes = 'one', part = 'document' }: { themes?: 'one' | 'both'; part?: 'document' | 'main' } = {},
): Promise<void> {
  const within = part === 'main' ? `'main'` : part;
  await look(page, name, LEVELS, within);
  expect.soft(await page.evaluate(LOOSE), `${name}: each text is written as the whole of its element`).toEqual([]);
  // an Enter where a dialog begins must not throw it away
  expect.soft(await page.evaluate(BEGINS), `${name}: a dialog begins within it, and not at its X`).toBe(true);
  if (themes !== 'both') return;
  const [dark, shade] = [await page.evaluate<boolean>(IS_DARK), await page.evaluate<string>(SHADE)];
  await page.emulateMedia({ colorScheme: dark ? 'light' : 'dark' });
  await expect.poll(() => page.evaluate(SHADE), { ...soon, message: `${name} has the other theme` }).not.toBe(shade);
  await look(page, `${name} in the other theme`, COLOURS, within);
}

/** What has the focus in the uppermost dialog is none of its head; true where none is open. */
const BEGINS = `(() => {
  const dialog = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].findLast((one) => one.checkVisibility());
  const here = document.activeElement;
  if (!dialog) return true;
  return dialog.contains(here) && (here.tagName === 'H2' || here.closest('header, [data-head]') === null);
})()`;

/**
 * Texts that React keeps by themselves, as it does beside others or beside elements: it writes on into them after a browser that translates
 * the page put its own in their place. What is the whole of its element it writes anew.
 */
const LOOSE = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text.nodeValue.trim() === '' || text.parentElement.closest('svg, script, style, noscript') !== null) continue;
    if (Object.keys(text).some((key) => key.startsWith('__reactFiber'))) found.push(text.parentElement.tagName.toLowerCase() + ': ' + text.nodeValue.slice(0, 60));
  }
  return found;
})()`;

/** What the browser complains of while screens are walked: anything that the content policy forbids, or that nobody caught. */
export function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on('pageerror', (error) => void heard.push(`${page.url()}: ${error.message}`));
  page.on('console', (line) => {
    if (line.type() === 'error' && /Content Security Policy|Refused to/i.test(line.text())) heard.push(`${page.url()}: ${line.text()}`);
  });
  return heard;
}
/** A policy of its own on every page: nothing from elsewhere, and no script that the page itself brings. */
export async function goTo(page: Page, address: string): Promise<void> {
  const answer = await page.goto(address);
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect.soft(policy, address).toMatch(/default-src 'none'/);
  expect.soft(policy, address).not.toMatch(/script-src[^;]*('unsafe-inline'|'unsafe-eval'|\*|https?:)/);
  // nothing of an address reaches another origin; the sign-in pages check where their own forms come from
  expect.soft(answer?.headers()['referrer-policy'], address).toMatch(/^(no-referrer|strict-origin)$/);
}

// The narrowest phone, and a usual laptop's 1366 by 768 at 200 %.
const WINDOWS = [
  { width: 320, height: 640 },
  { width: 683, height: 384 },
];

/** What sticks out of the window sideways: the page itself, a list's rows, or a button that is filled because it is the one to press. */
const STICKS_OUT = `(() => {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const dialog = [...document.querySelectorAll('[role=dialog]')].findLast((one) => one.checkVisibility());
  const scrolls = (of) => of !== null && of !== document.body && (/auto|scroll/.test(getComputedStyle(of).overflowX) || scrolls(of.parentElement));
  const away = [...(dialog ?? document.body).querySelectorAll('[data-variant=filled], button[type=submit]')].filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 0 && (left < -1 || right > innerWidth + 1) && !scrolls(one.parentElement);
  });
  // what one reads of a list is not scrolled to, nor cut off, where its rows are cards
  const lists = innerWidth >= 768 ? [] : [...document.querySelectorAll('table:has(tr[data-row])')].flatMap((table) =>
    [table.parentElement, ...table.querySelectorAll('td')].filter((one) => one.scrollWidth > one.clientWidth + 1));
  return [...lists.map((one) => one.tagName + ' of a list: ' + one.textContent.slice(0, 40)), ...(wide > 0 ? ['the page, by ' + wide + ' px'] : []), ...away.map((one) => one.textContent)];
})()`;

/** No page is wider than its window, and what one presses to go on is within it. */
export async function expectFits(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const size of WINDOWS) {
    await page.setViewportSize(size);
    // a list is drawn anew, as cards or as a table, once the browser has told of its new width
    await softly.poll(() => page.evaluate(STICKS_OUT), { message: `${name} at ${size.width} px` }).toEqual([]);
  }
  if (before) await page.setViewportSize(before);
}
