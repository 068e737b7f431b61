import { randomUUID } from 'node:crypto';
import { expect, test } from '../journey.ts';
import { outsider } from '../outside.ts';

// shows R2.10
test('staff make access links, change and withdraw them, and read who handed something in or opened a door by one', async ({
  page,
  context,
  company,
  act,
  handsOn,
  say,
  enter,
}) => {
  const { api } = company.admin;
  const cabinet = await company.cabinet({ doors: 4 });
  const [lot, fitted, used, other] = cabinet.lockers;
  if (!lot || !fitted || !used || !other) throw new Error('The cabinet has no door.');
  await enter(company.admin.email, '/portal/manage/links');
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  const path = await test.step('a link without lockers is none; one with is made, and shows its address', async () => {
    await act.press(page.getByRole('button', { name: say('newAccessLink') }).first());
    await act.write(dialog.getByRole('textbox', { name: say('name'), exact: true }), 'Supplier');
    await dialog.getByRole('radio', { name: say('handIn') }).check();
    await act.press(dialog.getByRole('button', { name: say('makeLink'), exact: true }));
    await expect(dialog.getByText(say('chooseLocker'))).toBeVisible();
    await act.press(dialog.locator(`[data-door="${lot.id}"]`));
    await act.press(dialog.getByRole('button', { name: say('makeLink'), exact: true }));
    const address = dialog.getByText(/\/l\/[A-Za-z0-9_-]{43}$/);
    await expect(address).toBeVisible();
    await expect(dialog.getByRole('img', { name: /Supplier/ })).toBeVisible();
    return new URL(await address.innerText()).pathname;
  });

  const site = await context.newPage();
  const dora = await outsider({ page: site, handsOn }, path, cabinet);
  const steel = dora.steel(lot);

  await test.step('the door opens at a press, and a locker that was closed empty is not taken for filled', async () => {
    await site.getByLabel(say('yourName')).fill('Dora Dropper');
    await dora.press(say('openLocker'));
    await steel.seesItOpen();
    await expect(dora.heading(say('lockerIsOpen'))).toBeVisible();
    await steel.close();
    await expect(dora.heading(say('isItInside'))).toBeVisible();
    await dora.press(say('nothingIn'));
    await expect(dora.heading(say('putItIn'))).toBeVisible();
  });

  await test.step('opened once more it is put in, and fills', async () => {
    await dora.press(say('openLocker'));
    await steel.seesItOpen();
    await steel.put('Spare part');
    await steel.close();
    await dora.saysUnless(say('itIsInside'), dora.heading(say('done')));
    await expect(dora.heading(say('done'))).toBeVisible();
    const [dropped] = await api('GET /occupations', { query: { q: { type: 'drop-off' } } });
    expect(dropped).toMatchObject({ stageName: 'ACQUIRABLE', doorTag: lot.doorTag, note: 'Dora Dropper' });
  });

  await test.step('the link says by itself who was there, and is used up', async () => {
    await expect(dialog.getByText('Dora Dropper')).toBeVisible();
    await expect(dialog.getByText(say('usedUp'))).toBeVisible();
    await expect(dialog.getByRole('img', { name: /Supplier/ })).toBeHidden();
  });

  await test.step('withdrawing names it, can be left, and ends it', async () => {
    const own = page.getByRole('dialog', { name: 'Supplier', exact: true });
    const asked = page.getByRole('dialog', { name: say('withdrawAsked', { name: 'Supplier' }) });
    await act.press(own.getByRole('button', { name: say('withdraw'), exact: true }));
    await act.press(asked.getByRole('button', { name: say('cancel'), exact: true }));
    await expect(own.getByText(say('usedUp'))).toBeVisible();
    await act.press(own.getByRole('button', { name: say('withdraw'), exact: true }));
    await act.press(asked.getByRole('button', { name: say('withdraw'), exact: true }));
    await expect(own.getByText(say('withdrawn')).first()).toBeVisible();
    await act.press(own.getByRole('button', { name: say('close'), exact: true }));
    await expect(row('Supplier')).toContainText(say('withdrawn'));
    await site.goto(path);
    await expect(dora.heading(say('linkWithdrawn'))).toBeVisible();
  });

  await test.step('a link that opens is spent by a press and not by looking, and the page of a use that was given back becomes that of its link again', async () => {
    const { url } = await api('POST /links', { body: { name: 'Fitter', purpose: 'open', lockerIds: [fitted.id] } });
    const opening = new URL(url).pathname;
    await site.goto(opening);
    // The secret is out of the address at once: no screenshot, history or referrer has it.
    await expect(site).toHaveURL(/\/$/);
    await expect(site.getByRole('button', { name: say('openLocker') })).toBeVisible();
    // As the browser keeps it while a door is asked that then stays shut for good: the use is not there any more.
    await site.evaluate(
      `history.replaceState({ hatchway: { page: 'pickup', key: { link: history.state.hatchway.token, use: '${randomUUID()}' } } }, '', '/')`,
    );
    await site.reload();
    await expect(site.getByRole('button', { name: say('openLocker') })).toBeVisible();
    expect(await site.evaluate('history.state.hatchway.page')).toBe('link');
    const door = dora.steel(fitted);
    await door.seesItClosed();
    await dora.press(say('openLocker'));
    await door.seesItOpen();
    await site.goto(opening);
    await expect(site.getByRole('heading', { level: 1, name: say('linkUsed') })).toBeVisible();
    await site.close();
  });

  const make = (name: string) => api('POST /links', { body: { name, purpose: 'open', lockerIds: [other.id] } });
  const plumber = await make('Plumber');
  await api('POST /occupations', { body: { type: 'delivery', lockerId: used.id, assetText: 'Parcel 77' } });
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });

  await test.step('who makes one that opens a door in use is told so', async () => {
    await act.press(page.getByRole('button', { name: say('newAccessLink') }).first());
    const told = dialog.getByText(say('linkOfInUse', { tags: used.doorTag }));
    await act.press(dialog.locator(`[data-door="${other.id}"]`));
    await expect(told).toHaveCount(0);
    await act.press(dialog.locator(`[data-door="${used.id}"]`));
    await expect(told).toBeVisible();
    await act.press(inDialog(say('cancel')));
    await act.press(inDialog(say('leave')));
    await expect(dialog).toHaveCount(0);
  });

  await test.step('one is renamed and may be used more often', async () => {
    await act.press(row('Plumber'));
    await act.press(inDialog(say('change')));
    await dialog.getByRole('textbox', { name: say('name'), exact: true }).fill('Plumber at night');
    await dialog.getByRole('textbox', { name: say('howOften') }).fill('3');
    await act.press(inDialog(say('save')));
    await expect(dialog.getByText(say('countOf', { used: '0', most: '3' }))).toBeVisible();
    await act.press(inDialog(say('close')));
    await expect(row('Plumber at night')).toContainText(say('countOf', { used: '0', most: '3' }));
    const params = { id: plumber.id };
    expect(await api('GET /links/{id}', { params })).toMatchObject({ name: 'Plumber at night', maxUses: 3 });
  });

  await test.step('several are withdrawn, and one that was withdrawn before is not asked about', async () => {
    const before = await make('Painter');
    for (const name of ['Cleaner', 'Guest']) await make(name);
    await api('DELETE /links/{id}', { params: { id: before.id } });
    await expect(row('Painter')).toContainText(say('withdrawn'));
    const choose = (name: string) => page.getByRole('checkbox', { name: say('selectThis', { name }), exact: true }).check();
    const withdraw = page.getByRole('button', { name: say('withdraw'), exact: true });
    await choose('Painter');
    await expect(withdraw).toBeDisabled();
    for (const name of ['Plumber at night', 'Cleaner']) await choose(name);
    await act.press(withdraw);
    await expect(dialog.getByRole('listitem')).toHaveCount(2);
    await act.press(inDialog(say('withdraw')));
    await expect(dialog).toBeHidden();
    for (const name of ['Plumber at night', 'Cleaner']) await expect(row(name)).toContainText(say('withdrawn'));
    const works = await api('GET /links', { query: { q: { state: 'active' } } });
    expect(works.map(({ name }) => name)).toEqual(['Guest']);
  });

  await test.step('nothing hands one on before its address is there, and a code that fails keeps nobody from the address', async () => {
    const asked = Promise.withResolvers<void>();
    await page.route('**/v1/links/*/url', async (route) => {
      await asked.promise;
      await route.continue();
    });
    await page.route('**/v1/links/*/qr', (route) => route.fulfill({ status: 404, body: '' }));
    await act.press(row('Guest'));
    await expect(dialog.getByText(say('linkFetched'))).toBeVisible();
    for (const word of ['copyLink', 'printIt', 'email', 'textMessage'] as const) await expect(inDialog(say(word))).toBeDisabled();
    asked.resolve();
    await expect(inDialog(say('copyLink'))).toBeEnabled();
    for (const word of ['email', 'textMessage'] as const) {
      const link = dialog.getByRole('link', { name: say(word), exact: true });
      await expect(link).toHaveAttribute('href', /%2Fl%2F[A-Za-z0-9_-]{43}/);
    }
    await expect(dialog.getByText(say('noSquareCode'))).toBeVisible();
    await expect(inDialog(say('printIt'))).toBeDisabled();
    await page.unroute('**/v1/links/*/qr');
    await act.press(inDialog(say('tryAgain')));
    await expect(dialog.getByRole('img', { name: /Guest/ })).toBeVisible();
    await expect(inDialog(say('printIt'))).toBeEnabled();
    await expect(dialog.getByText(say('noSquareCode'))).toHaveCount(0);
  });
});
