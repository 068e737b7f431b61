import type { OwnCompany } from '../company.ts';
import { expect, roadOf, showsStage, test } from '../services.ts';
import { takesVipps } from '../shop.ts';

/** Goods on sale behind a door, made over the API. */
const onSale = async ({ admin: { api } }: OwnCompany, lockerId: string, assetText: string, quantity: number, amount = 8950) => {
  const { id } = await api('POST /occupations', {
    body: { type: 'sale', lockerId, assetText, quantity, price: { amount, currency: 'NOK' } },
  });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
  return id;
};

// shows R2.13, R4.16, R4.29, R4.30
test('coffee is put in with its price and sold over the counter until none is left, to each who paid what they paid for', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  await enter(company.admin.email, '/portal/services/sale');

  await test.step('it wants a price and a quantity', async () => {
    await counter.stands(say('sale'), 1, 4);
    await expect(counter.button(say('abort'))).toBeVisible();
    await counter.field(say('asset')).fill('Coffee');
    await counter.next();
    await counter.stands(say('sale'), 2, 4);
    await counter.next();
    await expect(page.getByRole('alert').first()).toContainText(say('checkAllFields'));
    await counter.field(say('priceForOne')).fill('89,50');
    await counter.field(say('quantity')).fill('2');
    await counter.next();
    await counter.next();
  });

  const door = await test.step('it goes in, and is on sale', async () => {
    const opened = await counter.open(cabinet);
    await opened.seesItOpen();
    await opened.put('Coffee');
    await opened.close();
    await act.press(counter.button(say('publish')));
    await expect(counter.heading(say('isPublished', { tag: opened.doorTag }))).toBeVisible();
    return opened;
  });

  await test.step('whose money is in hand gets the door', async () => {
    await counter.manage(door.doorTag);
    await act.press(counter.button(say('sell')));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say('pieces')).fill('2');
    await expect(dialog).toContainText(/179[.,]00/);
    await act.press(dialog.getByRole('button', { name: say('haveMoneyOpen', { tag: door.doorTag }), exact: true }));
    await door.seesItOpen();
    await door.take();
    await door.close();
    await expect(page.getByText(say('countsAsSold', { putBack: say('putBackInside') }))).toBeVisible();
    await expect(page.getByRole('timer')).toBeVisible();
    await expect(counter.button(say('putBackInside'))).toBeVisible();
    await act.press(counter.button(say('wasTaken')));
    await act.press(page.getByRole('dialog').getByRole('button', { name: say('wasTaken'), exact: true }));
    await showsStage(page, say, 'ended');
    expect(await roadOf(company, door.doorTag)).toEqual([
      'occupation_created',
      'occupation_filled',
      'occupation_published',
      'occupation_assigned',
      'occupation_claiming',
      'occupation_claimed',
      'occupation_sold',
    ]);
    const [payment] = await company.admin.api('GET /payments', { query: {} });
    expect(payment).toMatchObject({ state: 'captured', amount: 17_900, captured: 17_900, quantity: 2 });
  });

  await test.step('of several who have paid, who stands there is named before the door opens for them', async () => {
    const { api } = company.admin;
    const dialog = page.getByRole('dialog');
    const other = cabinet.lockers.find(({ id }) => id !== door.id);
    if (!other) throw new Error('no locker');
    const id = await onSale(company, other.id, 'Tea', 8, 8900);
    for (const [quantity, name] of [
      [2, 'Anna Andersen'],
      [3, 'Bert Berg'],
    ] as const)
      await api('POST /payments', { body: { occupationId: id, quantity, received: true, payer: { name } } });
    await counter.go(`/services/manageoccupation?id=${id}`);
    await act.press(counter.button(say('letInToTake')));
    const open = dialog.getByRole('button', { name: say('openTag', { tag: other.doorTag }), exact: true });
    await expect(open).toBeDisabled();
    const who = dialog.getByLabel(say('whoPaid'));
    await who.selectOption({ label: (await who.getByRole('option', { name: 'Bert Berg' }).textContent()) ?? '' });
    await expect(dialog).toContainText(/for Bert Berg, 3 .*267[.,]00/);
    await act.press(open);
    const paidFor = () => api('GET /payments', { query: { q: { occupationId: id } } });
    const claimed = async () => (await paidFor()).filter((one) => one.claimed).map(({ payer }) => payer.name);
    await expect.poll(claimed).toEqual(['Bert Berg']);
  });
});

