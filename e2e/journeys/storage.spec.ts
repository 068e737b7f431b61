import { expect, phoneOf, roadOf, showsStage, someNumber, test } from '../services.ts';

const owner = 'Ingrid Solberg';

// shows R2.13, R2.40, R2.41, R4.17, R4.18
test('somebody’s suitcase is stored, they come and go, and it ends by their word', async ({
  page,
  company,
  hatchway,
  act,
  say,
  enter,
  counter,
}) => {
  const cabinet = await company.cabinet({ doors: 3 });
  const tlf = someNumber();
  await enter(company.admin.email, '/portal/services/storage');

  await test.step('it asks for its owner, and has a door chosen already', async () => {
    await counter.stands(say('storage'), 1, 1);
    await expect(counter.button(say('abortStorage'))).toBeVisible();
    await expect(counter.button(say('back'))).toHaveCount(0);
    await expect(page.getByRole('button', { name: new RegExp(`^${say('openTag', { tag: '' })}`) })).toBeVisible();
    await expect(counter.field(say('name'))).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').first()).toContainText(say('checkAllFields'));
    await counter.person(owner, tlf);
  });

  const door = await test.step('the door opens, and it is the owner’s as soon as it closes', async () => {
    const opened = await counter.open(cabinet);
    await opened.seesItOpen();
    await expect(counter.heading(say('isOpen', { tag: opened.doorTag }))).toBeVisible();
    await opened.put('Suitcase');
    await opened.close();
    await expect(counter.heading(say('storedIn', { tag: opened.doorTag }))).toBeVisible();
    await expect(page.getByText(say('noMessageYet'))).toBeVisible();
    return opened;
  });

  await test.step('Notify Receiver sends them the link', async () => {
    await act.press(counter.button(say('notify')));
    await expect(counter.heading(say('messageIsSent'))).toBeVisible();
  });

  await test.step('what is stored stands on the step, above the bar that ends it', async () => {
    await act.press(counter.button(say('nextStorage')));
    await expect(page.locator('[data-step="summary"]').getByRole('link', { name: door.doorTag })).toBeVisible();
  });

  await test.step('they come by and go again: it goes on', async () => {
    const phone = await phoneOf(hatchway.origin, tlf);
    await phone.open(door.doorTag);
    await door.seesItOpen();
    await door.close();
    await expect.poll(() => roadOf(company, door.doorTag)).toEqual(expect.arrayContaining(['occupation_claiming']));
    await expect.poll(async () => (await roadOf(company, door.doorTag)).filter((type) => type === 'occupation_stored')).toHaveLength(2);
  });

  await test.step('and when they have fetched it, staff end the storage', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    const palette = page.getByRole('dialog');
    // what has not been asked yet matches neither something nor nothing
    let answer = () => {};
    const held = new Promise<void>((done) => (answer = done));
    await page.route(/\/v1\/assets\?/, (route) => held.then(() => route.continue()));
    const found = page.waitForResponse(/\/v1\/occupations\/find/);
    await palette.locator('input').fill('Nothing is called this');
    await expect(palette.getByText(say('searching'))).toBeVisible();
    await found;
    await expect(palette.getByText(say('searching'))).toBeVisible();
    answer();
    await expect(palette.getByText(say('noMatch'))).toBeVisible();
    await palette.locator('input').fill(owner);
    await expect(palette.locator('[data-selected]')).toContainText(owner);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/manageoccupation/);
    await showsStage(page, say, 'stageReady');
    // one way to end it stands there, the others behind "More"
    await expect(counter.button(say('endStorage'))).toBeVisible();
    await expect(counter.button(say('takeOutEnd'))).toHaveCount(0);
    await act.press(counter.button(say('more')));
    await expect(page.getByRole('menuitem', { name: say('takeOutEnd'), exact: true })).toBeVisible();
    // its keys count once it has the focus
    await expect(page.locator('[role=menu]:focus-within')).toBeVisible();
    await page.keyboard.press('Escape');
    await counter.letIn('letOwnerIn', door);
    await door.seesItOpen();
    await door.take();
    // while they stand there it is the likely one, afterwards it is another: whose focus is on it keeps it
    const ends = counter.button(say('endStorage'));
    await expect(ends).toHaveAttribute('data-likely');
    await ends.focus();
    await door.close();
    await expect(ends).not.toHaveAttribute('data-likely');
    await expect(ends).toBeFocused();
    await act.press(ends);
    await act.press(page.getByRole('dialog').getByRole('button', { name: say('endStorage'), exact: true }));
    await showsStage(page, say, 'ended');
    const road = await roadOf(company, door.doorTag);
    expect(road.slice(-2)).toEqual(['occupation_claimed', 'occupation_unstored']);
    expect(await company.admin.api('GET /lockers/{id}', { params: { id: door.id } })).toMatchObject({
      content: 'empty',
      occupationId: null,
    });
  });
});
