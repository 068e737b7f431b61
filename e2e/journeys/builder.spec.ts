import { qrOf } from '@hatchway/dev/qr.ts';
import { plugIn } from '@hatchway/dev/plug-in.ts';
import { once, someNumber, waiting } from '../counter.ts';
import { expect, test } from '../journey.ts';
import { boxOf } from '../still.ts';

// shows R2.12
test('somebody builds a wall, pairs its controller, and loses no door in use, nor what somebody else changed meanwhile; each dialog leaves the focus where one pressed', async ({
  page,
  company,
  act,
  say,
  enter,
  hatchway,
}) => {
  const { api } = company.admin;
  // a counter whose clock is fast: the code for a controller has its time all the same
  await page.addInitScript(() => {
    const right = Date.now.bind(Date);
    Date.now = () => right() + 20 * 60_000;
  });
  await enter(company.admin.email, '/portal/manage/lockers');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const doors = page.locator('[data-door]');
  const wall = async () => {
    const [cabinet] = await api('GET /cabinets');
    return { cabinet, lockers: await api('GET /cabinets/{id}/lockers', { params: { id: cabinet?.id ?? '' } }) };
  };

  await test.step('a site, and a cabinet on it from a template', async () => {
    const make = button(say('newSite'));
    const change = button(say('changeThis', { name: 'Depot' }));
    await expect(make).toHaveCount(2);
    // the one that goes with the first site
    await act.press(make.last());
    await act.write(dialog.getByLabel(say('name')), 'Depot');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(make).toHaveCount(1);
    await expect(make).toBeFocused();
    await act.press(change);
    await dialog.getByLabel(say('siteAddress'), { exact: true }).fill('Storgata 1');
    for (const day of [1, 2]) await dialog.getByRole('checkbox').nth(day).check();
    const dates = dialog.getByLabel(say('builder.closedDays'));
    await dates.fill('24.12.2026, 31.2.2027');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog.getByText(say('builder.closedDaysWrong'))).toBeVisible();
    await dates.fill('24.12.2026');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    await expect(change).toBeFocused();
    await expect(page.getByText('Storgata 1')).toBeVisible();
    await expect(page.getByText(/08:00–20:00/)).toBeVisible();
    const span = { from: '08:00', to: '20:00' };
    expect(await api('GET /sites')).toMatchObject([
      {
        hours: [
          { day: 2, ...span },
          { day: 3, ...span },
        ],
        closedDays: ['2026-12-24'],
      },
    ]);
    // what is looked for stands in the address
    const find = page.getByRole('searchbox', { name: say('findSite') });
    await find.fill('nowhere');
    await expect(page.getByText('Storgata 1')).toBeHidden();
    await expect(page).toHaveURL(/find=nowhere/);
    await act.press(button(say('clearFilters')));
    await expect(page.getByText('Storgata 1')).toBeVisible();
    await act.press(button(say('newCabinetAt', { site: 'Depot' })));
    await dialog.getByLabel(say('name')).fill('North wall');
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
    await expect(dialog).toContainText(say('builder.effect.added', { count: '1' }));
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog).toBeHidden();
    expect((await wall()).lockers).toHaveLength(25);
  });

  await test.step('a number that is typed is one stroke, whatever keys it took', async () => {
    await act.press(doors.nth(5));
    for (const [word, number, leave] of [
      ['lockNo', '77', 'Enter'],
      ['heightMm', '450', 'Tab'],
    ] as const) {
      const field = page.getByLabel(say(word), { exact: true });
      const was = await field.inputValue();
      await field.press('ControlOrMeta+a');
      await field.pressSequentially(number);
      await field.press(leave);
      await act.press(button(say('undo')));
      await expect(field).toHaveValue(was);
      await expect(button(say('saveAsk'))).toBeDisabled();
    }
  });

  await test.step('its controller is paired with the code, and comes online before their eyes', async () => {
    await act.press(button(say('pairController')));
    const shown = dialog.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    await expect(shown).toBeVisible();
    await expect(page.getByRole('timer')).toHaveText(new RegExp(`^${say('builder.pairLeft', { time: '([5-9]|1[0-5]):\\d\\d' })}$`));
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
    const refusal = page.getByText(say('heldInUse', { tag: first?.doorTag ?? '' }));
    await expect(refusal).toBeVisible();
    // It stands where what was done is said, and does not look like that.
    await expect(refusal).toHaveCSS('color', 'rgb(138, 75, 0)');
    await expect(doors).toHaveCount(25);
  });

  await test.step('who saves a wall that somebody else changed meanwhile is told what it takes from them, and can leave it', async () => {
    const { cabinet } = await wall();
    await act.press(button(say('addDoorOf', { size: 'M' })));
    await expect(doors).toHaveCount(26);
    await api('POST /lockers', { body: { cabinetId: cabinet?.id ?? '', doorTag: 'OTHERS-1', size: 'S', compartment: 40 } });
    await act.press(button(say('keepMine')));
    await act.press(button(say('saveAsk')));
    await expect(dialog).toContainText('OTHERS-1');
    await act.press(dialog.getByRole('button', { name: say('cancel'), exact: true }));
    expect((await wall()).lockers.map((locker) => locker.doorTag)).toContain('OTHERS-1');
    await act.press(button(say('undo')));
    await expect(doors).toHaveCount(25);
  });

  await test.step('what is not saved is not left by a slip', async () => {
    await act.press(page.getByRole('link', { name: say('allWalls') }));
    await act.press(dialog.getByRole('button', { name: say('leave'), exact: true }));
    await expect(page.getByRole('heading', { level: 1, name: say('lockerBuilder') })).toBeVisible();
  });
});

