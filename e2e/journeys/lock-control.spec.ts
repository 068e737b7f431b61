import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { scan, someNumber, storyOf, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';

// shows R1.13, R2.15
test('doors are opened and locked, one and several, and what the cabinet said stands there; a jammed one is named @mouse', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
  atDoor,
  hands: way,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const hall = await company.cabinet({ doors: 2 });
  const [[first, second], [jammed, sound]] = [cabinet.lockers, hall.lockers];
  if (!first || !second || !jammed || !sound) throw new Error('no lockers');
  const main = page.getByRole('main');
  const button = (name: string) => main.getByRole('button', { name, exact: true });
  const onWall = (lot: { id: string }) => main.locator(`[data-door="${lot.id}"]`);

  await enter(company.admin.email);
  await act.press(main.getByRole('link', { name: say('lockControl') }));
  await expect(page.getByRole('heading', { level: 1, name: say('lockControl') })).toBeVisible();
  const hands = await atDoor(cabinet, first);

  await test.step('one is opened, and is seen open here and at the steel', async () => {
    await act.press(onWall(first));
    await act.press(button(say('openIt')));
    await hands.seesItOpen();
    await expect(onWall(first)).toHaveAttribute('data-ajar', 'true');
    await expect(main.getByText(`${first.doorTag}: ${say('wasOpened')}`, { exact: true })).toBeVisible();
  });

  await test.step('while it stands open it is not locked, and it says what to do first', async () => {
    await act.press(button(say('lockIt')));
    await expect(main.getByText(`${first.doorTag}: ${say('standsOpenToLock')}`, { exact: true })).toBeVisible();
  });

  await test.step('pushed to without its lock catching, it is not called locked', async () => {
    await cabinet.virtual.act({ do: 'close', door: first.compartment, latch: false });
    await expect(onWall(first)).toHaveAttribute('data-look', 'not-locked');
    await expect(onWall(first)).toHaveAccessibleName(new RegExp(say('notLocked')));
    // what was said of it as it stood open holds no more
    await expect(main.getByText(`${first.doorTag}: ${say('standsOpenToLock')}`, { exact: true })).toHaveCount(0);
    await expect(main.getByRole('definition').filter({ hasText: say('notLocked') })).toBeVisible();
  });

  await test.step('it is locked by command', async () => {
    await act.press(button(say('lockIt')));
    await expect(main.getByText(`${first.doorTag}: ${say('wasLocked')}`, { exact: true })).toBeVisible();
    await expect(onWall(first)).toHaveAttribute('data-look', 'free');
  });

  await test.step('several are counted before they are opened, and what lies behind each is said', async () => {
    await waiting(company, second, { name: 'Ingrid Solberg', tlf: someNumber() });
    await expect(onWall(second)).toHaveAttribute('data-look', 'filled');
    // a mouse chooses the one that it pressed, and one more with a key held; a finger or the keyboard one more each time
    if (way === 'mouse') {
      await onWall(second).click();
      await expect(main.getByRole('heading', { name: second.doorTag, exact: true })).toBeVisible();
      await expect(button(say('openIt'))).toBeVisible();
      await onWall(first).click({ modifiers: ['ControlOrMeta'] });
    } else await act.press(onWall(second));
    await act.press(button(say('openMany', { count: '2' })));
    const dialog = page.getByRole('dialog', { name: say('openManyAsked', { count: '2' }) });
    const behind = dialog.getByRole('listitem');
    const inUse = `${say('inUseWord')} (${say('delivery')}) · ${say('terms.content.occupied')}`;
    await expect(behind).toHaveText([`${second.doorTag} ${inUse}`, `${first.doorTag} ${say('free')}`]);
    expect((await company.admin.api('GET /lockers/{id}', { params: { id: second.id } })).door).toBe('closed');
    const confirm = dialog.getByRole('button', { name: say('openMany', { count: '2' }), exact: true });
    // pressed twice it is one word all the same
    await (way === 'mouse' ? confirm.dblclick() : act.press(confirm));
    for (const lot of [first, second]) await expect(onWall(lot)).toHaveAttribute('data-ajar', 'true');
  });

  const told = async ({ doorTag }: { doorTag: string }) =>
    (await company.admin.api('GET /history', { query: { q: { doorTag, type: 'locker_opened' } } })).map(({ actor }) => actor.name);
  await expect.poll(() => told(first)).toEqual(['Ada Admin', 'Ada Admin']);
  await expect.poll(() => told(second)).toEqual(['Ada Admin']);

  await go('/settings');
  const said = (text: string) => main.getByRole('listitem').filter({ has: page.getByText(text, { exact: true }) });
  await hall.virtual.act({ do: 'jam', door: jammed.compartment, on: true });
  await go(`/services/lock-control?tag=${jammed.doorTag}`);
  await expect(main.getByRole('heading', { name: jammed.doorTag, exact: true })).toBeVisible();

  await test.step('a double click asks it once, though it has refused by the time of the second', async () => {
    const open = main.getByRole('button', { name: say('openIt'), exact: true });
    // each click is held for longer than the door takes to refuse
    await open.click({ clickCount: 2, delay: 1500 });
    await expect(main.getByText(`${jammed.doorTag}: ${say('problems.door-jammed')}`, { exact: true })).toBeVisible();
    await expect(open).toBeEnabled();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await storyOf(company, jammed.doorTag)).toEqual(['locker_open_refused']);
  });

  // one more, and one less: a mouse says so with a key held
  const more = (what: Locator) => (way === 'mouse' ? what.click({ modifiers: ['ControlOrMeta'] }) : act.press(what));
  await more(onWall(sound));
  await act.press(main.getByRole('button', { name: say('openMany', { count: '2' }), exact: true }));
  const dialog = page.getByRole('dialog', { name: say('openManyAsked', { count: '2' }) });
  await act.press(dialog.getByRole('button', { name: say('openMany', { count: '2' }), exact: true }));
  await expect(said(`${jammed.doorTag}: ${say('problems.door-jammed')}`)).toHaveAttribute('data-bad', 'true');
  await expect(said(`${sound.doorTag}: ${say('wasOpened')}`)).not.toHaveAttribute('data-bad');
  await expect(onWall(sound)).toHaveAttribute('data-ajar', 'true');
  await expect(onWall(jammed)).not.toHaveAttribute('data-ajar');
  // its record says free; that it would not open is said beside it
  await expect(onWall(jammed)).toHaveAttribute('data-look', 'failing');
  await expect(onWall(jammed)).toHaveAccessibleName(new RegExp(say('notSeenToOpen')));
  expect(await storyOf(company, jammed.doorTag)).toEqual(['locker_open_refused', 'locker_open_refused']);
  expect(await company.admin.api('GET /lockers/{id}', { params: { id: jammed.id } })).toMatchObject({ door: 'closed', inDoubt: false });

  await test.step('asked once more, the question says the same of it as the wall', async () => {
    await act.press(main.getByRole('button', { name: say('openMany', { count: '2' }), exact: true }));
    const behind = dialog.getByRole('listitem').filter({ hasText: jammed.doorTag });
    await expect(behind).toHaveText(`${jammed.doorTag} ${say('notSeenToOpen')}`);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
});

// shows R1.13, R2.15
test('a scan chooses its door, if there is one; out of service or in use, it opens once a reason is given; offline or silent, nothing says that it did; a doubt is settled by a word that is asked for twice', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot, other] = cabinet.lockers;
  if (!lot || !other) throw new Error('no lockers');
  const main = page.getByRole('main');
  await company.admin.api('PUT /lockers/{id}/service', {
    params: { id: lot.id },
    body: { outOfService: true, reason: 'Its hinge is loose' },
  });
  await waiting(company, other, { name: 'Ingrid Solberg', tlf: someNumber() });
  await enter(company.admin.email, '/portal/services/lock-control');
  await expect(main.locator(`[data-door="${other.id}"]`)).toBeVisible();
  const chosen = main.locator('[data-door][aria-pressed="true"]');
  await scan(page, lot.doorTag);
  await expect(chosen).toHaveCount(1);
  await scan(page, 'ZZ-98');
  await expect(main.getByRole('alert')).toHaveText(say('noDoorScanned', { tag: 'ZZ-98' }));
  await expect(chosen).toHaveCount(0);
  // as a scanner set to another keyboard sends it
  await scan(page, lot.doorTag.replaceAll('-', '+'));
  await expect(main.getByRole('heading', { name: lot.doorTag, exact: true })).toBeVisible();
  await expect(main.getByText(say('noDoorScanned', { tag: 'ZZ-98' }))).toHaveCount(0);
  await act.press(main.getByRole('button', { name: say('openIt'), exact: true }));
  const dialog = page.getByRole('dialog', { name: say('openTagAsked', { tag: lot.doorTag }) });
  const confirm = dialog.getByRole('button', { name: say('openIt'), exact: true });
  await act.press(confirm);
  await expect(dialog.getByText(say('whyIsNeeded'))).toBeVisible();
  await dialog.getByLabel(say('whyOpened')).fill('To mend it');
  await act.press(confirm);
  await expect(main.getByText(`${lot.doorTag}: ${say('wasOpened')}`, { exact: true })).toBeVisible();
  const onWall = main.locator(`[data-door="${lot.id}"]`);
  await expect(onWall).toHaveAttribute('data-look', 'out-of-service');
  await expect(onWall).toHaveAttribute('data-ajar', 'true');
  // small as walls draw them, its word stands whole beside the open leaf
  const cut = await onWall.evaluate((door) => {
    const column = door.parentElement;
    const word = door.querySelector('[class*="word"]');
    if (column === null || word === null) return ['not drawn'];
    door.dataset['room'] = 'pair';
    const sizes = [84, 100, 130, 160].flatMap((width) => [46, 50, 60].map((height) => [width, height] as const));
    return sizes.filter(([width, height]) => {
      column.style.minWidth = `${width}px`;
      column.style.maxWidth = `${width}px`;
      door.style.height = `${height}px`;
      const [inner, outer] = [word.getBoundingClientRect(), door.getBoundingClientRect()];
      return inner.bottom > outer.bottom || inner.top < outer.top;
    });
  });
  expect(cut).toEqual([]);
  const events = await company.admin.api('GET /history', { query: { q: { doorTag: lot.doorTag, type: 'locker_opened' } } });
  expect(events.map(({ data }) => data)).toEqual([{ reason: 'To mend it' }]);

  await test.step('in use it opens at no single press', async () => {
    await scan(page, other.doorTag);
    await expect(main.getByRole('heading', { name: other.doorTag, exact: true })).toBeVisible();
    const open = main.getByRole('button', { name: say('openIt'), exact: true });
    await act.press(open);
    const asked = page.getByRole('dialog', { name: say('openTagAsked', { tag: other.doorTag }) });
    await expect(asked.getByRole('listitem')).toContainText(`${say('inUseWord')} (${say('delivery')}) · ${say('terms.content.occupied')}`);
    await expect(asked.getByRole('listitem')).toContainText('Ingrid Solberg');
    await act.press(asked.getByRole('button', { name: say('cancel'), exact: true }));
    await expect(asked).toBeHidden();
    expect(await storyOf(company, other.doorTag)).not.toContain('locker_opened');

    await act.press(open);
    await act.press(asked.getByRole('button', { name: say('openIt'), exact: true }));
    await expect(main.getByText(`${other.doorTag}: ${say('wasOpened')}`, { exact: true })).toBeVisible();
    await expect(main.locator(`[data-door="${other.id}"]`)).toHaveAttribute('data-ajar', 'true');
  });

  await test.step('offline nothing is sent; silent, whether the door moved is not known, and nothing says that it did; then its doors open by hand again', async () => {
    const cabinet = await company.cabinet({ doors: 1 });
    const [lot] = cabinet.lockers;
    if (!lot) throw new Error('no locker');
    const door = main.locator(`[data-door="${lot.id}"]`);
    // chosen anew, without what was scanned before
    await go('/settings');
    await go(`/services/lock-control?tag=${lot.doorTag}`);
    await cabinet.virtual.act({ do: 'network', on: false });
    await expect(door).toHaveAttribute('data-look', 'offline');
    // What is believed of the content is from before.
    const lastKnown = main
      .getByRole('definition')
      .filter({ hasText: say('lockers.facts.lastKnown', { content: say('terms.content.empty') }) });
    await expect(lastKnown).toBeVisible();
    const unknown = main.getByRole('definition').filter({ hasText: say('unknownSince') });
    await expect(unknown.first()).toBeVisible();
    await expect(main.getByText(say('opensWhenBack'), { exact: true })).toBeVisible();
    await act.press(main.getByRole('button', { name: say('openIt'), exact: true }));
    await expect(main.getByText(`${lot.doorTag}: ${say('opensWhenBack')}`, { exact: true })).toBeVisible();

    await cabinet.virtual.act({ do: 'network', on: true });
    await expect(door).toHaveAttribute('data-look', 'free');
    await expect(lastKnown).toHaveCount(0);
    await expect(unknown).toHaveCount(0);

    await test.step('back, it is silent', async () => {
      await cabinet.virtual.act({ do: 'fault', silent: true });
      await act.press(main.getByRole('button', { name: say('openIt'), exact: true }));
      await expect(main.getByText(`${lot.doorTag}: ${say('problems.no-answer')}`, { exact: true })).toBeVisible();
      await expect(main.getByText(`${say('openIt')}: ${say('lockers.outcome.no-answer')}`)).toBeVisible();
      await expect(unknown.first()).toBeVisible();
      await expect(main.getByText(`${lot.doorTag}: ${say('wasOpened')}`, { exact: true })).toHaveCount(0);
      const story = await storyOf(company, lot.doorTag);
      expect(story).toContain('locker_no_answer');
      expect(story).not.toContain('locker_opened');
      await cabinet.virtual.act({ do: 'fault', silent: false });
    });

    await act.press(main.getByRole('button', { name: say('openIt'), exact: true }));
    await expect(main.getByText(`${lot.doorTag}: ${say('wasOpened')}`, { exact: true })).toBeVisible();
    await expect(door).toHaveAttribute('data-ajar', 'true');
  });

  await test.step('a doubt is settled by a word that is asked for once more, beside what the record says; what somebody saw inside is not asked again', async () => {
    const cabinet = await company.cabinet({ doors: 2, hasSensors: false });
    const [lot, free] = cabinet.lockers;
    if (!lot || !free) throw new Error('no lockers');
    const { api } = company.admin;
    const button = (name: string) => main.getByRole('button', { name, exact: true });
    const receiver = { name: 'Ingrid Solberg', tlf: someNumber(), email: null };
    await api('POST /occupations/delivery', { body: { lockerId: lot.id, assetText: 'Parcel 76', receiver, fill: true } });
    await cabinet.virtual.act({ do: 'force', door: lot.compartment });
    await cabinet.virtual.act({ do: 'force', door: free.compartment });
    await cabinet.virtual.act({ do: 'close', door: free.compartment });
    const believed = async () => (await api('GET /lockers/{id}', { params: { id: lot.id } })).content;
    await expect.poll(believed).toBe('unknown');

    await test.step('of a parcel', async () => {
      await go(`/services/lock-control?tag=${lot.doorTag}`);
      await act.press(button(say('saidEmpty')));
      const dialog = page.getByRole('dialog', { name: say('isTagEmpty', { tag: lot.doorTag }) });
      await expect(dialog).toContainText('Parcel 76');
      await expect(dialog).toContainText(receiver.name);
      await act.press(dialog.getByRole('button', { name: say('cancel'), exact: true }));
      await expect(dialog).toBeHidden();
      expect(await believed()).toBe('unknown');
      await act.press(button(say('saidEmpty')));
      await act.press(dialog.getByRole('button', { name: say('saidEmpty'), exact: true }));
      await expect.poll(believed).toBe('empty');
    });

    await test.step('of a door that is nobody’s: what lies there says what to do about it', async () => {
      await go(`/services/lock-control?tag=${free.doorTag}`);
      await expect(main.getByText(say('whatLies'))).toBeVisible();
      const confirm = async (asked: string, answer: string) => {
        await act.press(button(answer));
        await act.press(page.getByRole('dialog', { name: asked }).getByRole('button', { name: answer, exact: true }));
      };
      await confirm(say('isTagOccupied', { tag: free.doorTag }), say('saysInside'));
      await expect(main.getByText(say('strayInside'))).toBeVisible();
      await expect(main.getByText(say('whatLies'))).toHaveCount(0);
      await expect(button(say('saysInside'))).toHaveCount(0);
      await confirm(say('isTagEmpty', { tag: free.doorTag }), say('saidEmpty'));
      await expect(main.getByText(say('strayInside'))).toHaveCount(0);
      await expect(button(say('saidEmpty'))).toHaveCount(0);
      await expect(main.locator(`[data-door="${free.id}"]`)).toHaveAttribute('data-look', 'free');
    });
  });
});

