import { expect, test } from '../journey.ts';

test('staff are sent to sign in, land on the dashboard in their language, and log out to the portal @main', async ({
  page,
  company,
  act,
  say,
  enter,
  language,
}) => {
  const counter = await company.person(['delivery_manager']);
  await enter(counter.email);
  await expect(page).toHaveURL(/\/portal\/(dash)?$/);
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('dashboard'));

  await act.press(page.getByRole('button', { name: say('profileMenu') }));
  await act.press(page.getByRole('menuitem', { name: say('logout') }));
  await expect(page.getByLabel(say('password'), { exact: true })).toBeVisible();
});

test('a deep link comes back after signing in', async ({ page, company, enter }) => {
  await enter(company.admin.email, '/portal/history');
  await expect(page).toHaveURL(/\/portal\/history/);
});

test('without access the browser goes to the end-user site', async ({ page, company, act, say, hatchway }) => {
  const guest = await company.person([]);
  await page.goto('/portal/');
  await act.write(page.getByLabel(say('login')), guest.email);
  await act.write(page.getByLabel(say('password'), { exact: true }), company.password);
  await act.press(page.getByRole('button', { name: say('signIn'), exact: true }));
  await expect(page).toHaveURL(`${hatchway.origin}/`);
});
