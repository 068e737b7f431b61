import { expect, test } from '../journey.ts';

// shows R2.19, R7.62
test('an administrator makes a group, puts people in, sees what it gives them, and deletes several but one that a policy is for', async ({
  page,
  company,
  act,
  say,
  enter,
  hands,
  go,
}) => {
  const { api } = company.admin;
  const worker = await company.person([], 'Vera Worker');
  const cabinet = await company.wall({ doors: 2 });
  await enter(company.admin.email, '/portal/iam/groups');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });

  await test.step('the first one', async () => {
    await expect(page.getByRole('heading', { level: 2, name: say('noGroup') })).toBeVisible();
    await act.press(button(say('newGroup')).first());
    await act.press(inDialog(say('save')));
    await expect(dialog.getByText(say('nameNeeded'))).toBeVisible();
    await dialog.getByLabel(say('name')).fill('Crew of the night');
    await act.press(inDialog(say('save')));
    await expect(dialog.getByRole('heading', { name: 'Crew of the night' })).toBeVisible();
  });

  await test.step('another name', async () => {
    await expect(inDialog(say('save'))).toBeDisabled();
    await dialog.getByLabel(say('name'), { exact: true }).fill('Night crew');
    await act.press(inDialog(say('save')));
    await expect(dialog.getByRole('heading', { name: 'Night crew' })).toBeVisible();
    expect((await api('GET /groups')).map(({ name }) => name)).toEqual(['Night crew']);
  });

  await test.step('somebody is put in by the beginning of their name', async () => {
    const field = dialog
      .getByRole('combobox', { name: say('addMember') })
      .or(dialog.getByLabel(say('addMember')))
      .first();
    await field.fill('zzz');
    await expect(page.getByText(say('nobodyFound'), { exact: true })).toBeVisible();
    await act.write(field, 'vera');
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([/Vera Worker/]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(inDialog(say('takeOutThis', { name: 'Vera Worker' }))).toBeVisible();
    const [group] = await api('GET /groups');
    await api('POST /permissions', {
      body: { name: 'Night parcels', scopes: ['delivery'], groups: [group?.id ?? ''], lockers: [cabinet.lockers[0]?.id ?? ''] },
    });
    expect((await worker.api('GET /lockers')).map((locker) => locker.id)).toEqual([cabinet.lockers[0]?.id]);
  });

  await test.step('taken out they have nothing of it, put in again they have', async () => {
    const [group] = await api('GET /groups');
    const id = group?.id ?? '';
    const [vera] = await api('GET /groups/{id}/members', { params: { id } });
    await act.press(inDialog(say('takeOutThis', { name: 'Vera Worker' })));
    await expect(inDialog(say('takeOutThis', { name: 'Vera Worker' }))).toBeHidden();
    await expect.poll(() => worker.api('GET /lockers').then(() => 'sees', () => 'nothing')).toBe('nothing'); // prettier-ignore
    await api('POST /groups/{id}/members/{userId}', { params: { id, userId: vera?.id ?? '' } });
    await expect(inDialog(say('takeOutThis', { name: 'Vera Worker' }))).toBeVisible();
  });

  await test.step('what it gives stands beside who is in it', async () => {
    await go('/settings');
    await go('/iam/groups');
    await expect(row('Night crew')).toContainText('Night parcels');
    await act.press(row('Night crew'));
    await expect(dialog.getByText('Night parcels')).toBeVisible();
    await act.press(inDialog(say('close')).last());
    await expect(dialog).toBeHidden();
  });

  await test.step('what another administrator makes, renames and deletes appears by itself', async () => {
    const other = await api('POST /groups', { body: { name: 'Day crew' } });
    await expect(row('Day crew')).toBeVisible();
    await api('PUT /groups/{id}', { params: { id: other.id }, body: { name: 'Early crew', version: other.version } });
    await expect(row('Early crew')).toBeVisible();
    await api('DELETE /groups/{id}', { params: { id: other.id } });
    await expect(row('Early crew')).toHaveCount(0);
  });

  await test.step('deleted, it gives nothing any more, and the person stays', async () => {
    await act.press(button(say('deleteThis', { name: 'Night crew' })));
    await act.press(inDialog(say('delete')));
    await expect(row('Night crew')).toBeHidden();
    await expect.poll(() => worker.api('GET /lockers').then(() => 'sees', () => 'nothing')).toBe('nothing'); // prettier-ignore
    expect(await api('GET /accounts')).toHaveLength(2);
  });

  await test.step('of several that are deleted at once the one that a policy is for stays, and is named', async () => {
    const [day] = await Promise.all(['Day crew', 'Cleaners', 'Drivers'].map((name) => api('POST /groups', { body: { name } })));
    await api('POST /policies', { body: { name: 'Tools', ref: company.ref('tools'), groupIds: [day?.id ?? ''] } });
    for (const name of ['Day crew', 'Drivers'])
      await page.getByRole('checkbox', { name: say('selectThis', { name }), exact: true }).check();
    await button(say('delete')).click();
    await act.press(inDialog(say('delete')));
    await expect(dialog.getByRole('alert')).toContainText('Day crew');
    await expect(dialog.getByRole('alert')).not.toContainText('Drivers');
    await act.press(inDialog(say('cancel')));
    await expect(row('Drivers')).toHaveCount(0);
    await button(say('deleteThis', { name: 'Day crew' })).click();
    await act.press(inDialog(say('delete')));
    await expect(dialog.getByRole('alert')).toContainText(say('groups.policyNames'));
    // the button that was refused is there to be pressed again, and Cancel beside it
    if (hands === 'keyboard') await expect(inDialog(say('delete'))).toBeFocused();
    await act.press(inDialog(say('cancel')));
    await expect(row('Day crew')).toBeVisible();
    expect((await api('GET /groups', { query: { sort: 'name' } })).map(({ name }) => name)).toEqual(['Cleaners', 'Day crew']);
  });
});
