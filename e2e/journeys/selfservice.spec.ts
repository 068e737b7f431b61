import { openButton, storyOf } from '../counter.ts';
import { expect, roadOf, someNumber, test } from '../services.ts';

// shows R2.14, R5.26
test('self-service says that its tool is not connected; one whose door is jammed, whose cabinet falls silent and comes back, and whose locker turns out not to be empty, is delivered without being typed again', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 4 });
  await enter(company.admin.email, '/portal/services/selfservice');
  await counter.stands(say('selfservice'), 1, 4);
  await expect(counter.button(say('abort'))).toBeVisible();
  await expect(page.getByText(say('toolNotConnected'))).toBeVisible();
  await counter.next();
  await expect(page.getByRole('alert').first()).toContainText(say('pickAsset'));
  await counter.field(say('asset')).fill('Key card');
  await counter.next();
  await counter.person('Ingrid Solberg', someNumber());
  await counter.next();
  await counter.next();
  const open = openButton(page, say);
  await expect(open).toBeVisible();
  const label = await open.innerText();
  const chosen = cabinet.lockers.find(({ doorTag }) => label.includes(doorTag));
  if (!chosen) throw new Error(`No locker of ours is on the button: ${label}`);
  await cabinet.virtual.act({ do: 'jam', door: chosen.compartment, on: true });

  await test.step('refused by the controller, the next best door is offered', async () => {
    await act.press(open);
    await expect(counter.heading(say('didNotOpen', { tag: chosen.doorTag }))).toBeVisible();
    expect(await storyOf(company, chosen.doorTag)).not.toContain('locker_opened');
  });
  const others = cabinet.lockers.filter(({ id }) => id !== chosen.id);
  const offers = others.map(({ doorTag }) => say('takeInstead', { tag: doorTag }));
  const instead = await page.getByRole('button', { name: new RegExp(`^(${offers.join('|')})$`) }).innerText();
  const other = others.find(({ doorTag }) => instead.includes(doorTag));
  if (!other) throw new Error(`No locker of ours is on the button: ${instead}`);

  await test.step('which does not answer: whether it opened is not known, and nothing lies there', async () => {
    await cabinet.virtual.act({ do: 'fault', silent: true });
    await act.press(counter.button(say('takeInstead', { tag: other.doorTag })));
    await expect(counter.heading(say('noAnswerFrom', { tag: other.doorTag }))).toBeVisible();
    const [held] = await company.admin.api('GET /occupations', { query: { q: { doorTag: other.doorTag } } });
    expect(held).toMatchObject({ service: 'selfservice', assetText: 'Key card', stageName: 'RESERVED' });
  });

  const { api } = company.admin;

  await test.step('heard of again, it is tried once more', async () => {
    await cabinet.virtual.act({ do: 'fault', silent: false });
    await act.press(counter.button(say('tryAgain')));
    await expect(counter.heading(say('isOpen', { tag: other.doorTag }))).toBeVisible();
  });

  await test.step('not empty, it is left to be checked, and the next door is taken', async () => {
    const door = await atDoor(cabinet, other);
    await door.seesItOpen();
    // what can be said of a door that is shut stands in the same places while it is open, and none of it is the likely one
    const acts = page.locator('section').getByRole('button');
    await expect(acts).toHaveText([say('openAgain'), say('nothingInside'), say('sayInside'), say('notEmpty')]);
    await act.press(counter.button(say('notEmpty')));
    const asked = page.getByRole('dialog', { name: say('notEmpty') });
    await act.press(asked.getByRole('button', { name: say('cancel'), exact: true }));
    expect(await api('GET /lockers/{id}', { params: { id: door.id } })).toMatchObject({ inDoubt: false });
    await act.press(counter.button(say('notEmpty')));
    await act.press(asked.getByRole('button', { name: say('notEmpty'), exact: true }));
    await expect(page.getByRole('alert').first()).toContainText(door.doorTag);
    const next = await open.innerText();
    expect(next).not.toContain(door.doorTag);
    const nextTag = cabinet.lockers.find(({ doorTag }) => next.includes(doorTag))?.doorTag ?? '';
    expect(await api('GET /lockers/{id}', { params: { id: door.id } })).toMatchObject({ content: 'unknown', inDoubt: true });
    // whoever passes could reach in
    const close = page.getByText(say('closeItFirst', { tag: door.doorTag }), { exact: true });
    await expect(close).toBeVisible();
    await door.close();
    await expect(close).toHaveCount(0);
    // nobody's hand chose it
    await act.press(counter.button(say('back')));
    await expect(page.getByText(say('chosen', { tag: nextTag }), { exact: true })).toBeVisible();
    await expect(page.getByText(say('youChoseIt'))).toHaveCount(0);
    await counter.next();
  });

  await test.step('which is filled, and its receiver is told', async () => {
    const door = await counter.open(cabinet);
    await door.seesItOpen();
    await door.put('Key card');
    await door.close();
    await expect(counter.heading(say('liesIn', { tag: door.doorTag }))).toBeVisible();
    const [held] = await api('GET /occupations', { query: { q: { service: 'selfservice', doorTag: door.doorTag } } });
    expect(held).toMatchObject({ type: 'delivery', assetText: 'Key card', stageName: 'FILLED' });
    expect(await roadOf(company, chosen.doorTag)).toEqual(['occupation_created', 'occupation_terminated']);
    expect(await roadOf(company, door.doorTag)).toEqual(['occupation_created', 'occupation_filled']);
    await act.press(counter.button(say('notify')));
    await expect(counter.heading(say('notified', { name: 'Ingrid Solberg' }))).toBeVisible();
  });
});
