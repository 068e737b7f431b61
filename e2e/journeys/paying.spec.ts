import { createClient } from '@hatchway/contract/client.ts';
import { messagesTo, type OwnCabinet, type OwnCompany } from '../company.ts';
import { someNumber } from '../counter.ts';
import { expect, test, type Ways } from '../journey.ts';
import { outsider } from '../outside.ts';
import { openShop, providerFor, takesVipps } from '../shop.ts';

const price = { amount: 8_900, currency: 'NOK' };
const sumIn = (language: Ways['language']) => (language === 'nb' ? '89,00 kr' : 'NOK 89.00');
const newestOf = async ({ admin }: OwnCompany, occupationId: string) => {
  const [payment] = await admin.api('GET /payments', { query: { q: { occupationId }, sort: '-createdAt' } });
  if (!payment) throw new Error('Nothing was begun.');
  return payment;
};

/** A suitcase behind its door, and the link that its owner was sent. */
const stored = async (origin: string, { admin: { api } }: OwnCompany, { virtual }: OwnCabinet, lot: OwnCabinet['lockers'][number]) => {
  const tlf = someNumber();
  const body = { type: 'storage' as const, assetText: 'Suitcase', lockerId: lot.id, receiver: { name: 'Ola Nordmann', tlf }, price };
  const { id } = await api('POST /occupations', { body });
  await api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, occupationId: id } });
  for (const act of [{ do: 'put', what: 'Suitcase' }, { do: 'close' }]) await virtual.act({ ...act, door: lot.compartment });
  const stage = async () => (await api('GET /occupations/{id}', { params: { id } })).stageName;
  await expect.poll(stage, { timeout: 30_000 }).toBe('ACQUIRABLE');
  await api('PUT /occupations', { body: { id, action: 'send' } });
  const [message] = await messagesTo(origin, tlf);
  const link = message?.links.find((one) => one.includes('/p/'));
  if (!link) throw new Error(`No link came to ${tlf}.`);
  return { id, path: new URL(link).pathname };
};

