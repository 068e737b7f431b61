import { messagesTo } from '../company.ts';
import { expect, once, openButton, scan, someNumber, storyOf, test, told, waiting } from '../counter.ts';

// What goes wrong at the steel, as the counter, lock control and the receiver read it: never more than the controller said.

test('jammed: the counter reads that it did not open, and takes the next best door without typing again', async ({
  page,
  company,
  act,
  say,
  standAtDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 3 });
  const lot = await standAtDoor(cabinet);
  await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: true });
  await act.press(openButton(page, say));

  await expect(page.getByRole('heading', { name: `${lot.doorTag} did not open` })).toBeVisible();
  await expect(page.getByText('The door is jammed')).toBeVisible();
  const other = page.getByRole('button', { name: /^Take .* instead$/ });
  const tag = (await other.innerText()).split(' ')[1] ?? '';
  expect(cabinet.lockers.filter((one) => one.id !== lot.id).map((one) => one.doorTag)).toContain(tag);
  await act.press(other);
  await expect(page.getByRole('heading', { name: `${tag} is open` })).toBeVisible();

  await page.goto(`/portal/history?door=${lot.doorTag}`);
  await expect(told(page, 'Door refused to open')).toHaveCount(1);
  await expect(told(page, 'Door refused to open')).toContainText('the door is jammed');
  expect(await storyOf(company, lot.doorTag)).not.toContain('locker_opened');
});

test('jammed: the door to take instead is as large as the one that was chosen by hand', async ({
  page,
  company,
  act,
  say,
  standAtDoor,
}) => {
  const cabinet = await company.cabinet({ sizes: ['S', 'M', 'S', 'M'] });
  const [, large, , asLarge] = cabinet.lockers;
  if (!large || !asLarge) throw new Error('no lockers');
  await standAtDoor(cabinet);
  await act.press(page.getByRole('button', { name: 'Edit Locker', exact: true }));
  await scan(page, large.doorTag);
  await expect(page.getByText(say('chosen', { tag: large.doorTag }), { exact: true })).toBeVisible();
  await act.press(page.getByRole('button', { name: say('next'), exact: true }));
  await cabinet.virtual.act({ do: 'jam', door: large.compartment, on: true });
  await act.press(openButton(page, say));
  await act.press(page.getByRole('button', { name: `Take ${asLarge.doorTag} instead` }));
  await expect(page.getByRole('heading', { name: `${asLarge.doorTag} is open` })).toBeVisible();
});

test('unanswered: nobody knows whether it opened, on every screen, until the door itself is heard of', async ({
  page,
  company,
  act,
  say,
  standAtDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2, hasSensors: false });
  const lot = await standAtDoor(cabinet);
  await cabinet.virtual.act({ do: 'fault', silent: true });
  // it stands there until the deadline has passed, however late somebody looks
  const asked = expect(page.getByRole('heading', { name: `Opening ${lot.doorTag} …` })).toBeVisible();
  await act.press(openButton(page, say));
  await asked;
  await expect(page.getByRole('heading', { name: `No answer from ${lot.doorTag}` })).toBeVisible();
  await expect(page.getByText('We do not know whether the door opened: look at it.')).toBeVisible();
  expect(await storyOf(company, lot.doorTag)).toContain('locker_no_answer');

  await page.goto(`/portal/services/lock-control?tag=${lot.doorTag}`);
  await expect(page.getByText('Open: no answer; we do not know whether it moved')).toBeVisible();
  await page.goto(`/portal/history?door=${lot.doorTag}`);
  await expect(told(page, 'Cabinet did not answer')).toHaveCount(1);
  await expect(told(page, 'Door opened')).toHaveCount(0);

  // Given up without anybody having looked: the locker is not simply free again.
  const [reserved] = await company.admin.api('GET /occupations', { query: { q: { lockerId: lot.id } } });
  await company.admin.api('DELETE /occupations/{id}', { params: { id: reserved?.id ?? '' }, body: {} });
  expect(await company.admin.api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject({ content: 'unknown', inDoubt: true });
});

