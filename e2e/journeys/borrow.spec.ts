import type { Page } from '@playwright/test';
import type { OwnCompany } from '../company.ts';
import type { Fixtures } from '../journey.ts';
import { expect, roadOf, test } from '../services.ts';
import { providerFor, takesVipps } from '../shop.ts';

const DRILL = { type: 'lending', assetText: 'Drill' } as const;
const GLOVES = { type: 'consumable', assetText: 'Gloves', quantity: 9 } as const;
type Thing = (typeof DRILL | typeof GLOVES) & { price?: { amount: number; currency: string } };
const offered = async ({ admin: { api } }: OwnCompany, lockerId: string, thing: Thing) => {
  const { id } = await api('POST /occupations', { body: { ...thing, lockerId } });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
};
/** A thing that nobody is named for, in a cabinet of the company; whoever joins the crew may take it. */
const crewAnd = async (company: OwnCompany, thing: Thing) => {
  const { api } = company.admin;
  const cabinet = await company.cabinet({ doors: 2, hasSensors: false });
  const [lot, other] = cabinet.lockers;
  if (!lot || !other) throw new Error('no locker');
  const person = await company.person([], 'Cara Crew');
  const [account] = await api('GET /accounts', { query: { q: { email: person.email } } });
  const group = await api('POST /groups', { body: { name: 'Crew' } });
  const join = () => api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: account?.id ?? '' }, body: {} });
  await api('POST /policies', {
    body: {
      name: 'Crew',
      ref: company.ref('crew'),
      services: ['lending', 'consumable'],
      groupIds: [group.id],
      loanHours: 48,
      loginHint: 'crew.',
    },
  });
  await offered(company, lot.id, thing);
  return { cabinet, lot, other, person, join };
};
type Hands = Pick<Fixtures, 'act' | 'say' | 'company'>;
/** At the cabinet, by the code that stands on it: signs in on the provider's pages, and is back there. */
const signInAt = async (page: Page, { act, say, company }: Hands, number: number, email: string) => {
  await page.goto(`/c/${number}`);
  await expect(page.getByRole('heading', { name: say('borrowWithoutCode') })).toBeVisible();
  await signInHere(page, { act, say, company }, number, email);
};
const signInHere = async (page: Page, { act, say, company }: Hands, number: number, email: string) => {
  await act.press(page.getByRole('button', { name: say('signIn'), exact: true }));
  // as the policy has it begin: whoever signs in adds the rest, or writes another
  await expect(page.getByLabel(say('login'))).toHaveValue('crew.');
  await page.getByLabel(say('login')).fill(email);
  await page.getByLabel(say('password'), { exact: true }).fill(company.password);
  await act.press(page.getByRole('button', { name: say('signIn'), exact: true }));
  await expect(page.getByRole('button', { name: say('signOut') })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/c/${number}$`));
};

test('at the cabinet whoever is in no group is offered nothing; of the group they borrow the drill and bring it back, though the line goes down and their session ends', async ({
  page,
  company,
  act,
  say,
  atDoor,
}) => {
  const { cabinet, lot: gloves, other: lot, person, join } = await crewAnd(company, GLOVES);
  const code = page.getByRole('textbox', { name: say('sixDigits'), exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const held = async ({ id }: typeof lot) => (await company.admin.api('GET /occupations', { query: { q: { lockerId: id } } }))[0];
  await page.clock.install();

  await test.step('when the cabinet is looked at: a press looks again, and what is used up is taken, not borrowed', async () => {
    await page.route('**/v1/pickup/cabinets/*', (route) => route.abort('connectionrefused'), { times: 1 });
    await page.goto(`/c/${cabinet.number}`);
    await expect(page.getByText(say('noLineNow'))).toBeVisible();
    await act.press(button(say('tryAgain')));
    await expect(page.getByRole('heading', { name: say('takeWithoutCode'), exact: true })).toBeVisible();
    await expect(page.getByText(say('borrowWithoutCode'))).toHaveCount(0);
    await expect(page.getByText(say('noLineNow'))).toHaveCount(0);
  });

  await test.step('at the sign-in: the next try goes through', async () => {
    await page.route('**/config', (route) => route.abort('connectionrefused'), { times: 1 });
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/config'));
    await act.press(button(say('signIn')));
    await failed;
    await expect(page.getByText(say('noLineNow'))).toBeVisible();
    await signInHere(page, { act, say, company }, cabinet.number, person.email);
  });

  await test.step('what is offered to the crew is not offered to whoever is not of it', async () => {
    await expect(page.getByText(say('nothingOffered'))).toBeVisible();
    await expect(page.getByText('Gloves')).toHaveCount(0);
  });

  await join();
  await offered(company, lot.id, DRILL);
  await test.step('whose session ends while they look is told so, and signs in again', async () => {
    await page.route('**/protocol/openid-connect/token', (route) => route.fulfill({ status: 400, json: { error: 'invalid_grant' } }), {
      times: 1,
    });
    await page.clock.fastForward(60 * 60_000);
    await expect(page.getByText(say('signedInNoMore'))).toBeVisible();
    // at the provider it lives on in this test, so that it asks for nothing
    await act.press(button(say('signIn')));
    await expect(page.getByRole('listitem').filter({ hasText: 'Drill' })).toBeVisible();
  });

  await test.step('of gloves some are taken', async () => {
    await expect(page.getByRole('heading', { name: say('pickup.offers.title.both') })).toBeVisible();
    const door = await atDoor(cabinet, gloves);
    const offer = page.getByRole('listitem').filter({ hasText: 'Gloves' });
    await act.press(offer.getByRole('button', { name: say('takeSome'), exact: true }));
    await act.press(button(say('openLocker')));
    await door.seesItOpen();
    await door.close();
    await act.press(button(say('haveIt')));
    await expect.poll(() => held(gloves)).toMatchObject({ stageName: 'ACQUIRABLE', quantity: 8 });
  });

  const door = await atDoor(cabinet, lot);
  await test.step('what is offered stands there with its door, and is taken in their name', async () => {
    await page.goto(`/c/${cabinet.number}`);
    await act.press(button(say('signIn')));
    const offer = page.getByRole('listitem').filter({ hasText: 'Drill' });
    await expect(offer).toContainText(lot.doorTag);
    await act.press(offer.getByRole('button', { name: say('borrowIt'), exact: true }));
    await act.press(button(say('openLocker')));
    await door.seesItOpen();
    await door.close();
    await act.press(button(say('haveIt')));
    await expect(page.getByRole('heading', { name: say('yoursForNow') })).toBeVisible();
    await expect(page.getByText(say('backBy'))).toBeVisible();
    await expect(button(say('openLocker'))).toHaveCount(0);
    await expect.poll(() => held(lot)).toMatchObject({ stageName: 'VACANT', receiver: { name: 'Cara Crew', email: person.email } });
  });

  await test.step('whoever lost the page finds the loan again at the cabinet, and brings it back', async () => {
    await page.goto(`/c/${cabinet.number}`);
    await act.press(button(say('signIn')));
    const loan = page.getByRole('listitem').filter({ hasText: 'Drill' });
    await act.press(loan.getByRole('button', { name: say('bringBack'), exact: true }));
    await act.press(button(say('openLocker')));
    await expect(page.getByRole('heading', { name: say('lockerIsOpen'), exact: true })).toBeVisible();
    await door.seesItOpen();
    await door.put('Drill');
    await door.close();
    await act.press(button(say('isInside')));
    await expect(page.getByText(say('backInLocker'))).toBeVisible();
    await expect.poll(() => held(lot)).toMatchObject({ stageName: 'ACQUIRABLE', receiver: null });
  });

  expect(await roadOf(company, lot.doorTag)).toEqual([
    'occupation_created',
    'occupation_filled',
    'occupation_published',
    'occupation_assigned',
    'occupation_claiming',
    'occupation_claimed',
    'occupation_borrowed',
    'occupation_returned',
  ]);

  await test.step('they can leave', async () => {
    await page.goto(`/c/${cabinet.number}`);
    await act.press(button(say('signIn')));
    await act.press(button(say('signOut')));
    await expect(button(say('signIn'))).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/c/${cabinet.number}$`));
  });

  await test.step('turned to another cabinet they keep what they typed, and read nothing more of the first one', async () => {
    await code.fill('123456');
    await act.press(button(say('otherCabinet')));
    await expect(page.getByRole('textbox', { name: say('cabinetNumber'), exact: true })).toHaveValue('');
    await expect(code).toHaveValue('123456');
    await expect(page.getByRole('main')).not.toContainText(String(cabinet.number));
  });
});

