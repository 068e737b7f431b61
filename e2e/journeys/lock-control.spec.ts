import { expect, test } from '../services.ts';

// shows R1.13, R2.15
test('doors are opened and locked by themselves, one and several, and what the cabinet said stands there', async ({
  page,
  company,
  act,
  say,
  enter,
  atDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [first, second] = cabinet.lockers;
  if (!first || !second) throw new Error('no lockers');
  const main = page.getByRole('main');
  const button = (name: string) => main.getByRole('button', { name, exact: true });
  const onWall = (lot: { id: string }) => main.locator(`[data-door="${lot.id}"]`);

  await enter(company.admin.email);
  await act.press(main.getByRole('link', { name: say('lockControl') }));
  await expect(page.getByRole('heading', { level: 1, name: say('lockControl') })).toBeVisible();
  const hands = await atDoor(cabinet, first);

  await test.step('one is opened, and is seen open here and at the steel', async () => {
    await act.press(onWall(first));
    await act.press(button(say('openIt')));
    await hands.seesItOpen();
    await expect(onWall(first)).toHaveAttribute('data-ajar', 'true');
    await expect(main.getByText(say('wasOpened', { tag: first.doorTag }), { exact: true })).toBeVisible();
  });

  await test.step('shut again, it is locked by command', async () => {
    await hands.close();
    await expect(onWall(first)).not.toHaveAttribute('data-ajar', 'true');
    await act.press(button(say('lockIt')));
    await expect(main.getByText(say('wasLocked', { tag: first.doorTag }), { exact: true })).toBeVisible();
  });

  await test.step('several are counted before they are opened', async () => {
    await act.press(onWall(second));
    await act.press(button(say('openMany', { count: '2' })));
    const dialog = page.getByRole('dialog', { name: say('openManyAsked', { count: '2' }) });
    await expect(dialog).toContainText(second.doorTag);
    expect((await company.admin.api('GET /lockers/{id}', { params: { id: second.id } })).door).toBe('closed');
    await act.press(dialog.getByRole('button', { name: say('openMany', { count: '2' }), exact: true }));
    for (const lot of [first, second]) await expect(onWall(lot)).toHaveAttribute('data-ajar', 'true');
  });

  const told = async ({ doorTag }: { doorTag: string }) =>
    (await company.admin.api('GET /history', { query: { q: { doorTag, type: 'locker_opened' } } })).map(({ actor }) => actor.name);
  await expect.poll(() => told(first)).toEqual(['Ada Admin', 'Ada Admin']);
  await expect.poll(() => told(second)).toEqual(['Ada Admin']);
});