test('offline: said at once, doors are hatched, and what happened meanwhile is told when it is back', async ({
  page,
  company,
  act,
  say,
  standAtDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 3, hasSensors: false });
  const lot = await standAtDoor(cabinet);
  await cabinet.virtual.act({ do: 'network', on: false });
  await expect(
    page
      .getByText(/No door is free here now|the cabinet is offline/i)
      .or(openButton(page, say))
      .first(),
  ).toBeVisible();
  await expect.poll(async () => (await company.admin.api('GET /lockers/{id}', { params: { id: lot.id } })).connection).toBe('offline');

  await page.goto(`/portal/services/lock-control?tag=${lot.doorTag}`);
  const door = page.locator(`[data-door="${lot.id}"]`);
  await expect(door).toHaveAttribute('data-look', 'offline');
  await expect(door).toContainText('Offline');
  // hatched, not merely grey: no door of it looks like one that is known
  await expect(door.locator('span').first()).toHaveCSS('background-image', /repeating-linear-gradient/);
  await expect(page.getByRole('main').getByText('Unknown').first()).toBeVisible();
  await act.press(page.getByRole('button', { name: 'Open', exact: true }));
  // exactly: the list of what was pressed says it too, with the door's tag before it
  await expect(page.getByText('The cabinet is offline. You can open its doors when it is back.', { exact: true })).toBeVisible();

  // A thief comes while nobody can see: nothing is claimed before the controller tells of it.
  await cabinet.virtual.act({ do: 'force', door: lot.compartment });
  expect(await company.admin.api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject({
    door: 'unknown',
    connection: 'offline',
  });
  await cabinet.virtual.act({ do: 'network', on: true });
  await expect(door).toHaveAttribute('data-look', 'open');
  await cabinet.virtual.act({ do: 'close', door: lot.compartment });
  await expect(door).toHaveAttribute('data-look', 'inDoubt');
  await expect(page.getByText('What lies inside?')).toBeVisible();

  await page.goto('/portal/history');
  for (const word of ['Cabinet offline', 'Locker state unknown']) await expect(told(page, word)).toHaveCount(1);
  await expect(told(page, 'Cabinet online')).toHaveCount(2);
});

test('offline for a while: another cabinet’s door is chosen for that reason, and one press leads back', async ({
  page,
  company,
  enter,
  act,
  say,
}) => {
  const { api } = company.admin;
  const [mine, other] = [await company.cabinet({ doors: 2 }), await company.cabinet({ doors: 1 })];
  const site = (await api('GET /cabinets/{id}', { params: { id: mine.id } })).siteId;
  for (const [{ id }, name] of [
    [mine, 'Main hall'],
    [other, 'West entrance'],
  ] as const) {
    const { version } = await api('GET /cabinets/{id}', { params: { id } });
    await api('PUT /cabinets/{id}', { params: { id }, body: { version, siteId: site, name } });
  }
  // within easier reach than the other, yet it is not why the door stands elsewhere
  const [, broken] = mine.lockers;
  await api('PUT /lockers/{id}/service', { params: { id: broken?.id ?? '' }, body: { outOfService: true, reason: 'hinge' } });
  await enter(company.admin.email, '/portal/services/delivery');
  const next = page.getByRole('button', { name: say('next'), exact: true });
  await act.write(page.getByRole('combobox', { name: say('asset'), exact: true }), 'Parcel 77');
  await act.press(next);
  await act.write(page.getByRole('combobox', { name: say('name'), exact: true }), 'Ingrid Solberg');
  await act.write(page.getByRole('combobox', { name: say('tlf'), exact: true }), someNumber());
  await act.press(next);
  await act.press(page.getByRole('combobox', { name: say('cabinet'), exact: true }));
  await act.press(page.getByRole('option', { name: /^Main hall/ }));
  const isChosen = (tag = '') => page.getByText(say('chosen', { tag }), { exact: true });
  await expect(isChosen(mine.lockers[0]?.doorTag)).toBeVisible();

  await mine.virtual.act({ do: 'network', on: false });
  await expect(page.getByText('Main hall is offline, so it is in West entrance.')).toBeVisible();
  await expect(page.getByText(`You can no longer use ${mine.lockers[0]?.doorTag}: the cabinet is offline.`)).toBeVisible();
  await expect(page.getByText('would fit, but')).toHaveCount(0);
  const back = page.getByRole('button', { name: 'Choose in Main hall again' });
  await expect(back).toHaveCount(0);

  await mine.virtual.act({ do: 'network', on: true });
  await expect(page.getByText('Main hall was offline, so it is in West entrance.')).toBeVisible();
  await expect(page.getByText('would fit, but')).toHaveCount(0);
  await expect(page.getByText(`${mine.lockers[0]?.doorTag} was unavailable for a while and is free again.`)).toBeVisible();
  // what somebody has read changes by their hand alone
  await expect(isChosen(other.lockers[0]?.doorTag)).toBeVisible();
  await act.press(back);
  await expect(isChosen(mine.lockers[0]?.doorTag)).toBeVisible();
  await expect(page.getByText('is offline')).toHaveCount(0);
  await expect(back).toHaveCount(0);
});

