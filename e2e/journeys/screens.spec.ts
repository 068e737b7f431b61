import { expect, test } from '../journey.ts';

// shows R1.11, R1.12, R1.13, R2.5
test('what the dashboard draws, and each of its figures, leads to the list of what it counts, by mouse and by keyboard', async ({
  page,
  company,
  enter,
  go,
}) => {
  const { lockers, virtual } = await company.cabinet({ doors: 4 });
  const { api } = company.admin;
  await api('PUT /lockers/{id}/service', { params: { id: lockers[1]?.id ?? '' }, body: { outOfService: true, reason: 'hinge' } });
  const { id } = await api('POST /occupations/delivery', {
    body: { lockerId: lockers[0]?.id ?? '', assetText: 'Parcel', receiver: { name: 'Ingrid Solberg', email: 'i@e2e.test' }, fill: true },
  });
  await enter(company.admin.email);
  const main = page.getByRole('main');
  const dashboard = async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  };
  await test.step('each service has its words, and their rows are full', async () => {
    const services = main.getByRole('region', { name: 'Services', exact: true });
    await expect(services.getByRole('link')).toHaveCount(10);
    for (const [name, words, path] of [
      ['Delivery', 'Put packages in a locker for delivery', '/portal/services/delivery'],
      ['Self-service', 'An integration with the external tool TCM', '/portal/services/selfservice'],
      ['Lock control', 'Open or lock a lock', '/portal/services/lock-control'],
    ] as const) {
      const link = services.getByRole('link', { name: new RegExp(`^${name}`) });
      await expect(link).toContainText(words);
      await expect(link).toHaveAttribute('href', path);
    }
    const full = () =>
      services.locator('> div').evaluateAll((all) =>
        all.map((one) => {
          const [row, last] = [one, one.lastElementChild ?? one].map((part) => Math.round(part.getBoundingClientRect().right));
          return row === last;
        }),
      );
    await expect.poll(full).toEqual([true, true]);
    // in one order of size: those of a row are of one width, and none is wider than those above it
    const widths = await services
      .locator('> div')
      .evaluateAll((all) =>
        all.map((one) => [...new Set([...one.children].map((tile) => Math.round(tile.getBoundingClientRect().width)))]),
      );
    expect(widths.map(({ length }) => length)).toEqual([1, 1]);
    expect(widths[0]?.[0]).toBeGreaterThan(widths[1]?.[0] ?? 0);
  });
  await test.step('a size, part by part', async () => {
    await expect(main.getByRole('region', { name: 'Lockers', exact: true }).getByText('2 of 4 free')).toBeVisible();
    await main.getByRole('link', { name: 'M: In use 1' }).click();
    await expect(page).toHaveURL(/lock-control\?show=in-use&size=M$/);
    await expect(main.locator('[data-door]:not([data-faint])')).toHaveCount(1);
    await main.getByRole('combobox', { name: 'Size' }).selectOption('XL');
    await expect(main.locator('[data-door]:not([data-faint])')).toHaveCount(0);
  });
  await test.step('a day, by its bar and in the table', async () => {
    await dashboard();
    const chart = main.getByRole('figure').first();
    await chart.locator('svg a').first().click();
    await expect(page).toHaveURL(/history\?kind=occupation_filled&from=([\d-]+)&to=\1$/);
    await expect(
      main
        .getByRole('listitem')
        .or(main.getByRole('row'))
        .filter({ hasText: lockers[0]?.doorTag ?? '' })
        .first(),
    ).toBeVisible();
    await dashboard();
    await chart.locator('summary').press('Enter');
    await expect(chart.getByRole('columnheader')).toHaveText(['Day', 'Filled', 'Fetched or ended']);
    await chart.getByRole('link', { name: /^Filled 1, / }).press('Enter');
    await expect(page).toHaveURL(/history\?kind=occupation_filled&from=([\d-]+)&to=\1$/);
  });
  await test.step('a door as it is typed, and days that are the wrong way round', async () => {
    await main.getByRole('textbox', { name: 'Door tag' }).fill(lockers[0]?.doorTag ?? '');
    await expect(page).toHaveURL(new RegExp(`door=.*${lockers[0]?.doorTag}`));
    const to = main.getByRole('textbox', { name: 'To date', exact: true });
    await to.fill('01.01.2020');
    await to.press('Tab');
    await expect(page).toHaveURL(/to=2020-01-01/);
    await expect(main.getByRole('heading', { name: 'The end is before the start.' })).toBeVisible();
    await expect(main.getByRole('alert').filter({ hasText: 'The end is before the start.' })).toBeVisible();
    await expect(main.getByText('Nothing matches')).toHaveCount(0);
  });
  await test.step('what a service started', async () => {
    await dashboard();
    await main.getByRole('link', { name: 'Started 1, Delivery' }).click();
    await expect(page).toHaveURL(/occupations\?service=delivery&view=all&from=[\d-]+$/);
    await expect(
      main
        .locator(`tr[data-row="${id}"]`)
        .or(main.getByRole('row').filter({ hasText: 'Ingrid Solberg' }))
        .first(),
    ).toBeVisible();
  });
  await test.step('each figure', async () => {
    await dashboard();
    for (const [figure, path] of [
      [/^Doors open\s*0/, '/services/lock-control?show=open'],
      [/^Overdue\s*0/, '/manage/occupations?view=overdue'],
      [/^Cabinets offline\s*0/, '/services/lock-control?show=offline'],
      [/^Filled today\s*1/, '/history?kind=occupation_filled&from='],
      [/^Fetched or ended today\s*0/, '/history?kind=occupation_claimed&from='],
      [/^Due today\s*0/, '/manage/occupations?view=due&sort=deadline'],
      [/^Free\s*2/, '/services/lock-control?show=free'],
      [/^In use\s*1/, '/services/lock-control?show=in-use'],
      [/^To be checked\s*0/, '/manage/lockers?view=doubt'],
      [/^Out of service\s*1/, '/services/lock-control?show=out-of-service'],
    ] as const) {
      const href = await main.getByRole('link', { name: figure }).getAttribute('href');
      expect([String(figure), href?.startsWith(`/portal${path}`), href]).toEqual([String(figure), true, href]);
    }
    await main.getByRole('link', { name: /^Out of service/ }).click();
    await expect(main.locator('[data-door]:not([data-faint])')).toHaveCount(1);
    // a word that is none of ours narrows nothing
    await go('/services/lock-control?show=nonsense');
    await expect(main.locator('[data-door]:not([data-faint])')).toHaveCount(4);
  });
  await test.step('to be checked and not ready are told apart by how they are filled, not by a shade alone', async () => {
    await api('PUT /lockers/{id}/content', { params: { id: lockers[2]?.id ?? '' }, body: { content: 'occupied' } });
    await virtual.act({ do: 'network', on: false });
    await dashboard();
    for (const [word, pattern] of [
      ['To be checked', /^repeating-linear-gradient/],
      ['Not ready', /^radial-gradient/],
    ] as const) {
      await expect(main.getByRole('link', { name: `M: ${word} 1`, exact: true })).toHaveCSS('background-image', pattern);
      const state = main.getByRole('link', { name: `${word} 1`, exact: true }).locator('[data-state]');
      await expect(state).toHaveCSS('background-image', pattern);
    }
  });
});