test('what costs is paid at the cabinet before its door opens, and borrowed as soon as it is', async ({
  page,
  hatchway,
  company,
  act,
  language,
  say,
  atDoor,
}) => {
  await takesVipps(hatchway.origin, company);
  const { cabinet, lot, person, join } = await crewAnd(company, { ...DRILL, price: { amount: 8_900, currency: 'NOK' } });
  await join();
  const sum = language === 'nb' ? '89,00 kr' : 'NOK 89.00';
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const payment = async () => (await company.admin.api('GET /payments', { query: { sort: '-createdAt' } }))[0];
  const atProvider = providerFor(page, { hands: act }, say);
  await signInAt(page, { act, say, company }, cabinet.number, person.email);
  const offer = page.getByRole('listitem').filter({ hasText: 'Drill' });
  const pay = button(say('pickup.pay.press', { sum }));

  await test.step('chosen, Pay is the next thing to press, and what is due and why stands beside it', async () => {
    await expect(offer).toContainText(sum);
    await act.press(offer.getByRole('button', { name: say('borrowIt'), exact: true }));
    await expect(pay).toBeFocused();
    await expect(page.getByText(say('pickup.offers.toPay', { sum }), { exact: true })).toBeVisible();
    await expect(page.getByText(say('pickup.offers.why.lending'), { exact: true })).toBeVisible();
    await expect(page.getByText(say('pickup.pay.nothingTaken'), { exact: true })).toBeVisible();
    await act.press(button(say('pickup.offers.notNow')));
    await expect(offer.getByRole('button', { name: say('borrowIt'), exact: true })).toBeFocused();
  });

  const door = await atDoor(cabinet, lot);
  await test.step('paid, whoever comes back from the provider stands before the same cabinet, opens and takes', async () => {
    await act.press(offer.getByRole('button', { name: say('borrowIt'), exact: true }));
    await act.press(pay);
    await atProvider('approve');
    await expect(heading(say('readyToBorrow'))).toBeVisible({ timeout: 30_000 });
    await expect(page).toHaveURL(new RegExp(`/c/${cabinet.number}$`));
    await act.press(button(say('openLocker')));
    await door.seesItOpen();
    expect(await payment()).toMatchObject({ state: 'reserved', captured: 0, payer: { name: 'Cara Crew', email: person.email } });
    await door.close();
    await act.press(button(say('haveIt')));
    await expect(heading(say('yoursForNow'))).toBeVisible();
    await expect.poll(payment, { timeout: 30_000 }).toMatchObject({ state: 'captured', captured: 8_900 });
  });
});