test('goods on their card are sold by two presses and once, whatever a key or a lost answer does: what happens at the door does the rest', async ({
  page,
  company,
  hatchway,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  await takesVipps(hatchway.origin, company);
  const cabinet = await company.cabinet({ doors: 2, hasSensors: false });
  const [lot, other] = cabinet.lockers;
  if (!lot || !other) throw new Error('no lockers');
  const { api } = company.admin;
  // the shortest that there is
  await api('POST /policies', { body: { name: 'Shop', ref: company.ref('shop'), services: ['sale'], claimGraceSeconds: 5 } });
  const id = await onSale(company, lot.id, 'Coffee', 5);
  await onSale(company, other.id, 'Tea', 2);
  const door = await atDoor(cabinet, lot);
  await enter(company.admin.email, '/portal/services/storefront');
  const sell = counter.button(`${say('sell')} Coffee`);
  const dialog = page.getByRole('dialog');
  const received = dialog.getByRole('button', { name: say('haveMoneyOpen', { tag: lot.doorTag }), exact: true });
  const later = dialog.getByRole('button', { name: say('payments.take.later'), exact: true });
  const paid = async () => (await api('GET /payments')).filter(({ state }) => state !== 'cancelled');
  await act.press(sell);
  await expect(received).toBeEnabled();

  await test.step('Enter says of no money that it is there', async () => {
    await dialog.getByLabel(say('payerName')).fill('Kari');
    await dialog.getByLabel(say('payments.take.tlf')).fill('91234567');
    for (const field of [say('pieces'), say('payerName'), say('payments.take.tlf')]) await dialog.getByLabel(field).press('Enter');
    await dialog.getByRole('checkbox').press('Enter');
  });

  await test.step('while one payment is on its way no other one is begun', async () => {
    const { promise: heard, resolve: go } = Promise.withResolvers<void>();
    await page.route('**/v1/payments', (route) =>
      route.request().method() === 'POST' ? heard.then(() => route.continue()) : route.fallback(),
    );
    const toPhone = dialog.getByRole('button', { name: say('payments.take.toPhone'), exact: true });
    await expect(toPhone).toBeEnabled();
    // what is asked by its button comes after what a key would have asked
    await act.press(later);
    await expect(toPhone).toBeDisabled();
    await expect(received).toBeDisabled();
    go();
    await expect(dialog).toBeHidden();
    const asked = await paid();
    expect(asked).toMatchObject([{ state: 'initiated', provider: 'manual', quantity: 1 }]);
    expect(await api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'ACQUIRABLE', held: 1 });
    await api('PUT /payments/cancel', { body: { _id: asked[0]?._id ?? '' } });
  });

  await test.step('let in, and the answer lost, the same press again opens for the same customer', async () => {
    await counter.go('/services/storefront');
    await act.press(sell);
    await expect(dialog).toContainText(/89[.,]50/);
    await page.route(
      '**/v1/occupations/assign',
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await act.press(received);
    await expect(dialog.getByText(say('payments.take.noted'))).toBeVisible();
    expect(await paid()).toMatchObject([{ state: 'reserved', claimed: true }]);
    await act.press(received);
    await door.seesItOpen();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/storefront/);
    expect(await paid()).toMatchObject([{ state: 'reserved', provider: 'manual', quantity: 1, claimed: true }]);
  });

  await test.step('the next customer pays meanwhile, and the door is not opened for them', async () => {
    await act.press(sell);
    await expect(dialog.getByText(say('payments.take.inUse', { tag: lot.doorTag }))).toBeVisible();
    await expect(dialog.getByRole('checkbox')).toBeDisabled();
    await act.press(dialog.getByRole('button', { name: say('close'), exact: true }));
  });

  await test.step('taken, it counts as sold, with no further press', async () => {
    await door.close();
    await expect.poll(async () => (await paid())[0]?.state, { timeout: 90_000 }).toBe('captured');
    expect(await api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'ACQUIRABLE', quantity: 4 });
  });

  await test.step('goods that may be gone are sold to nobody before somebody has looked', async () => {
    const tea = counter.button(`${say('sell')} Tea`);
    await expect(tea).toBeVisible();
    await api('PUT /lockers/{id}/content', { params: { id: other.id }, body: { content: 'empty' } });
    await expect(page.getByText(say('notSold'))).toBeVisible();
    await expect(tea).toHaveCount(0);
  });

  await test.step('whose customer comes later only notes the money', async () => {
    await act.press(sell);
    await act.press(dialog.getByRole('checkbox'));
    await act.press(dialog.getByRole('button', { name: new RegExp(`^${say('moneyReceived')}.*89[.,]50`) }));
    await expect(page).toHaveURL(/manageoccupation/);
    await expect(counter.button(say('letInToTake'))).toBeVisible();
    expect(await api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'ACQUIRABLE', held: 1 });
  });
});
