import { plugIn } from '@hatchway/dev/plug-in.ts';
import { once, waiting } from '../counter.ts';
import { expect, test } from '../journey.ts';

// shows R2.12
test('somebody builds a wall, pairs its controller, and loses no door in use', async ({ page, company, act, say, enter, hatchway }) => {
  const { api } = company.admin;
  await enter(company.admin.email, '/portal/manage/lockers');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const doors = page.locator('[data-door]');
  const wall = async () => {
    const [cabinet] = await api('GET /cabinets');
    return { cabinet, lockers: await api('GET /cabinets/{id}/lockers', { params: { id: cabinet?.id ?? '' } }) };
  };

  await test.step('a site, and a cabinet on it from a template', async () => {
    await act.press(button(say('newSite')).first());
    await act.write(dialog.getByLabel(say('name')), 'Depot');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await act.press(button(say('newCabinetAt', { site: 'Depot' })));
    await act.write(dialog.getByLabel(say('name')), 'North wall');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(page.getByRole('heading', { level: 1, name: 'North wall' })).toBeVisible();
    await expect(doors).toHaveCount(24);
  });

  await test.step('a door is added and split, the split taken back, and all of it saved', async () => {
    await act.press(button(say('addDoorOf', { size: 'M' })));
    await expect(doors).toHaveCount(25);
    await act.press(button(say('splitInTwo')));
    await expect(doors).toHaveCount(26);
    await act.press(button(say('undo')));
    await expect(doors).toHaveCount(25);
    await act.press(button(say('saveAsk')));
    await expect(dialog).toContainText(say('oneNewDoor'));
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    expect((await wall()).lockers).toHaveLength(25);
  });

  await test.step('its controller is paired with the code, and comes online before their eyes', async () => {
    await act.press(button(say('pairController')));
    const shown = dialog.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    await expect(shown).toBeVisible();
    const { cabinet, lockers } = await wall();
    const byId = new Map(lockers.map((locker) => [locker.id, locker]));
    const columns = (cabinet?.columns ?? []).map((column) => ({
      width: column.width,
      doors: column.doors.map(({ lockerId, height }) => {
        const locker = byId.get(lockerId);
        return { compartment: locker?.compartment ?? 0, doorTag: locker?.doorTag ?? '', size: locker?.size ?? 'M', height };
      }),
    }));
    await plugIn(hatchway.origin, { name: 'North wall', code: await shown.innerText(), columns, canLock: true, hasSensors: true });
    await expect(dialog.getByText(say('pairedOnline'))).toBeVisible();
    await act.press(dialog.getByRole('button', { name: say('close'), exact: true }).last());
  });

  await test.step('a door that somebody uses cannot be taken away', async () => {
    const { cabinet, lockers } = await wall();
    const first = lockers.find((locker) => locker.id === cabinet?.columns[0]?.doors[0]?.lockerId);
    await expect.poll(async () => (await wall()).lockers.every((locker) => locker.door === 'closed')).toBe(true);
    await api('POST /occupations', {
      body: { type: 'delivery', lockerId: first?.id ?? '', assetText: 'Parcel 7', receiver: { name: 'Ingrid', email: 'i@e2e.test' } },
    });
    await act.press(doors.first());
    await act.press(button(say('takeAway')));
    await expect(page.getByText(say('heldInUse', { tag: first?.doorTag ?? '' }))).toBeVisible();
    await expect(doors).toHaveCount(25);
  });
});

