import { readFile } from 'node:fs/promises';
import type { OwnCabinet, OwnCompany } from '../company.ts';
import { expect, test } from '../journey.ts';

/** Coffee for sale in the first locker, by the API as the sale service does it. */
const coffee = async (company: OwnCompany, quantity: number, cabinet?: OwnCabinet, assetText = 'Coffee'): Promise<string> => {
  const { lockers } = cabinet ?? (await company.wall({ doors: 1 }));
  const { api } = company.admin;
  const body = {
    type: 'sale' as const,
    lockerId: lockers[0]?.id ?? '',
    assetText,
    quantity,
    price: { amount: 8900, currency: 'NOK' },
  };
  const { id } = await api('POST /occupations', { body });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
  return id;
};

// shows R2.11, R2.16, R4.33, R4.34
test('a seller takes money over the counter, hands the goods out and gives a part back; money for goods that are gone waits for a decision', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
  language,
}) => {
  const cabinet = await company.cabinet({ doors: 1 });
  const id = await coffee(company, 3, cabinet);
  const seller = await company.person(['sale_manager'], 'Sam Seller');
  const { api } = seller;
  const price = (amount: number) => (language === 'nb' ? `${amount},00 kr` : `NOK ${amount}.00`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  await enter(seller.email, '/portal/services/storefront');

  await test.step('the goods stand there with price and stock, and the public shop says that nobody can pay there yet', async () => {
    await expect(page.getByRole('heading', { level: 1, name: say('storefront') })).toBeVisible();
    const good = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Coffee' }) });
    await expect(good).toContainText(price(89));
    await expect(good).toContainText(say('left', { count: '3' }));
    await expect(page.getByText(say('storefront.notPayable'))).toBeVisible();
    const search = page.getByRole('main').getByRole('searchbox');
    await search.fill('tea');
    await expect(page.getByRole('heading', { name: say('nothingMatches') })).toBeVisible();
    await expect(good).toBeHidden();
    await search.fill('coff');
    await expect(good).toBeVisible();
    await expect(page).toHaveURL(/find=coff/);
    const saved = page.waitForEvent('download');
    await act.press(button(say('downloadCsv')));
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('Coffee');
  });

  await test.step('more than there are is not taken; two are, and the locker waits', async () => {
    await act.press(button(`${say('sell')} Coffee`));
    await dialog.getByLabel(say('pieces')).fill('4');
    await expect(dialog.getByText(say('wrongPieces', { count: '3' }))).toBeVisible();
    await dialog.getByLabel(say('pieces')).fill('2');
    await dialog.getByLabel(say('payerName')).fill('Kari Kunde');
    // they come for it later
    await act.press(dialog.getByRole('checkbox'));
    await act.press(dialog.getByRole('button', { name: say('moneyReceived') }));
    await expect(page).toHaveURL(/manageoccupation/);
    const [payment] = await api('GET /payments');
    expect(payment).toMatchObject({ state: 'reserved', amount: 17_800, quantity: 2, payer: { name: 'Kari Kunde' } });
  });

  await test.step('handed out behind a door that jams, nothing is lost and the same press tries again', async () => {
    await go('/manage/payments');
    const jam = (on: boolean) => cabinet.virtual.act({ do: 'jam', door: cabinet.lockers[0]?.compartment ?? 0, on });
    await jam(true);
    await act.press(page.getByRole('row').filter({ hasText: 'Kari Kunde' }));
    await act.press(dialog.getByRole('button', { name: say('handOut'), exact: true }));
    const open = button(say('openTag', { tag: cabinet.lockers[0]?.doorTag ?? '' }));
    await act.press(open);
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    expect((await api('GET /payments'))[0]).toMatchObject({ state: 'reserved', captured: 0, wantsEnd: true });
    await jam(false);
    await act.press(open);
    await expect(page).toHaveURL(/manageoccupation/);
    expect(await api('GET /lockers/{id}', { params: { id: cabinet.lockers[0]?.id ?? '' } })).toMatchObject({ door: 'opened' });
    expect(await api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'CLAIMING' });
    await expect(button(say('wasTaken'))).toHaveAttribute('data-likely');
  });

  await test.step('taken, it is captured, which the list shows without reloading', async () => {
    await go('/manage/payments');
    const row = page.getByRole('row').filter({ hasText: 'Kari Kunde' });
    await expect(row).toContainText(say('reserved'));
    await api('PUT /occupations', { body: { id, action: 'finnish' } });
    await expect(row).toContainText(say('captured'));
    await act.press(row);
    await expect(dialog).toContainText(price(178));
    await expect(page).toHaveURL(/payment=/);
  });

  await test.step('a refund names amount and payer, is never more than was captured, and pressed again after a lost answer is made once', async () => {
    await act.press(dialog.getByRole('button', { name: say('refund'), exact: true }));
    const asked = page.getByRole('dialog', { name: say('giveBackTo', { amount: price(178), payer: 'Kari Kunde' }) });
    await expect(asked).toBeVisible();
    const amount = page.getByLabel(say('amountIn', { currency: 'NOK' }));
    await amount.fill('178,01');
    await expect(page.getByText(say('atMostAmount', { amount: price(178) }))).toBeVisible();
    await amount.fill('89,00');
    const ask = page.getByRole('dialog', { name: say('giveBackTo', { amount: price(89), payer: 'Kari Kunde' }) });
    // the server does it, and its answer is lost on the way; what it did is told all the same
    await page.route('**/v1/payments/refund', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
      await page.unroute('**/v1/payments/refund');
    });
    const refund = ask.getByRole('button', { name: say('refund'), exact: true });
    await act.press(refund);
    await expect(ask.getByRole('alert')).toBeVisible();
    await expect(ask.getByText(say('atMostSum', { amount: price(89) }))).toBeVisible();
    await act.press(refund);
    await expect(ask.getByText(say('nothingDone'))).toBeVisible();
    await page.keyboard.press('Escape');
    await act.press(page.getByRole('button', { name: say('leave'), exact: true }));
    await expect(ask).toBeHidden();
    // that was the refund's alone: the payment is still looked at
    await expect(dialog).toContainText(say('partlyRefunded'));
    expect((await api('GET /payments'))[0]).toMatchObject({ state: 'refunded', captured: 17_800, refunded: 8_900 });
  });

  await test.step('what was noted stays', async () => {
    await act.press(dialog.getByRole('button', { name: say('changeDetails'), exact: true }));
    await act.press(dialog.getByRole('button', { name: say('addField'), exact: true }));
    await dialog.getByLabel(say('name'), { exact: true }).fill('receipt');
    await dialog.getByLabel(say('value'), { exact: true }).fill('4711');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    // what says that it is saved stands over no button of what is looked at
    const [toast, close] = await Promise.all([
      page.locator('[role="status"][class*="Notification"]').last().boundingBox(),
      dialog.getByRole('button', { name: say('close'), exact: true }).boundingBox(),
    ]);
    if (toast === null || close === null) throw new Error('one of them is not there');
    expect(toast.x >= close.x + close.width || toast.y >= close.y + close.height).toBe(true);
    await expect(dialog.getByText('4711')).toBeVisible();
    expect((await api('GET /payments'))[0]?.details).toEqual({ receipt: '4711' });
    await act.press(dialog.getByRole('button', { name: say('close'), exact: true }).first());
    await expect(dialog).toBeHidden();
    await expect(page).not.toHaveURL(/payment=/);
  });

  const tea = await coffee(company, 2, undefined, 'Tea');
  await api('POST /payments', { body: { occupationId: tea, received: true, payer: { name: 'Nina Kunde' } } });
  const ofTea = () => api('GET /payments', { query: { q: { occupationId: tea } } });
  await go('/services/storefront');

  await test.step('pieces that are being paid for lead to whoever pays for them', async () => {
    const cocoa = await coffee(company, 4, undefined, 'Cocoa');
    const pay = (name: string, quantity: number) => api('POST /payments', { body: { occupationId: cocoa, quantity, payer: { name } } });
    const { _id } = await pay('Tove Cocoa', 2);
    await api('PUT /payments/cancel', { body: { _id: (await pay('Per Kunde', 1))._id } });
    await act.press(page.getByRole('link', { name: say('storefront.held', { count: '2' }) }));
    await expect(page.getByRole('heading', { level: 1, name: say('payments') })).toBeVisible();
    await expect(page.locator('tr[data-row]')).toHaveCount(1);
    await expect(page.locator('tr[data-row]')).toContainText('Tove Cocoa');
    // what narrows the list stands in its address: on a phone the filters themselves are folded away
    await expect(page).toHaveURL(new RegExp(`occupation=${cocoa}&state=underway$`));
    await api('PUT /payments/cancel', { body: { _id } });
    await go('/services/storefront');
  });

  await test.step('the goods cost more from now on', async () => {
    const good = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Tea' }) });
    await act.press(good.getByRole('button', { name: say('changePrice') }));
    await dialog.getByLabel(say('storefront.priceOne', { currency: 'NOK' })).fill('99,00');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(good).toContainText(price(99));
    expect(await ofTea()).toMatchObject([{ amount: 8900, state: 'reserved' }]);
  });

  await test.step('who pays after it pays that, and is captured by a person, for no more', async () => {
    const { _id } = await api('POST /payments', { body: { occupationId: tea, received: true, payer: { name: 'Ola Kunde' } } });
    await go(`/manage/payments?payment=${_id}`);
    const capture = dialog.getByRole('button', { name: say('capture'), exact: true });
    await act.press(capture);
    const amount = page.getByLabel(say('amountIn', { currency: 'NOK' }));
    await amount.fill('99,01');
    await expect(page.getByText(say('atMostAmount', { amount: price(99) }))).toBeVisible();
    await amount.fill('99,00');
    const asked = page.getByRole('dialog', { name: say('captureFrom', { amount: price(99), payer: 'Ola Kunde' }) });
    await act.press(asked.getByRole('button', { name: say('capture'), exact: true }));
    await expect(asked).toBeHidden();
    await expect(dialog.getByRole('button', { name: say('refund'), exact: true })).toBeVisible();
    await expect(capture).toHaveCount(0);
    expect(await api('GET /payments/{id}', { params: { id: _id } })).toMatchObject({ state: 'captured', amount: 9900, captured: 9900 });
  });

  await test.step('taken out with money noted for one, the dashboard says so and leads there', async () => {
    await api('PUT /occupations', { body: { id: tea, action: 'extract' } });
    await go('/');
    await act.press(page.getByRole('link', { name: say('dashboard.wanting', { count: '1' }) }));
    const row = page.getByRole('row').filter({ hasText: 'Nina Kunde' });
    await expect(row).toContainText(say('wantsEnd'));
    await act.press(row);
  });

  await test.step('given back, it is cancelled by a person, and nothing waits any more', async () => {
    await act.press(dialog.getByRole('button', { name: say('cancelPayment'), exact: true }));
    const asked = page.getByRole('dialog', { name: say('cancelPaymentOf', { amount: price(89), payer: 'Nina Kunde' }) });
    await act.press(asked.getByRole('button', { name: say('cancelPayment'), exact: true }));
    await expect(asked).toBeHidden();
    await act.press(dialog.getByRole('button', { name: say('close'), exact: true }).first());
    await expect(page.getByRole('row').filter({ hasText: 'Nina Kunde' })).toBeHidden();
    const states = (await ofTea()).map(({ payer, state, wantsEnd }) => [payer.name, state, wantsEnd]);
    expect(new Set(states)).toEqual(new Set([['Nina Kunde', 'cancelled', false], ['Ola Kunde', 'captured', false]])); // prettier-ignore
  });
});

