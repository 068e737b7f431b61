import { expect, test } from '../services.ts';
import { signInThere } from './keycloak.ts';

test('somebody of the group signs in with Keycloak at the cabinet, and borrows the drill', async ({ page, company, act, say, atDoor }) => {
  const { api } = company.admin;
  const cabinet = await company.cabinet({ doors: 1, hasSensors: false });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const person = await company.person([], 'Cara Crew');
  const [account] = await api('GET /accounts', { query: { q: { email: person.email } } });
  const group = await api('POST /groups', { body: { name: 'Crew' } });
  await api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: account?.id ?? '' }, body: {} });
  await api('POST /policies', {
    body: { name: 'Crew', ref: company.ref('crew'), services: ['lending'], groupIds: [group.id], loanHours: 48, loginHint: 'crew.' },
  });
  const made = await api('POST /occupations', { body: { type: 'lending', assetText: 'Drill', lockerId: lot.id } });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id: made.id, action } });

  const door = await atDoor(cabinet, lot);
  await page.goto(`/c/${cabinet.number}`);
  await act.press(page.getByRole('button', { name: say('signIn'), exact: true }));
  // as the policy has it begin
  await expect(page.locator('#username')).toHaveValue('crew.');
  await signInThere(page, person.email, company.password);
  await expect(page).toHaveURL(new RegExp(`/c/${cabinet.number}$`));
  const offer = page.getByRole('listitem').filter({ hasText: 'Drill' });
  await act.press(offer.getByRole('button', { name: say('borrowIt'), exact: true }));
  await act.press(page.getByRole('button', { name: say('openLocker'), exact: true }));
  await door.seesItOpen();
  await door.close();
  await act.press(page.getByRole('button', { name: say('haveIt'), exact: true }));
  await expect(page.getByRole('heading', { name: say('yoursForNow') })).toBeVisible();
  await expect
    .poll(async () => (await api('GET /occupations', { query: { q: { lockerId: lot.id } } }))[0])
    .toMatchObject({ stageName: 'VACANT', receiver: { name: 'Cara Crew', email: person.email } });

  await page.goto(`/c/${cabinet.number}`);
  await act.press(page.getByRole('button', { name: say('signIn'), exact: true }));
  await act.press(page.getByRole('button', { name: say('signOut') }));
  await expect(page.getByRole('button', { name: say('signIn'), exact: true })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/c/${cabinet.number}$`));
});
