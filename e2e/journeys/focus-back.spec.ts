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
  const { lockers } = await company.cabinet({ doors: 2 });
  const [lot, other] = lockers;
  if (!lot || !other) throw new Error('no lockers');
  const { id } = await waiting(company, lot, { name: 'Ingrid Solberg', tlf: someNumber() });
  await api('PUT /occupations', { body: { id, action: 'publish' } });
  const dialog = page.getByRole('dialog');
  const inIt = (word: Parameters<typeof say>[0]) => dialog.getByRole('button', { name: say(word), exact: true });
  /** Opened and left in each way, the focus is on its button every time. */
  const comesBack = async (opener: Locator) => {
    for (const leave of [() => page.keyboard.press('Escape'), () => act.press(inIt('cancel')), () => act.press(inIt('close').first())]) {
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
    await comesBack(counter.button(say('extend')));
    await act.press(counter.button(say('extend')));
    await act.press(inIt('save'));
    await expect(dialog).toHaveCount(0);
    await expect(counter.button(say('extend'))).toBeFocused();
  });

  await test.step('of a group, also where it was asked about what was typed', async () => {
    await enter(email, '/portal/iam/groups');
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
    await enter(email, '/portal/manage/links');
    await comesBack(named('newAccessLink').first());
  });

  await test.step('of lock control, whose button goes once the locker is out of service', async () => {
    await enter(email, `/portal/services/lock-control?tag=${other.doorTag}`);
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
