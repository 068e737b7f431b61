import type { Page } from '@playwright/test';
import type { CallResult } from '@hatchway/contract/client.ts';
import type { OwnCompany } from '../company.ts';
import { expect, test } from '../journey.ts';
import { LIMIT, compared, framesOf, whileOthersChange } from './frames.ts';

const ROWS = 100_000;
/** As many as one file may bring. */
const AT_ONCE = 10_000;
const BOX = '[data-virtual]';

async function fill({ admin: { api } }: OwnCompany): Promise<void> {
  for (let from = 0; from < ROWS; from += AT_ONCE) {
    const rows = Array.from({ length: AT_ONCE }, (_, at) => `Thing ${String(from + at).padStart(6, '0')},X${from + at},red`);
    await api('POST /assets/import', { body: {}, file: new Blob([`name,externalId,colour\n${rows.join('\n')}`]) });
  }
}

/** Down to the last row, as somebody who holds the scroll bar: each page is fetched by its cursor. Then back to the middle. */
async function scrolledThrough(page: Page): Promise<void> {
  const box = page.locator(BOX);
  const last = page.getByRole('row', { name: `Thing 0${ROWS - 1}` });
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
  await expect(async () => {
    await box.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await expect(last).toBeVisible({ timeout: 20 });
  }).toPass({ intervals: [20], timeout: 480_000 });
  await box.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await expect(page.getByRole('row', { name: `Thing 0${ROWS / 2}` })).toBeVisible();
}

/** Somebody renames one thing after the other, over and over. */
const busyStore =
  ({ admin: { api } }: OwnCompany, things: Asset[]) =>
  async (n: number) => {
    const { _id, version } = things[n % things.length] ?? never();
    things[n % things.length] = await api('PUT /assets/{_id}', { params: { _id }, body: { name: `Renamed ${n}`, version } });
  };
type Asset = CallResult<'PUT /assets/{_id}'>;
const never = (): never => {
  throw new Error('No row is in sight.');
};

// The empty page is of the same run, the same browser and the same busy server.
test('a list of 100,000 rows scrolls and changes as smoothly as an empty page', async ({ page, company, enter }) => {
  test.setTimeout(900_000);
  const { api } = company.admin;
  await fill(company);
  await enter(company.admin.email, '/portal/404');
  await expect(page.getByRole('main')).toBeVisible();
  const elsewhere = await api('GET /assets', { query: { sort: 'name', limit: 20 } });
  const empty = {
    idle: (await framesOf(page)).sorted,
    busy: (await whileOthersChange(busyStore(company, elsewhere), () => framesOf(page))).found.sorted,
  };

  await page.goto('/portal/manage/assets?size=all');
  await scrolledThrough(page);
  const idle = await framesOf(page, BOX);
  expect(await page.locator('tr[data-row]').count()).toBeLessThan(100);
  // The hundred that the scroll comes by.
  const things = await api('GET /assets', { query: { q: { name: { $gte: `Thing 0${ROWS / 2}` } }, sort: 'name', limit: 100 } });
  expect(things).toHaveLength(100);
  const { found, changes } = await whileOthersChange(busyStore(company, things), () => framesOf(page, BOX));
  await expect(page.getByRole('row', { name: /Renamed \d+/ }).first()).toBeVisible();
  for (const { gone } of [idle, found]) expect(gone).toBeGreaterThan(5_000);
  const ratio = compared('100,000 rows', changes, empty, { idle: idle.sorted, busy: found.sorted });
  expect(changes).toBeGreaterThan(10);
  expect(ratio.scrolled).toBeLessThanOrEqual(LIMIT);
  expect(ratio.live).toBeLessThanOrEqual(LIMIT);
});
