import type { Page } from '@playwright/test';
import type { OwnCompany } from '../company.ts';
import { expect, test } from '../journey.ts';
import { LIMIT, compared, framesOf, whileOthersChange } from './frames.ts';

const CABINETS = 10;
const COLUMNS = 50;
const DOORS = 10;

/** 5,000 doors in ten cabinets, as a large site has them. */
async function build({ admin: { api } }: OwnCompany): Promise<string[]> {
  const site = await api('POST /sites', { body: { name: 'A large site' } });
  const ids: string[] = [];
  for (let cabinet = 0; cabinet < CABINETS; cabinet++) {
    const columns = Array.from({ length: COLUMNS }, (_, column) => ({
      width: 450,
      doors: Array.from({ length: DOORS }, (__, row) => {
        const compartment = column * DOORS + row + 1;
        return { doorTag: `${'ABCDEFGHIJ'[cabinet]}${String(compartment).padStart(3, '0')}`, compartment, size: 'M' as const, height: 180 };
      }),
    }));
    const made = await api('POST /cabinets', { body: { siteId: site.id, name: `Wall ${cabinet + 1}`, columns } });
    ids.push(...made.columns.flatMap(({ doors }) => doors.map((door) => door.lockerId)));
  }
  return ids;
}

const wholeWall = async (page: Page): Promise<void> => {
  await expect(page.locator('[data-door]').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('[data-column]')).toHaveCount(CABINETS * COLUMNS, { timeout: 60_000 });
};

/** As in a busy hall: door after door changes how it looks, all over the wall; and which did so far. */
const busyHall = ({ admin: { api } }: OwnCompany, ids: readonly string[]) => {
  const changed: string[] = [];
  const change = async (): Promise<void> => {
    const id = ids[(changed.length * 37) % ids.length] ?? '';
    await api('PUT /lockers/{id}/service', { params: { id }, body: { outOfService: true, reason: 'Measured' } });
    changed.push(id);
  };
  return { changed, change };
};

// The empty page is of the same run, the same browser and the same busy server.
test('a wall of 5,000 doors scrolls and changes as smoothly as an empty page', async ({ page, company, enter }) => {
  test.setTimeout(300_000);
  const ids = await build(company);
  const hall = busyHall(company, ids);
  const busy = () => whileOthersChange(hall.change, () => framesOf(page));
  await enter(company.admin.email, '/portal/404');
  await expect(page.getByRole('main')).toBeVisible();
  const empty = { idle: await framesOf(page), busy: (await busy()).found };

  await page.goto('/portal/services/lock-control');
  await wholeWall(page);
  const idle = await framesOf(page);
  const before = hall.changed.length;
  const { found, changes } = await busy();
  // Of the doors that changed meanwhile, those that are drawn show it.
  const drawn = page.locator(
    hall.changed
      .slice(before)
      .map((id) => `[data-door="${id}"]`)
      .join(),
  );
  await expect
    .poll(() => drawn.evaluateAll((doors) => [...new Set(doors.map((door) => door.dataset['look']))]))
    .toEqual(['out-of-service']);
  for (const { gone } of [idle, found]) expect(gone).toBeGreaterThan(5_000);
  const ratio = compared('5,000 doors', changes, empty, { idle, busy: found });
  expect(changes).toBeGreaterThan(10);
  expect(ratio.scrolled).toBeLessThanOrEqual(LIMIT);
  expect(ratio.live).toBeLessThanOrEqual(LIMIT);
});
