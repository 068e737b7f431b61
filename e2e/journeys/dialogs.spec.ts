import type { Locator, Page } from '@playwright/test';
import { someNumber, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';
import type { Word } from '../words.ts';

/** The ways out of a dialog, and the question that stands before what was typed is lost. */
const outOf = (page: Page, act: { press: (what: Locator) => Promise<void> }, say: (word: Word) => string, title: string) => {
  const dialog = page.getByRole('dialog', { name: title, exact: true });
  const question = page.getByRole('dialog', { name: say('unsavedAsked'), exact: true });
  const within = (place: Locator, word: Word) => place.getByRole('button', { name: say(word), exact: true });
  return {
    dialog,
    question,
    escape: () => page.keyboard.press('Escape'),
    cross: () => act.press(within(dialog, 'close').first()),
    cancel: () => act.press(within(dialog, 'cancel')),
    beside: () => page.mouse.click(4, 4),
    save: () => act.press(within(dialog, 'save')),
    stay: () => act.press(within(question, 'cancel')),
    leave: () => act.press(within(question, 'leave')),
  };
};

test('no way out of a dialog throws away what was typed without asking once, and one that closes gives the focus back to what opened it', async ({
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
  const make = page.getByRole('button', { name: say('newAssetGroup'), exact: true }).first();
  const form = outOf(page, act, say, say('newAssetGroup'));
  const name = form.dialog.getByLabel(say('name'));
  const answer = (word: 'cancel' | 'leave') => act.press(form.question.getByRole('button', { name: say(word), exact: true }));
  /** Opened and left, the focus is on its button. */
  const comesBack = async (opener: Locator, ways = [form.escape]) => {
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

  // so that Back has somewhere to lead
  await enter(email, '/portal/settings');
  await counter.go('/iam/assetgroups');

  await test.step('where nothing was typed it closes at once', async () => {
    await act.press(make);
    await expect(name).toBeFocused();
    await form.beside();
    await expect(form.dialog).toBeHidden();
    await expect(form.question).toBeHidden();
  });

  await test.step('where something was, each way out asks, and who stays has it still', async () => {
    await act.press(make);
    await name.fill('Tools');
    for (const way of [form.cross, form.cancel, form.beside, () => page.evaluate('history.back()')]) {
      await name.focus();
      await way();
      await expect(form.question).toBeVisible();
      await form.stay();
      await expect(form.question).toBeHidden();
      await expect(name).toHaveValue('Tools');
      await expect(form.dialog.locator(':focus')).toHaveCount(1);
    }
    await name.focus();
    await form.escape();
    await expect(form.question).toBeVisible();
    // Escape is the safe way out of the question too
    await form.escape();
    await expect(form.question).toBeHidden();
    await expect(name).toBeFocused();
  });

  await test.step('who leaves has made nothing, and finds the dialog empty', async () => {
    await form.escape();
    await form.leave();
    await expect(form.dialog).toBeHidden();
    expect(await api('GET /asset-groups')).toEqual([]);
    await act.press(make);
    await expect(name).toHaveValue('');
  });

  await test.step('what is saved is not asked about', async () => {
    await name.fill('Tools');
    await form.save();
    await expect(form.dialog).toBeHidden();
    await expect(form.question).toBeHidden();
    await expect(page.getByRole('row').filter({ hasText: 'Tools' })).toBeVisible();
  });

  await test.step('of one occupation, saved too', async () => {
    await counter.go(`/services/manageoccupation?id=${id}`);
    await comesBack(counter.button(say('extend')), [form.escape, () => act.press(inIt('cancel')), () => act.press(inIt('close').first())]);
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
    const crew = page.getByRole('dialog', { name: 'Crew', exact: true });
    const called = crew.getByLabel(say('name'), { exact: true });
    await called.fill('Night crew');
    await act.press(crew.getByRole('button', { name: say('delete'), exact: true }));
    await answer('cancel');
    await expect(called).toHaveValue('Night crew');
    await act.press(crew.getByRole('button', { name: say('close'), exact: true }).first());
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
    await reason.fill('The hinge is bent');
    await form.beside();
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
    await pattern.fill('HALL-{n}');
    await form.beside();
    await answer('cancel');
    await expect(pattern).toHaveValue('HALL-{n}');
    await act.press(inIt('cancel'));
    await answer('leave');
    await expect(dialog).toHaveCount(0);
    await expect(named('numberDoors')).toBeFocused();
  });
});
