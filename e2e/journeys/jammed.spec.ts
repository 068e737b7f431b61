import { expect, test } from '../services.ts';

test('a door that did not open is not counted as free, and is offered as the last one with a word about it', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const { api } = company.admin;
  const cabinet = await company.cabinet({ doors: 2 });
  const [jammed, other] = cabinet.lockers;
  if (!jammed || !other) throw new Error('no lockers');
  for (const lot of cabinet.lockers) await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: true });
  const body = { doorTag: jammed.doorTag };
  await expect(api('POST /lockers/{id}/open', { params: { id: jammed.id }, body })).rejects.toThrow();
  const warned = page.getByRole('main').getByText(say('didNotOpenLast', { tag: jammed.doorTag }));
  await enter(company.admin.email, '/portal/services/lending');

  await test.step('the other one is chosen, and the wall counts it alone', async () => {
    await counter.field(say('asset')).fill('Drill');
    await counter.next();
    await expect(page.getByText(say('freeOf', { free: '1', total: '2' }), { exact: true })).toBeVisible();
    await expect(page.getByText(say('countNotSeen', { count: '1' }), { exact: true })).toBeVisible();
    await expect(warned).toHaveCount(0);
    await counter.next();
  });

  await test.step('in its place the jammed one is offered with what is known of it', async () => {
    await act.press(counter.button(say('openTag', { tag: other.doorTag })));
    await expect(counter.heading(say('didNotOpen', { tag: other.doorTag }))).toBeVisible();
    await expect(counter.button(say('takeInstead', { tag: jammed.doorTag }))).toBeVisible();
    await expect(warned).toBeVisible();
  });
});
