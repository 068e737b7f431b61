import { expect, test } from '../journey.ts';

// shows R1.3, R2.23, R7.70, R7.71, R7.73, R7.74, R7.84
test('an administrator grants, sees who opens what and why, and withdraws; of two at one permission none undoes the other', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const wall = await company.wall({ doors: 3 });
  const { api } = company.admin;
  const crew = await api('POST /groups', { body: { name: 'Crew' } });
  const person = await company.person([], 'Selma Scoped');
  const [account] = await api('GET /accounts', { query: { q: { email: person.email } } });
  await api('POST /groups/{id}/members/{userId}', { params: { id: crew.id, userId: account?.id ?? '' }, body: {} });
  const [door] = wall.lockers;
  const policy = { name: 'Tools for the crew', ref: company.ref('tools'), services: ['lending' as const], groupIds: [crew.id] };
  const offer = await api('POST /policies', { body: policy });
  const offered = await api('POST /occupations', { body: { type: 'lending', assetText: 'Drill', lockerId: door?.id ?? '' } });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id: offered.id, action } });
  const byOffer = say('byOffer', { policies: 'Tools for the crew' });
  await enter(company.admin.email, '/portal/admin/permissions');
  const dialog = page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await test.step('there is none; one without a name is none', async () => {
    await expect(page.getByRole('heading', { level: 2, name: say('noPermission') })).toBeVisible();
    await act.press(button(say('newPermission')).first());
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog.getByText(say('nameNeeded'))).toBeInViewport();
    await expect(dialog.getByLabel(say('name'), { exact: true })).toBeFocused();
  });

  await test.step('a scope on a whole wall for a group is granted in one go', async () => {
    await dialog.getByLabel(say('name'), { exact: true }).fill('Doors of the hall');
    await act.press(dialog.getByRole('checkbox', { name: say('scopeManage'), exact: true }));
    await act.write(dialog.getByRole('combobox', { name: say('groups') }), 'Crew');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await act.press(dialog.getByRole('checkbox', { name: say('wholeWall', { name: '', count: '3' }) }));
    await expect(dialog.getByText(say('lockersChosen', { count: '3' }))).toBeVisible();
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('row').filter({ hasText: 'Crew' })).toContainText('Doors of the hall');
    const [made] = await api('GET /permissions');
    expect(made).toMatchObject({ scopes: ['manage'], groups: [crew.id] });
    expect(made?.lockers.toSorted()).toEqual(wall.lockers.map(({ id }) => id).toSorted());
  });

  await test.step('who can open this door, and why; who may take what is offered there is named too, and by which policy', async () => {
    await go(`/admin/permissions?view=locker&locker=${door?.id}`);
    const answer = page.getByRole('region', { name: say('whoOpens', { tag: door?.doorTag ?? '' }) });
    const selma = answer.getByRole('listitem').filter({ hasText: 'Selma Scoped' });
    await expect(selma.filter({ hasText: 'Doors of the hall' }).first()).toBeVisible();
    await expect(selma.filter({ hasText: byOffer }).first()).toBeVisible();
    await expect(answer.getByRole('listitem').filter({ hasText: 'Ada Admin' }).first()).toContainText(
      say('permissions.why.role', { role: say('terms.role.admin') }),
    );
  });

  await test.step('what this person opens, and why', async () => {
    await go(`/admin/permissions?view=person&person=${account?.id}`);
    const answer = page.getByRole('region', { name: say('personOpens', { name: 'Selma Scoped' }) });
    for (const { doorTag } of wall.lockers) await expect(answer.getByText(doorTag, { exact: true }).first()).toBeVisible();
    await expect(answer).toContainText('Doors of the hall');
    await expect(answer).toContainText(byOffer);
    await api('DELETE /occupations/{id}', { params: { id: offered.id }, body: {} });
    await api('DELETE /policies/{_id}', { params: { _id: offer._id } });
  });

  await test.step('one is found by a word of its name, and the address says so', async () => {
    const yard = await api('POST /permissions', { body: { name: 'Gate of the yard', scopes: [], groups: [], lockers: [] } });
    await go('/admin/permissions?view=list');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await expect(row('Doors of the hall')).toBeVisible();
    await page.getByRole('main').getByRole('searchbox').fill('yard');
    await expect(row('Doors of the hall')).toHaveCount(0);
    await expect(row('Gate of the yard')).toBeVisible();
    await expect(page).toHaveURL(/find=yard/);
    await api('DELETE /permissions/{id}', { params: { id: yard.id } });
  });

  await test.step('withdrawing names it, and holds at once', async () => {
    await go('/admin/permissions?view=list');
    await act.press(button(say('withdrawThis', { name: 'Doors of the hall' })));
    await expect(dialog).toContainText(say('withdrawAsked', { name: 'Doors of the hall' }));
    await act.press(dialog.getByRole('button', { name: say('withdraw'), exact: true }));
    await expect(page.getByRole('heading', { level: 2, name: say('noPermission') })).toBeVisible();
    expect((await api('GET /permissions/explain', { query: { accountId: account?.id } })).openings).toEqual([]);
  });

  await test.step('several are withdrawn at once, each of them named', async () => {
    const granted = { scopes: ['delivery' as const], groups: [crew.id], lockers: [door?.id ?? ''] };
    for (const name of ['Hall', 'Yard']) await api('POST /permissions', { body: { name, ...granted } });
    for (const name of ['Hall', 'Yard']) await page.getByRole('checkbox', { name: say('selectThis', { name }), exact: true }).check();
    await act.press(button(say('withdraw')));
    for (const name of ['Hall', 'Yard']) await expect(dialog).toContainText(name);
    await act.press(dialog.getByRole('button', { name: say('withdraw'), exact: true }));
    await expect(page.getByRole('heading', { level: 2, name: say('noPermission') })).toBeVisible();
    expect(await api('GET /permissions')).toEqual([]);
  });

  // another administrator at the same permission: none undoes the other, and nothing typed is lost
  const granted = { groups: [crew.id], lockers: wall.lockers.map(({ id }) => id) };
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const made = await api('POST /permissions', { body: { name: 'Hall', scopes: ['manage', 'delivery'], ...granted } });
  await test.step('what another one grants appears without reloading', async () => {
    await expect(row('Hall')).toBeVisible();
  });

  await test.step('what they withdraw is seen in the open form, and not given back by it', async () => {
    await act.press(page.getByRole('button', { name: say('changeThis', { name: 'Hall' }), exact: true }));
    const manages = dialog.getByRole('checkbox', { name: say('scopeManage'), exact: true });
    await expect(manages).toBeChecked();
    await dialog.getByLabel(say('name'), { exact: true }).fill('Hall at night');
    await api('PUT /permissions/{id}', {
      params: { id: made.id },
      body: { name: 'Hall', scopes: ['delivery'], ...granted, version: made.version },
    });
    await expect(manages).not.toBeChecked();
    await act.press(inDialog(say('save')));
    await expect(dialog.getByRole('alert')).toContainText(say('staleSaid'));
    await expect(dialog.getByLabel(say('name'), { exact: true })).toHaveValue('Hall at night');
    expect(await api('GET /permissions/{id}', { params: { id: made.id } })).toMatchObject({ name: 'Hall', scopes: ['delivery'] });
  });

  await test.step('what another one withdraws is gone from the list', async () => {
    await act.press(inDialog(say('cancel')));
    await act.press(inDialog(say('leave')));
    await expect(row('Hall')).toBeVisible();
    await api('DELETE /permissions/{id}', { params: { id: made.id } });
    await expect(page.getByRole('heading', { level: 2, name: say('noPermission') })).toBeVisible();
  });
});

