import { expect, test } from '../journey.ts';
import { pagesOf } from '../pdf.ts';
import { takesVipps } from '../shop.ts';

test('staff see what the shop sold today, print its code for the wall, and close and open it with one switch', async ({
  page,
  company,
  hatchway,
  act,
  say,
  enter,
  go,
  language,
}) => {
  const { api } = company.admin;
  const shop = `shop-${company.id.slice(0, 8)}`;
  await takesVipps(hatchway.origin, company);
  await api('PUT /storefront', { body: { name: shop, open: true } });
  const [lot] = (await company.wall({ doors: 1 })).lockers;
  const price = { amount: 8_900, currency: 'NOK' };
  const goods = { type: 'sale' as const, lockerId: lot?.id ?? '', assetText: 'Drill bit', quantity: 2, price };
  const { id } = await api('POST /occupations', { body: goods });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
  const sum = language === 'nb' ? '89,00 kr' : 'NOK 89.00';
  const sold = page.getByRole('main').getByText(say('storefront.soldToday'), { exact: true }).locator('xpath=following-sibling::*[1]');
  const url = `${hatchway.origin}/shop/${shop}`;

  await test.step('what was sold stands there, and the way to its payments', async () => {
    await enter(company.admin.email, '/portal/services/storefront');
    await expect(sold).toHaveText(say('storefront.nothingSold'));
    const { _id } = await api('POST /payments', { body: { occupationId: id, received: true } });
    await api('PUT /payments/capture', { body: { _id } });
    await go('/history');
    await go('/services/storefront');
    await expect(sold).toContainText(sum);
    await expect(page.getByRole('link', { name: say('storefront.payments'), exact: true })).toHaveAttribute('href', /\/manage\/payments/);
  });

  await test.step('its address and a square code of it are printed', async () => {
    await expect(page.getByRole('link', { name: url })).toHaveAttribute('href', url);
    await act.press(page.getByRole('button', { name: say('storefront.qr'), exact: true }));
    const dialog = page.getByRole('dialog', { name: say('storefront.qr') });
    await expect(dialog.getByRole('button', { name: say('storefront.qrPrint'), exact: true })).toBeEnabled();
    const text = pagesOf(await page.pdf({ preferCSSPageSize: true }))
      .map((one) => one.text.replaceAll(/\s/g, ''))
      .join('');
    for (const word of [`/shop/${shop}`, company.name]) expect(text).toContain(word.replaceAll(/\s/g, ''));
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('one switch closes it, which a customer reads', async () => {
    const open = page.getByRole('switch', { name: say('storefront.openSwitch') });
    const state = async () => (await api('GET /storefront')).state;
    await act.press(open);
    await expect.poll(state).toBe('closed');
    await expect(open).not.toBeChecked();
    await act.press(open);
    await expect.poll(state).toBe('open');
  });
});
