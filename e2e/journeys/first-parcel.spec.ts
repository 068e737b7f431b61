import { once, someNumber } from '../counter.ts';
import { expect, test } from '../journey.ts';

test('a newcomer’s first parcel is ticked step by step by what happens, and the card goes once it is done', async ({
  page,
  company,
  say,
  enter,
  go,
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

  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const body = {
    lockerId: lot.id,
    type: 'delivery' as const,
    assetText: 'Parcel 77',
    receiver: { name: 'Ingrid Solberg', tlf: someNumber() },
  };
  const opened = (occupationId: string) =>
    api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, occupationId } });
  const hand = (what: Record<string, unknown>) => once(() => cabinet.virtual.act({ ...what, door: lot.compartment }));

  await test.step('each is ticked when it has happened, and live', async () => {
    const one = await api('POST /occupations', { body });
    await opened(one.id);
    await expect.poll(ticked).toBe(1);
    await hand({ do: 'put', what: 'Parcel 77' });
    await hand({ do: 'close' });
    await expect.poll(ticked).toBe(2);
    await api('PUT /occupations', { body: { id: one.id, action: 'send' } });
    await expect.poll(ticked).toBe(3);
    await api('PUT /occupations/assign', { body: { action: 'claim', id: one.id } });
    await opened(one.id);
    await hand({ do: 'take' });
    await hand({ do: 'close' });
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
