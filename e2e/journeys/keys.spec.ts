import { createClient } from '@hatchway/contract/client.ts';
import { asOperator } from '@hatchway/dev/person.ts';
import { expect, test } from '../journey.ts';

// shows R2.22, R6.11, R7.54, R7.56, R7.57
test('an administrator makes a key, sees its secret once, and revokes it; without the licence it is said why there are none; the API reference is searched', async ({
  page,
  hatchway,
  company,
  act,
  say,
  enter,
}) => {
  await enter(company.admin.email, '/portal/admin/api');
  const dialog = page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = page.getByRole('row').filter({ hasText: 'Webshop' });
  let secret = '';

  await test.step('one without a scope is none', async () => {
    await expect(page.getByRole('heading', { level: 2, name: say('noKey') })).toBeVisible();
    await act.press(button(say('newKey')).first());
    await dialog.getByLabel(say('name'), { exact: true }).fill('Webshop');
    await act.press(dialog.getByRole('button', { name: say('makeKey'), exact: true }));
    await expect(dialog.getByText(say('scopeNeeded'))).toBeInViewport();
    await expect(dialog.getByRole('checkbox', { name: say('readEverything'), exact: true })).toBeFocused();
  });

  await test.step('its secret is shown once, and works', async () => {
    await act.press(dialog.getByRole('checkbox', { name: say('readEverything'), exact: true }));
    await act.press(dialog.getByRole('button', { name: say('makeKey'), exact: true }));
    const shown = dialog.getByText(/^hw_[\w-]{54}$/);
    await expect(shown).toBeVisible();
    secret = (await shown.textContent()) ?? '';
    await act.press(dialog.getByRole('button', { name: say('keptIt'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(row).toContainText(say('readEverything'));
    await expect(page.getByText(secret)).toHaveCount(0);
    expect(await createClient({ base: `${hatchway.origin}/v1`, token: () => secret })('GET /lockers')).toEqual([]);
    // it ends after a year, as the dialog proposed
    const [key] = await company.admin.api('GET /key');
    expect(Math.round((Date.parse(key?.expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(365);
  });

  await test.step('what another administrator makes and revokes appears by itself', async () => {
    const other = await company.admin.api('POST /key', { body: { name: 'Till', scopes: ['read'] } });
    await expect(page.getByRole('row').filter({ hasText: 'Till' })).toBeVisible();
    await page.getByRole('main').getByRole('searchbox').fill('till');
    await expect(row).toHaveCount(0);
    await expect(page.getByRole('row').filter({ hasText: 'Till' })).toBeVisible();
    await page.getByRole('main').getByRole('searchbox').fill('');
    await expect(row).toBeVisible();
    await company.admin.api('DELETE /key/{_id}', { params: { _id: other._id } });
    await expect(page.getByRole('row').filter({ hasText: 'Till' })).toHaveCount(0);
  });

  await test.step('revoking names it, and it opens nothing from then on', async () => {
    await act.press(button(say('revokeThis', { name: 'Webshop' })));
    await expect(dialog).toContainText(say('revokeAsked', { name: 'Webshop' }));
    await act.press(dialog.getByRole('button', { name: say('revoke'), exact: true }));
    await expect(page.getByRole('heading', { level: 2, name: say('noKey') })).toBeVisible();
    const after = createClient({ base: `${hatchway.origin}/v1`, token: () => secret })('GET /lockers');
    await expect(after).rejects.toMatchObject({ status: 401 });
  });

  await test.step('several are revoked at once, each of them named, and the others stay', async () => {
    const [till] = await Promise.all(
      ['Till', 'Scale', 'Door'].map((name) => company.admin.api('POST /key', { body: { name, scopes: ['read'] } })),
    );
    for (const name of ['Till', 'Scale']) await page.getByRole('checkbox', { name: say('selectThis', { name }), exact: true }).check();
    await act.press(button(say('revoke')));
    for (const name of ['Till', 'Scale']) await expect(dialog).toContainText(name);
    await act.press(dialog.getByRole('button', { name: say('revoke'), exact: true }));
    for (const name of ['Till', 'Scale']) await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(0);
    await expect(page.getByRole('row').filter({ hasText: 'Door' })).toBeVisible();
    expect((await company.admin.api('GET /key')).map(({ name }) => name)).toEqual(['Door']);
    const after = createClient({ base: `${hatchway.origin}/v1`, token: () => till?.secret ?? '' })('GET /lockers');
    await expect(after).rejects.toMatchObject({ status: 401 });
  });

  await test.step('without the licence it is said plainly why there are no keys', async () => {
    const operator = asOperator(hatchway.origin, hatchway.operatorKey);
    await operator('PUT /operator/companies/{id}', { params: { id: company.id }, body: { licenses: ['delivery'] } });
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: say('keysNeedLicence') })).toBeVisible();
  });

  await test.step('the API reference is searched, and a link opens what it names', async () => {
    await page.goto('/v1/docs');
    const calls = page.locator('section > details:visible');
    const search = page.getByRole('searchbox', { name: 'Search' });
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await search.fill('put storefront');
    await expect(calls).toHaveCount(1);
    await act.press(calls.locator('summary'));
    await act.press(calls.getByRole('link', { name: 'Storefront', exact: true }).first());
    // The schema was hidden by the search, and closed.
    await expect(page.locator('#schema-Storefront')).toBeInViewport();
    await search.fill('no such call');
    await expect(page.getByRole('status')).toHaveText('No call says that.');
  });
});
