import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../journey.ts';
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

test('no way out of a dialog throws away what was typed without asking', async ({ page, company, act, say, enter }) => {
  const { api } = company.admin;
  await enter(company.admin.email, '/portal/manage');
  await act.press(page.getByRole('main').getByRole('link', { name: say('assetGroups') }));
  const make = page.getByRole('button', { name: say('newAssetGroup'), exact: true }).first();
  const form = outOf(page, act, say, say('newAssetGroup'));
  const name = form.dialog.getByLabel(say('name'));

  await test.step('where nothing was typed it closes at once', async () => {
    await act.press(make);
    await expect(name).toBeFocused();
    await form.beside();
    await expect(form.dialog).toBeHidden();
    await expect(form.question).toBeHidden();
  });

  await test.step('where something was, each way out asks, and who stays has it still', async () => {
    await act.press(make);
    await act.write(name, 'Tools');
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
    await act.write(name, 'Tools');
    await act.write(form.dialog.getByLabel(say('description')), 'What drills and saws');
    await form.save();
    await expect(form.dialog).toBeHidden();
    await expect(form.question).toBeHidden();
    await expect(page.getByRole('row').filter({ hasText: 'Tools' })).toBeVisible();
  });
});
