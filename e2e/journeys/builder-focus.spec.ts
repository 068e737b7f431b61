import { expect, test } from '../journey.ts';

test('after a site is made or changed, the focus is where one pressed', async ({ page, company, act, say, enter }) => {
  await enter(company.admin.email, '/portal/manage/lockers');
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: say('save'), exact: true });
  const make = page.getByRole('button', { name: say('newSite'), exact: true });
  await expect(make).toHaveCount(2);
  // the one that goes with the first site
  await act.press(make.last());
  await act.write(dialog.getByLabel(say('name')), 'Depot');
  await act.press(save);
  await expect(dialog).toBeHidden();
  await expect(make).toHaveCount(1);
  await expect(make).toBeFocused();
  const change = page.getByRole('button', { name: say('changeThis', { name: 'Depot' }), exact: true });
  await act.press(change);
  await act.write(dialog.getByLabel(say('siteAddress'), { exact: true }), 'Storgata 1');
  await act.press(save);
  await expect(dialog).toBeHidden();
  await expect(change).toBeFocused();
  await act.press(page.getByRole('button', { name: say('newCabinetAt', { site: 'Depot' }), exact: true }));
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: say('newCabinetAt', { site: 'Depot' }), exact: true })).toBeFocused();
});
