import { messagesTo } from '../company.ts';
import { someNumber, storyOf, waiting } from '../counter.ts';
import { type Fixtures, expect, type Running, test } from '../journey.ts';
import { invited, outsider } from '../outside.ts';

/** A parcel behind the only door of a cabinet, and the code for it that its receiver was sent. */
const sentACode = async ({ origin }: Running['hatchway'], company: Fixtures['company']) => {
  const cabinet = await company.cabinet({ doors: 1, hasSensors: false });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('The cabinet has no door.');
  const tlf = someNumber();
  const { id } = await waiting(company, lot, { name: 'Ola Nordmann', tlf });
  await company.admin.api('PUT /occupations', { body: { id, action: 'send' } });
  const [message] = await messagesTo(origin, tlf);
  const code = /\b(?:Code|Kode) (\d{6})\b/.exec(message?.text ?? '')?.[1];
  if (!code) throw new Error(`No code came to ${tlf}: ${message?.text}`);
  return { cabinet, lot, id, code };
};

// shows R4.17, R4.18
test('a storage’s owner comes and goes by the link, waits out a cabinet without connection, and gives it back, with a look at what is sensed', async ({
  page,
  hatchway,
  company,
  handsOn,
  say,
}) => {
  const cabinet = await company.cabinet({ doors: 1 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('The cabinet has no door.');
  const { id, path } = await invited(hatchway.origin, company, lot, { type: 'storage', assetText: 'Suitcase' }, { fill: true });
  const stage = async () => (await company.admin.api('GET /occupations/{id}', { params: { id } })).stageName;
  const owner = await outsider({ page, handsOn }, path, cabinet);
  const steel = owner.steel(lot);
  await expect(owner.heading(say('yourLocker'))).toBeVisible();
  await expect(page.getByText(say('keptAt', { what: 'Suitcase', who: company.name }), { exact: true })).toBeVisible();

  await test.step('a cabinet without connection is said to be so, and nothing is claimed', async () => {
    await cabinet.virtual.act({ do: 'network', on: false });
    await expect(owner.heading(say('cabinetOffline'))).toBeVisible({ timeout: 60_000 });
    await expect(owner.button(say('openLocker'))).toBeHidden();
    await cabinet.virtual.act({ do: 'network', on: true });
    await expect(owner.heading(say('yourLocker'))).toBeVisible({ timeout: 60_000 });
  });

  await test.step('coming and going leaves it theirs', async () => {
    await owner.press(say('openLocker'));
    await steel.seesItOpen();
    await steel.put('Suitcase');
    await steel.close();
    await expect(owner.heading(say('yourLocker'))).toBeVisible();
    await expect.poll(stage).toBe('ACQUIRABLE');
  });

  await test.step('given back while its sensor senses something, they are asked to look, and take it; then it is free', async () => {
    await owner.press(say('needNoMore'));
    // whoever uses a keyboard or listens goes on from the question, not from the top of the page
    await expect(page.locator('main :focus')).toBeVisible();
    await owner.press(say('isEmpty'));
    await expect(owner.heading(say('lookOnceMore'))).toBeVisible();
    await owner.press(say('openAgain'));
    await steel.seesItOpen();
    await expect(page.getByText(say('takeYours'))).toBeVisible();
    await steel.take();
    await steel.close();
    await expect(owner.heading(say('done'))).toBeVisible();
    await expect(page.getByText(say('takeYours'))).toBeHidden();
    expect(await stage()).toBe('TERMINATED');
    expect(await storyOf(company, lot.doorTag)).toEqual(expect.arrayContaining(['occupation_stored', 'occupation_unstored']));
  });
});

test('a recall is brought back by the link, behind the next best door where the first is not empty, also while its cabinet loses its connection', async ({
  page,
  hatchway,
  company,
  handsOn,
  say,
}) => {
  const cabinet = await company.cabinet({ doors: 2, hasSensors: false });
  const [first, second] = cabinet.lockers;
  if (!first || !second) throw new Error('The cabinet lacks doors.');
  const { path } = await invited(hatchway.origin, company, first, { type: 'recall', assetText: 'Tablet' }, { fill: false });
  const holder = await outsider({ page, handsOn }, path, cabinet);
  const steel = holder.steel(first);

  await test.step('it says to whom what goes; something lies in there already', async () => {
    await expect(page.getByText(say('goesTo', { what: 'Tablet', who: company.name }))).toBeVisible();
    await holder.press(say('openLocker'));
    await steel.seesItOpen();
    await expect(holder.heading(say('lockerIsOpen'))).toBeVisible();
    await holder.hands.press(page.locator('summary').filter({ hasText: say('somethingWrong') }));
    await page.getByRole('radio', { name: say('alreadyInside') }).check();
    await holder.press(say('tellUs'));
    await expect(page.getByText(say('useInstead', { tag: second.doorTag }))).toBeVisible();
    await steel.close();
    const doubted = await company.admin.api('GET /lockers/{id}', { params: { id: first.id } });
    expect(doubted).toMatchObject({ occupationId: null, inDoubt: true });
  });

  await test.step('the next one takes it: whose cabinet falls silent is told what to do, and goes on when it is back', async () => {
    const next = holder.steel(second);
    await holder.hands.press(page.locator('summary').filter({ hasText: say('somethingWrong') }));
    await expect(page.getByRole('radio', { name: say('cannotBring') })).toBeVisible();
    await holder.press(say('openLocker'));
    await next.seesItOpen();
    await expect(holder.heading(say('lockerIsOpen'))).toBeVisible();
    await cabinet.virtual.act({ do: 'network', on: false });
    await expect(holder.heading(say('doorUnseen'))).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText(say('thenClose'))).toBeVisible();
    await expect(page.locator('summary').filter({ hasText: say('somethingWrong') })).toBeVisible();
    await next.put('Tablet');
    await next.close();
    await cabinet.virtual.act({ do: 'network', on: true });
    await holder.saysUnless(say('itIsInside'), holder.heading(say('done')));
    await expect(holder.heading(say('done'))).toBeVisible({ timeout: 60_000 });
    const [brought] = await company.admin.api('GET /occupations', { query: { q: { type: 'recall', stage: 3 } } });
    expect(brought).toMatchObject({ doorTag: second.doorTag, assetText: 'Tablet', receiver: { name: 'Ola Nordmann' } });
  });
});

// shows R4.13, R4.14
test('a loan goes out and comes back by the link, past a jammed door, with a word on how it is', async ({
  page,
  hatchway,
  company,
  handsOn,
  say,
}) => {
  const cabinet = await company.cabinet({ doors: 1 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('The cabinet has no door.');
  const { id, path } = await invited(hatchway.origin, company, lot, { type: 'lending', assetText: 'Drill' }, { fill: true });
  await cabinet.virtual.act({ do: 'put', door: lot.compartment, what: 'Drill' }).catch(() => undefined);
  const borrower = await outsider({ page, handsOn }, path, cabinet);
  const steel = borrower.steel(lot);
  await expect(borrower.heading(say('readyToBorrow'))).toBeVisible();

  await test.step('a jammed door is said to be jammed, and nothing is lent', async () => {
    await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: true });
    await borrower.press(say('openLocker'));
    await expect(page.getByText(say('doorJammed')).first()).toBeVisible();
    expect((await company.admin.api('GET /occupations/{id}', { params: { id } })).claimedBy).toBeNull();
    await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: false });
  });

  await test.step('it is taken, and a loan begins', async () => {
    await borrower.press(say('openLocker'));
    await steel.seesItOpen();
    await steel.close();
    await borrower.press(say('haveIt'));
    await expect(borrower.heading(say('yoursForNow'))).toBeVisible();
    expect(await company.admin.api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'VACANT' });
  });

  await test.step('it comes back, and what is wrong with it stands in the history', async () => {
    await borrower.press(say('bringBack'));
    await expect(borrower.heading(say('bringItBack'))).toBeVisible();
    await borrower.press(say('openLocker'));
    await steel.seesItOpen();
    await steel.put('Drill');
    await steel.close();
    await page.getByLabel(say('anythingWrong')).fill('The chuck is loose');
    await borrower.press(say('itIsInside'));
    await expect(borrower.heading(say('backInLocker'))).toBeVisible();
    await page.reload();
    await expect(borrower.heading(say('thisEnded'))).toBeVisible();
    const [returned] = await company.admin.api('GET /history', { query: { q: { occupationId: id, type: 'occupation_returned' } } });
    expect(await storyOf(company, lot.doorTag)).toContain('occupation_borrowed');
    expect(returned).toMatchObject({ actor: { name: 'Ola Nordmann' }, data: { condition: 'The chuck is loose' } });
  });
});