// shows R2.7, R2.8, R2.44, R8.8, R8.9, R8.10
test('each area of Manage has its figure or says that it has none, and leads to a list with rows per page, and that to its row; groups that cannot be listed are said to be so, and what fails on one of them reaches its form; what is due today is named on a phone', async ({
  page,
  company,
  enter,
  say,
  go,
}) => {
  const { lockers } = await company.wall({ doors: 2 });
  const { api } = company.admin;
  const { _id } = await api('POST /assets', { body: { name: 'Cordless drill' } });
  // a company where it is noon now: four hours on it is still today, and not yet past
  const at = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format();
  const timeZone = Intl.supportedValuesOf('timeZone').find((zone) => at(zone) === '12');
  if (timeZone === undefined) throw new Error('It is noon nowhere.');
  const params = { tenant: company.id };
  const { version: seen } = await api('GET /companies/{tenant}', { params });
  await api('PUT /companies/{tenant}', { params, body: { version: seen, timeZone } });
  let answer: 'waits' | 'fails' | 'counts' = 'waits';
  let held = Promise.withResolvers<void>();
  await page.route(/\/v1\/assets\?/, async (route) => {
    if (answer === 'waits') await held.promise;
    await (answer !== 'fails' ? route.continue() : route.fulfill({ status: 403, json: {} }));
  });
  await enter(company.admin.email, '/portal/manage');
  const area = (name: string) =>
    page
      .getByRole('main')
      .getByRole('link')
      .filter({ has: page.getByRole('heading', { name, exact: true }) });
  await expect(area('Users')).toContainText('1 in all');
  await expect(area('Locker builder')).toContainText('2 lockers');
  await expect(area('Assets').locator('[data-skeleton]')).toBeVisible();
  answer = 'fails';
  held.resolve();
  await expect(area('Assets')).toContainText('Could not count');
  answer = 'counts';
  await page.getByRole('alert').getByRole('button').click();
  await expect(area('Assets')).toContainText('1 in all');
  await expect(page.getByRole('alert')).toBeHidden();

  answer = 'waits';
  held = Promise.withResolvers<void>();
  await area('Assets').click();
  // drawn before its place is known, the foot of the list would jump
  await expect(page.locator('tbody[aria-busy=true]')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Loading …' })).toBeAttached();
  await expect(page.getByText(say('table.rowsPerPage'), { exact: true })).toHaveCount(0);
  held.resolve();
  await expect(page.getByText(say('table.rowsPerPage'), { exact: true })).toBeVisible();
  await page
    .getByRole('link', { name: /Cordless drill/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/portal/manage/assets/${_id}`));
  await expect(page.getByRole('heading', { level: 1, name: 'Cordless drill' })).toBeVisible();

  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  const gone = { status: 403, contentType: 'application/problem+json', body: JSON.stringify({ type: 'about:blank', title: 'x', status: 403, code: 'forbidden' }) }; // prettier-ignore
  await page.route('**/v1/groups?*', (route) => route.fulfill(gone));
  await go('/iam/groups');
  const main = page.getByRole('main');
  const again = main.getByRole('button', { name: /try again/i });
  await expect(again).toBeVisible();
  await expect(main.getByText('No group yet')).toHaveCount(0);
  await page.unroute('**/v1/groups?*');
  await again.click();
  await expect(main.getByText('No group yet')).toBeVisible();
  await expect.poll(() => logged.some((text) => text.includes('GET /groups'))).toBe(true);
  await page.route('**/v1/groups', (route) => route.fulfill(gone));
  await main.getByRole('button', { name: 'New group' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Crew');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form.getByRole('alert')).toBeVisible();
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Crew');
  await expect.poll(() => logged.some((text) => text.includes('POST /groups: API Error: '))).toBe(true);

  const { id } = await api('POST /occupations/delivery', {
    body: { lockerId: lockers[0]?.id ?? '', assetText: 'Parcel', receiver: { name: 'Ingrid Solberg', email: 'i@e2e.test' }, fill: true },
  });
  const { version } = await api('PUT /occupations', { body: { id, action: 'publish' } });
  await api('PUT /occupations/{id}', { params: { id }, body: { version, pickupBy: new Date(Date.now() + 4 * 3_600_000).toISOString() } });
  await page.setViewportSize({ width: 390, height: 844 });
  await go('/manage/occupations?view=due&sort=deadline');
  await expect(page.getByText(/^Due for pick-up or return today/)).toBeInViewport();
  await expect(page.getByRole('columnheader', { name: 'Deadline' })).toBeInViewport({ ratio: 1 });
});
