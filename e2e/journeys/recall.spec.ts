import { expect, phoneOf, roadOf, showsStage, someNumber, test } from '../services.ts';

const holder = 'Ingrid Solberg';

// shows R2.13, R4.14
test('who has the drill is asked for it, brings it, and staff take it out; what is being recalled already is asked for again only by choice', async ({
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
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const tlf = someNumber();
  const drill = await api('POST /assets', { body: { name: 'Drill' } });
  const lent = await api('POST /occupations', { body: { type: 'lending', lockerId: lot.id, assetId: drill._id } });
  const acts = ['fill', 'publish'] as const;
  for (const action of acts) await api('PUT /occupations', { body: { id: lent.id, action } });
  await api('PUT /occupations/assign', { body: { action: 'claim', id: lent.id, receiver: { name: holder, tlf } } });
  await api('PUT /occupations', { body: { id: lent.id, action: 'finnish' } });
  await enter(company.admin.email, '/portal/services/recall');

  await test.step('what is out is listed with who has it, and picking it names the person', async () => {
    await counter.stands(say('recall'), 1, 4);
    await expect(counter.button(say('abort'))).toBeVisible();
    await expect(page.getByRole('option', { name: /Drill/ })).toContainText(holder);
    await page.getByRole('option', { name: /Drill/ }).click();
    await expect(counter.field(say('asset'))).toHaveValue('Drill');
    await counter.next();
    await expect(counter.field(say('name'))).toHaveValue(holder);
    await expect(counter.field(say('tlf'))).toHaveValue(tlf);
    await counter.next();
    await counter.next();
    await counter.stands(say('recall'), 4, 4);
  });

  const door = await test.step('Send link asks them', async () => {
    await act.press(counter.button(say('sendLink')));
    await expect(counter.heading(say('linkSent'))).toBeVisible();
    const [asked] = await api('GET /occupations', { query: { q: { type: 'recall' } } });
    const found = cabinet.lockers.find(({ id }) => id === asked?.lockerId);
    if (!found) throw new Error('the recall has no locker of ours');
    return atDoor(cabinet, found);
  });

  await test.step('they bring it, and the counter says so by itself', async () => {
    const phone = await phoneOf(hatchway.origin, tlf);
    await phone.open(door.doorTag);
    await door.seesItOpen();
    await door.put('Drill');
    await door.close();
    await phone.done();
    await expect(counter.heading(say('liesIn', { tag: door.doorTag }))).toBeVisible();
  });

  await test.step('staff take it out', async () => {
    await counter.manage(door.doorTag);
    await counter.letIn('takeItOut', door);
    await door.seesItOpen();
    await door.take();
    await door.close();
    await act.press(counter.button(say('wasTaken')));
    await act.press(page.getByRole('dialog').getByRole('button', { name: say('wasTaken'), exact: true }));
    await showsStage(page, say, 'ended');
    expect((await roadOf(company, door.doorTag)).slice(-2)).toEqual(['occupation_claimed', 'occupation_returned']);
  });

  const { _id: assetId } = await api('POST /assets', { body: { name: 'Ladder' } });
  const last = cabinet.lockers.at(-1);
  const receiver = { name: holder, tlf: someNumber() };
  const recalls = () => api('GET /occupations', { query: { q: { assetId, type: 'recall' } } });
  const dialog = page.getByRole('dialog', { name: say('recalledAlready', { name: 'Ladder' }) });
  const inDialog = (action: string) => dialog.getByRole('button', { name: action, exact: true });
  const pick = async () => {
    await counter.field(say('asset')).fill('Lad');
    await page.getByRole('option', { name: /Ladder/ }).click();
    await expect(counter.field(say('asset'))).toHaveValue('Ladder');
  };
  await counter.go('/services/recall');

  await test.step('somebody was quicker: no link goes out before they say so', async () => {
    await pick();
    await counter.next();
    await counter.person(holder, receiver.tlf);
    await counter.next();
    await counter.next();
    await counter.stands(say('recall'), 4, 4);
    const other = await api('POST /occupations', { body: { type: 'recall', lockerId: last?.id ?? '', assetId, receiver } });
    await act.press(counter.button(say('sendLink')));
    await expect(dialog).toContainText(say('recalledTo', { name: 'Ladder', tag: other.doorTag }));
    expect(await recalls()).toHaveLength(1);
    await act.press(inDialog(say('goOnAllTheSame')));
    await expect(counter.heading(say('linkSent'))).toBeVisible();
    expect(await recalls()).toHaveLength(2);
  });

  await test.step('on the step where it is picked it stands, with the way to it', async () => {
    await act.press(counter.button(say('abort')));
    await act.press(page.getByRole('dialog').getByRole('button', { name: say('abort'), exact: true }));
    await expect(counter.heading(say('dashboard'))).toBeVisible();
    await counter.go('/services/recall');
    await pick();
    const note = page.getByRole('alert').filter({ hasText: say('recalledTo', { name: 'Ladder', tag: last?.doorTag ?? '' }) });
    await expect(note.getByRole('link')).toHaveAttribute('href', /manageoccupation\?id=/);
    await counter.next();
    await act.press(inDialog(say('pickAnother')));
    await expect(dialog).toBeHidden();
    await counter.stands(say('recall'), 1, 4);
  });

  await test.step('a door that another took the place of is not asked for by an Enter too many', async () => {
    await counter.go('/services/drop-off');
    await counter.person(holder, someNumber());
    await counter.next();
    await counter.next();
    const send = counter.button(say('sendLink'));
    await expect(send).toBeFocused();
    const shown = await page.getByRole('main').innerText();
    const chosen = cabinet.lockers.find(({ doorTag }) => shown.includes(doorTag));
    await api('POST /occupations', { body: { type: 'delivery', lockerId: chosen?.id ?? '' } });
    await expect(send).not.toBeFocused();
    await act.press(send);
    await expect(counter.heading(say('linkSent'))).toBeVisible();
    expect(await api('GET /occupations', { query: { q: { type: 'drop-off', lockerId: chosen?.id ?? '' } } })).toEqual([]);
  });
});
