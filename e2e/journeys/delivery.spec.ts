import type { Page } from '@playwright/test';
import { openButton, someNumber } from '../counter.ts';
import { expect, test } from '../journey.ts';
import { standAt } from '../steel.ts';

const receiver = 'Ingrid Solberg';
const parcel = 'Parcel 77';

/** Set once and looked for at the end: a page that was loaded anew has forgotten it. */
const remember = (page: Page) => page.evaluate(() => Object.assign(globalThis, { neverReloaded: true }));
const remembers = (page: Page) => page.evaluate(() => 'neverReloaded' in globalThis);

// shows R2.35, R2.37, R2.42, R5.26, R5.27, R2.26, R2.27
test('a parcel goes in, and its receiver takes it out @main', async ({
  page,
  context,
  company,
  act,
  handsOn,
  say,
  signIn,
  visit,
  language,
  colorScheme,
}) => {
  const counter = await company.person(['delivery_manager'], 'Kari Counter');
  const cabinet = await company.cabinet({ doors: 4 });
  const tlf = `+479${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  // each field searches what is known already
  const field = (name: string) => page.getByRole('combobox', { name, exact: true });
  const next = () => act.press(button(say('next')));

  await test.step('signing in leads to the dashboard, in the browser’s language and theme', async () => {
    await signIn(counter.email);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('dashboard'));
    await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme ?? 'light');
    await remember(page);
  });

  await test.step('Delivery wants an asset', async () => {
    await act.press(page.getByRole('main').getByRole('link', { name: say('delivery') }));
    await expect(page.getByRole('heading', { name: say('delivery'), level: 1 })).toBeVisible();
    await expect(page.getByText(say('stepOf', { step: '1', total: '4' }))).toBeVisible();
    // who comes with a parcel types or scans at once
    await expect(field(say('asset'))).toBeFocused();
    await next();
    await expect(page.getByRole('alert')).toContainText(say('pickAsset'));
    await expect(page.getByRole('alert')).toContainText(say('pickAssetText'));
    await expect(field(say('asset'))).toHaveAccessibleErrorMessage(new RegExp(`^${say('pickAsset')}`));
    await act.write(field(say('asset')), parcel);
    await next();
  });

  await test.step('and a receiver who can be told', async () => {
    for (const one of ['name', 'tlf', 'email'] as const) await expect(field(say(one))).toHaveAttribute('placeholder', /^(Search by|Søk) /);
    await next();
    await expect(page.getByRole('alert')).toContainText(say('checkAllFields'));
    await expect(page.getByRole('alert')).toContainText(say('lackingText'));
    await act.write(field(say('name')), receiver);
    await act.write(field(say('tlf')), tlf);
    await next();
  });

  const locker = await test.step('the best door of the wall is chosen already', async () => {
    const chosen = page.getByText(new RegExp(`^(${cabinet.lockers.map(({ doorTag }) => say('chosen', { tag: doorTag })).join('|')})$`));
    await expect(chosen).toBeVisible();
    const text = await chosen.innerText();
    const found = cabinet.lockers.find(({ doorTag }) => text === say('chosen', { tag: doorTag }));
    if (!found) throw new Error(`No door of ours is chosen: ${text}`);
    await next();
    return found;
  });
  const { doorTag: tag } = locker;

  const standing = await context.newPage();
  const counterHands = await standAt(standing, handsOn(standing), say, cabinet, locker);

  await test.step('it opens in the cabinet and in the portal, and is filled when it closes', async () => {
    await counterHands.seesItClosed();
    await act.press(button(say('openTag', { tag })));
    await counterHands.seesItOpen();
    await expect(page.getByRole('heading', { name: say('isOpen', { tag }) })).toBeVisible();
    await counterHands.put(parcel);
    await counterHands.close();
    await expect(page.getByRole('heading', { name: say('liesIn', { tag }) })).toBeVisible();
    const [held] = await company.admin.api('GET /occupations', { query: { q: { type: 'delivery' } } });
    expect(held).toMatchObject({ stageName: 'FILLED', doorTag: tag, assetText: parcel });
  });

  await test.step('Notify Receiver tells the receiver', async () => {
    await act.press(
      page
        .getByRole('main')
        .getByRole('button', { name: say('notify'), exact: true })
        .first(),
    );
    await expect(page.getByRole('heading', { name: say('notified', { name: receiver }) })).toBeVisible();
  });

  const pickup = await test.step('the message lies in the inbox, and its link leads to the end-user site', async () => {
    const inbox = await context.newPage();
    await inbox.goto(`/sandbox/inbox?to=${encodeURIComponent(tlf)}`);
    const link = inbox.getByRole('list', { name: say('phone') }).getByRole('link');
    const opened = context.waitForEvent('page');
    await handsOn(inbox).press(link);
    const site = await opened;
    await expect(site.getByRole('button', { name: say('openLocker') })).toBeVisible();
    return site;
  });

  await test.step('the receiver opens the door, takes it out and closes', async () => {
    await handsOn(pickup).press(pickup.getByRole('button', { name: say('openLocker') }));
    await counterHands.seesItOpen();
    await expect(pickup.getByRole('heading', { name: say('lockerIsOpen') })).toBeVisible();
    await counterHands.take();
    await counterHands.close();
    await handsOn(pickup).press(pickup.getByRole('button', { name: say('tookAll') }));
    await expect(pickup.getByRole('heading', { name: say('done') })).toBeVisible();
  });

  await test.step('the portal shows it delivered, live', async () => {
    await expect(page.getByRole('heading', { name: say('delivered'), exact: true })).toBeVisible();
    expect(await remembers(page)).toBe(true);
  });

  await test.step('and its timeline tells who, what, when and which door', async () => {
    await act.press(page.getByRole('main').getByRole('link', { name: say('timeline'), exact: true }));
    const story = page.getByRole('main').getByRole('listitem');
    const told = async (event: string, who: string) => {
      const entry = story.filter({ has: page.getByText(event, { exact: true }) }).first();
      await expect(entry).toContainText(who);
      await expect(entry).toContainText(tag);
      await expect(entry.getByRole('time')).toHaveText(/\d\d[:.]\d\d/);
    };
    await told(say('lockerReserved'), 'Kari Counter');
    await told(say('doorOpened'), 'Kari Counter');
    await told(say('lockerFilled'), 'Kari Counter');
    await told(say('contentTaken'), receiver);
    await told(say('delivered'), receiver);
  });

  await test.step('as History does', async () => {
    await visit(say('history'));
    const row = page
      .getByRole('row')
      .filter({ hasText: say('delivered') })
      .first();
    await expect(row).toContainText(tag);
    await expect(row).toContainText(receiver);
    // of today unless midnight came meanwhile
    await expect(row.getByRole('time').first()).toHaveText(/^(\d\d:\d\d:\d\d|\d\d\.\d\d\.\d{4})$/);
    expect(await remembers(page)).toBe(true);
  });
});

// shows R2.36, R3.18
test('Enter takes what is typed, of things the only one that it begins; a receiver of before is found by name, number or address, and one pick fills all three', async ({
  page,
  company,
  act,
  hands,
  say,
  enter,
}) => {
  const { lockers } = await company.cabinet({ doors: 4 });
  const { api } = company.admin;
  const known = { name: receiver, tlf: someNumber(), email: 'ingrid@e2e.test' };
  const others = ['Berit Dahl', 'Berit Lund'].map((name) => ({ name, tlf: someNumber(), email: null }));
  for (const [at, one] of [known, ...others].entries())
    await api('POST /occupations/delivery', {
      body: { lockerId: lockers[at]?.id ?? '', assetText: 'Parcel 76', receiver: one, ...(at === 0 ? { fill: true } : {}) },
    });
  for (const name of ['Torque wrench', 'Crimping tool', 'Crimping tongs']) await api('POST /assets', { body: { name } });
  const field = (word: 'asset' | keyof typeof known) => page.getByRole('combobox', { name: say(word), exact: true });
  // As a person types: a scanner is faster, and means the whole of a code.
  const type = async (word: Parameters<typeof field>[0], text: string) => {
    await field(word).fill('');
    await field(word).pressSequentially(text, { delay: 70 });
    await page.keyboard.press('Enter');
  };
  const step = (at: number) => page.getByText(say('stepOf', { step: String(at), total: '4' }));

  await enter(company.admin.email, '/portal/services/delivery');
  await test.step('a thing, which is shown before it is gone on with', async () => {
    // one hint at a time: what Enter does now
    await field('asset').fill('torq');
    await expect(page.getByText(say('enterTakes', { name: 'Torque wrench' }))).toBeVisible();
    await expect(page.getByText(say('enterGoesOn'))).toHaveCount(0);
    await expect(page.getByRole('listbox', { name: say('assets'), exact: true }).getByRole('option')).toHaveText([/^Torque wrench/]);
    await type('asset', 'torq');
    await expect(field('asset')).toHaveValue('Torque wrench');
    await expect(step(1)).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(step(2)).toBeVisible();
    await page.getByRole('button', { name: say('back'), exact: true }).click();
    await type('asset', 'crimp');
    await expect(step(2)).toBeVisible();
    await page.getByRole('button', { name: say('back'), exact: true }).click();
    await expect(field('asset')).toHaveValue('crimp');
    await page.keyboard.press('Enter');
  });

  await test.step('a person; of two nobody is taken', async () => {
    await type('name', 'berit');
    await expect(page.getByRole('alert').first()).toContainText(say('checkAllFields'));
    await expect(field('tlf')).toHaveValue('');
    // a whole name is nobody else's, though hers is the only one that it begins
    await type('name', 'Ingrid Sol');
    await expect(field('name')).not.toHaveAttribute('aria-invalid', 'true');
    await expect(field('email')).toHaveAttribute('aria-invalid', 'true');
    await expect(field('name')).toHaveValue('Ingrid Sol');
    await expect(field('tlf')).toHaveValue('');
    // what is mended where it was refused is typed on there
    await expect(field('tlf')).toBeFocused();
    await page.keyboard.type('000', { delay: 70 });
    await expect(field('tlf')).toHaveValue('000');
    await field('tlf').fill('');
    // The one whom it begins is taken by whoever walks to them, and is read before the next Enter goes on.
    await type('name', 'ingr');
    await expect(field('tlf')).toHaveValue('');
    await expect(step(2)).toBeVisible();
    await field('name').fill('');
    await field('name').pressSequentially('ingr', { delay: 70 });
    // until then stand those whom the field offered before
    await expect(page.getByRole('option').first()).toContainText(receiver);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByText(say('occupations.receiver.filled', { who: Object.values(known).join(' · ') }))).toBeVisible();
    for (const one of ['name', 'tlf', 'email'] as const) await expect(field(one)).toHaveValue(known[one]);
    await expect(step(2)).toBeVisible();
  });

  await test.step('by number or address too, and as they are they are registered', async () => {
    for (const [word, typed] of [
      ['tlf', known.tlf.slice('+47'.length, -2)],
      ['email', 'ingr'],
    ] as const) {
      await act.write(field(word), typed);
      const option = page.getByRole('option', { name: known.name });
      await expect(option).toHaveText(`${known.name} · ${known.tlf} · ${known.email}`);
      if (hands === 'keyboard') for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
      else await act.press(option);
      for (const one of ['name', 'tlf', 'email'] as const) await expect(field(one)).toHaveValue(known[one]);
    }
    await field('email').press('Enter');
    await expect(step(3)).toBeVisible();
    await act.press(page.getByRole('button', { name: say('next'), exact: true }));
    await act.press(openButton(page, say));
    const free = lockers.at(-1)?.id ?? '';
    await expect
      .poll(async () => (await api('GET /occupations', { query: { q: { lockerId: free } } })).map((one) => one.receiver))
      .toEqual([expect.objectContaining(known)]);
  });
});
