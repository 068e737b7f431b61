import { expect, phoneOf, roadOf, showsStage, someNumber, test } from '../services.ts';

const guest = 'Ingrid Solberg';

// shows R2.13, R2.41
test('an outside person puts something in by a link, and staff take it out', async ({
  page,
  company,
  hatchway,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const tlf = someNumber();
  await enter(company.admin.email, '/portal/services/drop-off');
  await counter.stands(say('dropOff'), 1, 3);
  await expect(counter.button(say('abortDropOff'))).toBeVisible();
  await counter.next();
  await expect(page.getByRole('alert').first()).toContainText(say('checkAllFields'));
  await counter.person(guest, tlf);
  await counter.next();
  await counter.next();
  await act.write(counter.field(say('whatIsExpected')), 'Keys');
  await act.press(counter.button(say('sendLink')));
  await expect(counter.heading(say('linkSent'))).toBeVisible();
  await expect(page.getByText(`Keys · ${guest}`, { exact: true })).toBeVisible();

  const [asked] = await company.admin.api('GET /occupations', { query: { q: { type: 'drop-off' } } });
  const lot = cabinet.lockers.find(({ id }) => id === asked?.lockerId);
  if (!lot) throw new Error('the drop-off has no locker of ours');
  const door = await atDoor(cabinet, lot);
  const phone = await phoneOf(hatchway.origin, tlf);
  await phone.open(lot.doorTag);
  await door.seesItOpen();
  await door.put('Keys');
  await door.close();
  await phone.done();
  await expect(counter.heading(say('liesIn', { tag: lot.doorTag }))).toBeVisible();

  await counter.go('/');
  await act.press(page.getByRole('main').getByRole('link', { name: say('seeBrought'), exact: true }));
  await expect(page.getByRole('main').getByText(lot.doorTag).first()).toBeVisible();
  await counter.manage(lot.doorTag);
  await counter.letIn('takeItOut', lot);
  await door.seesItOpen();
  await door.take();
  await door.close();
  await act.press(counter.button(say('wasTaken')));
  await act.press(page.getByRole('dialog').getByRole('button', { name: say('wasTaken'), exact: true }));
  await showsStage(page, say, 'ended');
  expect((await roadOf(company, lot.doorTag)).at(-1)).toBe('occupation_claimed');
});

test('where nobody comes staff put it in themselves, or call it off', async ({ page, company, act, say, enter, counter, atDoor }) => {
  const cabinet = await company.cabinet({ doors: 2 });
  await enter(company.admin.email, '/portal/services/drop-off');
  await counter.person(guest, someNumber());
  await counter.next();
  await counter.next();
  await act.press(counter.button(say('sendLink')));
  await expect(counter.heading(say('linkSent'))).toBeVisible();
  await expect(page).toHaveURL(/\/drop-off$/);
  const [asked] = await company.admin.api('GET /occupations', { query: { q: { type: 'drop-off' } } });
  const lot = cabinet.lockers.find(({ id }) => id === asked?.lockerId);
  if (!lot) throw new Error('the drop-off has no locker of ours');
  await page.reload();
  await expect(counter.heading(say('linkSent'))).toBeVisible();
  await act.press(counter.button(say('abortDropOff')));
  await act.press(page.getByRole('dialog').getByRole('button', { name: say('abortDropOff'), exact: true }));
  await expect(counter.heading(say('dashboard'))).toBeVisible();
  expect(await company.admin.api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject({ occupationId: null, content: 'empty' });

  await counter.go('/services/drop-off');
  await counter.person(guest, someNumber());
  await counter.next();
  await counter.next();
  await act.press(counter.button(say('sendLink')));
  await expect(counter.heading(say('linkSent'))).toBeVisible();
  const [again] = await company.admin.api('GET /occupations', { query: { q: { type: 'drop-off', stage: 0 } } });
  const here = cabinet.lockers.find(({ id }) => id === again?.lockerId);
  if (!here) throw new Error('the drop-off has no locker of ours');
  const door = await atDoor(cabinet, here);
  await act.press(counter.button(say('openHere', { tag: here.doorTag })));
  await door.seesItOpen();
  await door.put('Keys');
  await door.close();
  await expect(counter.heading(say('liesIn', { tag: here.doorTag }))).toBeVisible();
});

test('where its bringer finds something inside, the screens of staff go on behind the next door with them', async ({
  page,
  company,
  hatchway,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const tlf = someNumber();
  await enter(company.admin.email, '/portal/services/drop-off');
  await counter.person(guest, tlf);
  await counter.next();
  await counter.next();
  await act.press(counter.button(say('sendLink')));
  await expect(counter.heading(say('linkSent'))).toBeVisible();
  const [asked] = await company.admin.api('GET /occupations', { query: { q: { type: 'drop-off' } } });
  const first = cabinet.lockers.find(({ id }) => id === asked?.lockerId);
  const second = cabinet.lockers.find(({ id }) => id !== asked?.lockerId);
  if (!asked || !first || !second) throw new Error('the drop-off has no locker of ours');
  const phone = await phoneOf(hatchway.origin, tlf);
  await phone.open(first.doorTag);
  await expect(counter.heading(say('bringsItNow', { tag: first.doorTag }))).toBeVisible();
  expect(await phone.notEmpty()).toBe(second.doorTag);
  await cabinet.virtual.act({ do: 'close', door: first.compartment });
  const door = await atDoor(cabinet, second);
  await phone.open(second.doorTag);
  await expect(counter.heading(say('bringsItNow', { tag: second.doorTag }))).toBeVisible();
  await door.put('Keys');
  await door.close();
  await phone.done();
  await expect(counter.heading(say('liesIn', { tag: second.doorTag }))).toBeVisible();

  await counter.go(`/services/manageoccupation?id=${asked.id}`);
  await showsStage(page, say, 'ended');
  await act.press(page.getByRole('link', { name: say('toDoor', { tag: second.doorTag }), exact: true }));
  await expect(counter.button(say('takeItOut'))).toBeVisible();
});

test('what was brought is taken out in one way, by hand too where its door stays shut; to keep the locker is another matter', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const { api } = company.admin;
  const receiver = { name: guest, tlf: someNumber() };
  const { id } = await api('POST /occupations', { body: { type: 'drop-off', lockerId: lot.id, assetText: 'Keys', receiver } });
  await api('PUT /occupations', { body: { id, action: 'fill' } });
  await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: true });
  const dialog = page.getByRole('dialog');
  const inDialog = (action: string) => dialog.getByRole('button', { name: action, exact: true });
  await enter(company.admin.email, `/portal/services/manageoccupation?id=${id}`);

  await test.step('of keeping the locker it says who is told', async () => {
    await act.press(counter.button(say('takeOutKeep')));
    await expect(dialog).toContainText(say('isTold', { name: guest }));
    await act.press(inDialog(say('cancel')));
    await expect(dialog).toBeHidden();
    await expect(counter.button(say('takeOutEnd'))).toHaveCount(0);
  });

  await test.step('its door stays shut: nothing changed, and it is said by hand', async () => {
    await counter.letIn('takeItOut', lot);
    await expect(dialog).toContainText(say('didNotOpen', { tag: lot.doorTag }));
    expect(await api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'ACQUIRABLE' });
    await act.press(inDialog(say('byHandReason')));
    await expect(dialog).toContainText(say('isTold', { name: guest }));
    await act.write(dialog.getByRole('textbox'), 'Opened by key');
    await act.press(inDialog(say('iTookItOut')));
    await expect(dialog).toBeHidden();
    await showsStage(page, say, 'ended');
    expect(await api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject({ occupationId: null, content: 'empty' });
  });
});
