import type { Locator } from '@playwright/test';
import { someNumber, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';

test('a dialog that closes asks once about what was typed, and gives the focus back to what opened it', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const { api, email } = company.admin;
  const { lockers, id: cabinetId } = await company.wall({ doors: 2 });
  const [lot, other] = lockers;
  if (!lot || !other) throw new Error('no lockers');
  const { id } = await waiting(company, lot, { name: 'Ingrid Solberg', tlf: someNumber() });
  await api('PUT /occupations', { body: { id, action: 'publish' } });
  const dialog = page.getByRole('dialog');
  const inIt = (word: Parameters<typeof say>[0]) => dialog.getByRole('button', { name: say(word), exact: true });
  const question = page.getByRole('dialog', { name: say('unsavedAsked'), exact: true });
  const answer = (word: 'cancel' | 'leave') => act.press(question.getByRole('button', { name: say(word), exact: true }));
  const beside = () => page.mouse.click(4, 4);
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

  await test.step('of a group, whose dialog has an address', async () => {
    const { id: groupId } = await api('POST /groups', { body: { name: 'Crew' } });
    await counter.go('/iam/groups');
    await comesBack(named('newGroup').first());
    const change = page.getByRole('button', { name: say('changeThis', { name: 'Crew' }), exact: true });
    await act.press(change);
    await expect(page).toHaveURL(new RegExp(groupId));
    const form = page.getByRole('dialog', { name: 'Crew', exact: true });
    const name = form.getByLabel(say('name'), { exact: true });
    await act.write(name, 'Night crew');
    await act.press(form.getByRole('button', { name: say('delete'), exact: true }));
    await answer('cancel');
    await expect(name).toHaveValue('Night crew');
    await act.press(form.getByRole('button', { name: say('close'), exact: true }).first());
    await answer('leave');
    await expect(dialog).toHaveCount(0);
    await expect(change).toBeFocused();
    expect(await api('GET /groups/{id}', { params: { id: groupId } })).toMatchObject({ name: 'Crew' });
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
    const reason = dialog.getByRole('textbox');
    await act.write(reason, 'The hinge is bent');
    await beside();
    await answer('cancel');
    await expect(reason).toHaveValue('The hinge is bent');
    await act.press(dialog.getByRole('button', { name: say('outOfService'), exact: true }));
    await expect(dialog).toHaveCount(0);
    await expect(out).toHaveCount(0);
    await expect(page.locator('body:focus')).toHaveCount(0);
    await expect(page.locator('#content *:focus')).toHaveCount(1);
    expect(await api('GET /lockers/{id}', { params: { id: other.id } })).toMatchObject({ outOfService: { reason: 'The hinge is bent' } });
  });

  await test.step('of the builder, where a pattern was typed', async () => {
    await counter.go(`/manage/lockers?cabinet=${cabinetId}`);
    await act.press(named('numberDoors'));
    const pattern = dialog.getByLabel(say('doorTags'));
    await act.write(pattern, 'HALL-{n}');
    await beside();
    await answer('cancel');
    await expect(pattern).toHaveValue('HALL-{n}');
    await act.press(inIt('cancel'));
    await answer('leave');
    await expect(dialog).toHaveCount(0);
    await expect(named('numberDoors')).toBeFocused();
  });
});
