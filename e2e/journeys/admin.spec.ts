import type { Locator } from '@playwright/test';
import { expect, test } from '../journey.ts';

// shows R2.21, R3.1
test('an administrator keeps the company, its settings, its alerts and its status labels', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const { api } = company.admin;
  const params = { tenant: company.id };
  const carried = await api('POST /statuslabels', { body: { name: 'Carried', type: 'pending' } });
  await api('POST /assets', { body: { name: 'Saw', statusLabelId: carried.id } });
  await enter(company.admin.email, '/portal/admin');
  const main = page.getByRole('main');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  /** On a phone the sections lie folded behind the one that is shown. */
  const openSection = async (name: string) => {
    const folded = main.getByRole('navigation').getByRole('button', { expanded: false });
    const section = main.getByRole('link', { name, exact: true });
    await expect(folded.or(section).filter({ visible: true }).first()).toBeVisible();
    if (await folded.isVisible()) await act.press(folded);
    await act.press(section);
  };

  await test.step('a company without a name is none, and the field is where one is led', async () => {
    const name = main.getByLabel(say('name'), { exact: true });
    await act.write(name, ' ');
    await act.press(button(say('save')));
    await expect(main.getByText(say('nameNeeded'))).toBeInViewport();
    await expect(name).toBeFocused();
    await act.press(button(say('cancel')));
  });

  await test.step('what was typed outlives somebody else’s save, which is said in sight of who saves', async () => {
    await main.getByLabel(say('city')).fill('Bergen');
    const { version } = await api('GET /companies/{tenant}', { params });
    await api('PUT /companies/{tenant}', { params, body: { version, orgNumber: '999888777' } });
    await act.press(button(say('save')));
    await expect(main.getByRole('alert')).toContainText(say('staleSaid'));
    await expect(main.getByRole('alert')).toBeInViewport();
    await expect(button(say('save'))).toBeFocused();
    await act.press(button(say('showNewer')));
    await act.press(button(say('bringBackMine')));
    await act.press(button(say('save')));
    await expect.poll(() => api('GET /companies/{tenant}', { params }).then((one) => [one.address.city, one.orgNumber])).toEqual(['Bergen', '999888777']); // prettier-ignore
  });

  await test.step('the menu stays, with the place where one is, also on the screens that have an address of their own', async () => {
    const menu = main.getByRole('navigation', { name: say('adminSections') });
    for (const [path, word] of [
      ['/iam/users', 'users'],
      ['/iam/groups', 'groups'],
      ['/iam/assetgroups', 'assetGroups'],
    ] as const) {
      await go(path);
      await expect(menu.locator('[aria-current="page"]')).toHaveText(say(word));
    }
  });

  await test.step('an alert that reaches nobody is refused beside its field', async () => {
    await openSection(say('alerts'));
    await act.press(button(say('addAlert')));
    await expect(main.getByRole('combobox', { name: say('alertWhat'), exact: true }).getByRole('option', { name: say('everything'), exact: true })).toBeAttached(); // prettier-ignore
    await act.press(button(say('save')));
    await expect(main.getByText(say('mailNeeded'))).toBeVisible();
    // what it says below one field moves none of the others
    const row = main.getByRole('listitem').filter({ hasText: say('mailNeeded') });
    const tops = (fields: Locator) =>
      fields.evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))).size);
    const minutes = main.getByLabel(say('doorOpenMinutes')).or(main.getByLabel(say('offlineMinutes')));
    if ((page.viewportSize()?.width ?? 0) > 600)
      for (const fields of [row.locator('select').last().or(row.locator('input')), minutes]) await expect.poll(() => tops(fields)).toBe(1);
    await main.getByLabel(say('alertTo'), { exact: true }).fill('boss');
    await act.press(button(say('save')));
    await expect(main.getByText(say('noMail'))).toBeVisible();
    await main.getByLabel(say('alertTo'), { exact: true }).fill('boss@e2e.test');
    await act.press(button(say('save')));
    await expect.poll(() => api('GET /companies/{tenant}', { params }).then((one) => one.settings.alerts)).toEqual([{ event: 'all', channel: 'mail', to: 'boss@e2e.test' }]); // prettier-ignore
  });

  await test.step('a label is made and changed; while an asset carries it, it stays', async () => {
    await openSection(say('statusLabels'));
    await act.press(button(say('newLabel')));
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog.getByText(say('nameNeeded'))).toBeVisible();
    await dialog.getByLabel(say('label'), { exact: true }).fill('Workshop');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('row').filter({ hasText: 'Workshop' })).toContainText(say('canBeLentOut'));
    await act.press(button(say('changeThis', { name: 'Workshop' })));
    await expect(dialog.getByLabel(say('label'), { exact: true })).toHaveValue('Workshop');
    await dialog.getByLabel(say('label'), { exact: true }).fill('At the workshop');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(button(say('changeThis', { name: 'Workshop' }))).toHaveCount(0);
    await act.press(button(say('deleteThis', { name: 'Carried' })));
    await expect(dialog.getByText(say('labelCarried', { count: '1' }))).toBeVisible();
    const remove = dialog.getByRole('button', { name: say('delete'), exact: true });
    await expect(remove).toBeDisabled();
    await act.press(dialog.getByRole('button', { name: say('cancel'), exact: true }));
    await act.press(button(say('deleteThis', { name: 'At the workshop' })));
    await act.press(remove);
    await expect(button(say('deleteThis', { name: 'At the workshop' }))).toBeHidden();
  });

  await test.step('labels are searched by words, which stand in the address, and several are deleted at once', async () => {
    const names = ['Sent to Oslo', 'Sent to Bergen', 'Washing'];
    for (const name of names) await api('POST /statuslabels', { body: { name, type: 'pending' } });
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await expect(row('Washing')).toBeVisible();
    await main.getByRole('searchbox').fill('sent');
    await expect(row('Washing')).toHaveCount(0);
    await expect(page).toHaveURL(/find=sent/);
    for (const name of names.slice(0, 2)) await page.getByRole('checkbox', { name: say('selectThis', { name }), exact: true }).check();
    await act.press(button(say('delete')));
    await act.press(dialog.getByRole('button', { name: say('delete'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(row('Sent to')).toHaveCount(0);
    await main.getByRole('searchbox').fill('');
    await expect(row('Washing')).toBeVisible();
    expect((await api('GET /statuslabels')).map(({ name }) => name).filter((name) => names.includes(name))).toEqual(['Washing']);
  });
});