test('lockers in doubt stand in the list once, are opened one after the other, and the record is put right, and says no more than was seen', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const { api } = company.admin;
  const { lockers, virtual } = await company.cabinet({ doors: 5, hasSensors: false });
  // as somebody walks along them: by what is written on the doors
  const [one, two, three, four, five] = lockers.toSorted((a, b) =>
    new Intl.Collator('en', { numeric: true }).compare(a.doorTag, b.doorTag),
  );
  if (!one || !two || !three || !four || !five) throw new Error('no locker');
  // the first one was used for somebody before, and is nobody's now
  const receiver = { name: 'Ingrid Solberg', tlf: someNumber(), email: null };
  const before = await api('POST /occupations', { body: { type: 'delivery', lockerId: one.id, assetText: 'Parcel 6', receiver } });
  await api('DELETE /occupations/{id}', { params: { id: before.id }, body: {} });
  // the second one is set aside for somebody, and nothing lies in it yet
  const setAside = await api('POST /occupations', { body: { type: 'delivery', lockerId: two.id, assetText: 'Parcel 7' } });
  for (const lot of [one, two]) {
    await once(() => virtual.act({ do: 'force', door: lot.compartment }));
    await once(() => virtual.act({ do: 'close', door: lot.compartment }));
  }
  const [wall] = await api('GET /cabinets');
  const doubts = async () => (await api('GET /lockers', { query: { q: { inDoubt: true } } })).map((locker) => locker.doorTag);
  await expect.poll(async () => (await doubts()).length).toBe(2);
  await expect.poll(async () => (await api('GET /lockers')).every((locker) => locker.door === 'closed')).toBe(true);

  await test.step('each stands there once, though its cabinet is known later than its door', async () => {
    const held = Promise.withResolvers<void>();
    await page.route(/\/v1\/cabinets\?/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await enter(company.admin.email, '/portal/manage/lockers?view=doubt');
    const shown = (lot: typeof one) => page.getByRole('main').getByText(lot.doorTag, { exact: true });
    for (const lot of [one, two]) await expect(shown(lot).first()).toBeVisible();
    held.resolve();
    await expect(page.getByRole('main').getByRole('heading', { name: wall?.siteName ?? 'no wall' })).toBeVisible();
    for (const lot of [one, two]) await expect(shown(lot)).toHaveCount(1);
  });
  const check = page.getByRole('link', { name: say('startChecking') });
  const openIt = (lot: typeof one) => page.getByRole('button', { name: say('openTag', { tag: lot.doorTag }), exact: true });

  await test.step('a door is not left open unsaid, and the focus goes along', async () => {
    await act.press(check);
    await act.press(openIt(one));
    await expect(page.getByText(say('openWhatSeen', { tag: one.doorTag }))).toBeFocused();
    await act.press(page.getByRole('button', { name: say('skipIt'), exact: true }));
    await expect(page.getByText(say('closeFirst', { tag: one.doorTag }))).toBeVisible();
    await act.press(page.getByRole('button', { name: say('leaveOpen'), exact: true }));
    await expect(openIt(two)).toBeFocused();
    await go('/manage/lockers?view=doubt');
    await expect(page.getByText(say('doorStandsOpen'))).toHaveCount(1);
    await once(() => virtual.act({ do: 'close', door: one.compartment }));
    await expect(page.getByText(say('doorStandsOpen'))).toHaveCount(0);
  });

  await act.press(check);
  for (const lot of [one, two]) {
    await act.press(page.getByRole('button', { name: say('openTag', { tag: lot.doorTag }), exact: true }));
    await expect(page.getByText(say('openWhatSeen', { tag: lot.doorTag }))).toBeVisible();
    await expect(page.getByText(say('recordSaysEmptyNow'))).toHaveCount(lot === two ? 1 : 0);
    const parcel = say('builder.check.for', { what: 'Parcel 6', name: receiver.name });
    const last = page.getByText(say('builder.check.lastUse', { what: `${say('delivery')}, ${parcel}` }));
    await expect(last).toHaveCount(lot === one ? 1 : 0);
    await act.press(page.getByRole('button', { name: say('nothingAsShould'), exact: true }));
    // What was answered is no reason why it was asked, and the last one of its wall still stands there.
    await expect(page.getByRole('button', { name: say('next'), exact: true })).toBeVisible();
    await expect(
      page.getByRole('heading', { name: `${say('terms.content.unknown')}: ${say('lockers.why.unexpected-opening')}` }),
    ).toBeVisible();
    await expect(page.getByText(`${wall?.name}, ${wall?.siteName}`, { exact: true })).toBeVisible();
    await once(() => virtual.act({ do: 'close', door: lot.compartment }));
    await expect(page.getByText(say('checkedIt'), { exact: true })).toBeVisible();
    await act.press(page.getByRole('button', { name: say('next'), exact: true }));
  }
  await expect(page.getByText(say('builder.check.settled', { count: '2' }))).toBeVisible();
  expect(await doubts()).toEqual([]);

  // of the next ones not all is as it should be
  const parcels = [
    await waiting(company, three, { name: 'Ingrid', email: 'i@e2e.test' }),
    await waiting(company, four, { name: 'Ola', email: 'o@e2e.test' }),
  ];
  for (const lot of [three, four, five]) {
    await once(() => virtual.act({ do: 'force', door: lot.compartment }));
    await once(() => virtual.act({ do: 'close', door: lot.compartment }));
  }
  const stands = async ({ id }: { id: string }) => {
    const { content, inDoubt, outOfService } = await api('GET /lockers/{id}', { params: { id } });
    return { content, inDoubt, outOfService };
  };
  await expect.poll(async () => (await doubts()).length).toBe(3);
  await expect.poll(async () => (await api('GET /lockers')).every((locker) => locker.door === 'closed')).toBe(true);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const look = async ({ doorTag }: { doorTag: string }) => {
    await act.press(button(say('openTag', { tag: doorTag })));
    await expect(page.getByText(say('openWhatSeen', { tag: doorTag }))).toBeVisible();
  };
  const goOn = async ({ compartment }: { compartment: number }) => {
    await once(() => virtual.act({ do: 'close', door: compartment }));
    await expect(page.getByText(say('checkedIt'), { exact: true })).toBeVisible();
    await act.press(button(say('next')));
  };

  await go('/manage/lockers?view=doubt');
  const useFor = (name: string) => `${say('delivery')}, ${say('builder.check.for', { what: 'Parcel 77', name })}`;
  await test.step('the list says whose it is, and its columns stand below each other', async () => {
    const row = (tag: string) => page.getByRole('listitem').filter({ hasText: tag });
    const whose = row(three.doorTag).getByRole('link', { name: useFor('Ingrid'), exact: true });
    await expect(whose).toHaveAttribute('href', new RegExp(parcels[0]?.id ?? ''));
    await expect(row(four.doorTag)).toContainText(useFor('Ola'));
    const tags = page.getByRole('listitem').filter({ hasText: /AB|-/ }).getByRole('link', { name: /-\d+$/ });
    const lefts = () => tags.evaluateAll((links) => new Set(links.map((link) => Math.round(link.getBoundingClientRect().left))).size);
    await expect.poll(lefts).toBe(1);
  });
  await act.press(page.getByRole('link', { name: say('startChecking') }));
  await test.step('empty, though a parcel should lie there: its use goes on, with nothing in it', async () => {
    await look(three);
    await act.press(button(say('seenEmpty')));
    // whose it is stands there at once, with the way to it: not at the end of the round alone
    await expect(page.getByText(`${say('builder.check.missing', { what: useFor('Ingrid') })}${three.doorTag}`)).toBeVisible();
    await expect(page.getByRole('link', { name: say('seeTheUse') })).toHaveAttribute('href', new RegExp(parcels[0]?.id ?? ''));
    await goOn(three);
    expect(await stands(three)).toEqual({ content: 'empty', inDoubt: false, outOfService: null });
    expect((await api('GET /occupations/{id}', { params: { id: parcels[0]?.id ?? '' } })).stageName).toBe('VACANT');
  });

  await test.step('something else in place of a parcel: what it is must be said, and the door is given to nobody', async () => {
    await look(four);
    await act.press(button(say('somethingElse')));
    await act.press(button(say('noteIt')));
    await expect(page.getByRole('alert')).toHaveText(say('sayWhatLies'));
    await page.getByRole('textbox', { name: say('whatLiesThere') }).fill('A wet coat');
    await act.press(button(say('noteIt')));
    await goOn(four);
    expect(await stands(four)).toMatchObject({ inDoubt: true, outOfService: { reason: 'A wet coat' } });
  });

  await test.step('something else where nothing should lie', async () => {
    await look(five);
    // a reload in the middle comes back to the open door, and asks of none that was answered
    await page.reload();
    await expect(page.getByText(say('openWhatSeen', { tag: five.doorTag }))).toBeVisible();
    await act.press(button(say('somethingElse')));
    await page.getByRole('textbox', { name: say('whatLiesThere') }).fill('A bicycle pump');
    await act.press(button(say('noteIt')));
    await goOn(five);
    expect(await stands(five)).toMatchObject({ content: 'occupied', outOfService: { reason: 'A bicycle pump' } });
  });

  await test.step('at the end each stands with what is left to do', async () => {
    const main = page.getByRole('main');
    await expect(main.getByText(say('saidEmptyUse', { tag: three.doorTag }))).toBeVisible();
    for (const { doorTag } of [four, five]) await expect(main.getByText(say('elseInside', { tag: doorTag }))).toBeVisible();
    await expect(main.getByText(say('builder.check.settled', { count: '1' }))).toBeVisible();
    await go('/manage/lockers?view=doubt');
    await expect(page.getByRole('listitem').filter({ hasText: four.doorTag })).toContainText('A wet coat');
  });

  await test.step('who checks one without opening it is heard too: what else lies there is kept', async () => {
    await api('DELETE /occupations/{id}', { params: { id: setAside.id }, body: {} });
    await api('PUT /lockers/{id}/content', { params: { id: two.id }, body: { content: 'occupied' } });
    const manager = await company.person(['manager']);
    await page.context().clearCookies();
    await enter(manager.email, '/portal/manage/lockers?view=check');
    await act.press(button(say('somethingElse')));
    await page.getByRole('textbox', { name: say('whatLiesThere') }).fill('A bicycle pump');
    await act.press(button(say('noteIt')));
    await act.press(button(say('next')));
    expect(await api('GET /lockers/{id}', { params: { id: two.id } })).toMatchObject({ outOfService: { reason: 'A bicycle pump' } });
    const said = (await api('GET /history', { query: { q: { type: 'locker_occupied', lockerId: two.id } } })).at(0);
    expect(said?.data).toMatchObject({ note: 'A bicycle pump' });
  });
});

