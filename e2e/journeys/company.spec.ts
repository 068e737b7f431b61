import { PIXEL } from '../company.ts';
import { expect, test } from '../journey.ts';

// What hands change nothing about: a file is chosen in the machine's own dialog, and a form of settings is the one that all ways walk.

// shows R2.21
test('a company’s logo and colour are chosen, its customers’ pages bear the colour, and how long data is kept and who sends is saved', async ({
  page,
  company,
  say,
  enter,
  go,
}) => {
  const { api } = company.admin;
  const kept = () => api('GET /companies/{tenant}', { params: { tenant: company.id } }).then(({ settings }) => settings);
  const { number } = await company.wall({ doors: 1 });
  await enter(company.admin.email, '/portal/admin');
  const main = page.getByRole('main');
  const save = main.getByRole('button', { name: say('save'), exact: true });

  await test.step('a logo is chosen, removed after a question, and the same one chosen again', async () => {
    const dialog = page.getByRole('dialog');
    const file = main.locator('input[type=file]');
    const choose = () => file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PIXEL });
    const logo = main.getByRole('img', { name: say('logoOf', { name: company.name }) });
    const remove = main.getByRole('button', { name: say('removeLogo'), exact: true });
    await choose();
    await expect(logo).toBeVisible();
    // a field that still holds the file would not hear of the same one again
    await expect(file).toHaveValue('');
    await remove.click();
    await dialog.getByRole('button', { name: say('cancel'), exact: true }).click();
    await expect(logo).toBeVisible();
    await remove.click();
    await dialog.getByRole('button', { name: say('removeLogo'), exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(logo).toHaveCount(0);
    await choose();
    await expect(logo).toBeVisible();
  });

  await test.step('a colour is chosen', async () => {
    await main.getByRole('switch', { name: say('admin.colourOwn') }).check();
    await main.getByLabel(say('admin.colourPick')).fill('#ffd400');
    await save.first().click();
    await expect.poll(async () => (await kept()).color).toBe('#ffd400');
  });

  await test.step('how long data is kept, and who sends: refused beside the field, saved, and read again', async () => {
    await go('/admin?section=settings');
    const [days, sender] = [main.getByLabel(say('keepDataFor')), main.getByLabel(say('smsSender'))];
    await days.fill('0');
    await sender.fill('Låsen');
    await save.click();
    for (const word of ['wrongDays', 'wrongSender'] as const)
      await expect(main.getByRole('alert').filter({ hasText: say(word) })).toBeVisible();
    await days.fill('45');
    await sender.fill('Depot 7');
    await save.click();
    await expect.poll(kept).toMatchObject({ retentionDays: 45, senderName: 'Depot 7' });
    await go('/admin');
    await go('/admin?section=settings');
    await expect(days).toHaveValue(say('days', { count: '45' }));
    await expect(sender).toHaveValue('Depot 7');
  });

  await test.step('customers’ pages bear the colour', async () => {
    await page.goto(`/c/${number}`);
    const head = page.locator('.company');
    await expect(head).toHaveText(company.name);
    await expect(head).toHaveCSS('background-color', 'rgb(255, 212, 0)');
    await expect(head).toHaveCSS('color', 'rgb(0, 0, 0)');
  });
});
