import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { signedIn } from '@hatchway/dev/person.ts';
import type { Where } from '@hatchway/dev/where.ts';
import type { Page } from '@playwright/test';
import { makeCompany } from '../company.ts';
import { expect, follow, test as journey, type Running } from '../journey.ts';
import { complaints, goTo } from './look.ts';
import { rowsOf } from './rows.ts';

type Rows = Record<string, string>;
type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0];
/** A company of the whole run, and who signs in to it. */
type Made = { id: string; email: string; password: string; rows: Rows };
type Shared = Made & {
  /** Of its administrator, who is signed in. */
  cookies: Cookies;
};

/** As long as a worker waits for what another one makes. */
const PATIENCE = 60_000;

/** What is made once in a run: the first worker makes it, and the others wait for it. Once made it is written down whole. */
async function onceInTheRun<T>(folder: string, make: () => Promise<T>): Promise<T> {
  const file = path.join(folder, 'made.json');
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    const made = await make();
    writeFileSync(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return made;
  }
  for (const until = Date.now() + PATIENCE; !existsSync(file); await wait(100))
    if (Date.now() > until) throw new Error(`${folder} was begun by another worker, and is not made`);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/**
 * What a look may send though it changes nothing that another one sees: what is asked with a body, and a code for a controller, which
 * nobody hands over.
 */
const HARMLESS = ['occupations/find', 'templates/preview', 'pickup/(look|link)', 'cabinets/[^/]+/pair'].map(
  (call) => new RegExp(`^POST /v1/${call}$`),
);
const isChange = (line: string) => !/^(GET|OPTIONS) /.test(line) && line.includes(' /v1/') && !HARMLESS.some((one) => one.test(line));

/** By way of another screen, so that nothing that was opened on this one stays. */
const followTo = async (page: Page, address: string): Promise<void> => {
  await follow(page, address.startsWith('/portal/404') ? '/portal/settings' : '/portal/404');
  await follow(page, address);
};

const make = async (where: Where, hasRows: boolean): Promise<Made> => {
  const company = await makeCompany(where);
  const rows = hasRows ? await rowsOf(company, where.origin) : {};
  return { id: company.id, email: company.admin.email, password: company.password, rows };
};

/** Of this worker, which is a process: a fixture of workers would have Playwright start others for the journeys. */
const known = new Map<boolean, Shared>();
const last: { key?: string; page?: Page; portalOf?: string | undefined } = {};

const sharedBy = async ({ folder, ...where }: Running['hatchway'], hasRows: boolean): Promise<Shared> => {
  const before = known.get(hasRows);
  if (before) return before;
  const made = await onceInTheRun(path.join(folder, hasRows ? 'looks' : 'looks-empty'), () => make(where, hasRows));
  const { cookies } = await signedIn(where.origin, made);
  const shared = { ...made, cookies: cookies.map((cookie) => ({ ...cookie, domain: new URL(where.origin).hostname })) };
  known.set(hasRows, shared);
  return shared;
};

/**
 * Looks share what takes longer to make than to look at: all of a run a company, so each look is held to sending nothing that changes it,
 * and those of one worker a page, where the portal stays open for the next screen.
 */
export const test = journey.extend<{
  rows: Rows;
  isSignedIn: boolean;
  hasRows: boolean;
  shared: Shared;
  show: (address: string) => Promise<void>;
}>({
  contextOptions: { reducedMotion: 'reduce' },
  isSignedIn: [true, { option: true }],
  /** A company with a row of everything, or one that has nothing yet. */
  hasRows: [true, { option: true }],
  shared: async ({ hatchway, hasRows }, use) => use(await sharedBy(hatchway, hasRows)),
  rows: async ({ shared }, use) => use(shared.rows),
  /** Opens a screen, by its address where the portal does not stand open for whoever looks at it. */
  show: async ({ page, shared }, use) =>
    use((address) => (last.portalOf === shared.id && address.startsWith('/portal/') ? followTo(page, address) : goTo(page, address))),
  page: async ({ browser, baseURL, locale, colorScheme, viewport, shared, isSignedIn }, use, test) => {
    // what is routed of the live socket outlasts a test, and is no other file's
    const key = JSON.stringify([path.basename(test.file).startsWith('translated'), locale]);
    if (last.page === undefined || last.key !== key) {
      await last.page?.context().close();
      const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
      Object.assign(last, { key, page: await context.newPage(), portalOf: undefined });
    }
    const page = last.page;
    if (page === undefined) throw new Error('There is no page.');
    if (!isSignedIn || last.portalOf !== shared.id) {
      delete last.portalOf;
      // first, for a portal that is open would leave for the sign-in; and an address that differs by its # alone would not be loaded anew
      await page.goto('about:blank');
      await page.context().clearCookies();
      if (isSignedIn) await page.context().addCookies(shared.cookies);
    }
    await page.emulateMedia({ colorScheme });
    if (viewport) await page.setViewportSize(viewport);
    const heard = complaints(page);
    const changes: string[] = [];
    page.on('request', (request) => {
      const line = `${request.method()} ${new URL(request.url()).pathname}`;
      if (isChange(line)) changes.push(line);
    });
    await use(page);
    for (const event of ['request', 'pageerror', 'console'] as const) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    const stays = isSignedIn && test.status === 'passed' && new URL(page.url()).pathname.startsWith('/portal/');
    Object.assign(last, { portalOf: stays ? shared.id : undefined });
    expect.soft(changes, 'what all looks share is left as it was').toEqual([]);
    expect(heard).toEqual([]);
  },
});