// shows R6.10
test('whoever may open some lockers sees no others, and opens none that was taken from them meanwhile', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const cabinet = await company.cabinet({ doors: 3 });
  const [kept, taken, never] = cabinet.lockers;
  if (!kept || !taken || !never) throw new Error('no lockers');
  const { api } = company.admin;
  const scoped = await company.person([], 'Selma Scoped');
  const [account] = await api('GET /accounts', { query: { q: { email: scoped.email } } });
  const crew = await api('POST /groups', { body: { name: 'Crew' } });
  await api('POST /groups/{id}/members/{userId}', { params: { id: crew.id, userId: account?.id ?? '' }, body: {} });
  const granting = (name: string, lot: { id: string }) =>
    api('POST /permissions', { body: { name, scopes: ['manage'], groups: [crew.id], lockers: [lot.id] } });
  await granting('Hall', kept);
  const second = await granting('Stairs', taken);
  const main = page.getByRole('main');
  const onWall = (lot: { id: string }) => main.locator(`[data-door="${lot.id}"]`);

  await enter(scoped.email, '/portal/services/lock-control');
  await test.step('their doors stand on the wall, and no other one', async () => {
    for (const lot of [kept, taken]) await expect(onWall(lot)).toBeVisible();
    await expect(onWall(never)).toHaveCount(0);
    await go(`/services/lock-control?tag=${never.doorTag}`);
    await expect(onWall(kept)).toBeVisible();
    await expect(main.getByRole('heading', { name: never.doorTag })).toHaveCount(0);
  });

  await test.step('in the builder too; they may take one away, and make no new ones', async () => {
    await go(`/manage/lockers?cabinet=${cabinet.id}`);
    await expect(page.locator('[data-door]')).toHaveCount(2);
    await act.press(page.locator('[data-door]').first());
    await expect(main.getByRole('button', { name: say('takeAway'), exact: true })).toBeVisible();
    await expect(main.getByRole('button', { name: say('splitInTwo'), exact: true })).toHaveCount(0);
    await go('/services/lock-control');
  });

  await test.step('what is withdrawn while it is chosen does not open any more', async () => {
    await act.press(onWall(taken));
    await expect(main.getByRole('button', { name: say('openIt'), exact: true })).toBeVisible();
    await api('DELETE /permissions/{id}', { params: { id: second.id } });
    await expect(onWall(taken)).toHaveCount(0);
    await expect(main.getByRole('button', { name: say('openIt'), exact: true })).toHaveCount(0);
    await expect(onWall(kept)).toBeVisible();
  });

  await test.step('nor by a call of their own, whatever the screen hides', async () => {
    const open = ({ id, doorTag }: { id: string; doorTag: string }) =>
      scoped.api('POST /lockers/{id}/open', { params: { id }, body: { doorTag } });
    expect((await open(kept)).door).toBe('opened');
    for (const lot of [taken, never]) {
      await expect(open(lot)).rejects.toThrow('not-found');
      expect(await storyOf(company, lot.doorTag)).toEqual([]);
    }
  });
});

