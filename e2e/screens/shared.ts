import { signedIn } from '@hatchway/dev/person.ts';
import type { Page } from '@playwright/test';
import { makeCompany, type OwnCompany } from '../company.ts';
import { expect, test as journey } from '../journey.ts';
import { complaints } from './look.ts';
import { rowsOf } from './rows.ts';

type Rows = Record<string, string>;
type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0];
type Shared = {
  company: OwnCompany;
  rows: Rows;
  /** Of its administrator, who is signed in. */
  cookies: Cookies;
};

/**
 * What a look may send though it changes nothing that another one sees: what is asked with a body, and a code for a controller, which
 * nobody hands over.
 */
const HARMLESS = ['occupations/find', 'templates/preview', 'pickup/(look|link)', 'cabinets/[^/]+/pair'].map(
  (call) => new RegExp(`^POST /v1/${call}$`),
);
const isChange = (line: string) => !/^(GET|OPTIONS) /.test(line) && line.includes(' /v1/') && !HARMLESS.some((one) => one.test(line));

/**
 * Looks of one worker share what takes longer to make than to look at: a company, so each look is held to sending nothing that changes
 * it, and the page of a file, whose browser knows the scripts already. All files have this one `test`: for each other one Playwright
 * would start a worker and a browser anew, and the rows would be made anew too.
 */
export const test = journey.extend<
  { rows: Rows; isSignedIn: boolean; hasRows: boolean; shared: Shared },
  { sharedBy: (hasRows: boolean) => Promise<Shared>; last: { key?: string; page?: Page } }
>({
  isSignedIn: [true, { option: true }],
  /** A company with a row of everything, or one that has nothing yet. */
  hasRows: [true, { option: true }],
  sharedBy: [
    async ({ hatchway: { origin, ...where } }, use) => {
      const make = async (hasRows: boolean): Promise<Shared> => {
        const company = await makeCompany({ origin, ...where });
        const rows = hasRows ? await rowsOf(company, origin) : {};
        const cookies = await signedIn(origin, { email: company.admin.email, password: company.password });
        return { company, rows, cookies: cookies.map((cookie) => ({ ...cookie, domain: new URL(origin).hostname })) };
      };
      const made = new Map<boolean, Shared>();
      await use(async (hasRows) => {
        const shared = made.get(hasRows) ?? (await make(hasRows));
        made.set(hasRows, shared);
        return shared;
      });
      for (const { company } of made.values()) await company.remove();
    },
    { scope: 'worker' },
  ],
  last: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const last: { page?: Page } = {};
      await use(last);
      await last.page?.context().close();
    },
    { scope: 'worker' },
  ],
  shared: async ({ sharedBy, hasRows }, use) => use(await sharedBy(hasRows)),
  company: async ({ shared }, use) => use(shared.company),
  rows: async ({ shared }, use) => use(shared.rows),
  page: async ({ browser, baseURL, locale, colorScheme, viewport, shared, last, isSignedIn }, use, { file }) => {
    // what a file routes of the network may outlast a test, and is no other file's
    const key = JSON.stringify([file, locale]);
    if (last.page === undefined || last.key !== key) {
      await last.page?.context().close();
      const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
      Object.assign(last, { key, page: await context.newPage() });
    }
    const page = last.page;
    if (page === undefined) throw new Error('There is no page.');
    await page.context().clearCookies();
    if (isSignedIn) await page.context().addCookies(shared.cookies);
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
    // an address that differs by its # alone would not be loaded anew
    await page.goto('about:blank');
    expect.soft(changes, 'what all looks share is left as it was').toEqual([]);
    expect(heard).toEqual([]);
  },
});