test('doubled and stale messages: everything is said once', async ({ page, company, enter }) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const { api } = company.admin;
  await cabinet.virtual.act({ do: 'fault', doubled: true });
  await api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, reason: 'a look' } });
  await cabinet.virtual.act({ do: 'close', door: lot.compartment });
  await expect.poll(async () => (await api('GET /lockers/{id}', { params: { id: lot.id } })).door).toBe('closed');
  // what the broker kept of this door is not repeated by the controller when it is back: then nobody knows how it stands
  await cabinet.virtual.act({ do: 'fault', staleRetained: true });
  await cabinet.virtual.act({ do: 'network', on: false });
  // waited for: had it been back before its will was heard, nobody would be told that it was gone (facts.test has the late will)
  await expect.poll(async () => (await api('GET /lockers/{id}', { params: { id: lot.id } })).connection).toBe('offline');
  await cabinet.virtual.act({ do: 'network', on: true });
  const stands = { connection: 'online', door: 'unknown', occupancy: 'unknown' };
  await expect.poll(() => api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject(stands);
  await enter(company.admin.email, '/portal/history');
  await expect(told(page, 'Cabinet online')).toHaveCount(2);
  await expect(told(page, 'Cabinet offline')).toHaveCount(1);
  await expect(told(page, 'Door opened')).toHaveCount(1);
  await expect(told(page, 'Door closed')).toHaveCount(1);
});

test('a sensor that senses nothing: the counter is asked, and it does not fill by itself', async ({
  page,
  company,
  act,
  say,
  standAtDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const lot = await standAtDoor(cabinet);
  await cabinet.virtual.act({ do: 'occupancy-sensor', door: lot.compartment, says: 'empty' });
  await act.press(openButton(page, say));
  await once(() => cabinet.virtual.act({ do: 'put', door: lot.compartment, what: 'Parcel 77' }));
  await cabinet.virtual.act({ do: 'close', door: lot.compartment });

  await expect(page.getByText('The sensor senses nothing inside.')).toBeVisible();
  await expect(page.getByText('It counts as filled in a few seconds')).toHaveCount(0);
  await test.step('and a stray Enter does not say what the sensor denies', async () => {
    await expect(page.getByRole('heading', { name: `${lot.doorTag} is closed` })).toBeFocused();
    await page.keyboard.press('Enter');
    const [one] = await company.admin.api('GET /occupations', { query: { q: { lockerId: lot.id } } });
    expect(one?.stage).toBe(1);
  });
  await act.press(page.getByRole('button', { name: 'It is inside', exact: true }));
  await act.press(page.getByRole('dialog').getByRole('button', { name: say('isInside'), exact: true }));
  await expect(page.getByText(say('liesIn', { tag: lot.doorTag }))).toBeVisible();
});

test('a door sensor that says closed: the lock let go, and nobody claims that the door stayed shut', async ({
  page,
  company,
  act,
  say,
  standAtDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const lot = await standAtDoor(cabinet);
  await cabinet.virtual.act({ do: 'door-sensor', door: lot.compartment, says: 'closed' });
  await act.press(openButton(page, say));
  await expect(page.getByRole('heading', { name: `${lot.doorTag} was not seen to open` })).toBeVisible();
  await expect(page.getByRole('heading', { name: `${lot.doorTag} did not open` })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Open by hand' })).toBeVisible();
  expect(await storyOf(company, lot.doorTag)).not.toContain('locker_opened');
});

test('left open: the wall shows it open, the history tells of it, and the content is to be checked', async ({ page, company, enter }) => {
  const cabinet = await company.cabinet({ doors: 2, hasSensors: false });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  await cabinet.virtual.act({ do: 'fault', leftOpenMs: 300 });
  await company.admin.api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, reason: 'a look' } });
  await enter(company.admin.email, `/portal/services/lock-control?tag=${lot.doorTag}`);
  const door = page.locator(`[data-door="${lot.id}"]`);
  await expect(door).toHaveAttribute('data-look', 'open');
  await expect(page.getByText('What lies inside?')).toBeVisible();
  await cabinet.virtual.act({ do: 'close', door: lot.compartment });
  await expect(door).toHaveAttribute('data-look', 'inDoubt');
  expect(await storyOf(company, lot.doorTag)).toEqual(['locker_opened', 'locker_unknown', 'locker_closed']);
});

