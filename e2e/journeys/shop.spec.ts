import { someNumber } from '../counter.ts';
import { expect, test } from '../journey.ts';
import { outsider } from '../outside.ts';
import { openShop, providerFor } from '../shop.ts';

test('a stranger buys in the shop: refuses once, pays, opens, takes, and finds the page again that they lost @main', async ({
  page,
  hatchway,
  company,
  handsOn,
  language,
  say,
}) => {
  const shop = await openShop(hatchway.origin, company);
  const tlf = someNumber();
  const sum = language === 'nb' ? '89,00 kr' : 'NOK 89.00';
  const buyer = await outsider({ page, handsOn }, `/shop/${shop.name}`, shop.cabinet);
  const payments = () => company.admin.api('GET /payments', { query: { q: { occupationId: shop.id }, sort: '-createdAt' } });
  const atProvider = providerFor(page, buyer, say);
  const choose = async () => {
    await buyer.hands.press(page.getByRole('link', { name: /Drill bit/ }));
    await expect(buyer.heading('Drill bit')).toBeVisible();
  };

  await test.step('refused, nothing is bought and the way back stands there', async () => {
    await choose();
    await buyer.press(say('pickup.pay.press', { sum }));
    await expect(page.getByText(say('pickup.shop.reachNeeded'), { exact: true })).toBeVisible();
    await buyer.hands.write(page.getByRole('textbox', { name: say('pickup.shop.email') }), 'kari@example.test');
    await buyer.press(say('pickup.pay.press', { sum }));
    await atProvider('refuse');
    await expect(buyer.heading(say('pickup.pay.nothingBought'))).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(say('pickup.pay.notApprovedBought'), { exact: true })).toBeVisible();
    await expect(buyer.button(say('openLocker'))).toHaveCount(0);
    await buyer.press(say('pickup.shop.back'));
  });

  await test.step('paid, the door opens and the page says what to do', async () => {
    await choose();
    await page.getByRole('textbox', { name: say('pickup.shop.tlf') }).fill(tlf);
    await buyer.press(say('pickup.pay.press', { sum }));
    await atProvider('approve');
    await expect(buyer.heading(say('pickup.purpose.take.ready'))).toBeVisible({ timeout: 30_000 });
  });

  await test.step('the page is lost, and found again by number and code', async () => {
    const told = await page
      .getByText(/\b\d{6}\b/)
      .first()
      .textContent();
    const code = /\b\d{6}\b/.exec(told ?? '')?.[0] ?? '';
    await page.goto(`/shop/${shop.name}`);
    await buyer.hands.press(page.getByText(say('pickup.shop.find.title'), { exact: true }));
    await page.getByRole('textbox', { name: say('pickup.shop.find.tlf') }).fill(tlf);
    await page.getByRole('textbox', { name: say('sixDigits') }).fill(code);
    await buyer.press(say('pickup.shop.find.go'));
    await expect(buyer.heading(say('pickup.purpose.take.ready'))).toBeVisible();
  });

  await test.step('they take it, and are charged because the door was seen to open and close', async () => {
    const steel = buyer.steel(shop.lot);
    await buyer.press(say('openLocker'));
    await steel.seesItOpen();
    expect((await payments())[0]?.state).toBe('reserved');
    await steel.close();
    const over = buyer.heading(say('done'));
    await buyer.saysUnless(say('pickup.purpose.borrow.done'), over);
    await expect(over).toBeVisible();
    await expect.poll(async () => (await payments())[0], { timeout: 30_000 }).toMatchObject({ state: 'captured', captured: 8_900 });
    expect(await company.admin.api('GET /occupations/{id}', { params: { id: shop.id } })).toMatchObject({ quantity: 1 });
  });
});

test('a buyer who walks away is asked for nothing any more; one whose door jams reads that nothing was taken', async ({
  page,
  hatchway,
  company,
  handsOn,
  language,
  say,
}) => {
  const shop = await openShop(hatchway.origin, company);
  const sum = language === 'nb' ? '89,00 kr' : 'NOK 89.00';
  const buyer = await outsider({ page, handsOn }, `/shop/${shop.name}`, shop.cabinet);
  const newest = async () => {
    const [payment] = await company.admin.api('GET /payments', { query: { q: { occupationId: shop.id }, sort: '-createdAt' } });
    if (!payment) throw new Error('Nothing was begun.');
    return payment;
  };
  const good = page.getByRole('link', { name: /Drill bit/ });
  const pay = async () => {
    await page.getByRole('textbox', { name: say('pickup.shop.tlf') }).fill(someNumber());
    await buyer.press(say('pickup.pay.press', { sum }));
  };

  await test.step('one that staff close is closed at once to who looks, and open again as soon', async () => {
    await expect(good).toContainText('2');
    await company.admin.api('PUT /storefront', { body: { open: false } });
    await expect(page.getByText(say('pickup.shop.states.closed.title'), { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(good).toHaveCount(0);
    await company.admin.api('PUT /storefront', { body: { open: true } });
    await expect(good).toBeVisible({ timeout: 30_000 });
  });

  await test.step('how many is chosen by a button that keeps its focus at its end', async () => {
    await buyer.hands.press(good);
    const [more, fewer] = [say('pickup.more'), say('pickup.fewer')].map((name) => page.getByRole('button', { name, exact: true }));
    if (!more || !fewer) throw new Error('no stepper');
    for (const [button, count] of [
      [more, '2'],
      [fewer, '1'],
    ] as const) {
      await buyer.hands.press(button);
      await expect(page.getByRole('group', { name: say('pickup.take') }).getByRole('status')).toHaveText(count);
      await expect(button).toBeFocused();
    }
  });

  await test.step('who does not pay withdraws the request with the same press', async () => {
    await pay();
    const here = page.getByRole('link', { name: say('pickup.pay.here'), exact: true });
    const atProvider = page.getByRole('button', { name: say('sandbox.vipps.approve'), exact: true });
    await expect(here.or(atProvider)).toBeVisible({ timeout: 30_000 });
    // A phone was led to the provider, and comes back without an answer.
    if (await atProvider.isVisible()) await page.goBack();
    await buyer.press(say('pickup.leave.unpaid'));
    await expect.poll(async () => (await newest()).state, { timeout: 30_000 }).toBe('cancelled');
  });

  await test.step('behind a jammed door nothing is taken, the page says so, and the shop sells it no more', async () => {
    await page.goto(`/shop/${shop.name}`);
    await buyer.hands.press(good);
    await pay();
    await providerFor(page, buyer, say)('approve');
    await expect(buyer.heading(say('pickup.purpose.take.ready'))).toBeVisible({ timeout: 30_000 });
    await shop.cabinet.virtual.act({ do: 'jam', door: shop.lot.compartment, on: true });
    await buyer.press(say('openLocker'));
    await expect(buyer.heading(say('pickup.pay.didNotOpen'))).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(say('pickup.pay.stayedShutBought'), { exact: true })).toBeVisible();
    await expect.poll(newest, { timeout: 30_000 }).toMatchObject({ state: 'cancelled', captured: 0 });
    await buyer.press(say('pickup.shop.back'));
    await expect(page.getByText(say('pickup.shop.nothing'), { exact: true })).toBeVisible();
  });

  await test.step('an address of none says so', async () => {
    await page.goto('/shop/no-such-shop-here');
    await expect(buyer.heading(say('pickup.noShop.title'))).toBeVisible();
  });
});
