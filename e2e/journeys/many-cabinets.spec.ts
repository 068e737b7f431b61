import { openButton, scan } from '../counter.ts';
import { expect, test } from '../services.ts';

/** One more than walls are read ahead. */
const OTHERS = 25;

// shows R2.15
test('of many cabinets the dashboard draws a few; the last is reached as the first is: by a link, a scan, a choice, and as the best fit', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const { api } = company.admin;
  const site = await api('POST /sites', { body: { name: 'A large hall' } });
  for (let at = 1; at <= OTHERS; at++) {
    const doors = [{ doorTag: `W${at}-1`, compartment: 1, size: 'M' as const, height: 300 }];
    await api('POST /cabinets', { body: { siteId: site.id, name: `Wall ${at}`, columns: [{ width: 450, doors }] } });
  }
  const last = await company.cabinet({ doors: 2 });
  const { version, name } = await api('GET /cabinets/{id}', { params: { id: last.id } });
  await api('PUT /cabinets/{id}', { params: { id: last.id }, body: { version, siteId: site.id } });
  const [first, second] = last.lockers;
  if (!first || !second) throw new Error('no lockers');
  const main = page.getByRole('main');
  const onWall = (lot: { id: string }) => main.locator(`[data-door="${lot.id}"]`);
  const some = main.getByText(say('someWalls', { shown: '24', total: String(OTHERS + 1) }));

  const walls = main.locator('a[href*="/services/lock-control?cabinet="]');
  await test.step('the dashboard draws a few, and the others once they are asked for', async () => {
    const asked = new Set<string>();
    page.on('request', (request) => {
      const id = /\/v1\/cabinets\/([^/]+)\/lockers/.exec(request.url())?.[1];
      if (id !== undefined) asked.add(id);
    });
    await enter(company.admin.email, '/portal/');
    await expect(walls.filter({ has: page.locator('[data-small-door]') })).toHaveCount(4);
    expect(asked.size).toBe(4);
    await act.press(main.getByRole('button', { name: say('dashboard.allWalls', { count: String(OTHERS + 1) }) }));
    await expect(walls).toHaveCount(OTHERS + 1);
    await walls.last().scrollIntoViewIfNeeded();
    await expect(walls.last().locator('[data-small-door]').first()).toBeVisible();
    await act.press(main.getByRole('button', { name: say('dashboard.fewWalls') }));
    await expect(walls).toHaveCount(4);
  });

  await test.step('not all walls are drawn, which is said; a search for its number brings its wall, and so does a scanned tag', async () => {
    await counter.go('/services/lock-control');
    const onlySome = async () => {
      await expect(some).toBeVisible();
      await expect(main.locator('[data-door]')).toHaveCount(24);
      await expect(onWall(second)).toHaveCount(0);
    };
    await onlySome();
    await main.getByRole('searchbox').fill(second.doorTag);
    await expect(onWall(second)).toBeVisible();
    await main.getByRole('searchbox').fill('');
    await onlySome();
    await scan(page, second.doorTag);
    await expect(onWall(second)).toBeVisible();
    await expect(main.getByRole('heading', { name: second.doorTag })).toBeVisible();
  });

  await test.step('a search for its name brings it, and every cabinet can be chosen', async () => {
    await counter.go(`/services/lock-control?find=${encodeURIComponent(name)}`);
    await expect(onWall(second)).toBeVisible();
    const choice = main.getByRole('combobox', { name: say('cabinet'), exact: true });
    await expect(choice.locator('option')).toHaveCount(OTHERS + 2);
    await choice.selectOption(last.id);
    await expect(page).toHaveURL(new RegExp(`cabinet=${last.id}`));
    await expect(onWall(second)).toBeVisible();
    await expect(main.locator('[data-door]')).toHaveCount(2);
    await expect(some).toHaveCount(0);
  });

  await test.step('where no wall that is read has a door to offer, the best fit is found on the one that has', async () => {
    await counter.go('/services/storage');
    await expect(openButton(page, say)).toHaveText(new RegExp(`${first.doorTag}|${second.doorTag}`));
  });

  await test.step('at the counter its door is taken by a scan', async () => {
    await counter.go('/services/delivery');
    await counter.field(say('asset')).fill('Parcel 25');
    await counter.next();
    await counter.person('Ingrid Solberg', '+4791234567');
    await counter.next();
    await expect(page.getByText(say('stepOf', { step: '3', total: '4' }))).toBeVisible();
    await scan(page, second.doorTag);
    await expect(page.getByText(say('chosen', { tag: second.doorTag }), { exact: true })).toBeVisible();
    await expect(onWall(second)).toBeVisible();
  });

  await test.step('a link to a door of it has it chosen', async () => {
    // loaded anew: nothing of it is known yet
    await page.goto(`/portal/services/lock-control?tag=${encodeURIComponent(first.doorTag)}`);
    await expect(onWall(first)).toBeVisible();
    await expect(main.getByRole('heading', { name: first.doorTag, exact: true })).toBeVisible();
    await expect(main.getByRole('button', { name: say('openIt'), exact: true })).toBeEnabled();
  });
});

test('where a place has no door free, a press leads to the cabinet elsewhere that has one', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const { api } = company.admin;
  const [full, other] = [await company.wall({ doors: 1 }), await company.cabinet({ doors: 1 })];
  const { name, siteName } = await api('GET /cabinets/{id}', { params: { id: other.id } });
  await api('PUT /lockers/{id}/service', { params: { id: full.lockers[0]?.id ?? '' }, body: { outOfService: true, reason: 'painted' } });
  await enter(company.admin.email, '/portal/services/delivery');
  await counter.field(say('asset')).fill('Parcel 26');
  await counter.next();
  await counter.person('Ingrid Solberg', '+4791234567');
  await counter.next();
  await expect(page.getByText(say('lockers.fit.none-free'))).toBeVisible();
  await act.press(page.getByRole('button', { name: say('occupations.locker.nextAt', { cabinet: name, site: siteName }), exact: true }));
  await expect(page.getByText(say('chosen', { tag: other.lockers[0]?.doorTag ?? '' }), { exact: true })).toBeVisible();
});
