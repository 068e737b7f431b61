import type { Page } from '@playwright/test';
import type { CallResult } from '@hatchway/contract/client.ts';
import { ownerUrlOf } from '@hatchway/dev/bench-rows.ts';
import { fill } from '@hatchway/dev/long-lists.ts';
import type { OwnCompany } from '../company.ts';
import { expect, test } from '../journey.ts';
import { type Frames, LIMIT, type Measured, compared, framesOf, whileOthersChange } from './frames.ts';

const ROWS = 100_000;
const BOX = '[data-virtual]';
const ROW_HEIGHT = 44;
const six = (n: number): string => String(n).padStart(6, '0');

const heightOf = (page: Page): Promise<number> => page.locator(BOX).evaluate((element) => element.scrollHeight);
const to = (page: Page, part: number): Promise<void> =>
  page.locator(BOX).evaluate((element, at) => void (element.scrollTop = element.scrollHeight * at), part);

/** Runs in the page: to the end of the list, over and over, until its last row is drawn. */
const toTheLast = (text: string): string => `(async () => {
  const box = document.querySelector(${JSON.stringify(BOX)});
  while (!box.textContent.includes(${JSON.stringify(text)})) {
    box.scrollTop = box.scrollHeight;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
})()`;

/** Down to the last row, as somebody who holds the scroll bar: each page is fetched by its cursor. Then back to the middle. */
async function scrolledThrough(page: Page, nameOf: (n: number) => string): Promise<void> {
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
  expect(await heightOf(page)).toBeLessThan(ROW_HEIGHT * 1_000);
  await page.evaluate(toTheLast(nameOf(ROWS - 1)));
  expect(await heightOf(page)).toBeGreaterThanOrEqual(ROW_HEIGHT * ROWS);
  await to(page, 0.5);
  // What happened meanwhile stands above it in a history.
  const drawn = async () => Number(/\d{6}/.exec(await page.locator('tr[data-row]').first().innerText())?.[0]);
  await expect.poll(async () => Math.abs((await drawn()) - ROWS / 2)).toBeLessThan(500);
  expect(await page.locator('tr[data-row]').count()).toBeLessThan(100);
}

/** Whoever changes one row after the other, over and over, and what each was changed to last. */
type Busy = { change: (n: number) => Promise<void>; last: Map<string, string> };
const busy = <R extends { version: number }>(rows: R[], idOf: (row: R) => string, rename: (row: R, name: string) => Promise<R>): Busy => {
  const last = new Map<string, string>();
  return {
    last,
    change: async (n) => {
      const row = rows[n % rows.length];
      if (row === undefined) throw new Error('No row is in sight.');
      rows[n % rows.length] = await rename(row, `Renamed ${n}`);
      last.set(idOf(row), `Renamed ${n}`);
    },
  };
};
const busyStore = ({ admin: { api } }: OwnCompany, things: CallResult<'GET /assets'>): Busy =>
  busy(
    things,
    (thing) => thing._id,
    ({ _id, version }, name) => api('PUT /assets/{_id}', { params: { _id }, body: { name, version } }),
  );
const busyCounter = ({ admin: { api } }: OwnCompany, uses: CallResult<'GET /occupations'>): Busy =>
  busy(
    uses,
    (use) => use.id,
    ({ id, version }, name) =>
      api('PUT /occupations/{id}', { params: { id }, body: { version, receiver: { name, email: 'kari@speed.test' } } }),
  );

/** Of the rows that were changed those that are drawn say it, and some are drawn. */
async function drawn(page: Page, { last }: Busy): Promise<void> {
  const wrong = () =>
    page.locator('tr[data-row]').evaluateAll((rows, known) => {
      const changed = rows.filter((row) => known[row.dataset['row'] ?? ''] !== undefined);
      const old = changed.filter((row) => !row.textContent.includes(known[row.dataset['row'] ?? ''] ?? '')).map((row) => row.textContent);
      return changed.length === 0 ? ['None of those that are drawn was changed.'] : old;
    }, Object.fromEntries(last));
  await expect.poll(wrong).toEqual([]);
}

type Company = { page: Page; company: OwnCompany; enter: (email: string, path?: string) => Promise<void> };
/** An empty page of the same run, in the same browser, of the same busy server. */
async function emptyPage({ page, company, enter }: Company, others: Busy): Promise<Frames> {
  await enter(company.admin.email, '/portal/404');
  await expect(page.getByRole('main')).toBeVisible();
  const idle = await framesOf(page);
  return { idle, busy: (await whileOthersChange(others.change, () => framesOf(page))).found };
}
function expectSmooth(name: string, changes: number, empty: Frames, idle: Measured, live: Measured): void {
  const ratio = compared(name, changes, empty, { idle, busy: live });
  for (const { gone } of [idle, live]) expect(gone).toBeGreaterThan(5_000);
  expect(changes).toBeGreaterThan(10);
  expect(ratio.scrolled).toBeLessThanOrEqual(LIMIT);
  expect(ratio.live).toBeLessThanOrEqual(LIMIT);
}

