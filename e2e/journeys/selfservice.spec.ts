import { expect, someNumber, test } from '../services.ts';

// shows R2.14, R5.26
test('self-service says that its tool is not connected, and delivers what is written', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  await enter(company.admin.email, '/portal/services/selfservice');
  await counter.stands(say('selfservice'), 1, 4);
  await expect(counter.button(say('abort'))).toBeVisible();
  await expect(page.getByText(say('toolNotConnected'))).toBeVisible();
  await counter.next();
  await expect(page.getByRole('alert').first()).toContainText(say('pickAsset'));
  await act.write(counter.field(say('asset')), 'Key card');
  await counter.next();
  await counter.person('Ingrid Solberg', someNumber());
  await counter.next();
  await counter.next();
  const door = await counter.open(cabinet);
  await door.seesItOpen();
  await door.put('Key card');
  await door.close();
  await expect(counter.heading(say('liesIn', { tag: door.doorTag }))).toBeVisible();
  const [held] = await company.admin.api('GET /occupations', { query: { q: { service: 'selfservice' } } });
  expect(held).toMatchObject({ type: 'delivery', assetText: 'Key card', doorTag: door.doorTag });
  await act.press(counter.button(say('notify')));
  await expect(counter.heading(say('notified', { name: 'Ingrid Solberg' }))).toBeVisible();
});

test('what turns out not to be empty is left to be checked, and the next door is taken', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  await enter(company.admin.email, '/portal/services/selfservice');
  await act.write(counter.field(say('asset')), 'Key card');
  await counter.next();
  await counter.person('Ingrid Solberg', someNumber());
  await counter.next();
  await counter.next();
  const door = await counter.open(cabinet);
  await door.seesItOpen();
  await act.press(counter.button(say('notEmpty')));
  await expect(page.getByRole('alert').first()).toContainText(door.doorTag);
  const other = cabinet.lockers.find(({ id }) => id !== door.id);
  await expect(counter.button(say('openTag', { tag: other?.doorTag ?? '' }))).toBeVisible();
  expect(await company.admin.api('GET /lockers/{id}', { params: { id: door.id } })).toMatchObject({ content: 'unknown', inDoubt: true });
});
