import { messagesTo } from '../company.ts';
import { once, someNumber, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';
import { boxOf } from '../still.ts';

test('taken out by staff where no sensor looks behind the door, they are asked, and nobody is told before they answered; no button moves under the finger as a door opens and is shut', async ({
  page,
  hatchway,
  company,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2, hasSensors: false });
  const [lot, beside] = cabinet.lockers;
  if (!lot || !beside) throw new Error('no lockers');
  const tlf = someNumber();
  const { api } = company.admin;
  const { id } = await waiting(company, lot, { name: 'Ingrid Solberg', tlf });
  await api('PUT /occupations', { body: { id, action: 'publish' } });
  const stands = async () => {
    const { door, content, occupationId } = await api('GET /lockers/{id}', { params: { id: lot.id } });
    const { stageName } = await api('GET /occupations/{id}', { params: { id } });
    return { door, content, held: occupationId !== null, stageName };
  };
  const untouched = { door: 'closed', content: 'occupied', held: true, stageName: 'ACQUIRABLE' };
  const main = page.getByRole('main');
  const dialog = page.getByRole('dialog');
  const taken = counter.button(say('iTookItOut'));
  const openAndShut = async () => {
    await act.press(counter.button(say('takeOutEnd')));
    await act.press(dialog.getByRole('button', { name: say('takeOutEnd'), exact: true }));
    await expect(main.getByText(say('takeOutByHand', { tag: lot.doorTag }))).toBeVisible();
    await expect(taken).toHaveCount(0);
    await once(() => cabinet.virtual.act({ do: 'close', door: lot.compartment }));
    await expect(main.getByText(say('sayWhatYouDid', { tag: lot.doorTag }))).toBeVisible();
    await expect(taken).toBeVisible();
    expect(await stands()).toEqual(untouched);
  };
  const { id: other } = await waiting(company, beside, { name: 'Ingrid Solberg', tlf: '+4791234567' });
  await api('PUT /occupations', { body: { id: other, action: 'publish' } });
  await api('PUT /occupations/assign', { body: { action: 'claim', id: other } });
  await enter(company.admin.email, `/portal/services/manageoccupation?id=${other}`);

  await test.step('no button moves under the finger as a door opens and is shut', async () => {
    const likely = page.locator('[data-likely]');
    await expect(likely).toHaveText(say('openTheDoor'));
    // its locker is read too
    await expect(main.getByText(say('doorClosed')).first()).toBeVisible();
    const top = async () => (await boxOf(likely)).y;
    const before = await top();

    await api('POST /lockers/{id}/open', { params: { id: beside.id }, body: { doorTag: beside.doorTag, occupationId: other } });
    await expect(page.getByText(say('openBadge'), { exact: true })).toBeVisible();
    expect(await top()).toBe(before);

    await (await atDoor(cabinet, beside)).close();
    await expect(page.getByText(say('openBadge'), { exact: true })).toHaveCount(0);
    await expect(page.getByRole('timer')).toBeVisible();
    expect(await top()).toBe(before);
  });

  await counter.go(`/services/manageoccupation?id=${id}`);

  await test.step('left inside after all: it waits for its receiver as before', async () => {
    await openAndShut();
    await act.press(counter.button(say('staysInside')));
    await expect(main.getByText(say('beingTakenOut'), { exact: true })).toBeHidden();
    expect(await stands()).toEqual(untouched);
    expect(await messagesTo(hatchway.origin, tlf, { least: 0 })).toHaveLength(0);
  });

  await test.step('taken: it has ended, its receiver is told, and the locker is free', async () => {
    await openAndShut();
    await act.press(taken);
    await expect.poll(stands).toEqual({ door: 'closed', content: 'empty', held: false, stageName: 'TERMINATED' });
    expect(await messagesTo(hatchway.origin, tlf)).toHaveLength(1);
  });
});
