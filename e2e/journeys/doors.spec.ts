import { someNumber } from '../counter.ts';
import { expect, test } from '../services.ts';

test('counter: a door shut on nothing is not said to hold it, and can be taken back', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  test.setTimeout(180_000);
  // Without sensors inside, a door that was shut counts as filled.
  const cabinet = await company.cabinet({ doors: 2, hasSensors: false });
  await enter(company.admin.email, '/portal/services/delivery');
  await act.write(counter.field(say('asset')), 'Parcel 77');
  await counter.next();
  await counter.person('Ingrid Solberg', someNumber());
  await counter.next();
  await counter.next();
  const door = await counter.open(cabinet);
  const tag = door.doorTag;
  const stage = async () => (await company.admin.api('GET /occupations', { query: { q: { doorTag: tag } } }))[0]?.stageName;

  await test.step('shut without its lock catching, it asks to be pushed', async () => {
    await door.seesItOpen();
    await cabinet.virtual.act({ do: 'close', door: door.compartment, latch: false });
    await expect(counter.heading(say('liesIn', { tag }))).toBeVisible();
    await expect(page.getByText(say('pushIt', { tag }))).toBeVisible();
  });

  await test.step('opened again, it is not said to lie there', async () => {
    await act.press(counter.button(say('openAgain')));
    await door.seesItOpen();
    await expect(counter.heading(say('standsOpen', { tag }))).toBeVisible();
    await expect(counter.heading(say('liesIn', { tag }))).toBeHidden();
    await door.close();
    await expect(counter.heading(say('liesIn', { tag }))).toBeVisible();
    await expect(page.getByText(say('pushIt', { tag }))).toBeHidden();
    expect(await stage()).toBe('FILLED');
  });

  await test.step('nothing lay inside after all: it starts over with the same door', async () => {
    await act.press(counter.button(say('nothingInside')));
    await expect(counter.heading(say('setAside', { tag }))).toBeVisible();
    await expect.poll(stage).toBe('RESERVED');
    expect(await company.admin.api('GET /lockers/{id}', { params: { id: door.id } })).toMatchObject({ content: 'empty', inDoubt: false });
  });

  await test.step('and is filled when it is put in', async () => {
    await act.press(counter.button(say('openTag', { tag })));
    await door.seesItOpen();
    await door.put('Parcel 77');
    await door.close();
    await expect(counter.heading(say('liesIn', { tag }))).toBeVisible();
  });
});
