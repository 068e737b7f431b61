import { someNumber, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';

test('the palette finds running and ended deliveries and who paid, waits for them at an Enter, and leads nobody to what is not theirs', async ({
  page,
  company,
  act,
  say,
  enter,
  language,
}) => {
  const { api } = company.admin;
  const cabinet = await company.wall({ doors: 5 });
  const [lot, next, good, busy, other] = cabinet.lockers;
  if (!lot || !next || !good || !busy || !other) throw new Error('The cabinet has too few doors.');
  const name = 'Ingrid Solberg';
  const runs = await waiting(company, busy, { name: 'Per Hansen', tlf: someNumber() });
  await waiting(company, other, { name: 'Per Hansen', tlf: someNumber() });
  const over = await waiting(company, lot, { name, tlf: someNumber() });
  await api('DELETE /occupations/{id}', { params: { id: over.id }, body: {} });
  await waiting(company, next, { name, tlf: someNumber() });
  await api('PUT /lockers/{id}/content', { params: { id: next.id }, body: { content: 'empty' } });
  const price = { amount: 8900, currency: 'NOK' };
  const sold = await api('POST /occupations', { body: { type: 'sale', lockerId: good.id, assetText: 'Coffee', quantity: 3, price } });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id: sold.id, action } });
  const payer = { name: 'Pia Payer', tlf: someNumber() };
  const { _id } = await api('POST /payments', { body: { occupationId: sold.id, received: true, payer } });
  const palette = page.getByRole('dialog');
  const field = palette.getByRole('textbox').or(palette.getByRole('combobox'));
  const rows = palette.locator('[data-action]');
  const look = async (text: string) => {
    await page.keyboard.press('Control+k');
    await field.fill(text);
  };

  await enter(company.admin.email, '/portal/settings');
  await test.step('Enter waits for the rows above the first, and takes a row that was walked to as it stands', async () => {
    const busyRows = rows.filter({ hasText: busy.doorTag });
    let late = Promise.withResolvers<void>();
    await page.route('**/v1/occupations/find', async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await act.write(field, busy.doorTag);
    await expect(busyRows).toHaveCount(1);
    await field.press('Enter');
    await expect(palette.getByRole('status', { name: say('searching') })).toBeVisible();
    late.resolve();
    await expect(page).toHaveURL(`/portal/services/manageoccupation?id=${runs.id}`);

    late = Promise.withResolvers<void>();
    // what was found before would stand there at once
    const otherRows = rows.filter({ hasText: other.doorTag });
    await page.keyboard.press('Control+k');
    await field.fill(other.doorTag.toLowerCase());
    await expect(otherRows).toHaveCount(1);
    await field.press('ArrowLeft');
    await field.press('ArrowDown');
    late.resolve();
    await expect(otherRows).toHaveCount(2);
    await expect(otherRows.last()).toHaveAttribute('data-selected', 'true');
    await expect(palette.locator('[data-selected]')).toHaveCount(1);
    await field.press('Enter');
    await expect(page).toHaveURL(`/portal/services/lock-control?tag=${other.doorTag}`);
  });

  await look('ingrid');
  await expect(rows).toHaveText([
    new RegExp(`^${next.doorTag} · ${name}.* · ${say('toBeChecked')}$`),
    new RegExp(`^${name} · ${lot.doorTag}((?!${say('toBeChecked')}).)*$`),
  ]);
  await expect(rows.first()).toHaveAttribute('data-selected', 'true');
  await rows.nth(1).click();
  await expect(page).toHaveURL(`/portal/services/manageoccupation?id=${over.id}`);
  await expect(page.getByRole('main')).toContainText(say('ended'));

  const money = language === 'nb' ? '89,00 kr' : 'NOK 89.00';
  await look('pia pay');
  await expect(rows).toHaveText([new RegExp(`^Pia Payer · ${money.replaceAll(/\s/g, '\\s')}`)]);
  await page.keyboard.press('Escape');
  await look('pia');
  await rows.click();
  await expect(page).toHaveURL(`/portal/manage/payments?payment=${_id}`);

  // who builds and opens no doors is led from a free door to its wall
  const manager = await company.person(['manager']);
  await page.context().clearCookies();
  await enter(manager.email, '/portal/settings');
  await look(lot.doorTag);
  await expect(palette.locator('[data-selected]')).toContainText(lot.doorTag);
  await field.press('Enter');
  await expect(page).toHaveURL(`/portal/manage/lockers?cabinet=${cabinet.id}`);
  await expect(page.getByRole('main').getByText(lot.doorTag, { exact: true }).first()).toBeVisible();
});
