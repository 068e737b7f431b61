import { expect, test } from '../journey.ts';
import { pagesOf } from '../pdf.ts';
import { openShop } from '../shop.ts';

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
  const shop = await openShop(hatchway.origin, company);
  const { api } = company.admin;
  const sum = language === 'nb' ? '89,00 kr' : 'NOK 89.00';
  const sold = page.getByRole('main').getByText(say('storefront.soldToday'), { exact: true }).locator('xpath=following-sibling::*[1]');
  const url = `${hatchway.origin}/shop/${shop.name}`;

  await test.step('what was sold stands there, and the way to its payments', async () => {
    await enter(company.admin.email, '/portal/services/storefront');
    await expect(sold).toHaveText(say('storefront.nothingSold'));
    const { _id } = await api('POST /payments', { body: { occupationId: shop.id, received: true } });
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
    for (const word of [`/shop/${shop.name}`, company.name]) expect(text).toContain(word.replaceAll(/\s/g, ''));
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
