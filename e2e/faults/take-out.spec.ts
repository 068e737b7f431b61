import { messagesTo } from '../company.ts';
import { expect, once, someNumber, storyOf, test, waiting } from '../counter.ts';

// Staff take something out before its time: what the door did not do, nobody writes down, and nobody is told.

test('jammed: nothing changed and nobody was told, until staff say that they took it out by hand', async ({
  page,
  hatchway,
  company,
  act,
  enter,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const tlf = someNumber();
  const made = await waiting(company, lot, { name: 'Ingrid Solberg', tlf });
  const { api } = company.admin;
  const stage = async () => (await api('GET /occupations/{id}', { params: { id: made.id } })).stageName;
  await api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
  await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: true });

  await enter(company.admin.email, `/portal/services/manageoccupation?id=${made.id}`);
  await act.press(page.getByRole('button', { name: 'Take out and end', exact: true }));
  const dialog = page.getByRole('dialog');
  await act.press(dialog.getByRole('button', { name: 'Take out and end', exact: true }));
  await expect(dialog.getByText(`${lot.doorTag} did not open`)).toBeVisible();
  await expect(dialog.getByText('code and link still work')).toBeVisible();
  expect(await stage()).toBe('ACQUIRABLE');
  expect(await storyOf(company, lot.doorTag)).not.toContain('occupation_extract');
  expect(await messagesTo(hatchway.origin, tlf, { least: 0 })).toHaveLength(0);

  await act.press(dialog.getByRole('button', { name: 'Try again', exact: true }));
  await expect(dialog.getByText(`${lot.doorTag} did not open`)).toBeVisible();
  await act.press(dialog.getByRole('button', { name: 'By hand, with a reason', exact: true }));
  await act.write(dialog.getByRole('textbox', { name: 'Reason' }), 'The lock is jammed, opened by key');
  await act.press(dialog.getByRole('button', { name: 'I have taken it out', exact: true }));
  await expect.poll(stage).toBe('TERMINATED');
  expect(await messagesTo(hatchway.origin, tlf)).toHaveLength(1);
  const told = await api('GET /history', { query: { q: { doorTag: lot.doorTag, type: 'occupation_extract' } } });
  expect(told.map((event) => event.data?.['reason'])).toEqual(['The lock is jammed, opened by key']);
});

test('offline: the dialog does not promise that the door opens', async ({ page, company, act, enter }) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const made = await waiting(company, lot, { name: 'Ingrid Solberg', tlf: someNumber() });
  await cabinet.virtual.act({ do: 'network', on: false });
  const { api } = company.admin;
  await expect.poll(async () => (await api('GET /lockers/{id}', { params: { id: lot.id } })).connection).toBe('offline');

  await enter(company.admin.email, `/portal/services/manageoccupation?id=${made.id}`);
  await act.press(page.getByRole('button', { name: 'Take out, keep the locker', exact: true }));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('The cabinet is offline', { exact: true })).toBeVisible();
  await expect(dialog.getByText('so you can take the content out')).toHaveCount(0);
  await act.press(dialog.getByRole('button', { name: 'By hand, with a reason', exact: true }));
  await act.write(dialog.getByRole('textbox', { name: 'Reason' }), 'By key');
  await act.press(dialog.getByRole('button', { name: 'I have taken it out', exact: true }));
  await expect.poll(async () => (await api('GET /occupations/{id}', { params: { id: made.id } })).stageName).toBe('VACANT');
});

test('offline: nobody is let in by a door that does not open, until it is back', async ({ page, company, act, enter }) => {
  const cabinet = await company.cabinet({ doors: 1 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const { api } = company.admin;
  const made = await waiting(company, lot, { name: 'Ingrid Solberg', tlf: someNumber() });
  await api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
  await cabinet.virtual.act({ do: 'network', on: false });
  await enter(company.admin.email, `/portal/services/manageoccupation?id=${made.id}`);
  await act.press(page.getByRole('button', { name: 'Open for pick-up', exact: true }));
  const dialog = page.getByRole('dialog');
  const open = dialog.getByRole('button', { name: `Open ${lot.doorTag}`, exact: true });
  await expect(dialog).toContainText('The cabinet is offline.');
  await expect(open).toBeDisabled();
  await cabinet.virtual.act({ do: 'network', on: true });
  await expect(dialog).toContainText('opens at once');
  await act.press(open);
  await expect.poll(async () => (await api('GET /occupations/{id}', { params: { id: made.id } })).stageName).toBe('CLAIMING');
});

test('the door stands open: nothing is claimed on any screen, and who leaves it inside says so', async ({
  page,
  hatchway,
  company,
  act,
  say,
  enter,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const tlf = someNumber();
  const made = await waiting(company, lot, { name: 'Ingrid Solberg', tlf });
  const { api } = company.admin;
  const stage = async () => (await api('GET /occupations/{id}', { params: { id: made.id } })).stageName;
  await api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
  const main = page.getByRole('main');
  const itsPage = `/portal/services/manageoccupation?id=${made.id}`;
  await enter(company.admin.email, itsPage);
  const takeOut = async () => {
    await act.press(page.getByRole('button', { name: 'Take out and end', exact: true }));
    await act.press(page.getByRole('dialog').getByRole('button', { name: 'Take out and end', exact: true }));
    await expect(main.getByText(say('takeOutByHand', { tag: lot.doorTag }))).toBeVisible();
  };

  await test.step('on the list as on its own page', async () => {
    await takeOut();
    expect(await stage()).toBe('ACQUIRABLE');
    await page.goto('/portal/manage/occupations');
    await expect(page.getByRole('row').filter({ hasText: lot.doorTag })).toContainText(say('beingTakenOut'));
    await page.goto(itsPage);
  });

  await test.step('left inside: its closing tells nobody anything', async () => {
    await act.press(main.getByRole('button', { name: say('staysInside'), exact: true }));
    await expect(main.getByText(say('beingTakenOut'), { exact: true })).toBeHidden();
    await once(() => cabinet.virtual.act({ do: 'close', door: lot.compartment }));
    await expect.poll(async () => (await api('GET /lockers/{id}', { params: { id: lot.id } })).door).toBe('closed');
    expect(await stage()).toBe('ACQUIRABLE');
    expect(await messagesTo(hatchway.origin, tlf, { least: 0 })).toHaveLength(0);
  });

  await test.step('cut off while it stands open: whoever stands there is asked', async () => {
    await takeOut();
    await cabinet.virtual.act({ do: 'network', on: false });
    await expect(main.getByText(say('sayWhatYouDid', { tag: lot.doorTag }))).toBeVisible();
    expect(await stage()).toBe('ACQUIRABLE');
    await act.press(main.getByRole('button', { name: say('iTookItOut'), exact: true }));
    await expect.poll(stage).toBe('TERMINATED');
    expect(await messagesTo(hatchway.origin, tlf)).toHaveLength(1);
  });
});
