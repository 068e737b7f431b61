import { someNumber, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';

test('found by what is typed at once, a door is named with its place before anybody is let in', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
  hands,
}) => {
  const { lockers } = await company.cabinet({ doors: 2 });
  const [lot] = lockers;
  if (!lot) throw new Error('no locker');
  const { api } = company.admin;
  const [wall] = await api('GET /cabinets');
  const made = await waiting(company, lot, { name: 'Ingrid Solberg', tlf: someNumber() });
  await api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
  const stands = async () => {
    const { door } = await api('GET /lockers/{id}', { params: { id: lot.id } });
    const { stageName } = await api('GET /occupations/{id}', { params: { id: made.id } });
    return { door, stageName };
  };

  await test.step('the field has the focus; a finger gets no keyboard unasked', async () => {
    await enter(company.admin.email, '/portal/services/manageoccupation');
    const field = counter.field(say('codeOrTag'));
    if (hands === 'touch') await act.write(field, lot.doorTag);
    else {
      await expect(field).toBeFocused();
      await page.keyboard.type(lot.doorTag);
    }
    await page.keyboard.press('Enter');
    await expect(counter.button(say('letInToTake'))).toBeVisible();
  });

  const asked = page.getByRole('dialog');
  await test.step('asked to let somebody in, it says which door and where, and opens nothing yet', async () => {
    await act.press(counter.button(say('letInToTake')));
    await expect(asked).toContainText(
      say('atPlace', { tag: lot.doorTag, cabinet: wall?.name ?? 'no cabinet', site: wall?.siteName ?? 'no site' }),
    );
    await expect(asked).toContainText('Ingrid Solberg');
    await act.press(asked.getByRole('button', { name: say('cancel'), exact: true }));
    await expect(asked).toBeHidden();
    expect(await stands()).toEqual({ door: 'closed', stageName: 'ACQUIRABLE' });
  });

  await test.step('and opens by its name', async () => {
    await counter.letIn('letInToTake', lot);
    await expect.poll(stands).toEqual({ door: 'opened', stageName: 'CLAIMING' });
  });
});

test('whoever aborts with the door open is told to close it', async ({ page, company, act, say, enter, counter }) => {
  const cabinet = await company.cabinet({ doors: 2 });
  await enter(company.admin.email, '/portal/services/delivery');
  await act.write(counter.field(say('asset')), 'Parcel 77');
  await counter.next();
  await counter.person('Ingrid Solberg', someNumber());
  await counter.next();
  await counter.next();
  const door = await counter.open(cabinet);
  await expect(counter.heading(say('isOpen', { tag: door.doorTag }))).toBeVisible();
  await act.press(counter.button(say('abortDelivery')));
  const asked = page.getByRole('dialog');
  const close = asked.getByText(say('takeOutAndClose', { tag: door.doorTag }));
  await expect(close).toBeVisible();
  await act.press(asked.getByRole('button', { name: say('abortDelivery'), exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: say('dashboard') })).toBeVisible();
  await expect
    .poll(async () => await company.admin.api('GET /lockers/{id}', { params: { id: door.id } }))
    .toMatchObject({ occupationId: null, inDoubt: true });
});
