import { openButton, test } from '../counter.ts';
import { expect } from '../journey.ts';

test('a newcomer’s first parcel is ticked step by step by what happens, and the card goes once it is done', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
  standAtDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const { api } = company.admin;
  const card = page.getByRole('region', { name: say('dashboard.parcel.title') });
  const ticked = () =>
    card
      .getByRole('listitem')
      .filter({ hasText: say('dashboard.parcel.ticked') })
      .count();

  await test.step('it begins with four steps, none of which has happened', async () => {
    await enter(company.admin.email, '/portal/');
    await expect(card.getByRole('listitem')).toHaveCount(4);
    expect(await ticked()).toBe(0);
  });

  const lot = await standAtDoor(cabinet);
  await act.press(openButton(page, say));
  await expect(page.getByRole('heading', { name: say('isOpen', { tag: lot.doorTag }) })).toBeVisible();
  const [one] = await api('GET /occupations', { query: { q: { type: 'delivery' } } });
  if (!one) throw new Error('nothing was registered');

  await test.step('each is ticked when it has happened, and live', async () => {
    await go('/');
    await expect.poll(ticked).toBe(1);
    await cabinet.virtual.act({ do: 'put', door: lot.compartment, what: 'Parcel 77' });
    await cabinet.virtual.act({ do: 'close', door: lot.compartment });
    await expect.poll(ticked).toBe(2);
    await api('PUT /occupations', { body: { id: one.id, action: 'send' } });
    await expect.poll(ticked).toBe(3);
    await api('PUT /occupations/assign', { body: { action: 'claim', id: one.id } });
    await api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, occupationId: one.id } });
    await cabinet.virtual.act({ do: 'take', door: lot.compartment });
    await cabinet.virtual.act({ do: 'close', door: lot.compartment });
    await api('PUT /occupations', { body: { id: one.id, action: 'finnish' } });
    await expect.poll(ticked).toBe(4);
    await expect(card).toContainText(say('dashboard.parcel.done'));
  });

  await test.step('what is done is not shown again', async () => {
    await go('/history');
    await go('/');
    await expect(page.getByRole('region', { name: say('dashboard.now') })).toBeVisible();
    await expect(card).toHaveCount(0);
  });
});
