import type { Page } from '@playwright/test';
import type { OwnCompany } from '../company.ts';
import { expect, test } from '../journey.ts';
import { at, framesOf, told } from './frames.ts';

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

/** Doors that change all the while, as in a busy hall: some twenty a second. */
function busyHall({ admin: { api } }: OwnCompany, ids: readonly string[]) {
  const hall = { changes: 0, open: true };
  const run = async () => {
    while (hall.open) {
      const id = ids[(hall.changes * 37) % ids.length] ?? '';
      const body = hall.changes % 2 === 0 ? ({ outOfService: true, reason: 'Measured' } as const) : ({ outOfService: false } as const);
      await Promise.all([api('PUT /lockers/{id}/service', { params: { id }, body }), new Promise((resolve) => setTimeout(resolve, 50))]);
      hall.changes += 1;
    }
  };
  const ended = run();
  return {
    count: () => hall.changes,
    close: async () => {
      hall.open = false;
      await ended;
    },
  };
}

// The empty page is of the same run, the same browser and the same busy server: machines differ, ratios do not.
test('a wall of 5,000 doors scrolls and changes as smoothly as an empty page', async ({ page, company, enter }) => {
  test.setTimeout(300_000);
  const ids = await build(company);
  await enter(company.admin.email, '/portal/404');
  await expect(page.getByRole('main')).toBeVisible();
  const idle = await framesOf(page);
  const first = busyHall(company, ids);
  const empty = await framesOf(page);
  await first.close();

  await page.goto('/portal/services/lock-control');
  await wholeWall(page);
  const scrolled = await framesOf(page);
  const second = busyHall(company, ids);
  const live = await framesOf(page);
  const changes = second.count();
  await second.close();

  const ratio = { scrolled: at(scrolled, 0.95) / at(idle, 0.95), live: at(live, 0.95) / at(empty, 0.95) };
  console.log(
    [
      told('empty page', idle),
      told('empty page while doors change', empty),
      told('5,000 doors, scrolled', scrolled),
      told(`5,000 doors, scrolled during ${changes} live changes`, live),
      `p95 against the empty page's: scrolled ${ratio.scrolled.toFixed(2)}, with live changes ${ratio.live.toFixed(2)} (at most 2)`,
    ].join('\n'),
  );
  expect(changes).toBeGreaterThan(10);
  expect(ratio.scrolled).toBeLessThanOrEqual(2);
  expect(ratio.live).toBeLessThanOrEqual(2);
});
