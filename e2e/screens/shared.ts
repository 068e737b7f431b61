import { signedIn } from '@hatchway/dev/person.ts';
import type { Page } from '@playwright/test';
import { makeCompany, type OwnCompany } from '../company.ts';
import { expect, test as journey } from '../journey.ts';
import { complaints } from './look.ts';

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
 * it, and a page, whose browser knows the scripts already. `fill` makes the company's rows and answers their ids.
 */
export const sharing = (fill: (company: OwnCompany, origin: string) => Promise<Rows>) =>
  journey.extend<{ rows: Rows; isSignedIn: boolean }, { shared: Shared; last: { locale?: string | undefined; page?: Page } }>({
    isSignedIn: [true, { option: true }],
    shared: [
      async ({ hatchway: { origin, ...where } }, use) => {
        const company = await makeCompany({ origin, ...where });
        const rows = await fill(company, origin);
        const cookies = await signedIn(origin, { email: company.admin.email, password: company.password });
        await use({ company, rows, cookies: cookies.map((cookie) => ({ ...cookie, domain: new URL(origin).hostname })) });
        await company.remove();
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
    company: async ({ shared }, use) => use(shared.company),
    rows: async ({ shared }, use) => use(shared.rows),
    page: async ({ browser, baseURL, locale, colorScheme, viewport, shared, last, isSignedIn }, use) => {
      if (last.page === undefined || last.locale !== locale) {
        await last.page?.context().close();
        const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
        Object.assign(last, { locale, page: await context.newPage() });
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
