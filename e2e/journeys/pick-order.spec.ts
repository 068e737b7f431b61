import type { Page } from '@playwright/test';
import type { OwnCompany } from '../company.ts';
import { openButton, someNumber } from '../counter.ts';
import { expect, phoneOf, test } from '../services.ts';
import { handsAt } from '../steel.ts';

type Order = { id: number; number: string; status: string; notes: { note: string }[] };

/** The sandbox's webshop, as its page speaks to it. */
const shopOf = (origin: string) => {
  const at = `${origin}/sandbox/woo`;
  const post = async (path: string, body: object) =>
    fetch(at + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return {
    url: `${at}/shop`,
    order: async (input: object) => (await (await post('/orders', input)).json()) as Order,
    seen: async (id: number) => ((await (await fetch(`${at}/books`)).json()) as { orders: Order[] }).orders.find((one) => one.id === id),
    /** It is away for this order alone, until it is back. */
    goesAway: (number: string) => post('/faults', { kind: 'outage', times: null, reference: number }),
    becomes: (id: number, status: string) => post(`/orders/${id}`, { status }),
    comesBack: () => fetch(`${at}/faults`, { method: 'DELETE' }),
  };
};

/** What is asked of the orders by a whole number is answered once it is let go. */
const heldBack = async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    ({ pathname, searchParams }) => pathname.endsWith('/orders') && searchParams.get('q')?.includes('$in') === true,
    async (route) => {
      await promise;
      await route.continue();
    },
  );
  return { letGo: resolve };
};

/** The administrator connects it, and its owner approves. */
async function connect({ admin }: OwnCompany, url: string): Promise<string> {
  const { _id } = await admin.api('POST /integrations/{kind}', { params: { kind: 'woo' }, body: { settings: { url } } });
  const asked = new URL((await admin.api('GET /woo/url')).url);
  const { nonce } = (await (await fetch(`${url}/wc-auth/v1/nonce`)).json()) as { nonce: string };
  asked.pathname = asked.pathname.replace(/authorize$/, 'access_granted');
  asked.searchParams.set('wc_auth_nonce', nonce);
  await fetch(asked, { redirect: 'manual' });
  await expect.poll(async () => (await admin.api('GET /integrations', { query: { type: 'shop' } }))[0]?.state).toBe('active');
  return _id;
}

