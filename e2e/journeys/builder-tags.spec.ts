import { expect, test } from '../journey.ts';

const column = (tags: readonly string[]) => [
  { width: 450, doors: tags.map((doorTag, at) => ({ doorTag, compartment: at + 1, size: 'M' as const, height: 300 })) },
];

// shows R2.12
test('a template is numbered as the wall is, tells what another wall bears before it is drawn, and is saved; so are a new cabinet, and doors that were merged', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const { api } = company.admin;
  const { id: siteId } = await api('POST /sites', { body: { name: 'Depot' } });
  const north = await api('POST /cabinets', { body: { siteId, name: 'North wall', columns: column(['A15', 'A07', 'A08']) } });
  const { id } = await api('POST /cabinets', { body: { siteId, name: 'South wall', columns: column(['B01', 'B02']) } });
  await enter(company.admin.email, `/portal/manage/lockers?cabinet=${id}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  const pattern = dialog.getByLabel(say('doorTags'));
  const doors = page.locator('[data-door]');
  const saved = async () => (await api('GET /cabinets/{id}/lockers', { params: { id } })).map(({ doorTag }) => doorTag).toSorted();

  await act.press(button(say('templates')));
  await expect(pattern).toHaveValue('B{nn}');
  await act.write(pattern, 'A{nn}');
  await expect(dialog.getByText(say('tagsElsewhere', { tags: 'A07, A08, A15 (North wall)' }), { exact: true })).toBeVisible();
  await expect(inDialog(say('replaceDrawing'))).toBeDisabled();
  await pattern.fill('B{q}');
  await expect(dialog.getByText(say('patternUnknown', { name: '{q}' }), { exact: true })).toBeVisible();
  await pattern.fill('C{nn}');
  await act.press(inDialog(say('replaceDrawing')));
  await expect(dialog).toBeHidden();
  await expect(button(say('templates'))).toBeFocused();
  await expect(doors).toHaveCount(24);

  await test.step('tags that somebody was quicker with are told in their order, with the wall that has them', async () => {
    for (const [at, doorTag] of ['C10', 'C02'].entries())
      await api('POST /lockers', { body: { cabinetId: north.id, doorTag, size: 'S', compartment: 40 + at } });
    await act.press(button(say('saveAsk')));
    await act.press(inDialog(say('save')));
    const refusal = dialog.getByRole('alert');
    await expect(refusal).toContainText(say('tagsElsewhere', { tags: 'C02, C10 (North wall)' }));
    await expect(dialog.locator(':focus').filter({ has: page.getByRole('alert') })).toHaveCount(1);
    await act.press(inDialog(say('cancel')));
    await expect(button(say('saveAsk'))).toBeFocused();
  });

  await act.press(button(say('templates')));
  await act.press(inDialog(say('replaceDrawing')));
  await act.press(button(say('saveAsk')));
  await act.press(inDialog(say('save')));
  await expect(dialog).toBeHidden();
  expect(await saved()).toEqual(Array.from({ length: 24 }, (_, at) => `B${String(at + 1).padStart(2, '0')}`));

  await test.step('a new cabinet is offered tags that no wall bears, and a pattern that means nothing is told at its field', async () => {
    await go('/manage/lockers');
    await act.press(button(say('newCabinetAt', { site: 'Depot' })));
    await expect(pattern).toHaveValue('D{nn}');
    await dialog.getByLabel(say('name')).fill('West wall');
    await pattern.fill('E{q}');
    await expect(dialog.getByText(say('patternUnknown', { name: '{q}' }), { exact: true })).toBeVisible();
    await act.press(inDialog(say('save')));
    await expect(pattern).toBeFocused();
    await pattern.fill('E');
    await expect(dialog.getByText(say('sameTagTwice'), { exact: true })).toBeVisible();
    expect((await api('GET /cabinets')).map(({ name }) => name)).not.toContain('West wall');
    await pattern.fill('D{nn}');
    await act.press(inDialog(say('save')));
    await expect(page.getByRole('heading', { level: 1, name: 'West wall' })).toBeFocused();
    await expect(doors.first()).toContainText('D01');
  });

  await test.step('doors that were merged are numbered as the one that they are', async () => {
    const far = await api('POST /cabinets', { body: { siteId, name: 'Far wall', columns: column(['F01', 'F02', 'F03', 'F04']) } });
    await go(`/manage/lockers?cabinet=${far.id}`);
    await expect(doors).toHaveCount(4);
    await doors.nth(1).click();
    await doors.nth(2).click({ modifiers: ['ControlOrMeta'] });
    await act.press(button(say('merge')));
    await expect(doors).toHaveCount(3);
    await expect(doors.nth(1)).toBeFocused();
    await expect(doors.nth(1)).toHaveAttribute('aria-pressed', 'true');
    await act.press(button(say('numberDoors')));
    await expect(dialog.getByRole('radio', { name: say('onlyChosenDoor'), exact: true })).not.toBeChecked();
    await expect(dialog.getByRole('radio', { name: say('allDoors'), exact: true })).toBeChecked();
    await expect(dialog.getByRole('alert')).toHaveCount(0);
    await act.press(inDialog(say('applyPattern')));
    await expect(button(say('numberDoors'))).toBeFocused();
    await expect(doors.last()).toContainText('F03');
  });
});
