import { someNumber } from '../counter.ts';
import { expect, test } from '../services.ts';

test('that something lies behind a door is asked once more where its sensor senses nothing', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  const { api } = company.admin;
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const { doorTag: tag } = lot;
  const { id } = await api('POST /occupations', {
    body: { type: 'delivery', lockerId: lot.id, assetText: 'Parcel 77', receiver: { name: 'Ingrid Solberg', tlf: someNumber() } },
  });
  await api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: tag, occupationId: id } });
  await (await atDoor(cabinet, lot)).close();
  const stage = async () => (await api('GET /occupations/{id}', { params: { id } })).stageName;
  const asked = page.getByRole('dialog', { name: say('sensesNothing', { tag }) });
  const pressedInVain = async () => {
    await act.press(counter.button(say('sayInside')));
    await expect(asked.getByRole('button', { name: say('lookFirst'), exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(asked).toHaveCount(0);
    expect(await stage()).toBe('INITIATED');
  };

  await test.step('at the step that watches the door', async () => {
    await enter(company.admin.email, '/portal/services/delivery');
    await act.press(page.getByRole('button', { name: tag }));
    await expect(counter.heading(say('isClosed', { tag }))).toBeVisible();
    await pressedInVain();
  });

  await test.step('and on its page, where staff’s word stands once it is said again', async () => {
    await counter.manage(tag);
    await pressedInVain();
    await act.press(counter.button(say('sayInside')));
    await act.press(asked.getByRole('button', { name: say('isInside'), exact: true }));
    await expect.poll(stage).toBe('FILLED');
  });

  await test.step('what was taken out to be moved is moved next, also after a reload', async () => {
    await act.press(counter.button(say('moveTo')));
    await act.press(page.getByRole('dialog').getByRole('button', { name: say('moveTo'), exact: true }));
    await (await atDoor(cabinet, lot)).close();
    await act.press(counter.button(say('iTookItOut')));
    await expect.poll(stage).toBe('VACANT');
    await expect(counter.button(say('moveTo'))).toHaveAttribute('data-likely');
    await page.reload();
    await expect(counter.button(say('moveTo'))).toHaveAttribute('data-likely');
  });
});
