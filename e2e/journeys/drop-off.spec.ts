import { expect, phoneOf, roadOf, showsStage, someNumber, test } from '../services.ts';

const guest = 'Ingrid Solberg';

// shows R2.13, R2.41
test('an outside person puts something in by a link, and staff take it out; where nobody comes, or something is inside, staff see to it', async ({
  page,
  company,
  hatchway,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  const { api } = company.admin;
  const cabinet = await company.cabinet({ doors: 5 });
  const dialog = page.getByRole('dialog');
  const inDialog = (action: string) => dialog.getByRole('button', { name: action, exact: true });
  /** Asks somebody to bring something; answers what is asked of them, and behind which door. */
  const asks = async (tlf = someNumber()) => {
    await counter.person(guest, tlf);
    await counter.next();
    await counter.next();
    await act.press(counter.button(say('sendLink')));
    await expect(counter.heading(say('linkSent'))).toBeVisible();
    const [asked] = await api('GET /occupations', { query: { q: { type: 'drop-off', stage: 0 } } });
    const lot = cabinet.lockers.find(({ id }) => id === asked?.lockerId);
    if (!asked || !lot) throw new Error('the drop-off has no locker of ours');
    return { id: asked.id, lot, tlf };
  };
  await enter(company.admin.email, '/portal/services/drop-off');

  await test.step('somebody puts something in by a link, and staff take it out', async () => {
    const guests = someNumber();
    await counter.stands(say('dropOff'), 1, 3);
    await expect(counter.button(say('abortDropOff'))).toBeVisible();
    await counter.next();
    await expect(page.getByRole('alert').first()).toContainText(say('checkAllFields'));
    await counter.person(guest, guests);
    await counter.next();
    await counter.next();
    await counter.field(say('whatIsExpected')).fill('Keys');
    await act.press(counter.button(say('sendLink')));
    await expect(counter.heading(say('linkSent'))).toBeVisible();
    await expect(page.getByText(`Keys · ${guest}`, { exact: true })).toBeVisible();

    const [asked] = await api('GET /occupations', { query: { q: { type: 'drop-off' } } });
    const own = cabinet.lockers.find(({ id }) => id === asked?.lockerId);
    if (!own) throw new Error('the drop-off has no locker of ours');
    const door = await atDoor(cabinet, own);
    const phone = await phoneOf(hatchway.origin, guests);
    await phone.open(own.doorTag);
    await door.seesItOpen();
    await door.put('Keys');
    await door.close();
    await phone.done();
    await expect(counter.heading(say('liesIn', { tag: own.doorTag }))).toBeVisible();

    await counter.go('/');
    await page
      .getByRole('main')
      .getByRole('link', { name: say('seeBrought'), exact: true })
      .click();
    await expect(page.getByRole('main').getByText(own.doorTag).first()).toBeVisible();
    await counter.go(`/services/manageoccupation?id=${asked?.id}`);
    await counter.letIn('takeItOut', own);
    await door.seesItOpen();
    await door.take();
    await door.close();
    await act.press(counter.button(say('wasTaken')));
    await act.press(inDialog(say('wasTaken')));
    await showsStage(page, say, 'ended');
    expect((await roadOf(company, own.doorTag)).at(-1)).toBe('occupation_claimed');
  });

  await test.step('called off, its locker is free again', async () => {
    await counter.go('/services/drop-off');
    const { lot } = await asks();
    await expect(page).toHaveURL(/\/drop-off$/);
    await act.press(counter.button(say('abortDropOff')));
    await act.press(inDialog(say('abortDropOff')));
    await expect(counter.heading(say('dashboard'))).toBeVisible();
    expect(await api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject({ occupationId: null, content: 'empty' });
  });

  await test.step('put in by staff themselves', async () => {
    await counter.go('/services/drop-off');
    const { lot } = await asks();
    const door = await atDoor(cabinet, lot);
    await act.press(counter.button(say('openHere', { tag: lot.doorTag })));
    await door.seesItOpen();
    await door.put('Keys');
    await door.close();
    await expect(counter.heading(say('liesIn', { tag: lot.doorTag }))).toBeVisible();
  });

  await test.step('where its bringer finds something inside, the screens of staff go on behind the next door with them', async () => {
    await act.press(counter.button(say('occupations.act.nextOf.drop-off')));
    const { id, lot: first, tlf } = await asks();
    const phone = await phoneOf(hatchway.origin, tlf);
    await phone.open(first.doorTag);
    await expect(counter.heading(say('bringsItNow', { tag: first.doorTag }))).toBeVisible();
    const tag = await phone.notEmpty();
    const second = cabinet.lockers.find(({ doorTag }) => doorTag === tag);
    if (!second) throw new Error('no next door');
    await cabinet.virtual.act({ do: 'close', door: first.compartment });
    const door = await atDoor(cabinet, second);
    await phone.open(second.doorTag);
    await expect(counter.heading(say('bringsItNow', { tag: second.doorTag }))).toBeVisible();
    await door.put('Keys');
    await door.close();
    await phone.done();
    await expect(counter.heading(say('liesIn', { tag: second.doorTag }))).toBeVisible();
    await counter.go(`/services/manageoccupation?id=${id}`);
    await showsStage(page, say, 'ended');
    await act.press(page.getByRole('link', { name: say('toDoor', { tag: second.doorTag }), exact: true }));
    await expect(counter.button(say('takeItOut'))).toBeVisible();
  });

  const lots = await api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } });
  const lot = lots.findLast(({ occupationId, inDoubt }) => occupationId === null && !inDoubt);
  if (!lot) throw new Error('no free locker');
  await test.step('of keeping the locker it says who is told', async () => {
    const receiver = { name: guest, tlf: someNumber() };
    const { id } = await api('POST /occupations', { body: { type: 'drop-off', lockerId: lot.id, assetText: 'Keys', receiver } });
    await api('PUT /occupations', { body: { id, action: 'fill' } });
    await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: true });
    await counter.go(`/services/manageoccupation?id=${id}`);
    await expect(page.getByText(lot.doorTag).first()).toBeVisible();
    await act.press(counter.button(say('takeOutKeep')));
    await expect(dialog).toContainText(say('isTold', { name: guest }));
    await act.press(inDialog(say('cancel')));
    await expect(dialog).toBeHidden();
    await expect(counter.button(say('takeOutEnd'))).toHaveCount(0);
  });

  await test.step('its door stays shut: nothing changed, and it is said by hand', async () => {
    await counter.letIn('takeItOut', lot);
    await expect(dialog).toContainText(say('didNotOpen', { tag: lot.doorTag }));
    await act.press(inDialog(say('byHandReason')));
    await expect(dialog).toContainText(say('isTold', { name: guest }));
    await dialog.getByRole('textbox').fill('Opened by key');
    await act.press(inDialog(say('iTookItOut')));
    await expect(dialog).toBeHidden();
    await showsStage(page, say, 'ended');
    expect(await api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject({ occupationId: null, content: 'empty' });
  });
});
