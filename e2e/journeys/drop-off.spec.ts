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