/** Somebody else with a phone of their own, who buys one and approves it there. */
const boughtByAnother = async (origin: string, company: OwnCompany, shop: { name: string; id: string }): Promise<void> => {
  const api = createClient({ base: `${origin}/v1`, token: () => null });
  await api('POST /shop/{name}/goods/{id}/buy', { params: { name: shop.name, id: shop.id }, body: { ...price, tlf: someNumber() } });
  // a slow provider has not said yet where it is approved
  const address = async () => (await newestOf(company, shop.id)).approveUrl;
  await expect.poll(address, { timeout: 30_000 }).not.toBeNull();
  const token = new URL((await address()) ?? '').searchParams.get('token') ?? '';
  const body = JSON.stringify({ act: 'approve' });
  await fetch(`${origin}/sandbox/vipps/payments/${token}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await expect.poll(async () => (await newestOf(company, shop.id)).state, { timeout: 30_000 }).toBe('reserved');
};

test('of two who buy the last one, or as staff sell it, the quicker gets it; the other reads so, and is not charged', async ({
  page,
  hatchway,
  company,
  handsOn,
  language,
  say,
}) => {
  const shop = await openShop(hatchway.origin, company, 1);
  const sum = sumIn(language);
  const buyer = await outsider({ page, handsOn }, `/shop/${shop.name}`, shop.cabinet);
  const good = page.getByRole('link', { name: /Drill bit/ });
  const { api } = company.admin;

  await test.step('who presses Pay as staff sell it is asked for nothing', async () => {
    await buyer.hands.press(good);
    await page.getByRole('textbox', { name: say('pickup.shop.tlf') }).fill(someNumber());
    // their page has not heard of it yet
    const { promise: heard, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/\/v1\/shop\/[^/]+(\?|$)/, (route) => heard.then(() => route.continue()));
    const { _id } = await api('POST /payments', { body: { occupationId: shop.id, received: true } });
    await buyer.press(say('pickup.pay.press', { sum }));
    await expect(page.getByText(say('pickup.shop.soldOut'), { exact: true })).toBeVisible();
    answer();
    await expect(page.getByText(say('pickup.shop.holds.being-bought'), { exact: true })).toBeVisible();
    await expect(buyer.button(say('pickup.pay.press', { sum }))).toHaveCount(0);
    expect(await api('GET /payments')).toMatchObject([{ _id, provider: 'manual' }]);
    await api('PUT /payments/cancel', { body: { _id } });
    await page.goto(`/shop/${shop.name}`);
  });

  await test.step('both have begun: who approves it last gets their money back and reads why', async () => {
    await buyer.hands.press(good);
    await page.getByRole('textbox', { name: say('pickup.shop.tlf') }).fill(someNumber());
    await buyer.press(say('pickup.pay.press', { sum }));
    const begun = () => api('GET /payments', { query: { q: { occupationId: shop.id, provider: 'vipps' } } });
    await expect.poll(async () => (await begun()).map(({ pending }) => pending), { timeout: 30_000 }).toEqual([[]]);
    const { _id: own } = await newestOf(company, shop.id);
    await boughtByAnother(hatchway.origin, company, shop);
    await providerFor(page, buyer, say)('approve');
    await expect(page.getByText(say('pickup.pay.tooLateBought'), { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(buyer.heading(say('pickup.pay.nothingBought'))).toBeVisible();
    const payment = () => company.admin.api('GET /payments/{id}', { params: { id: own } });
    await expect.poll(payment, { timeout: 30_000 }).toMatchObject({ state: 'cancelled', captured: 0, pending: [] });
  });

  await test.step('whoever looks meanwhile reads that somebody is buying it', async () => {
    await buyer.press(say('pickup.shop.back'));
    await expect(good).toContainText(say('pickup.shop.holds.being-bought'));
    await buyer.hands.press(good);
    await expect(buyer.heading('Drill bit')).toBeVisible();
    await expect(buyer.button(say('pickup.pay.press', { sum }))).toHaveCount(0);
  });
});

test('a storage is paid by phone on the way out: what is due and why stands beside the next press, then the door opens', async ({
  page,
  hatchway,
  company,
  handsOn,
  language,
  say,
}) => {
  await takesVipps(hatchway.origin, company);
  const cabinet = await company.cabinet({ doors: 1 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('The cabinet has no door.');
  const { id, path } = await stored(hatchway.origin, company, cabinet, lot);
  const sum = sumIn(language);
  const owner = await outsider({ page, handsOn }, path, cabinet);

  await test.step('Pay is the one thing to press, and beside it stands what for and when the money is taken', async () => {
    await expect(owner.heading(say('pickup.pay.title'))).toBeVisible();
    await expect(page.getByText(say('keptAt', { what: 'Suitcase', who: company.name }))).toContainText(sum);
    await expect(page.getByText(say('pickup.pay.takenAtEnd'), { exact: true })).toBeVisible();
    await expect(owner.button(say('openLocker'))).toHaveCount(0);
    await expect(page.locator('button.primary')).toHaveCount(1);
  });

  await test.step('paid it is theirs to open', async () => {
    await owner.press(say('pickup.pay.press', { sum }));
    await providerFor(page, owner, say)('approve');
    await expect(owner.heading(say('yourLocker'))).toBeVisible({ timeout: 30_000 });
    expect(await newestOf(company, id)).toMatchObject({ state: 'reserved', captured: 0 });
  });

  await test.step('they open, take, and give the locker back: then the money is taken', async () => {
    const steel = owner.steel(lot);
    await owner.press(say('openLocker'));
    await steel.seesItOpen();
    await steel.take();
    await steel.close();
    await expect(owner.heading(say('yourLocker'))).toBeVisible();
    expect(await newestOf(company, id)).toMatchObject({ state: 'reserved', captured: 0 });
    await owner.press(say('needNoMore'));
    await owner.press(say('isEmpty'));
    await expect(owner.heading(say('done'))).toBeVisible();
    await expect.poll(() => newestOf(company, id), { timeout: 30_000 }).toMatchObject({ state: 'captured', captured: 8_900 });
  });
});