test('an order of the shop is picked, put in, fetched, and marked in the shop; staff see at once that one is taken by somebody else or called off', async ({
  page,
  hatchway,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const { api } = company.admin;
  const shop = shopOf(hatchway.origin);
  const cabinet = await company.cabinet({ doors: 3 });
  const integration = await connect(company, shop.url);
  const sync = () => api('POST /integrations/{kind}/{_id}/sync', { params: { kind: 'woo', _id: integration }, body: {} });
  const tlf = someNumber();
  const order = await shop.order({ firstName: 'Ingrid', lastName: 'Solberg', phone: tlf, lines: [{ name: 'Boots', quantity: 2 }] });
  await expect.poll(async () => (await api('GET /orders', { query: { q: { number: order.number } } })).length).toBe(1);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const next = () => act.press(button(say('next')));

  await test.step('Pick order fills in the receiver', async () => {
    await enter(company.admin.email, '/portal/services/delivery');
    await expect(page.getByText(say('stepOf', { step: '1', total: '5' }))).toBeVisible();
    await page.getByRole('combobox', { name: say('asset'), exact: true }).fill('Boots');
    await next();
    await page.getByRole('textbox', { name: say('occupations.order.label'), exact: true }).fill(order.number);
    await expect(page.getByText(say('stepOf', { step: '2', total: '5' }))).toBeVisible();
    await act.press(page.getByRole('list', { name: say('occupations.order.list') }).getByRole('button', { name: order.number }));
    await next();
    await expect(page.getByRole('combobox', { name: say('name'), exact: true })).toHaveValue('Ingrid Solberg');
    await next();
    await next();
  });

  const label = await openButton(page, say).innerText();
  const lot = cabinet.lockers.find(({ doorTag }) => label.includes(doorTag));
  if (!lot) throw new Error(`No locker of ours is on the button: ${label}`);
  const hands = handsAt(hatchway.origin, cabinet, lot);

  await test.step('it is put in while the shop is away, and its receiver is told all the same', async () => {
    await shop.goesAway(order.number);
    await act.press(openButton(page, say));
    await hands.seesItOpen();
    await hands.put('Boots');
    await hands.close();
    await act.press(
      page
        .getByRole('main')
        .getByRole('button', { name: say('notify'), exact: true })
        .first(),
    );
    await expect(page.getByRole('heading', { name: say('notified', { name: 'Ingrid Solberg' }) })).toBeVisible();
  });

  await test.step('it is fetched', async () => {
    const phone = await phoneOf(hatchway.origin, tlf);
    await phone.open(lot.doorTag);
    await hands.seesItOpen();
    await hands.take();
    await hands.close();
    await phone.done();
    await sync();
    expect(await shop.seen(order.id)).toMatchObject({ status: 'processing', notes: [] });
  });

  await test.step('once the shop is back, it is marked there, once', async () => {
    await shop.comesBack();
    await expect
      .poll(async () => {
        await sync();
        const seen = await shop.seen(order.id);
        return [seen?.status, seen?.notes.length];
      })
      .toEqual(['completed', 2]);
    await expect.poll(async () => (await api('GET /orders', { query: { q: { number: order.number } } })).length).toBe(0);
  });

  await test.step('what its SMS weighed stands in the figures', async () => {
    await go('/');
    const figures = page.getByRole('region', { name: say('dashboard.sms') });
    await act.press(figures.getByText(say('dashboard.asTable')));
    const [month] = await api('GET /stats/messages');
    const { month: name = '', messages = 0, segments = 0 } = month ?? {};
    expect(messages).toBeGreaterThan(0);
    const row = figures.getByRole('row', { name: `${name.slice(5)}.${name.slice(0, 4)}` });
    await expect(row.getByRole('cell')).toHaveText([String(messages), String(segments)]);
  });

  await test.step('with no order open the step is there still, and takes a number by hand', async () => {
    await go('/services/delivery');
    await page.getByRole('combobox', { name: say('asset'), exact: true }).fill('Laces');
    await next();
    await expect(page.getByText(say('occupations.order.optional', { what: 'Laces' }))).toBeVisible();
    await page.getByRole('textbox', { name: say('occupations.order.label'), exact: true }).fill('by hand');
    await expect(page.getByText(say('occupations.order.none'), { exact: true })).toBeVisible();
    await next();
    await expect(page.getByRole('combobox', { name: say('name'), exact: true })).toBeVisible();
  });

  // what is begun is left before another is
  const leaves = async () => {
    await act.press(button(say('abortDelivery')));
    await act.press(page.getByRole('dialog').getByRole('button', { name: say('abortDelivery'), exact: true }));
    await expect(page.getByRole('heading', { name: say('dashboard'), level: 1 })).toBeVisible();
  };
  await leaves();
  const ordered = (firstName: string, name: string) =>
    shop.order({ firstName, lastName: 'Berg', phone: someNumber(), lines: [{ name, quantity: 1 }] });
  const [annas, bos, third] = [await ordered('Anna', 'Boots'), await ordered('Bo', 'Skis'), await ordered('Cleo', 'Poles')];
  await expect
    .poll(async () => (await api('GET /orders', { query: { q: { number: { $in: [annas.number, bos.number, third.number] } } } })).length)
    .toBe(3);
  const field = page.getByRole('textbox', { name: say('occupations.order.label'), exact: true });
  const row = ({ number }: Order) => page.getByRole('list', { name: say('occupations.order.list') }).getByRole('button', { name: number });
  const name = page.getByRole('combobox', { name: say('name'), exact: true });
  const back = async () => {
    await act.press(button(say('back')));
    await expect(field).toBeVisible();
  };

  await go('/services/delivery');

  await test.step('with nothing said at either step Next stays, and says what it wants', async () => {
    const alert = page.getByRole('alert');
    await next();
    await expect(field).toBeVisible();
    for (let n = 0; n < 2; n++) {
      await next();
      await expect(alert).toContainText(say('occupations.alert.orderText'));
      await expect(field).toBeFocused();
    }
    await act.press(button(say('back')));
  });

  await test.step('a number that is written and gone on with brings its own receiver', async () => {
    await next();
    await field.fill(annas.number);
    await field.press('Enter');
    await expect(name).toHaveValue('Anna Berg');
    await back();
    await expect(row(annas)).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('what lies inside is the order’s, where nobody said it before', async () => {
    await act.press(button(say('back')));
    await expect(page.getByRole('combobox', { name: say('asset'), exact: true })).toHaveValue('Boots');
    await next();
  });

  await test.step('written over, the first one’s receiver is let go, and no row is ticked that nobody picked', async () => {
    // as the shop prints it
    await act.write(field, `#${bos.number}`);
    await expect(row(bos)).toHaveAttribute('aria-pressed', 'false');
    await next();
    await expect(name).toHaveValue('Bo Berg');
    await back();
    await expect(row(bos)).toHaveAttribute('aria-pressed', 'true');
    await field.fill('by hand');
    const asset = page.getByRole('combobox', { name: say('asset'), exact: true });
    const asked = await heldBack(page);
    await next();
    await expect(button(say('next'))).toBeDisabled();
    asked.letGo();
    for (let n = 0; n < 2; n++) {
      await expect(asset).toBeVisible();
      await expect(page.getByRole('alert')).toContainText(say('pickAsset'));
      await expect(button(say('next'))).toBeEnabled();
      await next();
    }
    await expect(asset).toHaveValue('');
    await asset.fill('Parcel');
    await next();
    await next();
    await expect(name).toHaveValue('');
  });

  await test.step('an order that is called off leaves the list that stands open', async () => {
    await page.clock.install();
    // Whether there is a shop is known late: the step that the address names is there all the same.
    const told = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/asset-requests'));
    await page.route('**/orders/shops', async (route) => {
      await told;
      await route.continue();
    });
    await page.goto('/portal/services/delivery?step=order');
    await field.fill('Anna');
    await expect(row(annas)).toBeVisible();
    await shop.becomes(annas.id, 'cancelled');
    await expect.poll(async () => (await api('GET /orders', { query: { q: { number: annas.number } } })).length).toBe(0);
    await page.clock.fastForward(31_000);
    await expect(row(annas)).toBeHidden();
  });

  await leaves();
  const words = page.getByRole('main').getByText(say('occupations.calledOff'));
  const badge = page.getByRole('main').getByText(say('occupations.manage.calledOff'), { exact: true });

  await test.step('at the steps and on the running summary', async () => {
    await go('/services/delivery');
    await expect(page.getByRole('combobox', { name: say('asset'), exact: true })).toHaveValue('');
    await next();
    await act.press(page.getByRole('list', { name: say('occupations.order.list') }).getByRole('button', { name: third.number }));
    // Somebody else picks it just now.
    const taken = page.getByRole('main').getByText(say('occupations.order.taken'));
    await expect(taken).toBeHidden();
    const { id } = await api('POST /occupations', { body: { type: 'delivery', assetText: 'Poles', orderRef: third.number } });
    await expect(taken).toBeVisible();
    await next();
    await next();
    await next();
    await expect(openButton(page, say)).toBeVisible();
    await expect(taken).toBeVisible();
    await api('DELETE /occupations/{id}', { params: { id }, body: {} });
    await expect(taken).toBeHidden();
    await act.press(openButton(page, say));
    await expect(page.getByRole('link', { name: say('occupations.act.manage') })).toBeVisible();
    await expect(words).toBeHidden();
    await shop.becomes(third.id, 'cancelled');
    await expect(words).toBeVisible();
  });

  await test.step('under Manage occupation, also as the shop takes that back', async () => {
    await act.press(page.getByRole('link', { name: say('occupations.act.manage') }));
    await expect(words).toBeVisible();
    await expect(badge).toBeVisible();
    await shop.becomes(third.id, 'processing');
    await expect(badge).toBeHidden();
    await expect(words).toBeHidden();
  });

  await test.step('and in the lists', async () => {
    for (const look of ['list', 'board'] as const) {
      await shop.becomes(third.id, 'processing');
      await go(`/manage/occupations?look=${look}`);
      await expect(page.getByRole('main').getByText('Cleo Berg').first()).toBeVisible();
      await expect(badge).toBeHidden();
      await shop.becomes(third.id, 'refunded');
      await expect(badge.first()).toBeVisible();
    }
  });
});
