import type { Locator } from '@playwright/test';
import { someNumber, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';

test('a dialog that closes gives the focus back to the button that opened it, and to a heading where that is gone', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const { api, email } = company.admin;
  const { lockers } = await company.wall({ doors: 2 });
  const [lot, other] = lockers;
  if (!lot || !other) throw new Error('no lockers');
  const { id } = await waiting(company, lot, { name: 'Ingrid Solberg', tlf: someNumber() });
  await api('PUT /occupations', { body: { id, action: 'publish' } });
  const dialog = page.getByRole('dialog');
  const inIt = (word: Parameters<typeof say>[0]) => dialog.getByRole('button', { name: say(word), exact: true });
  const escape = () => page.keyboard.press('Escape');
  /** Opened and left, the focus is on its button. */
  const comesBack = async (opener: Locator, ways = [escape]) => {
    for (const leave of ways) {
      await act.press(opener);
      await expect(dialog).toBeVisible();
      await expect(dialog.locator(':focus')).toHaveCount(1);
      await leave();
      await expect(dialog).toHaveCount(0);
      await expect(opener).toBeFocused();
    }
  };
  const named = (word: Parameters<typeof say>[0]) => page.getByRole('main').getByRole('button', { name: say(word), exact: true });

  await test.step('of one occupation, saved too', async () => {
    await enter(email, `/portal/services/manageoccupation?id=${id}`);
    await comesBack(counter.button(say('extend')), [escape, () => act.press(inIt('cancel')), () => act.press(inIt('close').first())]);
    await act.press(counter.button(say('extend')));
    await act.press(inIt('save'));
    await expect(dialog).toHaveCount(0);
    await expect(counter.button(say('extend'))).toBeFocused();
  });

  await test.step('of a group, also where it was asked about what was typed', async () => {
    await counter.go('/iam/groups');
    const make = named('newGroup').first();
    await comesBack(make);
    await act.press(make);
    await act.write(dialog.getByLabel(say('name'), { exact: true }), 'Crew');
    await page.keyboard.press('Escape');
    await act.press(inIt('leave'));
    await expect(dialog).toHaveCount(0);
    await expect(make).toBeFocused();
  });

  await test.step('of an access link', async () => {
    await counter.go('/manage/links');
    await comesBack(named('newAccessLink').first());
  });

  await test.step('of lock control, whose button goes once the locker is out of service', async () => {
    await counter.go(`/services/lock-control?tag=${other.doorTag}`);
    const out = page.getByRole('button', { name: say('outOfService'), exact: true });
    await comesBack(out);
    await act.press(out);
    await act.write(dialog.getByRole('textbox'), 'The hinge is bent');
    await act.press(dialog.getByRole('button', { name: say('outOfService'), exact: true }));
    await expect(dialog).toHaveCount(0);
    await expect(out).toHaveCount(0);
    await expect(page.locator('body:focus')).toHaveCount(0);
    await expect(page.locator('#content *:focus')).toHaveCount(1);
    expect(await api('GET /lockers/{id}', { params: { id: other.id } })).toMatchObject({ outOfService: { reason: 'The hinge is bent' } });
  });
});

test('a door that is opened in a dialog leaves the focus where its next act is, and to pass a field says nothing', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  const { api, email } = company.admin;
  const cabinet = await company.cabinet({ doors: 2 });
  const [drill, gloves] = cabinet.lockers;
  if (!drill || !gloves) throw new Error('no lockers');
  const dialog = page.getByRole('dialog');

  await test.step('what was lent comes back: at the button, and it is believed once it is sensed', async () => {
    const { id } = await api('POST /occupations', { body: { type: 'lending', lockerId: drill.id, assetText: 'Drill' } });
    for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
    const receiver = { name: 'Ingrid Solberg', tlf: someNumber() };
    await api('PUT /occupations/assign', { body: { action: 'claim', id, receiver } });
    await api('PUT /occupations', { body: { id, action: 'finnish' } });
    await enter(email, `/portal/services/manageoccupation?id=${id}`);
    await act.press(counter.button(say('takeBack')));
    const open = dialog.getByRole('button', { name: say('openTag', { tag: drill.doorTag }), exact: true });
    await act.press(open);
    const door = await atDoor(cabinet, drill);
    await door.seesItOpen();
    await expect(open).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(dialog.getByRole('textbox', { name: say('condition'), exact: true })).toBeFocused();
    await door.put('Drill');
    await door.close();
    await expect(dialog).toHaveCount(0);
    await expect.poll(async () => (await api('GET /occupations/{id}', { params: { id } })).stageName).not.toBe('VACANT');
  });

  await test.step('more is put in: at the number that is typed next', async () => {
    const { id } = await api('POST /occupations', { body: { type: 'consumable', lockerId: gloves.id, assetText: 'Gloves', quantity: 3 } });
    await api('PUT /occupations', { body: { id, action: 'fill' } });
    await counter.go(`/services/manageoccupation?id=${id}`);
    await act.press(counter.button(say('refill')));
    await act.press(dialog.getByRole('button', { name: say('openTag', { tag: gloves.doorTag }), exact: true }));
    await expect(dialog.getByRole('textbox', { name: say('howManyIn'), exact: true })).toBeFocused();
  });
});
