import { messagesTo } from '../company.ts';
import { once, someNumber, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';

test('taken out by staff where no sensor looks behind the door, they are asked, and nobody is told before they answered', async ({
  page,
  hatchway,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const { lockers, virtual } = await company.cabinet({ doors: 1, hasSensors: false });
  const [lot] = lockers;
  if (!lot) throw new Error('no locker');
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
    await once(() => virtual.act({ do: 'close', door: lot.compartment }));
    await expect(main.getByText(say('sayWhatYouDid', { tag: lot.doorTag }))).toBeVisible();
    await expect(taken).toBeVisible();
    expect(await stands()).toEqual(untouched);
  };
  await enter(company.admin.email, `/portal/services/manageoccupation?id=${id}`);

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
