import { isUp, killKeycloak } from '@hatchway/dev/keycloak.ts';
import { acceptInvitation, asOperator, signIn } from '@hatchway/dev/person.ts';
import { expect, test } from '../journey.ts';
import { asKeycloaksAdmin, signInThere, url } from './keycloak.ts';

test('Keycloak is killed in the middle: who is signed in works on, a right withdrawn holds, and nothing is lost', async ({
  page,
  company,
  hatchway,
}) => {
  const operator = asOperator(hatchway.origin, hatchway.operatorKey);
  const counter = await company.person(['delivery_manager'], 'Kari Counter');
  await page.goto('/portal/');
  await signInThere(page, counter.email, company.password);
  const delivery = page.getByRole('main').locator('a[href="/portal/services/delivery"]');
  await expect(delivery).toBeVisible();
  const { api } = company.admin;
  const all = await api('GET /companies/{tenant}/memberships', { params: { tenant: company.id }, query: {} });
  const theirs = all.find(({ email }) => email === counter.email);
  if (!theirs) throw new Error('no membership');
  const newcomer = `late-${theirs.id.slice(-8)}@e2e.test`;

  killKeycloak();
  await api('PUT /companies/{tenant}/memberships/{membershipId}', {
    params: { tenant: company.id, membershipId: theirs.id },
    body: { roles: ['manager'], version: theirs.version },
  });
  const made = await operator('POST /operator/companies', {
    body: { name: `Late ${theirs.id}`, licenses: ['delivery'], admin: { name: 'Lars Late', email: newcomer } },
  });
  // the database decides, not the token
  await expect(delivery).toHaveCount(0);
  await expect(page.getByRole('main')).toBeVisible();
  const refused = await acceptInvitation(made.invitationUrl, { name: 'Lars Late', password: company.password }).catch(String);
  expect(refused).toContain('503');
  expect(await operator('GET /operator/identity')).toMatchObject({ provider: 'keycloak', lastError: 'Keycloak cannot be reached' });

  await expect.poll(() => isUp(url()), { timeout: 240_000, intervals: [1_000] }).toBe(true);
  await expect.poll(async () => (await operator('GET /operator/identity')).waiting, { timeout: 120_000, intervals: [1_000] }).toBe(0);
  const [user] = await (await asKeycloaksAdmin()).users(counter.email);
  expect(user?.attributes).toMatchObject({ tenant_id: [company.id], tenant_roles: ['manager'] });
  // the link was not used up meanwhile
  await acceptInvitation(made.invitationUrl, { name: 'Lars Late', password: company.password });
  const late = await signIn(hatchway.origin, { email: newcomer, password: company.password });
  expect((await late.api('GET /accounts/me')).tenantId).toBe(made.id);
  // and who was signed in before is signed in still
  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
  await operator('DELETE /operator/companies/{id}', { params: { id: made.id } });
});
