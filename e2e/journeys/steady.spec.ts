import { waiting } from '../counter.ts';
import { expect, test } from '../services.ts';
import { boxOf } from '../still.ts';

test('no button moves under the finger as a door opens and is shut', async ({ page, company, say, enter, atDoor }) => {
  const { api } = company.admin;
  const cabinet = await company.cabinet({ doors: 1, hasSensors: false });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const { id } = await waiting(company, lot, { name: 'Ingrid Solberg', tlf: '+4791234567' });
  await api('PUT /occupations', { body: { id, action: 'publish' } });
  await api('PUT /occupations/assign', { body: { action: 'claim', id } });
  await enter(company.admin.email, `/portal/services/manageoccupation?id=${id}`);
  const likely = page.locator('[data-likely]');
  await expect(likely).toHaveText(say('openTheDoor'));
  // its locker is read too
  await expect(page.locator('main').getByText(say('doorClosed')).first()).toBeVisible();
  const top = async () => (await boxOf(likely)).y;
  const before = await top();

  await api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, occupationId: id } });
  await expect(page.getByText(say('openBadge'), { exact: true })).toBeVisible();
  expect(await top()).toBe(before);

  await (await atDoor(cabinet, lot)).close();
  await expect(page.getByText(say('openBadge'), { exact: true })).toHaveCount(0);
  await expect(page.getByRole('timer')).toBeVisible();
  expect(await top()).toBe(before);
});
