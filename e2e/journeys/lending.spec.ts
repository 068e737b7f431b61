import type { Page } from '@playwright/test';
import type { OwnCompany } from '../company.ts';
import { expect, roadOf, showsStage, someNumber, test, type Screen } from '../services.ts';
import type { Fixtures } from '../journey.ts';

const borrower = 'Ingrid Solberg';

/** A lending that somebody may take out now, made over the API. */
const offered = async ({ admin }: OwnCompany, lockerId: string, assetText: string) => {
  const made = await admin.api('POST /occupations', { body: { type: 'lending', lockerId, assetText } });
  await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
  return admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
};
/** Word from the server waits until it is let through: what a page shows meanwhile is what it was answered. */
const heldBack = async (page: Page): Promise<() => void> => {
  const late: (() => void)[] = [];
  let held = true;
  await page.routeWebSocket(/\/live/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => void (held ? late.push(() => socket.send(message)) : socket.send(message)));
  });
  return () => {
    held = false;
    for (const send of late.splice(0)) send();
  };
};
/** Lent out over the counter. */
const lend = async (counter: Screen, act: Fixtures['act'], say: Fixtures['say'], doorTag: string) => {
  await act.press(counter.button(say('lendOut')));
  await counter.person(borrower, someNumber());
  await act.press(counter.button(say('openTag', { tag: doorTag })));
};