test.describe('a list of 100,000 rows scrolls and changes as smoothly as an empty page', () => {
  test.beforeEach(() => test.setTimeout(900_000));

  test('of assets', async ({ page, company, enter, hatchway }) => {
    const { api } = company.admin;
    await fill(ownerUrlOf(hatchway.folder), company.id, 'assets', ROWS);
    const empty = await emptyPage(
      { page, company, enter },
      busyStore(company, await api('GET /assets', { query: { sort: 'name', limit: 20 } })),
    );

    await page.goto('/portal/manage/assets?size=all');
    await scrolledThrough(page, (n) => `Thing ${six(n)}`);
    const idle = await framesOf(page, BOX);
    // The hundred that the scroll comes by.
    const others = busyStore(
      company,
      await api('GET /assets', { query: { q: { name: { $gte: `Thing ${six(ROWS / 2)}` } }, sort: 'name', limit: 100 } }),
    );
    const { found, changes } = await whileOthersChange(others.change, () => framesOf(page, BOX));
    await drawn(page, others);
    expectSmooth('100,000 assets', changes, empty, idle, found);
  });

  test('of occupations, with their badges', async ({ page, company, enter, hatchway }) => {
    const { api } = company.admin;
    const site = await api('POST /sites', { body: { name: 'A site' } });
    const columns = Array.from({ length: 5 }, (_, column) => ({
      width: 450,
      doors: Array.from({ length: 100 }, (__, at) => {
        const compartment = column * 100 + at + 1;
        return { doorTag: `A${compartment}`, compartment, size: 'M' as const, height: 180 };
      }),
    }));
    await api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns } });
    await fill(ownerUrlOf(hatchway.folder), company.id, 'occupations', ROWS);
    const running = { stage: { $lt: 98 } };
    const elsewhere = await api('GET /occupations', { query: { q: running, sort: 'createdAt', limit: 20 } });
    const empty = await emptyPage({ page, company, enter }, busyCounter(company, elsewhere));

    await page.goto('/portal/manage/occupations?view=all&size=all');
    await scrolledThrough(page, (n) => `Person ${six(n)}`);
    const idle = await framesOf(page, BOX);
    for (const badge of ['Overdue', 'Ready', 'Check and publish']) await expect(page.locator(BOX).getByText(badge).first()).toBeVisible();
    // The hundred that the scroll comes by.
    const middle = await api('GET /occupations', { query: { q: { ...running, $text: six(ROWS / 2) } } });
    const things = await api('GET /occupations', {
      query: { q: { ...running, createdAt: { $lte: middle[0]?.createdAt ?? '' } }, sort: '-createdAt', limit: 100 },
    });
    const others = busyCounter(company, things);
    const { found, changes } = await whileOthersChange(others.change, () => framesOf(page, BOX));
    await drawn(page, others);
    expectSmooth('100,000 occupations', changes, empty, idle, found);
  });

  test('of history', async ({ page, company, enter, hatchway }) => {
    const { api } = company.admin;
    const site = await api('POST /sites', { body: { name: 'A site' } });
    const columns = [{ width: 450, doors: [{ doorTag: 'A1', compartment: 1, size: 'M' as const, height: 180 }] }];
    const cabinet = await api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns } });
    const id = cabinet.columns[0]?.doors[0]?.lockerId ?? '';
    await fill(ownerUrlOf(hatchway.folder), company.id, 'history', ROWS);
    // Each takes the door from use with another reason: an event that says it.
    let newest = '';
    const change = async (n: number) => {
      await api('PUT /lockers/{id}/service', { params: { id }, body: { outOfService: true, reason: `Measured ${n}` } });
      newest = `Measured ${n}`;
    };
    const others: Busy = { change, last: new Map() };
    const empty = await emptyPage({ page, company, enter }, others);

    await page.goto('/portal/history?size=all');
    await scrolledThrough(page, (n) => `D${six(n)}`);
    const idle = await framesOf(page, BOX);
    const deep = await whileOthersChange(change, () => framesOf(page, BOX));
    // What happens comes in at the top: whoever comes back there sees it, and goes on seeing what comes.
    await to(page, 0);
    const top = page.locator('tr[data-row]').first();
    await expect(top).toContainText(newest);
    const short = await heightOf(page);
    await page.locator(BOX).evaluate((element) => void (element.scrollTop = 3_000));
    const begin = await whileOthersChange(change, () => framesOf(page, BOX));
    expect(await heightOf(page)).toBeGreaterThan(short + 100 * ROW_HEIGHT);
    await to(page, 0);
    await expect(top).toContainText(newest);
    expectSmooth('100,000 events', deep.changes, empty, idle, deep.found);
    expectSmooth('the newest of 100,000 events', begin.changes, empty, idle, begin.found);
  });
});