test('the receiver’s door: jammed, unanswered, offline — each in its words, and nothing is claimed', async ({
  page,
  hatchway,
  company,
  act,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const { api } = company.admin;
  const tlf = someNumber();
  const made = await waiting(company, lot, { name: 'Ingrid Solberg', tlf });
  await api('PUT /occupations', { body: { id: made.id, action: 'send' } });
  const link = (await messagesTo(hatchway.origin, tlf))[0]?.links[0] ?? '';
  const stage = async () => (await api('GET /occupations/{id}', { params: { id: made.id } })).stageName;
  await expect.poll(stage).toBe('CONTACTED');
  await page.goto(link);
  const open = page.getByRole('button', { name: 'Open locker' });

  await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: true });
  await act.press(open);
  await expect(page.getByRole('alert').getByText('The door is jammed')).toBeVisible();
  expect(await stage()).toBe('CONTACTED');

  await cabinet.virtual.act({ do: 'mend' });
  await cabinet.virtual.act({ do: 'fault', silent: true });
  await act.press(open);
  await expect(page.getByText('We do not know whether the door opened.')).toBeVisible();
  expect(await stage()).toBe('CONTACTED');

  await cabinet.virtual.act({ do: 'mend' });
  await cabinet.virtual.act({ do: 'network', on: false });
  await expect(page.getByRole('heading', { name: 'The cabinet is offline' })).toBeVisible();
  await expect(open).toHaveCount(0);
  expect(await stage()).toBe('CONTACTED');

  await cabinet.virtual.act({ do: 'network', on: true });
  await act.press(open);
  await expect(page.getByText('The locker is open')).toBeVisible();
});

test('the cabinet falls silent while somebody takes it: it ends with its content unknown, on every screen', async ({
  page,
  context,
  hatchway,
  company,
  handsOn,
  act,
  say,
  standAtDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2, hasSensors: false });
  const tlf = someNumber();
  const lot = await standAtDoor(cabinet, tlf);
  const { api } = company.admin;
  await act.press(openButton(page, say));
  await once(() => cabinet.virtual.act({ do: 'close', door: lot.compartment }));
  await expect(page.getByRole('heading', { name: say('liesIn', { tag: lot.doorTag }) })).toBeVisible();
  await act.press(
    page
      .getByRole('main')
      .getByRole('button', { name: say('notify'), exact: true })
      .first(),
  );
  await expect(page.getByRole('heading', { name: say('notified', { name: 'Ingrid Solberg' }) })).toBeVisible();

  const phone = await context.newPage();
  await phone.goto((await messagesTo(hatchway.origin, tlf))[0]?.links[0] ?? '');
  await handsOn(phone).press(phone.getByRole('button', { name: 'Open locker' }));
  await expect(phone.getByText('The locker is open')).toBeVisible();
  await cabinet.virtual.act({ do: 'power', to: 'cut' });
  await expect(phone.getByText('We cannot see the door now')).toBeVisible();
  await cabinet.virtual.act({ do: 'close', door: lot.compartment });
  await cabinet.virtual.act({ do: 'power', to: 'on' });
  await expect(phone.getByRole('heading', { name: 'Done. Thank you' })).toBeVisible();

  await test.step('the counter reads that it is assumed and has to be checked, not that it was taken', async () => {
    await expect(page.getByRole('heading', { name: 'Delivered (assumed)' })).toBeVisible();
    await expect(page.getByText(`Nobody knows for sure what lies in ${lot.doorTag} now.`)).toBeVisible();
    await expect(page.getByText(`${lot.doorTag} is free again`)).toHaveCount(0);
    await expect(page.getByText('Ingrid Solberg has taken it out')).toHaveCount(0);
  });
  expect(await api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject({
    content: 'unknown',
    contentWhy: 'silent',
    inDoubt: true,
  });
  await test.step('and so does the history', async () => {
    await page.goto(`/portal/history?door=${lot.doorTag}`);
    await expect(told(page, 'Delivered').first()).toBeVisible();
    await expect(page.getByRole('main').getByText('assumed', { exact: false }).first()).toBeVisible();
    await expect(told(page, 'Locker state unknown').filter({ hasText: 'the cabinet fell silent meanwhile' })).toHaveCount(1);
  });
  await test.step('and the story of this one use', async () => {
    const [made] = await api('GET /occupations', { query: { q: { lockerId: lot.id, stage: { $gte: 98 } } } });
    await page.goto(`/portal/history/occupation/${made?.id}`);
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Locker state unknown' })).toContainText(
      'the cabinet fell silent meanwhile',
    );
  });
});

test('refused while staff let somebody in: the screen says so, and it waits again at once', async ({ page, company, enter, act }) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const made = await waiting(company, lot, { name: 'Ingrid Solberg', tlf: someNumber() });
  await company.admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
  await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: true });
  await enter(company.admin.email, `/portal/services/manageoccupation?id=${made.id}`);
  await act.press(page.getByRole('button', { name: 'Open for pick-up' }));
  await act.press(page.getByRole('dialog').getByRole('button', { name: `Open ${lot.doorTag}` }));
  await expect(page.getByRole('alert')).toContainText('The door is jammed');
  await expect(page.getByRole('main').getByText('Ready', { exact: true })).toBeVisible();
  expect(await storyOf(company, lot.doorTag)).toContain('locker_open_refused');
});