// shows R2.13, R2.17, R2.38, R2.41, R4.13, R4.14
test('a drill goes out, is due, comes back scratched and is looked at; lent out over the counter as long as the policies say, past a jam of which word comes late, it ends where it is lost, and is taken back from its asset', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
  atDoor,
}) => {
  const { api } = company.admin;
  const cabinet = await company.cabinet({ doors: 5 });
  const [jammed, crews, first, second] = cabinet.lockers;
  if (!jammed || !crews || !first || !second) throw new Error('no lockers');
  const dialog = page.getByRole('dialog');

  await test.step('a borrower whose door is jammed has nothing, however late word of that comes', async () => {
    const held = await offered(company, jammed.id, 'Drill');
    const door = await atDoor(cabinet, jammed);
    await cabinet.virtual.act({ do: 'jam', door: jammed.compartment, on: true });
    const letThrough = await heldBack(page);
    await enter(company.admin.email, `/portal/services/manageoccupation?id=${held.id}`);
    await lend(counter, act, say, jammed.doorTag);
    await expect(dialog.getByRole('alert')).toBeVisible();
    await cabinet.virtual.act({ do: 'jam', door: jammed.compartment, on: false });
    await act.press(dialog.getByRole('button', { name: say('openTag', { tag: jammed.doorTag }), exact: true }));
    await door.seesItOpen();
    letThrough();
    await door.close();
    await act.press(counter.button(say('wasTaken')));
    await act.press(dialog.getByRole('button', { name: say('wasTaken'), exact: true }));
    await showsStage(page, say, 'onLoan');
  });

  await test.step('what is lost ends with its loan', async () => {
    await act.press(counter.button(say('isLost')));
    await act.press(dialog.getByRole('button', { name: say('isLost'), exact: true }));
    await showsStage(page, say, 'ended');
    expect(await api('GET /lockers/{id}', { params: { id: jammed.id } })).toMatchObject({ occupationId: null });
    expect((await roadOf(company, jammed.doorTag)).at(-1)).toBe('occupation_terminated');
  });

  const policies: { _id: string }[] = [];
  await test.step('until when it is lent is what the policies say of whoever borrows it', async () => {
    const { email } = company.admin;
    const [account] = await api('GET /accounts', { query: { q: { email } } });
    const group = await api('POST /groups', { body: { name: 'Crew' } });
    await api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: account?.id ?? '' }, body: {} });
    policies.push(await api('POST /policies', { body: { name: 'All', ref: company.ref('all'), services: ['lending'], loanHours: 48 } }));
    policies.push(await api('POST /policies', { body: { name: 'Crew', ref: company.ref('crew'), groupIds: [group.id], loanHours: 96 } }));
    const held = await offered(company, crews.id, 'Ladder');
    await counter.go(`/services/manageoccupation?id=${held.id}`);
    await act.press(counter.button(say('lendOut')));
    const time = dialog.getByLabel(say('loanTime'), { exact: true });
    await expect(time.locator('option').first()).toHaveText(say('spanOpen'));
    await counter.person('Cara Crew', someNumber());
    await counter.field(say('email')).fill(email);
    await expect(time.locator('option').first()).toContainText(say('daysCount', { count: '4' }));
    await act.press(counter.button(say('openTag', { tag: crews.doorTag })));
    await expect(dialog).toBeHidden();
  });

  const lentOut = async (name: string, lot: typeof first) => {
    const asset = await api('POST /assets', { body: { name } });
    const { id } = await api('POST /occupations', { body: { type: 'lending', lockerId: lot.id, assetId: asset._id } });
    for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
    await api('PUT /occupations/assign', { body: { action: 'claim', id, receiver: { name: borrower, tlf: someNumber() } } });
    await api('PUT /occupations', { body: { id, action: 'finnish' } });
    return { name, lot, id, assetId: asset._id };
  };
  const comesBack = async ({ name, lot, id, assetId }: Awaited<ReturnType<typeof lentOut>>) => {
    const door = await atDoor(cabinet, lot);
    await act.press(dialog.getByRole('button', { name: say('openTag', { tag: lot.doorTag }), exact: true }));
    await door.seesItOpen();
    await door.put(name);
    await door.close();
    await expect(dialog).toBeHidden();
    expect(await api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'ACQUIRABLE', inDoubt: false });
    expect(await api('GET /assets/{id}', { params: { id: assetId } })).toMatchObject({ holder: null, dueAt: null });
  };

  await test.step('its page says who has it, not that it lies in its locker, and takes it back by two presses where its locker senses it', async () => {
    const camera = await lentOut('Camera', first);
    const tag = first.doorTag;
    await counter.go(`/manage/assets/${camera.assetId}`);
    await expect(page.getByRole('main')).toContainText(borrower);
    await expect(page.getByText(say('assets.outOf', { tag }))).toBeVisible();
    await act.press(counter.button(say('assets.takeBack')));
    await comesBack(camera);
    await expect(page.getByText(say('assets.lies', { tag }))).toBeVisible();
    await expect(counter.button(say('assets.takeBack'))).toHaveCount(0);
  });

  await test.step('so does the list', async () => {
    await lentOut('Saw', second);
    await counter.go('/manage/assets');
    await act.press(counter.button(`${say('assets.takeBack')} Saw`));
    await expect(dialog.getByRole('button', { name: say('openTag', { tag: second.doorTag }), exact: true })).toBeVisible();
  });

  for (const { _id } of policies) await api('DELETE /policies/{_id}', { params: { _id } });

  await test.step('a drill goes out, is due, comes back scratched, and is looked at before it goes out again', async () => {
    await api('POST /policies', {
      body: { name: 'Tools', ref: company.ref('tools'), services: ['lending'], loanHours: 48, inspectReturns: true },
    });
    const broken = await api('POST /statuslabels', { body: { name: 'Broken', type: 'undeployable' } });
    await api('POST /assets', { body: { name: 'Drill' } });
    await api('POST /assets', { body: { name: 'Old saw', statusLabelId: broken.id } });
    await counter.go('/services/lending');

    await test.step('only what may go out can be picked', async () => {
      await counter.stands(say('lendingLocker'), 1, 3);
      await expect(counter.button(say('abortLending'))).toBeVisible();
      await counter.next();
      await expect(page.getByRole('alert').first()).toContainText(say('pickAsset'));
      await expect(page.getByRole('option', { name: /Old saw/ })).toHaveAttribute('aria-disabled', 'true');
      await page.getByRole('option', { name: /Old saw/ }).click({ force: true });
      await expect(page.getByText(say('keptIn', { name: 'Old saw' }))).toBeVisible();
      // nor does it go on as a free text with a second Enter
      await counter.field(say('asset')).fill('Old saw');
      await expect(page.getByRole('option')).toHaveCount(1);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(counter.field(say('asset'))).toHaveValue('');
      await expect(page.getByText(say('keptIn', { name: 'Old saw' }))).toBeVisible();
      await counter.field(say('asset')).fill('Drill');
      await page.getByRole('option', { name: /Drill/ }).click();
      await counter.next();
      await counter.next();
    });

    const door = await test.step('the loan time is the policy’s, and can be another', async () => {
      await counter.stands(say('lendingLocker'), 3, 3);
      const time = page.getByLabel(say('loanTime'), { exact: true });
      await expect(time).toContainText(say('daysCount', { count: '2' }));
      await time.selectOption({ label: say('daysCount', { count: '3' }) });
      const opened = await counter.open(cabinet);
      await opened.seesItOpen();
      await opened.put('Drill');
      await opened.close();
      await expect(counter.heading(say('liesIn', { tag: opened.doorTag }))).toBeVisible();
      await act.press(counter.button(say('publish')));
      await expect(counter.heading(say('isPublished', { tag: opened.doorTag }))).toBeVisible();
      return opened;
    });

    await test.step('staff hand it to somebody by name; the door opens', async () => {
      await counter.manage(door.doorTag);
      await lend(counter, act, say, door.doorTag);
      await door.seesItOpen();
      await door.take();
      await door.close();
      await act.press(counter.button(say('wasTaken')));
      await expect(page.getByRole('dialog').getByRole('button', { name: say('wasTaken'), exact: true })).toBeFocused();
      await page.keyboard.press('Enter');
      await showsStage(page, say, 'onLoan');
      const [out] = await api('GET /occupations', { query: { q: { doorTag: door.doorTag } } });
      const hours = (Date.parse(out?.dueAt ?? '') - Date.now()) / 3_600_000;
      expect(hours).toBeGreaterThan(71);
      expect(hours).toBeLessThanOrEqual(72);
      expect(out?.receiver?.name).toBe(borrower);
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('dialog').locator('input').fill(door.doorTag);
      await expect(page.getByRole('dialog').getByText(say('onLoan'))).toBeVisible();
      await page.keyboard.press('Escape');
    });

    await test.step('it stands among what is under way, with its due date', async () => {
      await counter.go('/services/lending');
      // what was done here gives way to the next one, and is said in one line that leads to it
      const lastHere = page.getByRole('paragraph').filter({ hasText: say('lastHere') });
      await expect(lastHere).toContainText(`${door.doorTag} · Drill · ${borrower}`);
      await expect(counter.field(say('asset'))).toBeFocused();
      const row = page
        .getByRole('main')
        .getByRole('listitem')
        .getByRole('link', { name: new RegExp(door.doorTag) });
      await expect(row).toContainText(borrower);
      await act.press(row);
    });

    await test.step('it comes back with its condition, and waits to be looked at', async () => {
      await act.press(counter.button(say('takeBack')));
      const dialog = page.getByRole('dialog');
      await act.press(dialog.getByRole('button', { name: say('openTag', { tag: door.doorTag }), exact: true }));
      await door.seesItOpen();
      await door.put('Drill');
      // whoever writes of its condition says by themselves that it is back, whatever is sensed
      await dialog.getByRole('textbox', { name: say('condition'), exact: true }).fill('Scratched');
      await door.close();
      await expect(dialog.getByText(say('shutSayBelow', { tag: door.doorTag }))).toBeVisible();
      await act.press(dialog.getByRole('button', { name: say('isBack'), exact: true }));
      await showsStage(page, say, 'stageFilled');
      await expect(page.getByText(say('lookOver'), { exact: true })).toBeVisible();
      await expect(page.getByText(say('wasLent'))).toContainText('Scratched');
      await act.press(counter.button(say('publish')));
      await expect(page.getByText(say('lookOver'), { exact: true })).toBeHidden();
      await showsStage(page, say, 'stageReady');
      expect(await roadOf(company, door.doorTag)).toEqual([
        'occupation_created',
        'occupation_filled',
        'occupation_published',
        'occupation_assigned',
        'occupation_claiming',
        'occupation_claimed',
        'occupation_borrowed',
        'occupation_returned',
        'occupation_published',
      ]);
    });
  });
});