test('five lockers for a group are pointed at on the wall, and a row of them by its two ends @mouse', async ({
  page,
  company,
  act,
  say,
  enter,
  hands,
}) => {
  const wall = await company.wall({ doors: 8 });
  const { api } = company.admin;
  await enter(company.admin.email, '/portal/admin/permissions');
  const dialog = page.getByRole('dialog');
  const door = (at: number) => dialog.locator(`[data-door="${wall.lockers[at]?.id}"]`);
  await act.press(page.getByRole('button', { name: say('newPermission'), exact: true }).first());
  await dialog.getByLabel(say('name'), { exact: true }).fill('Doors of the hall');
  await act.press(door(0));
  await expect(door(0)).toHaveAttribute('aria-pressed', 'true');
  if (hands === 'mouse') await door(4).click({ modifiers: ['Shift'] });
  else for (const at of [1, 2, 3, 4]) await act.press(door(at));
  await expect(dialog.getByText(say('lockersChosen', { count: '5' }))).toBeVisible();
  await act.press(door(2));
  await expect(dialog.getByText(say('lockersChosen', { count: '4' }))).toBeVisible();
  // what is not looked for stands faint on the wall, and Enter chooses what is
  await dialog.getByLabel(say('permissions.findLockers')).fill(wall.lockers[7]?.doorTag ?? '');
  await page.keyboard.press('Enter');
  await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
  await expect(dialog).toBeHidden();
  const [made] = await api('GET /permissions');
  expect(made?.lockers.toSorted()).toEqual([0, 1, 3, 4, 7].flatMap((at) => wall.lockers[at]?.id ?? []).toSorted());
});
