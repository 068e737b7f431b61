import { expect, test } from '../journey.ts';

// shows R2.6, R2.20
test('an administrator makes, changes and deletes an asset group', async ({ page, company, act, say, enter }) => {
  const { api } = company.admin;
  await enter(company.admin.email, '/portal/manage');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  await test.step('there is none yet', async () => {
    const tile = (name: string) => page.getByRole('main').getByRole('link', { name });
    await expect(tile(say('accessLinks'))).toHaveAttribute('href', /\/manage\/links$/);
    await act.press(tile(say('assetGroups')));
    await expect(page.getByRole('heading', { level: 1, name: say('assetGroups') })).toBeVisible();
    await expect(page.getByRole('heading', { level: 2, name: say('noAssetGroup') })).toBeVisible();
  });

  await test.step('one without a name is none; one with is listed', async () => {
    await act.press(button(say('newAssetGroup')).first());
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog.getByText(say('nameNeeded'))).toBeVisible();
    await act.write(dialog.getByLabel(say('name')), 'Tools');
    await dialog.getByLabel(say('description')).fill('What drills and saws');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(row('Tools')).toContainText('What drills and saws');
  });

  await test.step('its count follows its assets without reloading', async () => {
    const [group] = await api('GET /asset-groups');
    for (const name of ['Drill', 'Saw']) await api('POST /assets', { body: { name, assetGroupIds: [group?.id ?? ''] } });
    await expect(row('Tools').getByRole('cell', { name: '2', exact: true })).toBeVisible();
  });

  await test.step('a name that is taken is refused, and what was typed stays', async () => {
    await api('POST /asset-groups', { body: { name: 'Keys', description: 'Of every car' } });
    await act.press(button(say('changeThis', { name: 'Tools' })));
    await dialog.getByLabel(say('name')).fill('keys');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog.getByText(say('nameTaken'))).toBeVisible();
    await dialog.getByLabel(say('name')).fill('Power tools');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(row('Power tools')).toBeVisible();
  });

  await test.step('deleting names it, can be left, and keeps the assets', async () => {
    await act.press(button(say('deleteThis', { name: 'Power tools' })));
    await expect(dialog).toContainText(say('deleteThisAsked', { name: 'Power tools' }));
    await act.press(dialog.getByRole('button', { name: say('cancel'), exact: true }));
    await expect(row('Power tools')).toBeVisible();
    await act.press(button(say('deleteThis', { name: 'Power tools' })));
    await act.press(dialog.getByRole('button', { name: say('delete'), exact: true }));
    await expect(row('Power tools')).toBeHidden();
    await expect(row('Keys')).toBeVisible();
    expect((await api('GET /assets')).map((asset) => asset.assetGroupIds)).toEqual([[], []]);
  });

  await test.step('one is found by a word of its description, and the address says so', async () => {
    for (const name of ['Ladders', 'Lamps']) await api('POST /asset-groups', { body: { name, description: 'What hangs high' } });
    await expect(row('Lamps')).toBeVisible();
    await page.getByRole('main').getByRole('searchbox').fill('car');
    await expect(row('Lamps')).toHaveCount(0);
    await expect(row('Keys')).toBeVisible();
    await expect(page).toHaveURL(/find=car/);
    await act.press(button(say('clear')));
    await expect(row('Lamps')).toBeVisible();
    await expect(page.getByRole('main').getByRole('searchbox')).toBeFocused();
  });

  await test.step('several are deleted at once', async () => {
    for (const name of ['Keys', 'Ladders']) await page.getByRole('checkbox', { name: say('selectThis', { name }), exact: true }).check();
    await act.press(button(say('delete')));
    await act.press(dialog.getByRole('button', { name: say('delete'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(row('Lamps')).toBeVisible();
    for (const name of ['Keys', 'Ladders']) await expect(row(name)).toHaveCount(0);
    expect((await api('GET /asset-groups')).map(({ name }) => name)).toEqual(['Lamps']);
  });
});