test.describe(() => {
  test.use({ isNew: true });
  test('a receiver without the link types number and code, puts it back and fetches it later; nobody after them meets their locker', async ({
    page,
    hatchway,
    company,
    handsOn,
    act,
    say,
  }) => {
    const { cabinet, lot, id, code } = await sentACode(hatchway, company);
    const receiver = await outsider({ page, handsOn }, '/', cabinet);
    const steel = receiver.steel(lot);
    const stage = async () => (await company.admin.api('GET /occupations/{id}', { params: { id } })).stageName;
    const field = page.getByRole('textbox', { name: say('sixDigits'), exact: true });
    const isAtBeginning = async () => {
      await expect(field).toHaveValue('');
      await expect(page).toHaveURL(new RegExp(`/c/${cabinet.number}$`));
      await expect(receiver.button(say('openLocker'))).toHaveCount(0);
    };
    const typesCode = async () => {
      await field.fill(code);
      await receiver.press(say('goOn'));
      await expect(receiver.button(say('openLocker'))).toBeVisible();
    };
    const opensAndShuts = async () => {
      await receiver.press(say('openLocker'));
      await steel.seesItOpen();
      await expect(receiver.heading(say('lockerIsOpen'))).toBeVisible();
      await steel.close();
    };

    await test.step('a wrong code opens nothing and says so, the right one leads to their locker', async () => {
      await act.write(page.getByRole('textbox', { name: say('cabinetNumber'), exact: true }), String(cabinet.number));
      await field.fill(code === '000000' ? '000001' : '000000');
      await receiver.press(say('goOn'));
      await expect(page.getByText(say('wrongCode'))).toBeVisible();
      // typed on where the focus is, in place of what was wrong
      await page.keyboard.type(code);
      await expect(field).toHaveValue(code);
      await receiver.press(say('goOn'));
      await expect(receiver.button(say('openLocker'))).toBeVisible();
    });

    await test.step('put back it waits for them as before', async () => {
      await opensAndShuts();
      await receiver.press(say('putBack'));
      await expect(receiver.button(say('openLocker'))).toBeVisible();
      expect(await stage()).toBe('CONTACTED');
      expect(await company.admin.api('GET /lockers/{id}', { params: { id: lot.id } })).toMatchObject({
        content: 'occupied',
        inDoubt: false,
      });
    });

    await page.goto(`/c/${cabinet.number}`);
    await test.step('on a screen at the cabinet its name at the top and a button lead back to the beginning, and Back to nobody’s door', async () => {
      await typesCode();
      await page.reload();
      await expect(receiver.button(say('openLocker'))).toBeVisible();
      await act.press(page.getByRole('link', { name: 'Hatchway', exact: true }));
      await isAtBeginning();
      await page.goBack();
      await isAtBeginning();
      await typesCode();
      await receiver.press(say('anotherCode'));
      await isAtBeginning();
    });

    await test.step('so does the address, typed once more', async () => {
      await typesCode();
      // an address typed while the page still loads counts as one more try of the same load
      await page.waitForLoadState();
      await page.goto('/');
      await expect(page.getByRole('textbox', { name: say('cabinetNumber'), exact: true })).toBeVisible();
    });

    await test.step('fetched with the same code, what has ended is forgotten when nobody touches it', async () => {
      await page.clock.install();
      await page.goto(`/c/${cabinet.number}`);
      await typesCode();
      await opensAndShuts();
      await receiver.press(say('tookAll'));
      await expect(receiver.button(say('finish'))).toBeVisible();
      expect(await stage()).toBe('TERMINATED');
      await page.clock.fastForward(50_000);
      await page.keyboard.press('Shift');
      await page.clock.fastForward(50_000);
      await expect(receiver.heading(say('done'))).toBeVisible();
      await page.clock.fastForward(15_000);
      await isAtBeginning();
    });
  });
});

