import { expect, test } from '../journey.ts';

// shows R1.2, R1.5, R1.8, R1.9, R1.16, R2.1
test('staff are sent to sign in, land on the dashboard in their language, and log out to the portal @main', async ({
  page,
  company,
  hatchway,
  act,
  say,
  signIn,
  language,
}) => {
  const counter = await company.person(['delivery_manager']);
  await signIn(counter.email);
  await expect(page).toHaveURL(/\/portal\/(dash)?$/);
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('dashboard'));

  await act.press(page.getByRole('button', { name: say('profileMenu') }));
  const returned = page.waitForRequest((request) => request.isNavigationRequest() && request.url() === `${hatchway.origin}/portal/`);
  await act.press(page.getByRole('button', { name: say('logout'), exact: true }));
  await returned;
  await expect(page.getByLabel(say('password'), { exact: true })).toBeVisible();
});

test('a wrong password is said, a deep link comes back after the right one; Back leads to the sign-in after logging out, and stays in the portal after signing in', async ({
  page,
  company,
  hatchway,
  act,
  say,
  signIn,
}) => {
  const password = page.getByLabel(say('password'), { exact: true });
  await page.goto('/portal/history');
  await act.write(page.getByLabel(say('login')), company.admin.email);
  await act.write(password, 'not this one');
  await act.press(page.getByRole('button', { name: say('signIn'), exact: true }));
  await expect(page.getByRole('alert')).toBeVisible();
  await signIn(company.admin.email, '/portal/history');
  await expect(page).toHaveURL(/\/portal\/history/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('history'));

  const profile = page.getByRole('banner').getByRole('button', { name: say('profileMenu') });
  await act.press(profile);
  await act.press(page.getByRole('button', { name: say('logout'), exact: true }));
  await expect(password).toBeVisible();
  // to the page where one signed in
  const address = page.url();
  await page.goBack();
  await expect(page).not.toHaveURL(address);
  await expect(password).toBeVisible();

  const before = `${hatchway.origin}/healthz`;
  await page.goto(before);
  await signIn(company.admin.email, '/portal/history');
  // the sign-in page is spent, and leads on to the portal
  await page.goBack();
  await expect(profile).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(before);
});