// shows R2.15
test('the list of doors draws what is in sight, is searched and sorted by its address, and commands several; on the wall words keep clear of locks, and panels of doors', async ({
  page,
  company,
  act,
  say,
  enter,
  hands,
  go,
}) => {
  const { api } = company.admin;
  const wall = async (siteName: string, name: string, tags: string[]) => {
    const site = await api('POST /sites', { body: { name: siteName } });
    const doors = tags.map((doorTag, at) => ({ doorTag, compartment: at + 1, size: 'M' as const, height: 60 }));
    const columns = Array.from({ length: Math.ceil(doors.length / 30) }, (_, n) => ({
      width: 450,
      doors: doors.slice(n * 30, n * 30 + 30),
    }));
    await api('POST /cabinets', { body: { siteId: site.id, name, columns } });
  };
  await wall(
    'Town',
    'Hall',
    Array.from({ length: 150 }, (_, at) => `A${at + 1}`),
  );
  await wall('Harbour', 'Shed', ['B9', 'B10']);
  const main = page.getByRole('main');
  const rows = main.locator('tr[data-row]');
  const tags = () => rows.evaluateAll((all) => all.map((row) => row.querySelectorAll('td')[1]?.textContent));
  const search = main.getByRole('searchbox', { name: say('searchDoors') });
  const list = main.getByRole('radio', { name: say('asList') });
  await enter(company.admin.email, '/portal/services/lock-control');

  await test.step('a wall that is wider than a phone says so', async () => {
    await expect(main.locator('[data-door]').first()).toBeVisible();
    await expect(main.getByText(say('swipe', { count: '5' }))).toHaveCount(hands === 'touch' ? 1 : 0);
  });

  await test.step('of many rows those are drawn that can be seen', async () => {
    await list.focus();
    await page.keyboard.press('Space');
    await expect(rows.first()).toContainText('A1');
    await expect.poll(() => rows.count()).toBeLessThan(100);
    // its last column is as much in sight as its first
    const within = main.locator('div:has(> table)');
    await expect.poll(() => within.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  });

  await test.step('a site, a state and a number find their doors, and a reload keeps them and the list', async () => {
    await search.fill('harbour');
    await expect(rows).toHaveCount(2);
    await expect(page).toHaveURL(/view=list&find=harbour$/);
    await page.reload();
    await expect(list).toBeChecked();
    await expect(search).toHaveValue('harbour');
    await expect(rows).toHaveCount(2);
    await search.fill(`hall ${say('notPaired')} A149`);
    await expect.poll(tags).toEqual(['A149']);
    await search.fill('harbour A149');
    await expect(main.getByRole('heading', { name: say('nothingMatches') })).toBeVisible();
    await search.fill('shed');
    await expect(rows).toHaveCount(2);
  });

  await test.step('what is listed is saved as a file', async () => {
    const saved = page.waitForEvent('download');
    await act.press(main.getByRole('button', { name: say('downloadCsv') }));
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n');
    expect(lines.slice(1).map((line) => line.split(/[,;]/)[0])).toEqual(['B9', 'B10']);
    expect(lines[1]).toContain('Shed · Harbour');
  });

  await test.step('sorted by their numbers, as numbers', async () => {
    await expect.poll(tags).toEqual(['B9', 'B10']);
    const head = main.getByRole('columnheader').getByRole('button', { name: say('lockerField') });
    await act.press(head);
    await expect.poll(tags).toEqual(['B10', 'B9']);
    await act.press(head);
    await expect.poll(tags).toEqual(['B9', 'B10']);
    await expect(page).toHaveURL(/sort=doorTag/);
  });

  await test.step('one by its row, then all of them, are taken out of service from the list', async () => {
    if (hands === 'keyboard') {
      await rows.first().focus();
      await page.keyboard.press('Space');
    } else await act.press(page.getByRole('checkbox', { name: say('selectThis', { name: 'B9' }) }));
    await expect(main.getByRole('heading', { name: 'B9', exact: true })).toBeVisible();
    await act.press(main.getByRole('checkbox', { name: say('selectAll') }));
    await act.press(main.getByRole('button', { name: say('takeManyOut', { count: '2' }) }));
    const dialog = page.getByRole('dialog', { name: say('takeManyOut', { count: '2' }) });
    await dialog.getByRole('textbox').fill('Painting');
    await act.press(dialog.getByRole('button', { name: say('takeManyOut', { count: '2' }) }));
    await expect(dialog).toBeHidden();
    await expect.poll(async () => (await api('GET /lockers', { query: { q: { outOfService: true } } })).map(({ doorTag }) => doorTag).toSorted()).toEqual(['B10', 'B9']); // prettier-ignore
  });

  await test.step('what is written on a door keeps clear of its lock, however narrow the door; on a phone the panel at the foot does not lie over the door that was pressed', async () => {
    const site = await api('POST /sites', { body: { name: 'Quay' } });
    const door = (compartment: number) => ({ doorTag: `N${compartment}`, compartment, size: 'M' as const, height: 300 });
    const columns = [1, 3, 5, 7].map((at) => ({ width: 300, doors: [door(at), door(at + 1)] }));
    const hall = await api('POST /cabinets', { body: { siteId: site.id, name: 'Narrow wall', columns } });
    await go('/settings');
    await go(`/services/lock-control?cabinet=${hall.id}`);
    const doors = page.getByRole('main').locator('[data-door]');
    await expect(doors).toHaveCount(8);
    const over = () =>
      doors.evaluateAll((all) =>
        all.filter((one) => {
          const [leaf, face] = one.children;
          const lock = one.ownerDocument.defaultView.getComputedStyle(leaf ?? one, '::after');
          const room = one.getBoundingClientRect().right - parseFloat(lock.right) - parseFloat(lock.width);
          return [...(face?.children ?? [])].some((line) => line.getBoundingClientRect().right > room);
        }),
      );
    await expect.poll(over).toEqual([]);

    const { id, lockers } = await company.wall({ doors: 8 });
    const last = page.locator(`[data-door="${lockers.at(-1)?.id}"]`);
    await page.setViewportSize({ width: 390, height: 620 });
    for (const [path, word] of [
      [`/services/lock-control?cabinet=${id}`, say('openIt')],
      [`/manage/lockers?cabinet=${id}`, say('splitInTwo')],
    ] as const) {
      await go(path);
      await last.evaluate((door) => door.scrollIntoView({ block: 'end' }));
      await act.press(last);
      const panel = page
        .locator('section')
        .filter({ has: page.getByRole('button', { name: word, exact: true }) })
        .last();
      await expect(panel).toBeVisible();
      const under = async () => ((await last.boundingBox())?.y ?? 0) + ((await last.boundingBox())?.height ?? 0);
      await expect.poll(async () => ((await panel.boundingBox())?.y ?? 0) - (await under())).toBeGreaterThanOrEqual(0);
    }
  });
});