test('a mail scanner that presses every button opens nothing, and a press that is held does; so does the number of the cabinet; whose browser has no reader of codes scans the square code all the same', async ({
  page,
  browser,
  hatchway,
  company,
  handsOn,
  say,
}) => {
  const cabinet = await company.cabinet({ doors: 3, hasSensors: false });
  const { api } = company.admin;
  const [own, lot, third] = cabinet.lockers;
  if (!own || !lot || !third) throw new Error('The cabinet has too few doors.');
  const storage = await invited(hatchway.origin, company, own, { type: 'storage', assetText: 'Suitcase' }, { fill: true });
  const parcel = await invited(hatchway.origin, company, lot, { type: 'delivery', assetText: 'Parcel' }, { fill: true });
  const { id, url } = await api('POST /links', { body: { name: 'Plumber', purpose: 'open', lockerIds: [third.id] } });
  const paths = [storage.path, parcel.path, new URL(url).pathname];
  const stages = () =>
    Promise.all([storage, parcel].map(async (one) => (await api('GET /occupations/{id}', { params: { id: one.id } })).stageName));
  const before = ['CONTACTED', 'CONTACTED'];
  await expect.poll(stages).toEqual(before);
  const scanner = await browser.newContext({ baseURL: hatchway.origin, locale: await page.evaluate('navigator.language') });

  const sight = await scanner.newPage();

  await test.step('it follows the link, presses all there is, twice, and sends every form', async () => {
    const sent: string[] = [];
    sight.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
    for (const path of paths) {
      await sight.goto(path);
      await expect(sight.locator('main button').first()).toBeVisible();
      await sight.evaluate(`(async () => {
        for (const details of document.querySelectorAll('main details')) details.open = true;
        for (const radio of document.querySelectorAll('main input[type=radio]')) radio.click();
        for (let round = 0; round < 2; round++) {
          // what leads away is left for last
          for (const button of document.querySelectorAll('main button:not(.quiet)')) button.click();
          await new Promise((done) => requestAnimationFrame(done));
          for (const form of document.querySelectorAll('main form')) form.requestSubmit();
        }
      })()`);
      expect(new Set(sent.filter((to) => !/\/(look|link)$/.test(to)))).toEqual(new Set());
    }
    expect(await stages()).toEqual(before);
    expect(await api('GET /links/{id}', { params: { id } })).toMatchObject({ used: 0 });
  });

  await test.step('who holds the button opens, and this device asks for it no more', async () => {
    const receiver = await outsider({ page, handsOn }, parcel.path, cabinet);
    const open = receiver.button(say('openLocker'));
    await expect(open).toHaveAccessibleDescription(say('pickup.first.text'));
    await receiver.press(say('openLocker'));
    await expect.poll(stages).toEqual([before[0], 'CLAIMING']);
    await page.goto(paths[2] ?? '');
    await expect(open).toBeVisible();
    await expect(page.getByText(say('pickup.first.text'))).toHaveCount(0);
  });

  await test.step('whose browser has no reader of codes scans the square code all the same', async () => {
    const code = Buffer.from(await (await api('GET /links/{id}/qr', { params: { id } })).arrayBuffer());
    // A camera that looks at the code.
    await page.addInitScript(`
      delete globalThis.BarcodeDetector;
      navigator.mediaDevices.getUserMedia = async () => {
        const picture = new Image();
        picture.src = 'data:image/svg+xml;base64,${code.toString('base64')}';
        await picture.decode();
        const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
        const pen = canvas.getContext('2d');
        setInterval(() => {
          pen.fillStyle = '#fff';
          pen.fillRect(0, 0, 640, 480);
          pen.drawImage(picture, 170, 90, 300, 300);
        }, 50);
        return canvas.captureStream();
      };`);
    const from: string[] = [];
    page.on('request', (request) => from.push(request.url()));
    await page.goto('/');
    expect(from.filter((address) => address.includes('wasm'))).toEqual([]);
    await handsOn(page).press(page.getByRole('button', { name: say('pickup.enter.scan'), exact: true }));
    await expect(page.getByRole('button', { name: say('openLocker'), exact: true })).toBeVisible();
    expect(new Set(from.filter((address) => /^https?:/.test(address)).map((address) => new URL(address).origin)).size).toBe(1);
  });

  await test.step('who cannot hold it writes the number of the cabinet', async () => {
    await sight.goto(paths[2] ?? '');
    await sight.getByRole('button', { name: say('openLocker'), exact: true }).dispatchEvent('click');
    const hands = handsOn(sight);
    await sight.getByLabel(say('pickup.first.number')).fill('1');
    await hands.press(sight.getByRole('button', { name: say('pickup.first.go') }));
    await expect(sight.getByText(say('pickup.first.wrong'))).toBeVisible();
    await sight.getByLabel(say('pickup.first.number')).fill(` ${cabinet.number} `);
    await hands.press(sight.getByRole('button', { name: say('pickup.first.go') }));
    await expect.poll(async () => (await api('GET /links/{id}', { params: { id } })).used).toBe(1);
    await scanner.close();
  });
});
