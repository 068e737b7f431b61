import { someNumber } from '../counter.ts';
import { expect, test } from '../services.ts';

test('that something lies behind a door is asked once more where its sensor senses nothing, and is not the likely word until the door was heard to open; the focus is where the next act is', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  const { api } = company.admin;
  const cabinet = await company.cabinet({ doors: 5 });
  const [lot, drill, gloves, saw, bags] = cabinet.lockers;
  if (!lot || !drill || !gloves || !saw || !bags) throw new Error('no lockers');
  const { doorTag: tag } = lot;
  const { id } = await api('POST /occupations', {
    body: { type: 'delivery', lockerId: lot.id, assetText: 'Parcel 77', receiver: { name: 'Ingrid Solberg', tlf: someNumber() } },
  });
  await api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: tag, occupationId: id } });
  const door = await atDoor(cabinet, lot);
  await door.close();
  const stage = async () => (await api('GET /occupations/{id}', { params: { id } })).stageName;
  const asked = page.getByRole('dialog', { name: say('sensesNothing', { tag }) });
  const agape = page.getByRole('dialog', { name: say('stillOpen', { tag }) });
  /** Asked, the safe answer opens the door; said while it stands open, it is asked too. */
  const pressedInVain = async () => {
    await act.press(counter.button(say('sayInside')));
    await expect(asked.getByRole('button', { name: say('lookFirst'), exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(asked).toHaveCount(0);
    await door.seesItOpen();
    await expect(
      page
        .getByText(say('openBadge'), { exact: true })
        .or(counter.heading(say('isOpen', { tag })))
        .first(),
    ).toBeVisible();
    await act.press(counter.button(say('sayInside')));
    await act.press(agape.getByRole('button', { name: say('shutFirst'), exact: true }));
    await expect(agape).toHaveCount(0);
    expect(await stage()).toBe('INITIATED');
    await door.close();
  };

  await test.step('at the step that watches the door', async () => {
    await enter(company.admin.email, '/portal/services/delivery');
    await act.press(page.getByRole('button', { name: tag }));
    await expect(counter.heading(say('isClosed', { tag }))).toBeVisible();
    await pressedInVain();
  });

  await test.step('and on its page, where staff’s word stands once it is said again', async () => {
    await counter.manage(tag);
    await expect(page.getByText(say('openBadge'), { exact: true })).toHaveCount(0);
    await act.press(counter.button(say('sayInside')));
    await act.press(asked.getByRole('button', { name: say('isInside'), exact: true }));
    await expect.poll(stage).toBe('FILLED');
  });

  const dialog = page.getByRole('dialog');
  const likely = (name: string) => expect(dialog.getByRole('button', { name, exact: true })).toHaveAttribute('data-variant', 'filled');
  const unlikely = (name: string) => expect(dialog.getByRole('button', { name, exact: true })).toHaveAttribute('data-variant', 'default');

  await test.step('what was lent comes back', async () => {
    const made = await api('POST /occupations', { body: { type: 'lending', lockerId: drill.id, assetText: 'Drill' } });
    for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id: made.id, action } });
    const receiver = { name: 'Ingrid Solberg', tlf: someNumber() };
    await api('PUT /occupations/assign', { body: { action: 'claim', id: made.id, receiver } });
    await api('PUT /occupations', { body: { id: made.id, action: 'finnish' } });
    await counter.go(`/services/manageoccupation?id=${made.id}`);
    await act.press(counter.button(say('takeBack')));
    const open = say('openTag', { tag: drill.doorTag });
    await likely(open);
    await unlikely(say('isBack'));

    // said all the same, it is asked about, and what was typed stays
    await dialog.getByRole('textbox', { name: say('condition'), exact: true }).fill('Scratched');
    await act.press(dialog.getByRole('button', { name: say('isBack'), exact: true }));
    const asked = page.getByRole('dialog', { name: say('sensesNothing', { tag: drill.doorTag }) });
    await act.press(asked.getByRole('button', { name: say('lookFirst'), exact: true }));
    const condition = dialog.getByRole('textbox', { name: say('condition'), exact: true });
    await expect(condition).toHaveValue('Scratched');
    const door = await atDoor(cabinet, drill);
    await door.seesItOpen();
    await expect(dialog.getByText(say('openPutIn', { tag: drill.doorTag }))).toBeVisible();
    await condition.press('Enter');
    await expect(dialog.getByText(say('openPutIn', { tag: drill.doorTag }))).toBeVisible();
    expect((await api('GET /occupations/{id}', { params: { id: made.id } })).stageName).toBe('VACANT');

    await likely(say('isBack'));
    await unlikely(open);
    await act.press(dialog.getByRole('button', { name: say('isBack'), exact: true }));
    const agape = page.getByRole('dialog', { name: say('stillOpen', { tag: drill.doorTag }) });
    const shut = agape.getByRole('button', { name: say('shutFirst'), exact: true });
    await expect(shut).toHaveAttribute('data-variant', 'filled');
    await act.press(shut);
    expect((await api('GET /occupations/{id}', { params: { id: made.id } })).stageName).toBe('VACANT');
    await door.put('Drill');
    await door.close();
    await expect(dialog.getByText(say('shutSayBelow', { tag: drill.doorTag }))).toBeVisible();
    await likely(say('isBack'));
    await act.press(dialog.getByRole('button', { name: say('isBack'), exact: true }));
    await expect(dialog).toHaveCount(0);
    await expect.poll(async () => (await api('GET /occupations/{id}', { params: { id: made.id } })).stageName).not.toBe('VACANT');
  });

  await test.step('and more is put to what is there, by staff’s word alone', async () => {
    const made = await api('POST /occupations', { body: { type: 'consumable', lockerId: gloves.id, assetText: 'Gloves', quantity: 3 } });
    await api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
    await counter.go(`/services/manageoccupation?id=${made.id}`);
    await act.press(counter.button(say('refill')));
    await likely(say('openTag', { tag: gloves.doorTag }));
    await unlikely(say('refill'));
    await dialog.getByRole('textbox', { name: say('howManyIn'), exact: true }).fill('4');
    await act.press(dialog.getByRole('button', { name: say('refill'), exact: true }));
    const asked = page.getByRole('dialog', { name: say('sensesNothing', { tag: gloves.doorTag }) });
    await expect(asked).toContainText(say('isCounted'));
    await expect(asked).not.toContainText(say('staysToCheck'));
    // forced and shut meanwhile, nobody knows what lay there, and more that is put in does not tell
    await cabinet.virtual.act({ do: 'force', door: gloves.compartment });
    await cabinet.virtual.act({ do: 'close', door: gloves.compartment });
    await expect(asked).toContainText(say('staysToCheck'));
    await act.press(asked.getByRole('button', { name: say('isInside'), exact: true }));
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({ quantity: 7, inDoubt: true });
  });

  await test.step('opened in a dialog by its button, the focus stays there, to pass a field says nothing, and what is sensed is believed', async () => {
    const { id } = await api('POST /occupations', { body: { type: 'lending', lockerId: saw.id, assetText: 'Saw' } });
    for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
    const receiver = { name: 'Ingrid Solberg', tlf: someNumber() };
    await api('PUT /occupations/assign', { body: { action: 'claim', id, receiver } });
    await api('PUT /occupations', { body: { id, action: 'finnish' } });
    await counter.go(`/services/manageoccupation?id=${id}`);
    await act.press(counter.button(say('takeBack')));
    const open = dialog.getByRole('button', { name: say('openTag', { tag: saw.doorTag }), exact: true });
    await act.press(open);
    const door = await atDoor(cabinet, saw);
    await door.seesItOpen();
    await expect(open).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(dialog.getByRole('textbox', { name: say('condition'), exact: true })).toBeFocused();
    await door.put('Saw');
    await door.close();
    await expect(dialog).toHaveCount(0);
    await expect.poll(async () => (await api('GET /occupations/{id}', { params: { id } })).stageName).not.toBe('VACANT');
  });

  await test.step('where more is put in, the focus is at the number that is typed next', async () => {
    const { id } = await api('POST /occupations', { body: { type: 'consumable', lockerId: bags.id, assetText: 'Bags', quantity: 3 } });
    await api('PUT /occupations', { body: { id, action: 'fill' } });
    await counter.go(`/services/manageoccupation?id=${id}`);
    await act.press(counter.button(say('refill')));
    await act.press(dialog.getByRole('button', { name: say('openTag', { tag: bags.doorTag }), exact: true }));
    await expect(dialog.getByRole('textbox', { name: say('howManyIn'), exact: true })).toBeFocused();
  });
});