test('who saves a wall that somebody else changed meanwhile loses nothing', async ({ page, company, act, say, enter }) => {
  const { api } = company.admin;
  const { id } = await company.cabinet({ doors: 3 });
  await enter(company.admin.email, `/portal/manage/lockers?cabinet=${id}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const doors = page.locator('[data-door]');
  await expect(doors).toHaveCount(3);
  await act.press(button(say('addDoorOf', { size: 'M' })));
  await expect(doors).toHaveCount(4);

  await api('POST /lockers', { body: { cabinetId: id, doorTag: 'OTHERS-1', size: 'S', compartment: 40 } });
  await act.press(button(say('keepMine')));
  await act.press(button(say('saveAsk')));
  // what it would take from the other is said before it is done
  await expect(page.getByRole('dialog')).toContainText('OTHERS-1');
  await act.press(page.getByRole('dialog').getByRole('button', { name: say('cancel'), exact: true }));
  expect((await api('GET /cabinets/{id}/lockers', { params: { id } })).map((locker) => locker.doorTag)).toContain('OTHERS-1');
  await act.press(button(say('undo')));
  await expect(doors).toHaveCount(3);

  // what is not saved is not left by a slip
  await act.press(page.getByRole('link', { name: say('allWalls') }));
  await act.press(page.getByRole('dialog').getByRole('button', { name: say('leave'), exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: say('lockerBuilder') })).toBeVisible();
});

test('a locker in doubt stands in the list once, though its cabinet is known later than its door', async ({ page, company, enter }) => {
  const { api } = company.admin;
  for (const { virtual } of [
    await company.cabinet({ doors: 1, hasSensors: false }),
    await company.cabinet({ doors: 1, hasSensors: false }),
  ])
    await once(() => virtual.act({ do: 'force', door: 1 }));
  const doubts = () => api('GET /lockers', { query: { q: { inDoubt: true } } });
  await expect.poll(async () => (await doubts()).length).toBe(2);
  await enter(company.admin.email);
  let letThrough = () => {};
  const held = new Promise<void>((done) => (letThrough = done));
  await page.route(/\/v1\/cabinets\?/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForResponse((answer) => /\/v1\/lockers\?.*inDoubt/.test(decodeURIComponent(answer.url())));
  await page.goto('/portal/manage/lockers?view=doubt');
  await asked;
  const main = page.getByRole('main');
  for (const { doorTag } of await doubts()) await expect(main.getByText(doorTag, { exact: true }).first()).toBeVisible();
  letThrough();
  const cabinets = await api('GET /cabinets');
  for (const { siteName } of cabinets) await expect(main.getByRole('heading', { name: siteName })).toBeVisible();
  for (const { doorTag } of await doubts()) await expect(main.getByText(doorTag, { exact: true })).toHaveCount(1);
});

test('lockers in doubt are opened one after the other, and the record is put right', async ({ page, company, act, say, enter }) => {
  const { api } = company.admin;
  const { lockers, virtual } = await company.cabinet({ doors: 2, hasSensors: false });
  // as somebody walks along them: by what is written on the doors
  const [one, two] = lockers.toSorted((a, b) => new Intl.Collator('en', { numeric: true }).compare(a.doorTag, b.doorTag));
  // the second one is set aside for somebody, and nothing lies in it yet
  await api('POST /occupations', { body: { type: 'delivery', lockerId: two?.id ?? '', assetText: 'Parcel 7' } });
  for (const lot of [one, two]) {
    await once(() => virtual.act({ do: 'force', door: lot?.compartment }));
    await once(() => virtual.act({ do: 'close', door: lot?.compartment }));
  }
  const doubts = async () => (await api('GET /lockers', { query: { q: { inDoubt: true } } })).map((locker) => locker.doorTag);
  await expect.poll(async () => (await doubts()).length).toBe(2);
  await expect.poll(async () => (await api('GET /lockers')).every((locker) => locker.door === 'closed')).toBe(true);

  await enter(company.admin.email, '/portal/manage/lockers?view=doubt');
  await expect(page.getByText(one?.doorTag ?? '', { exact: true })).toBeVisible();
  await act.press(page.getByRole('link', { name: say('startChecking') }));
  for (const lot of [one, two]) {
    await act.press(page.getByRole('button', { name: say('openTag', { tag: lot?.doorTag ?? '' }), exact: true }));
    await expect(page.getByText(say('openWhatSeen', { tag: lot?.doorTag ?? '' }))).toBeVisible();
    await expect(page.getByText(say('recordSaysEmptyNow'))).toHaveCount(lot === two ? 1 : 0);
    await act.press(page.getByRole('button', { name: say('asShownNothing'), exact: true }));
    await once(() => virtual.act({ do: 'close', door: lot?.compartment }));
    await act.press(page.getByRole('button', { name: say('next'), exact: true }));
  }
  await expect(page.getByText(say('twoSettled'))).toBeVisible();
  expect(await doubts()).toEqual([]);
});

test('of lockers in doubt one is empty and in the others lies something else: the record says no more than was seen', async ({
  page,
  company,
  act,
  say,
  enter,
}) => {
  const { api } = company.admin;
  const { lockers, virtual } = await company.cabinet({ doors: 3, hasSensors: false });
  const [one, two, three] = lockers.toSorted((a, b) => new Intl.Collator('en', { numeric: true }).compare(a.doorTag, b.doorTag));
  if (!one || !two || !three) throw new Error('no locker');
  const parcels = [
    await waiting(company, one, { name: 'Ingrid', email: 'i@e2e.test' }),
    await waiting(company, two, { name: 'Ola', email: 'o@e2e.test' }),
  ];
  for (const lot of [one, two, three]) {
    await once(() => virtual.act({ do: 'force', door: lot.compartment }));
    await once(() => virtual.act({ do: 'close', door: lot.compartment }));
  }
  const stands = async ({ id }: { id: string }) => {
    const { content, inDoubt, outOfService } = await api('GET /lockers/{id}', { params: { id } });
    return { content, inDoubt, outOfService };
  };
  await expect.poll(async () => (await Promise.all([one, two, three].map(stands))).every(({ inDoubt }) => inDoubt)).toBe(true);
  await expect.poll(async () => (await api('GET /lockers')).every((locker) => locker.door === 'closed')).toBe(true);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const look = async ({ doorTag }: { doorTag: string }) => {
    await act.press(button(say('openTag', { tag: doorTag })));
    await expect(page.getByText(say('openWhatSeen', { tag: doorTag }))).toBeVisible();
  };
  const goOn = async ({ compartment }: { compartment: number }) => {
    await once(() => virtual.act({ do: 'close', door: compartment }));
    await act.press(button(say('next')));
  };

  await enter(company.admin.email, '/portal/manage/lockers?view=doubt');
  await act.press(page.getByRole('link', { name: say('startChecking') }));
  await test.step('empty, though a parcel should lie there: its use goes on, with nothing in it', async () => {
    await look(one);
    await act.press(button(say('seenEmpty')));
    await goOn(one);
    expect(await stands(one)).toEqual({ content: 'empty', inDoubt: false, outOfService: null });
    expect((await api('GET /occupations/{id}', { params: { id: parcels[0]?.id ?? '' } })).stageName).toBe('VACANT');
  });

  await test.step('something else in place of a parcel: what it is must be said, and the door is given to nobody', async () => {
    await look(two);
    await act.press(button(say('somethingElse')));
    await act.press(button(say('noteIt')));
    await expect(page.getByRole('alert')).toBeVisible();
    await act.write(page.getByRole('textbox', { name: say('whatLiesThere') }), 'A wet coat');
    await act.press(button(say('noteIt')));
    await goOn(two);
    expect(await stands(two)).toMatchObject({ inDoubt: true, outOfService: { reason: 'A wet coat' } });
  });

  await test.step('something else where nothing should lie', async () => {
    await look(three);
    await act.press(button(say('somethingElse')));
    await act.write(page.getByRole('textbox', { name: say('whatLiesThere') }), 'A bicycle pump');
    await act.press(button(say('noteIt')));
    await goOn(three);
    expect(await stands(three)).toMatchObject({ content: 'occupied', outOfService: { reason: 'A bicycle pump' } });
  });

  await test.step('at the end each stands with what is left to do', async () => {
    const main = page.getByRole('main');
    await expect(main.getByText(say('saidEmptyUse', { tag: one.doorTag }))).toBeVisible();
    for (const { doorTag } of [two, three]) await expect(main.getByText(say('elseInside', { tag: doorTag }))).toBeVisible();
    await expect(main.getByText(say('oneSettled'))).toBeVisible();
  });
});

test('the builder is not open to who hands out parcels', async ({ page, company, say, enter }) => {
  const counter = await company.person(['delivery_manager']);
  await enter(counter.email, '/portal/manage/lockers');
  await expect(page.getByRole('heading', { level: 1, name: say('builderNotYours') })).toBeVisible();
});
