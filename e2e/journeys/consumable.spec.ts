import { expect, roadOf, showsStage, test } from '../services.ts';

// shows R2.13, R2.39, R2.41, R4.6, R4.15
test('gloves are put in, taken until none is left, and refilled; a stock begun anew asks how many went in', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  await enter(company.admin.email, '/portal/services/consumable');

  await test.step('so many, and a level at which to refill', async () => {
    await counter.stands(say('consumablesLocker'), 1, 3);
    await expect(counter.button(say('removeConsumable'))).toBeVisible();
    await counter.field(say('asset')).fill('Gloves');
    await counter.field(say('quantity')).fill('many');
    await counter.next();
    await expect(page.getByRole('alert').first()).toContainText(say('checkAllFields'));
    await counter.field(say('quantity')).fill('3');
    await counter.field(say('refillLevel')).fill('3');
    await expect(page.getByText(say('lowAtOnce'))).toBeVisible();
    await counter.field(say('refillLevel')).fill('1');
    await expect(page.getByText(say('lowAtOnce'))).toHaveCount(0);
    await counter.next();
    await counter.next();
  });

  const door = await test.step('they go in, and are published', async () => {
    const opened = await counter.open(cabinet);
    await opened.seesItOpen();
    await opened.put('Gloves');
    await opened.close();
    await act.press(counter.button(say('publish')));
    await expect(counter.heading(say('isPublished', { tag: opened.doorTag }))).toBeVisible();
    return opened;
  });

  await test.step('more than there are cannot be taken; the last ones can, and the stock is out', async () => {
    await counter.manage(door.doorTag);
    await act.press(counter.button(say('takeSomeOut')));
    const dialog = page.getByRole('dialog');
    const open = dialog.getByRole('button', { name: say('openTag', { tag: door.doorTag }), exact: true });
    await dialog.getByRole('textbox', { name: say('quantity'), exact: true }).fill('4');
    await act.press(open);
    await expect(dialog.getByRole('alert')).toBeVisible();
    await dialog.getByRole('textbox', { name: say('quantity'), exact: true }).fill('3');
    await act.press(open);
    await door.seesItOpen();
    await door.take();
    await door.close();
    await act.press(counter.button(say('wasTaken')));
    await act.press(page.getByRole('dialog').getByRole('button', { name: say('wasTaken'), exact: true }));
    await showsStage(page, say, 'emptyInUse');
  });

  await test.step('it is refilled, with what was counted', async () => {
    await act.press(counter.button(say('refill')));
    const dialog = page.getByRole('dialog');
    await act.press(dialog.getByRole('button', { name: say('openTag', { tag: door.doorTag }), exact: true }));
    await door.seesItOpen();
    await door.put('Gloves');
    await door.close();
    await dialog.getByRole('textbox', { name: say('howManyIn'), exact: true }).fill('12');
    // The closing has been heard here too, so that the count is of what stands there now.
    await expect(dialog.getByText(say('shutSayBelow', { tag: door.doorTag }))).toBeVisible();
    // the server does it, and its answer is lost on the way
    await page.route('**/v1/occupations', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      await route.fetch();
      await route.abort('connectionreset');
      await page.unroute('**/v1/occupations');
    });
    const again = dialog.getByRole('button', { name: say('refill'), exact: true });
    await act.press(again);
    await expect(dialog.getByRole('alert')).toBeVisible();
    await act.press(again);
    await expect(dialog.getByText(say('nothingDone'))).toBeVisible();
    await page.keyboard.press('Escape');
    await act.press(page.getByRole('button', { name: say('leave'), exact: true }));
    await showsStage(page, say, 'stageFilled');
    await act.press(counter.button(say('publish')));
    await showsStage(page, say, 'stageReady');
    const [stock] = await company.admin.api('GET /occupations', { query: { q: { doorTag: door.doorTag } } });
    expect(stock).toMatchObject({ quantity: 12, held: 0, refillLevel: 1, stageName: 'ACQUIRABLE' });
    expect(await roadOf(company, door.doorTag)).toEqual([
      'occupation_created',
      'occupation_filled',
      'occupation_published',
      'occupation_assigned',
      'occupation_claiming',
      'occupation_claimed',
      'occupation_consumed',
      'occupation_filled',
      'occupation_published',
    ]);
  });

  await test.step('the history says how many were taken', async () => {
    await counter.go(`/history?door=${door.doorTag}&kind=occupation_consumed`);
    const taken = page.getByRole('row').filter({ hasText: say('consumedEvent') });
    await expect(taken).toContainText(say('soManyPieces', { count: '3' }));
  });

  await test.step('it is searched by words, and keeps them in its address', async () => {
    await counter.go('/history?find=Gloves');
    const search = page.getByRole('main').getByRole('searchbox');
    const rows = page.getByRole('row').filter({ has: page.getByRole('time') });
    await expect(search).toHaveValue('Gloves');
    await expect(rows.filter({ hasText: say('consumedEvent') })).toHaveCount(1);
    await search.fill('nobodycalledthis');
    await expect(rows).toHaveCount(0);
    await expect(page).toHaveURL(/find=nobodycalledthis/);
  });

  const blind = await company.cabinet({ doors: 2, hasSensors: false });
  const [lot, other] = blind.lockers;
  if (!lot || !other) throw new Error('no lockers');
  const { api } = company.admin;
  const dialog = page.getByRole('dialog');
  const made = async (lockerId: string, quantity: number) =>
    (await api('POST /occupations', { body: { type: 'consumable', lockerId, assetText: 'Gloves', quantity } })).id;

  await test.step('begun anew, its step asks how many went in', async () => {
    const id = await made(lot.id, 5);
    for (const action of ['fill', 'empty', 'reset'] as const) await api('PUT /occupations', { body: { id, action } });
    await api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, occupationId: id } });
    const door = await atDoor(blind, lot);
    await door.put('Gloves');
    await door.close();
    await counter.go('/services/consumable');
    await act.press(page.getByRole('button', { name: lot.doorTag }));
    await act.press(counter.button(say('sayInside')));
    await dialog.getByRole('textbox', { name: say('howManyIn'), exact: true }).fill('7');
    await act.press(dialog.getByRole('button', { name: say('refill'), exact: true }));
    await expect(counter.heading(say('liesIn', { tag: lot.doorTag }))).toBeVisible();
    expect(await api('GET /occupations/{id}', { params: { id } })).toMatchObject({ quantity: 7, stageName: 'FILLED' });
  });

  await test.step('settled behind the question, it closes it and says so', async () => {
    const id = await made(other.id, 3);
    for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
    await api('PUT /occupations/assign', { body: { action: 'claim', id, quantity: 1 } });
    await counter.go(`/services/manageoccupation?id=${id}`);
    await act.press(counter.button(say('wasTaken')));
    await expect(dialog.getByRole('button', { name: say('wasTaken'), exact: true })).toBeVisible();
    await api('PUT /occupations', { body: { id, action: 'finnish' } });
    await expect(dialog).toBeHidden();
    await expect(page.getByText(say('settledMeanwhile', { tag: other.doorTag }))).toBeVisible();
    await showsStage(page, say, 'stageReady');
  });
});