// shows R2.12
test('a wall is numbered by a pattern, labelled, renamed, moved, unpaired and taken down; it takes no more room than there is', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const { api } = company.admin;
  const { id, number, lockers } = await company.cabinet({ doors: 3 });
  const [cabinet] = await api('GET /cabinets');
  const yard = await api('POST /sites', { body: { name: 'Yard' } });
  await enter(company.admin.email, `/portal/manage/lockers?cabinet=${id}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  const doors = page.locator('[data-door]');
  const more = async (word: 'cabinetDetails' | 'doorLabels' | 'deleteCabinet') => {
    await act.press(button(say('menuMore')));
    const item = page.getByRole('menuitem', { name: say(word), exact: true });
    await expect(item).toBeVisible();
    await act.press(item);
  };
  const tags = [1, 2, 3].map((n) => `X${company.id.slice(0, 4).toUpperCase()}-0${n}`);

  await test.step('a pattern that gives one tag twice is refused; what a good one changes is shown before', async () => {
    await expect(doors).toHaveCount(3);
    await act.press(button(say('numberDoors')));
    await dialog.getByLabel(say('doorTags')).fill('SAME');
    await expect(dialog.getByText(say('sameTagTwice'))).toBeVisible();
    await expect(inDialog(say('applyPattern'))).toBeDisabled();
    await dialog.getByLabel(say('doorTags')).fill(`${(tags[0] ?? '').slice(0, -2)}{nn}`);
    await expect(dialog.getByText(say('builder.labelsChange', { count: '3' }))).toBeVisible();
    for (const lot of lockers) await expect(dialog.getByRole('cell', { name: lot.doorTag, exact: true })).toBeVisible();
    await act.press(inDialog(say('applyPattern')));
    await act.press(button(say('saveAsk')));
    await act.press(inDialog(say('save')));
    await expect(dialog).toBeHidden();
    expect((await api('GET /cabinets/{id}/lockers', { params: { id } })).map(({ doorTag }) => doorTag).toSorted()).toEqual(tags);
  });

  await test.step('the labels carry the tags and the cabinet’s address, in words and as codes', async () => {
    const address = 'Storgata 1, bakgården '.repeat(13).trim();
    const site = (await api('GET /sites')).find(({ id }) => id === cabinet?.siteId);
    if (site) await api('PUT /sites/{id}', { params: { id: site.id }, body: { name: site.name, address, version: site.version } });
    await more('doorLabels');
    const main = page.getByRole('main');
    await expect(main.getByText(String(number), { exact: true })).toBeVisible();
    for (const tag of tags) await expect(main.getByText(tag, { exact: true })).toBeVisible();
    const path = (svg: string) => /<path[^>]* d="([^"]+)"/.exec(svg)?.[1];
    const codes = async () =>
      (
        await main
          .getByRole('img', { name: /^QR / })
          .evaluateAll((all) => all.map((one) => decodeURIComponent(one.getAttribute('src') ?? '')))
      ).map(path);
    const config = (await (await page.request.get('/config')).json()) as { endUser: string };
    const means = (await Promise.all([new URL(`/c/${number}`, config.endUser).href, ...tags].map(qrOf))).map(path);
    await expect.poll(codes).toEqual(means);
    expect(new Set(means).size).toBe(4);
    // whoever finds a label knows where it belongs, and a long address makes it no wider and no taller than its place
    const labels = main.getByRole('listitem');
    await expect(labels).toHaveCount(3);
    for (const at of [0, 1, 2]) {
      await expect(labels.nth(at)).toContainText(`${site?.name}, ${address}`);
      await expect(labels.nth(at)).toContainText(`${cabinet?.name} · ${say('cabinetOf', { number: String(number) })}`);
    }
    await expect(main.getByText(`${site?.name}, ${address}`, { exact: true })).toHaveCount(4);
    const shape = await labels.first().evaluate((one) => ({ beyond: one.scrollWidth - one.clientWidth, lines: one.clientHeight }));
    expect(shape.beyond).toBeLessThanOrEqual(0);
    expect(shape.lines).toBeLessThan(240);
    await act.press(main.getByRole('link', { name: say('back'), exact: true }));
  });

  await test.step('another name, another number, whose labels are wrong from then on, and another site', async () => {
    const other = Math.floor(100_000 + Math.random() * 900_000);
    await more('cabinetDetails');
    await dialog.getByLabel(say('name'), { exact: true }).fill('East wall');
    await dialog.getByLabel(say('cabinetNo'), { exact: true }).fill(String(other));
    await expect(dialog.getByText(say('newLabelNeeded'))).toBeVisible();
    await dialog.getByLabel(say('siteField'), { exact: true }).selectOption(yard.id);
    await act.press(inDialog(say('save')));
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'East wall' })).toBeVisible();
    expect(await api('GET /cabinets/{id}', { params: { id } })).toMatchObject({ name: 'East wall', number: other, siteId: yard.id });
    // nothing stands where it stood
    await api('DELETE /sites/{id}', { params: { id: cabinet?.siteId ?? '' } });
  });

  await test.step('unpaired, its controller is shut out', async () => {
    await act.press(button(say('unpairAsk')));
    await act.press(inDialog(say('unpair')));
    await expect(dialog).toBeHidden();
    await expect(button(say('pairController'))).toBeVisible();
    await expect.poll(async () => (await api('GET /cabinets/{id}', { params: { id } })).connection).toBe('offline');
  });

  await test.step('a cabinet in use stays; then it goes, and its site after it', async () => {
    const use = await api('POST /occupations', { body: { type: 'delivery', lockerId: lockers[0]?.id ?? '', assetText: 'Parcel 7' } });
    await more('deleteCabinet');
    await act.press(inDialog(say('delete')));
    await expect(dialog.getByRole('alert')).toContainText(tags[0] ?? '');
    await api('DELETE /occupations/{id}', { params: { id: use.id }, body: {} });
    await act.press(inDialog(say('delete')));
    await expect(page.getByRole('heading', { level: 1, name: say('lockerBuilder') })).toBeVisible();
    await act.press(button(say('deleteThisAsked', { name: 'Yard' })));
    await act.press(inDialog(say('delete')));
    await expect(page.getByText('Yard', { exact: true })).toHaveCount(0);
    expect([await api('GET /sites'), await api('GET /cabinets')]).toEqual([[], []]);
  });

  await test.step('it takes no more room than its panel leaves it, its plate and words have room beside it, and no page is wider than its window', async () => {
    const { id: siteId } = await api('POST /sites', { body: { name: 'Depot' } });
    const wallOf = async (name: string, widths: readonly number[], rows = [1, 2, 3]) => {
      const doors = (column: number) =>
        rows.map((row) => ({
          doorTag: `D${widths.length}${column}${row}`,
          compartment: column * 3 + row,
          size: 'M' as const,
          height: 300,
        }));
      const columns = widths.map((width, column) => ({ width, doors: doors(column) }));
      return api('POST /cabinets', { body: { siteId, name, columns } });
    };
    const beyond = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    const single = await wallOf('North wall', [450], [1, 2]);
    const wide = await wallOf('W', [450, 450, 600, 450]);
    const narrow = await wallOf('N', [450, 450, 450]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await go(`/manage/lockers?cabinet=${single.id}`);

    await test.step('of one column: its plate and its words have room beside it', async () => {
      const plate = page.locator('[data-mode] > :first-child');
      await expect(plate).toContainText('North wall');
      const frame = await boxOf(page.getByRole('group', { name: 'North wall', exact: true }));
      const head = await boxOf(plate);
      expect(frame.width, 'the wall stays as narrow as it is').toBeLessThan(400);
      expect(head.width).toBeGreaterThanOrEqual(frame.width);
      expect(head.height, 'one line').toBeLessThanOrEqual(44);
      expect((await boxOf(page.getByText(say('wallKeys')))).width).toBeGreaterThanOrEqual(420);
    });

    await test.step('of many, drawn wider still', async () => {
      await go(`/manage/lockers?cabinet=${wide.id}`);
      await expect(doors).toHaveCount(12);
      await act.press(doors.first());
      for (let times = 1; times <= 2; times += 1) {
        await act.press(page.getByRole('button', { name: say('splitInTwo'), exact: true }));
        await expect(doors).toHaveCount(12 + times);
        expect(await beyond()).toBeLessThanOrEqual(0);
      }
    });

    await test.step('and in a small window', async () => {
      await page.setViewportSize({ width: 320, height: 640 });
      await go(`/manage/lockers?cabinet=${narrow.id}`);
      await expect(doors).toHaveCount(9);
      expect(await beyond()).toBeLessThanOrEqual(0);
    });
  });
});

test('what its sensor contradicts stays to be checked: said inside and then taken, or called empty at a door that was found open', async ({
  page,
  company,
  act,
  say,
  enter,
}) => {
  const { api } = company.admin;
  const { lockers, virtual } = await company.cabinet({ doors: 2 });
  const [taken, called] = lockers.toSorted((a, b) => new Intl.Collator('en', { numeric: true }).compare(a.doorTag, b.doorTag));
  if (!taken || !called) throw new Error('no lockers');
  const ids = new Map<string, string>();
  // a parcel behind each door that somebody forced, and its sensor senses it
  for (const lot of [taken, called]) {
    ids.set(lot.id, (await waiting(company, lot, { name: 'Ola', email: 'o@e2e.test' })).id);
    await once(() => virtual.act({ do: 'force', door: lot.compartment }));
    await once(() => virtual.act({ do: 'put', door: lot.compartment, what: 'Parcel 77' }));
  }
  const door = ({ id }: typeof taken) => api('GET /lockers/{id}', { params: { id } });
  const doubtful = async (lot: typeof taken) => (await door(lot)).inDoubt;
  for (const lot of [taken, called]) {
    await expect.poll(async () => (await door(lot)).door).toBe('opened');
    await expect.poll(() => doubtful(lot)).toBe(true);
  }
  const next = page.getByRole('button', { name: say('next'), exact: true });
  await enter(company.admin.email, '/portal/manage/lockers?view=check');

  await test.step('said to be inside while the door stands open, it is asked once more; taken along after that, it is news', async () => {
    await act.press(page.getByRole('button', { name: /Parcel 77/ }));
    const agape = page.getByRole('dialog', { name: say('stillOpen', { tag: taken.doorTag }) });
    await act.press(agape.getByRole('button', { name: say('isInside'), exact: true }));
    await expect.poll(() => doubtful(taken)).toBe(false);
    await once(() => virtual.act({ do: 'take', door: taken.compartment }));
    await once(() => virtual.act({ do: 'close', door: taken.compartment }));
    await expect(page.getByText(say('sensorDenies', { tag: taken.doorTag }))).toBeVisible();
    await act.press(next);
  });

  await test.step('called empty by two presses in a row it is written down once, and held against its sensor once the door is shut', async () => {
    await expect(page.getByText(say('openWhatSeen', { tag: called.doorTag }))).toBeVisible();
    const empty = page.getByRole('button', { name: say('seenEmpty'), exact: true });
    await expect(empty).toBeEnabled();
    await empty.dblclick();
    // pressed twice in a row it goes no further either
    await next.dblclick();
    await expect(page.getByText(say('closeFirst', { tag: called.doorTag }))).toBeVisible();
    await once(() => virtual.act({ do: 'close', door: called.compartment }));
    await expect(page.getByText(say('sensorDenies', { tag: called.doorTag }))).toBeVisible();
    await act.press(next);
  });

  await expect(page.getByText(say('builder.check.deniedCount', { count: '2' }))).toBeVisible();
  await expect(page.getByText(say('builder.check.settled', { count: '1' }))).toBeHidden();
  expect(await door(called)).toMatchObject({ content: 'unknown', contentWhy: 'still-sensed', inDoubt: true });
  const said = await api('GET /history', { query: { q: { occupationId: ids.get(called.id) ?? '', type: 'locker_empty' } } });
  expect(said.map(({ data }) => data)).toEqual([{ denied: true }]);
});