// shows R2.5
test('a new company is told what to do first; with lockers the figures lead to their lists, and who wants no first parcel hides it for good', async ({
  page,
  company,
  act,
  say,
  enter,
}) => {
  await enter(company.admin.email);
  await expect(page.getByRole('heading', { name: say('beginHere') })).toBeVisible();
  await expect(page.getByRole('link', { name: say('makeCabinet') })).toHaveAttribute('href', '/portal/manage/lockers');
  const id = await coffee(company, 2);
  const { api } = company.admin;
  await api('POST /payments', { body: { occupationId: id, received: true } });
  await api('PUT /occupations/assign', { body: { action: 'claim', id } });
  await api('PUT /occupations', { body: { id, action: 'finnish' } });
  await expect(page.getByRole('heading', { name: say('beginHere') })).toBeHidden();
  const services = page.getByRole('region', { name: say('dashboardServices') });
  await expect(services.getByRole('row')).toHaveCount(2);
  const card = page.getByRole('region', { name: say('dashboard.parcel.title') });
  await act.press(card.getByRole('button', { name: say('dashboard.parcel.hide'), exact: true }));
  await expect(card).toHaveCount(0);
  await page.reload();
  const money = page.getByRole('region', { name: say('dashboardMoney') });
  const today = money.getByRole('link', { name: say('dashboard.capturedToday') });
  await expect(today).toContainText(/[1-9]/);
  await expect(today).toHaveAttribute('href', /kind=payment_captured&.*currency=NOK/);
  await expect(card).toHaveCount(0);
  await act.press(money.getByRole('link', { name: say('captured') }).filter({ hasNotText: say('dashboard.capturedToday') }));
  // all that came in, also what went back since: the history holds what the sum is of
  await expect(page).toHaveURL(/\/history\?kind=payment_captured&.*currency=NOK/);
  await expect(page.locator('tr[data-row]')).toHaveCount(1);
});
