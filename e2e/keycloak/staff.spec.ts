import { makeCompany } from '../company.ts';
import { expect, test } from '../journey.ts';
import { standAt } from '../steel.ts';
import { asKeycloaksAdmin, signInThere, url } from './keycloak.ts';

const parcel = 'Parcel 26';
const receiver = 'Ingrid Solberg';
const number = () => `+479${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;

test('staff sign in at Keycloak, fill a locker, switch company, lose a right and log out', async ({
  page,
  context,
  company,
  hatchway,
  act,
  handsOn,
  say,
}) => {
  const counter = await company.person(['delivery_manager'], 'Kari Counter');
  const cabinet = await company.cabinet({ doors: 2 });
  const second = await makeCompany(hatchway);
  await second.join(counter.email, ['manager']);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('combobox', { name, exact: true });
  const profile = page.getByRole('banner').getByRole('button', { name: say('profileMenu') });
  const token = page.locator('pre, code').first();

  await test.step('the portal leads to Keycloak, and back to the address that was asked for', async () => {
    await page.goto('/portal/token');
    await signInThere(page, counter.email, company.password);
    await expect(page).toHaveURL(/\/portal\/token$/);
    await expect(profile).toBeVisible();
    await expect(token).toContainText(company.id);
    await expect(token).toContainText('delivery_manager');
  });

  await test.step('the first delivery', async () => {
    await page.goto('/portal/services/delivery');
    await act.write(field(say('asset')), parcel);
    await act.press(button(say('next')));
    await act.write(field(say('name')), receiver);
    await act.write(field(say('tlf')), number());
    await act.press(button(say('next')));
    const chosen = page.getByText(new RegExp(`^(${cabinet.lockers.map(({ doorTag }) => say('chosen', { tag: doorTag })).join('|')})$`));
    await expect(chosen).toBeVisible();
    const text = await chosen.innerText();
    const locker = cabinet.lockers.find(({ doorTag }) => text === say('chosen', { tag: doorTag }));
    if (!locker) throw new Error(`No door of ours is chosen: ${text}`);
    await act.press(button(say('next')));
    const standing = await context.newPage();
    const hands = await standAt(standing, handsOn(standing), say, cabinet, locker);
    await act.press(button(say('openTag', { tag: locker.doorTag })));
    await hands.seesItOpen();
    await hands.put(parcel);
    await hands.close();
    await expect(page.getByRole('heading', { name: say('liesIn', { tag: locker.doorTag }) })).toBeVisible();
    const [held] = await company.admin.api('GET /occupations', { query: { q: { type: 'delivery' } } });
    expect(held).toMatchObject({ stageName: 'FILLED', assetText: parcel, createdBy: { name: 'Kari Counter' } });
  });

  await test.step('another company, and back', async () => {
    for (const one of [second, company]) {
      await act.press(profile);
      await act.press(page.getByRole('button', { name: one.name, exact: true }));
      // the portal leaves for Keycloak and comes back before it names the company
      await expect(page.getByRole('banner')).toContainText(one.name);
      await page.goto('/portal/token');
      await expect(token).toContainText(one.id);
    }
  });

  await test.step('a right that is withdrawn holds at once', async () => {
    await page.goto('/portal/');
    const link = page.getByRole('main').locator('a[href="/portal/services/delivery"]');
    await expect(link).toBeVisible();
    const { api } = company.admin;
    const all = await api('GET /companies/{tenant}/memberships', { params: { tenant: company.id }, query: {} });
    const theirs = all.find(({ email }) => email === counter.email);
    if (!theirs) throw new Error('no membership');
    await api('PUT /companies/{tenant}/memberships/{membershipId}', {
      params: { tenant: company.id, membershipId: theirs.id },
      body: { roles: ['lending_manager'], version: theirs.version },
    });
    await expect(link).toHaveCount(0);
    await expect
      .poll(async () => (await (await asKeycloaksAdmin()).users(counter.email))[0]?.attributes['tenant_roles'])
      .toEqual(['lending_manager']);
  });

  await test.step('password and second step lead to Keycloak’s account console, old addresses too', async () => {
    for (const address of ['/portal/profile', '/realms/pml/account/security']) {
      await page.goto(address);
      if (address.startsWith('/portal')) await act.press(page.getByRole('link', { name: say('account.profile.signInChange') }));
      await expect(page).toHaveURL(new RegExp(`^${url()}/realms/pml/account`));
      await expect(page.getByText('Personal info').first()).toBeVisible();
    }
    await page.goto('/portal/');
  });

  await test.step('log-out leads to Keycloak’s sign-in by way of the portal, and nobody is signed in any more', async () => {
    await act.press(profile);
    await act.press(button(say('logout')));
    await expect(page.locator('#kc-login')).toBeVisible();
  });
  await second.remove();
});

test('who is signed out at Keycloak by its administrator is at the sign-in page within seconds', async ({ page, company }) => {
  await page.goto('/portal/');
  await signInThere(page, company.admin.email, company.password);
  await expect(page).toHaveURL(/\/portal\/(dash)?$/);
  await expect(page.getByRole('main')).toBeVisible();
  const admin = await asKeycloaksAdmin();
  await admin.logOut(company.admin.email);
  await expect(page.locator('#kc-login')).toBeVisible();
});
