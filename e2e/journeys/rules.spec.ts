import { messagesTo } from '../company.ts';
import { expect, test } from '../journey.ts';

// shows R1.3, R7.36, R7.39, R7.40, R7.41
test('an administrator makes a policy, changes it, and may not delete it while it is in use; keys walk, choose from, sort and turn over the list; a message is worded with the placeholders that it may use, seen as it arrives, and given the house’s text back', async ({
  page,
  hatchway,
  company,
  act,
  say,
  language,
  enter,
  go,
}) => {
  const wall = await company.wall({ doors: 1 });
  const { api } = company.admin;
  await enter(company.admin.email, '/portal/admin?section=policies');
  const dialog = page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = page.getByRole('row').filter({ hasText: 'Parcels' });

  await test.step('a limit that is none is refused beside its field, and what was typed stays', async () => {
    await act.press(button(say('newPolicy')).first());
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog.getByText(say('nameNeeded'))).toBeInViewport();
    await expect(dialog.getByLabel(say('name'), { exact: true })).toBeFocused();
    await dialog.getByLabel(say('name'), { exact: true }).fill('Parcels');
    await act.write(dialog.getByLabel(say('pickupHours')), '99999');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog.getByText(say('between', { least: '1', most: (8784).toLocaleString(language) }))).toBeInViewport();
    await expect(dialog.getByLabel(say('pickupHours'))).toBeFocused();
    await dialog.getByLabel(say('pickupHours')).fill('48');
    const amount = dialog.getByLabel(say('amount'), { exact: true });
    await amount.fill('49,');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(amount).toHaveAttribute('aria-invalid', 'true');
    await amount.fill('49,5');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(row).toContainText('2d');
    expect(await api('GET /policies')).toMatchObject([{ name: 'Parcels', ref: company.ref('parcels'), pickupHours: 48, loanHours: null }]);
    expect((await api('GET /policies'))[0]?.price).toEqual({ amount: 4_950, currency: 'NOK' });
  });

  await test.step('changed, its new limit stands in the list and at the API, and what was not touched stays', async () => {
    await act.press(button(say('changeThis', { name: 'Parcels' })));
    await expect(dialog.getByLabel(say('pickupHours'))).toHaveValue('48');
    await dialog.getByLabel(say('pickupHours')).fill('72');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(row).toContainText('3d');
    await expect(row).not.toHaveText(/\b2d\b/);
    expect(await api('GET /policies')).toMatchObject([{ name: 'Parcels', ref: company.ref('parcels'), pickupHours: 72, loanHours: null }]);
  });

  const use = await api('POST /occupations', {
    body: { type: 'delivery', lockerId: wall.lockers[0]?.id, assetText: 'Parcel', policyRef: company.ref('parcels') },
  });
  await test.step('while something runs under it, it stays; of several that are deleted at once it stays and is named', async () => {
    await act.press(button(say('deleteThis', { name: 'Parcels' })));
    await act.press(dialog.getByRole('button', { name: say('delete'), exact: true }));
    await expect(dialog.getByRole('alert')).toContainText(say('policyInUse'));
    await act.press(dialog.getByRole('button', { name: say('cancel'), exact: true }));

    // made by somebody else while the list is open
    await api('POST /policies', { body: { name: 'Tools', ref: company.ref('tools') } });
    const tools = page.getByRole('row').filter({ hasText: 'Tools' });
    await expect(tools).toBeVisible();
    const search = page.getByRole('main').getByRole('searchbox');
    await search.fill('tool');
    await expect(row).toHaveCount(0);
    await expect(tools).toBeVisible();
    await search.fill('');
    for (const name of ['Parcels', 'Tools']) await page.getByRole('checkbox', { name: say('selectThis', { name }), exact: true }).check();
    await act.press(button(say('delete')));
    await act.press(dialog.getByRole('button', { name: say('delete'), exact: true }));
    await expect(dialog.getByRole('alert')).toContainText('Parcels');
    await act.press(dialog.getByRole('button', { name: say('cancel'), exact: true }));
    await expect(tools).toHaveCount(0);
    await expect(row).toBeVisible();
    expect((await api('GET /policies')).map(({ name }) => name)).toEqual(['Parcels']);
  });

  await test.step('afterwards it is deleted', async () => {
    await api('DELETE /occupations/{id}', { params: { id: use.id }, body: {} });
    await act.press(button(say('deleteThis', { name: 'Parcels' })));
    await act.press(dialog.getByRole('button', { name: say('delete'), exact: true }));
    await expect(row).toHaveCount(0);
  });

  await go('/admin?section=templates&kind=ready&channel=mail&locale=nb');
  const text = page.getByRole('textbox', { name: say('text') });
  const save = page.getByRole('button', { name: say('save'), exact: true });

  await test.step('a placeholder that does not exist is named, and cannot be saved', async () => {
    await text.fill('Hei {surname}');
    await expect(page.getByText(say('noPlaceholder', { name: '{surname}' }))).toBeVisible();
    await expect(save).toBeDisabled();
    // nor does the text before it stand there as if it were this one's
    await expect(page.getByText(say('noPreview'))).toBeVisible();
    await expect(page.locator(`iframe[title="${say('mailAsItArrives')}"]`)).toHaveCount(0);
  });

  await test.step('what is written stands in the preview, and goes out', async () => {
    await text.fill('Hei {name}, kom innom {company}.');
    const mail = page.frameLocator(`iframe[title="${say('mailAsItArrives')}"]`);
    await expect(mail.getByText(`Hei Kari Nordmann, kom innom ${company.name}.`)).toBeVisible();
    await act.press(save);
    await expect(page.getByRole('button', { name: say('houseText'), exact: true })).toBeVisible();
    await expect(
      page.getByRole('option', {
        name: `${say('templates.kinds.ready')} · ${say('templates.own', { which: `${say('email')} Norsk bokmål` })}`,
      }),
    ).toBeAttached();
    const to = `rita-${company.id.slice(0, 8)}@e2e.test`;
    await api('POST /occupations/delivery', {
      body: {
        lockerId: wall.lockers[0]?.id,
        assetText: 'Parcel',
        receiver: { name: 'Rita Receiver', email: to },
        fill: true,
        send: true,
      },
    });
    const [arrived] = await messagesTo(hatchway.origin, to);
    expect(arrived?.text).toContain(`Hei Rita Receiver, kom innom ${company.name}.`);
  });

  await test.step('the house’s text comes back on a word', async () => {
    await act.press(page.getByRole('button', { name: say('houseText'), exact: true }));
    await act.press(page.getByRole('dialog').getByRole('button', { name: say('houseText'), exact: true }));
    await expect(page.getByRole('button', { name: say('houseText'), exact: true })).toHaveCount(0);
    await expect(text).not.toHaveValue(/kom innom/);
  });

  await test.step('a recall is worded with what is to be brought back: a button puts each placeholder of it where one writes', async () => {
    await go('/admin?section=templates&kind=recall&channel=sms&locale=en');
    await expect(text).toHaveValue(/bring back \{thing\}/);
    const offered = page.getByRole('group', { name: say('putInText') }).getByRole('button');
    const names = ['company', 'name', 'site', 'cabinet', 'door', 'link', 'code', 'until', 'hours', 'thing'];
    await expect(offered).toHaveText(names.map((name) => `{${name}}`));
    await text.fill('Please bring back {item}: {link}');
    await expect(page.getByText(say('noPlaceholder', { name: '{item}' }))).toBeVisible();
    await expect(save).toBeDisabled();
    await text.fill('{link} Bring back ');
    await act.press(offered.filter({ hasText: '{thing}' }));
    await expect(text).toHaveValue('{link} Bring back {thing}');
    await expect(page.getByText(/\/p\/\S+ Bring back Cordless drill$/)).toBeVisible();
    await act.press(save);
    await expect(page.getByRole('button', { name: say('houseText'), exact: true })).toBeVisible();
    const worded = (await api('GET /templates')).find(({ own }) => own);
    expect(worded).toMatchObject({ kind: 'recall', channel: 'sms', text: '{link} Bring back {thing}' });
  });

  // of every list, walked here: what a mouse does to rows, heads and pages, keys do as well
  const names = Array.from({ length: 27 }, (_, at) => `Rule ${String(at + 1).padStart(2, '0')}`);
  await Promise.all(names.map((name, at) => api('POST /policies', { body: { name, ref: company.ref(`rule-${at}`) } })));
  await go('/admin?section=policies&size=25');
  const rows = page.locator('tr[data-row]');
  const at = (index: number) => rows.nth(index);
  const press = (key: string) => page.keyboard.press(key);
  await expect(rows).toHaveCount(25);

  await test.step('arrows, Home and End walk; at the ends they stay; Tab finds one row, not each', async () => {
    await at(0).focus();
    await press('ArrowUp');
    await expect(at(0)).toBeFocused();
    await press('ArrowDown');
    await press('ArrowDown');
    await expect(at(2)).toBeFocused();
    await press('ArrowUp');
    await expect(at(1)).toBeFocused();
    await press('End');
    await expect(at(24)).toBeFocused();
    await press('ArrowDown');
    await expect(at(24)).toBeFocused();
    await press('Home');
    await expect(at(0)).toBeFocused();
    await expect(page.locator('tr[data-row][tabindex="0"]')).toHaveCount(1);
  });

  await test.step('a phone shows all of a row, and what can be done with it, without scrolling sideways', async () => {
    const before = page.viewportSize() ?? { width: 1366, height: 768 };
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => at(0).evaluate(({ offsetWidth }) => offsetWidth)).toBeLessThanOrEqual(width);
      await expect(at(0).getByRole('cell')).toHaveCount(6);
      for (const part of await at(0).getByRole('cell').or(at(0).getByRole('button')).all()) await expect(part).toBeInViewport({ ratio: 1 });
    }
    await page.setViewportSize(before);
    await expect(at(0)).toBeFocused();
  });

  await test.step('Space chooses a row and gives it back', async () => {
    const chosen = page.getByRole('region', { name: say('countChosen', { count: '2' }) });
    await press('Space');
    await press('ArrowDown');
    await press('Space');
    await expect(chosen).toBeVisible();
    await expect(at(0)).toHaveAttribute('aria-selected', 'true');
    await press('Space');
    await expect(chosen).toHaveCount(0);
    await expect(at(1)).toHaveAttribute('aria-selected', 'false');
    await expect(at(1)).toBeFocused();
  });

  await test.step('the head sorts, and says which way', async () => {
    const head = page.getByRole('columnheader').filter({ has: page.getByRole('button', { name: say('name') }) });
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await expect(at(0)).toContainText('Rule 01');
    await head.getByRole('button').focus();
    await press('Enter');
    await expect(at(0)).toContainText('Rule 27');
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await press('Enter');
    await expect(at(0)).toContainText('Rule 01');
  });

  await test.step('the next page, and back', async () => {
    await page.getByRole('button', { name: say('nextPage'), exact: true }).focus();
    await press('Enter');
    await expect(rows).toHaveCount(2);
    await expect(at(0)).toContainText('Rule 26');
    await page.getByRole('button', { name: say('previousPage'), exact: true }).focus();
    await press('Enter');
    await expect(rows).toHaveCount(25);
  });

  await test.step('a column that is chosen away stays away', async () => {
    const column = page.getByRole('columnheader', { name: say('limits'), exact: true });
    await expect(column).toBeVisible();
    // a small screen keeps it behind a word
    const filters = page.locator('summary').filter({ hasText: say('filters') });
    if (await filters.isVisible()) await act.press(filters);
    await page.getByRole('button', { name: say('columns'), exact: true }).focus();
    await press('Enter');
    const item = page.getByRole('menuitemcheckbox', { name: say('limits'), exact: true });
    await expect(item).toBeVisible();
    await item.focus();
    await press('Enter');
    await expect(column).toHaveCount(0);
    await press('Escape');
    await page.reload();
    await expect(rows).toHaveCount(25);
    await expect(column).toHaveCount(0);
  });

  await test.step('Enter opens the row', async () => {
    await at(0).focus();
    await press('ArrowDown');
    await press('Enter');
    await expect(page.getByRole('dialog', { name: say('changeThis', { name: 'Rule 02' }) })).toBeVisible();
    await press('Escape');
    await expect(dialog).toBeHidden();
  });
});
