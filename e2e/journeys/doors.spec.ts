import { someNumber, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';

test('counter: a door shut on nothing is not said to hold it, and can be taken back; what was left half done stands first and goes on', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  // Without sensors inside, a door that was shut counts as filled.
  const cabinet = await company.cabinet({ doors: 2, hasSensors: false });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const { doorTag: tag } = lot;
  const { api } = company.admin;
  const { id: occupationId } = await api('POST /occupations', {
    body: { type: 'delivery', lockerId: lot.id, assetText: 'Parcel 77', receiver: { name: 'Ingrid Solberg', tlf: someNumber() } },
  });
  await api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: tag, occupationId } });
  const door = await atDoor(cabinet, lot);
  await enter(company.admin.email, '/portal/services/delivery');
  await act.press(page.getByRole('button', { name: tag }));
  await expect(counter.heading(say('isOpen', { tag }))).toBeVisible();
  const stage = async () => (await api('GET /occupations/{id}', { params: { id: occupationId } })).stageName;

  await test.step('shut without its lock catching, it asks to be pushed', async () => {
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
    expect(await api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject({ content: 'empty', inDoubt: false });
  });

  await api('DELETE /occupations/{id}', { params: { id: occupationId }, body: {} });

  await test.step('what was left half done stands before what waits for its receivers, however many they are, and goes on where it was left', async () => {
    const cabinet = await company.cabinet({ doors: 10 });
    const [lot, ...rest] = cabinet.lockers;
    if (!lot) throw new Error('no locker');
    const { doorTag: tag } = lot;
    const made = await api('POST /occupations', {
      body: { type: 'delivery', lockerId: lot.id, assetText: 'Parcel 77', receiver: { name: 'Ingrid Solberg', tlf: someNumber() } },
    });
    await api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: tag, occupationId: made.id } });
    await (await atDoor(cabinet, lot)).close();
    const row = page.getByRole('button', { name: tag });
    for (const other of rest) {
      const { id } = await waiting(company, other, { name: 'Ingrid Solberg', email: 'ingrid@e2e.test' });
      await api('PUT /occupations', { body: { id, action: 'publish' } });
    }

    await test.step('its sensor finds nothing inside, and that is offered first', async () => {
      await counter.go(`/services/manageoccupation?id=${made.id}`);
      await expect(counter.button(say('nothingInside'))).toHaveAttribute('data-likely');
    });

    await test.step('the list leads to the step that watches the door, and Back out of it to what was begun', async () => {
      await counter.go('/services/delivery');
      const rows = page.getByRole('main').locator('li :is(a[href*="manageoccupation"], button:has(b))');
      await expect(rows).toHaveCount(8);
      await expect(rows.first()).toContainText(tag);
      await counter.field(say('asset')).fill('Parcel 78');
      for (const back of [() => act.press(counter.button(say('back'))), () => page.goBack()]) {
        await act.press(row);
        await expect(counter.heading(say('isClosed', { tag }))).toBeVisible();
        await expect(page.getByText('Parcel 77', { exact: false }).first()).toBeVisible();
        await back();
        await expect(counter.field(say('asset'))).toHaveValue('Parcel 78');
      }
    });

    await test.step('what came of it is said there, and it goes on', async () => {
      await act.press(row);
      await act.press(counter.button(say('nothingInside')));
      await expect(counter.heading(say('setAside', { tag }))).toBeVisible();
      await expect.poll(async () => (await api('GET /occupations/{id}', { params: { id: made.id } })).stageName).toBe('RESERVED');
    });
  });
});
