import type { Locator, Route } from '@playwright/test';
import { openButton, scan } from '../counter.ts';
import { expect, someNumber, test } from '../services.ts';
import type { OwnCabinet, OwnCompany } from '../company.ts';
import { boxOf } from '../still.ts';

const receiver = 'Ingrid Solberg';
const lotIn = (cabinet: OwnCabinet, text: string) => {
  const found = cabinet.lockers.find(({ doorTag }) => text.includes(doorTag));
  if (!found) throw new Error(`No door of ours is named: ${text}`);
  return found;
};
/** A thing with a code, that lies in a locker already. */
const lyingIn = async ({ admin: { api } }: OwnCompany, lot: OwnCabinet['lockers'][number] | undefined) => {
  const code = `T-${crypto.randomUUID().slice(0, 8)}`;
  const { _id: assetId, name } = await api('POST /assets', {
    body: { name: 'Thermal camera', identifiers: [{ kind: 'barcode', value: code }] },
  });
  const receiver = { name: 'Per', email: 'per@e2e.test' };
  await api('POST /occupations/delivery', { body: { lockerId: lot?.id ?? '', assetId, receiver, fill: true } });
  return { code, name };
};
/** What this file's own types do not know of a browser's page. */
type Page = {
  KeyboardEvent: new (type: string, init: { key: string; bubbles: boolean; cancelable: boolean }) => Event;
  document: {
    body: { dispatchEvent: (event: Event) => boolean };
    execCommand: (command: 'insertText', ui: false, text: string) => void;
  };
};
/**
 * A hand scanner on a field, which has the focus once `before` keys have come: a key each eight milliseconds by the events' own clock,
 * whatever the machine does meanwhile.
 */
const scanInto = (field: Locator, code: string, before = 0) =>
  field.evaluate(
    (element, { keys, early }) => {
      const { KeyboardEvent, document } = globalThis as unknown as Page;
      element.blur();
      let at = performance.now() + 1_000;
      for (const [index, key] of keys.entries()) {
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
        Object.defineProperty(event, 'timeStamp', { value: (at += 8) });
        if (index === early) element.focus();
        if (!(index < early ? document.body : element).dispatchEvent(event) || index < early) continue;
        if (key === 'Enter') element.closest('form')?.requestSubmit();
        else document.execCommand('insertText', false, key);
      }
    },
    { keys: [...code.split(''), 'Enter'], early: before },
  );

test('counter: a registration that fails keeps nobody from the next; the browser’s Back and Forward walk the steps, and one parcel more asks for nothing known', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const cabinet = await company.cabinet({ doors: 4 });
  const at = (step: number) => counter.stands(say('delivery'), step, 4);
  await test.step('a registration that the server fails on keeps nobody from the next; one that got no answer and is changed holds no second locker', async () => {
    const { api } = company.admin;
    const running = async () => (await api('GET /occupations', { query: { q: { stage: { $lt: 98 } } } })).map(({ assetText }) => assetText);
    // a step that nothing leads to yet is not the one that is shown, and the address says so
    await enter(company.admin.email, '/portal/services/delivery?step=summary');
    await expect(page).toHaveURL(/step=asset$/);
    const toTheDoor = async (what: string) => {
      await counter.field(say('asset')).fill(what);
      await counter.next();
      await counter.person(receiver, someNumber());
      await counter.next();
      await counter.next();
    };

    await test.step('failed on again and again, it is given up, and the next one is begun', async () => {
      await toTheDoor('Parcel 76');
      await page.route('**/v1/occupations', async (route) => {
        const asked = route.request();
        if (asked.method() !== 'POST' || !asked.postData()?.includes('Parcel 76')) return route.fallback();
        const problem = { type: '/v1/docs#problem-defect', title: 'A defect on our side', status: 500, code: 'defect' };
        return route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) });
      });
      for (let time = 0; time < 2; time++) {
        await act.press(openButton(page, say));
        await expect(page.getByRole('alert')).toBeVisible();
      }
      await act.press(page.getByRole('button', { name: say('abortDelivery'), exact: true }));
      await act.press(page.getByRole('dialog').getByRole('button', { name: say('abortDelivery'), exact: true }));
      await expect(counter.heading(say('dashboard'))).toBeVisible();
      await counter.go('/services/delivery');
    });

    await toTheDoor('Parcel 77');
    // the server does it, and its answer is lost on the way
    const lost = async (route: Route) => {
      if (!route.request().postData()?.includes('Parcel 77')) return route.fallback();
      await route.fetch();
      await route.abort('connectionreset');
      await page.unroute('**/v1/occupations', lost);
    };
    await page.route('**/v1/occupations', lost);
    await act.press(openButton(page, say));
    await expect(page.getByRole('alert').first()).toBeVisible();
    expect(await running()).toEqual(['Parcel 77']);

    await page.goBack();
    await page.goBack();
    await page.goBack();
    await counter.field(say('asset')).fill('Parcel 78');
    await counter.next();
    await counter.next();
    await counter.next();
    const { doorTag } = await counter.open(cabinet);
    await expect(counter.heading(say('isOpen', { tag: doorTag }))).toBeVisible();
    expect(await running()).toEqual(['Parcel 78']);
  });

  // what is under way here would be gone on with
  await page.evaluate('sessionStorage.clear()');
  await counter.go('/');
  await act.press(page.getByRole('main').getByRole('link', { name: new RegExp(`^${say('delivery')}`) }));

  await test.step('Back and Forward go step by step, and what was typed stands there', async () => {
    await at(1);
    await counter.field(say('asset')).fill('Parcel 77');
    await counter.next();
    await at(2);
    await act.write(counter.field(say('name')), 'Ing');
    await scanInto(counter.field(say('name')), '7033000000017');
    await expect(page.getByRole('alert').first()).toContainText('7033000000017');
    await expect(counter.field(say('name'))).toHaveValue('Ing');
    await at(2);
    await counter.person(receiver, someNumber());
    await counter.next();
    await at(3);
    await counter.next();
    await at(4);
    await page.goBack();
    await at(3);
    await page.goBack();
    await at(2);
    await expect(counter.field(say('name'))).toHaveValue(receiver);
    await page.goBack();
    await at(1);
    await expect(counter.field(say('asset'))).toHaveValue('Parcel 77');
    await page.goForward();
    await at(2);
    await page.goForward();
    await at(3);
  });

  await test.step('the screen’s own Back is the same way, and Back after it leads no step on', async () => {
    await act.press(counter.button(say('back')));
    await at(2);
    await page.goBack();
    await at(1);
  });

  await test.step('before the first it leaves, and coming back finds all of it', async () => {
    await page.goBack();
    await expect(page.getByRole('heading', { name: say('dashboard'), level: 1 })).toBeVisible();
    await page.goForward();
    await at(1);
    await expect(counter.field(say('asset'))).toHaveValue('Parcel 77');
  });

  await test.step('Forward passes no step that lacks something', async () => {
    await counter.field(say('asset')).fill('');
    await page.goForward();
    await expect(page.getByRole('alert').first()).toContainText(say('pickAsset'));
    await at(1);
    await counter.field(say('asset')).fill('Parcel 77');
  });

  await test.step('whoever would close the window is asked', async () => {
    const asked = page.waitForEvent('dialog');
    const closing = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await closing;
    await at(1);
  });

  const door = await test.step('once a door is opened there is no way back into its steps: Back leaves, and Forward shows it', async () => {
    await counter.next();
    await at(2);
    await counter.next();
    await at(3);
    await counter.next();
    await at(4);
    const opened = await counter.open(cabinet);
    await opened.seesItOpen();
    await expect(counter.heading(say('isOpen', { tag: opened.doorTag }))).toBeVisible();
    await expect(page.getByText(`Parcel 77 · ${receiver}`, { exact: true })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: say('dashboard'), level: 1 })).toBeVisible();
    await page.goForward();
    await expect(counter.heading(say('isOpen', { tag: opened.doorTag }))).toBeVisible();
    await opened.put('Parcel 77');
    await opened.close();
    return opened;
  });

  await test.step('the next parcel for the same person asks what it is, and then for its door', async () => {
    await expect(counter.heading(say('liesIn', { tag: door.doorTag }))).toBeVisible();
    await act.press(counter.button(say('notify')));
    await expect(counter.heading(say('notified', { name: receiver }))).toBeVisible();
    await act.press(counter.button(say('nextParcelFor', { name: receiver })));
    await at(1);
    await expect(page.getByText(say('forSamePerson', { name: receiver }))).toBeVisible();
    await counter.field(say('asset')).fill('Parcel 78');
    await counter.next();
    await at(3);
    await counter.next();
    await at(4);
    await expect(page.getByRole('main')).toContainText(receiver);
    await page.goBack();
    await at(3);
    await act.press(counter.button(say('back')));
    await at(2);
    await page.reload();
    await at(2);
    await expect(counter.field(say('name'))).toHaveValue(receiver);
  });
});

test('counter: what is scanned takes the place of what stands there, and no door and no thing that somebody else took is gone on with unasked', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const cabinet = await company.cabinet({ doors: 4 });
  const code = `T-${crypto.randomUUID().slice(0, 8)}`;
  const name = 'Thermal camera';
  const { api } = company.admin;
  await api('POST /assets', { body: { name: 'Torque wrench' } });
  const { _id: assetId } = await api('POST /assets', { body: { name, identifiers: [{ kind: 'barcode', value: code }] } });
  const at = (step: number) => counter.stands(say('delivery'), step, 4);
  const asset = counter.field(say('asset'));
  const scanned = async () => {
    await scanInto(asset, code);
    await at(2);
    await act.press(counter.button(say('back')));
    await at(1);
    await expect(asset).toHaveValue(name);
  };
  const rival = (lockerId: string) =>
    api('POST /occupations', { body: { type: 'delivery', lockerId, assetText: 'Box', receiver: { name: 'Per', email: 'per@e2e.test' } } });
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/cabinets/*/lockers*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await enter(company.admin.email, '/portal/services/delivery');

  await test.step('though the field comes in the middle of a scan, it is taken whole', async () => {
    await scanInto(asset, code, 5);
    await expect(asset).toHaveValue(name);
    await asset.fill('');
  });

  await test.step('scanned over what was picked a moment ago', async () => {
    // as fast as a person, not as a scanner
    await asset.pressSequentially('torq', { delay: 120 });
    await page.keyboard.press('Enter');
    await expect(asset).toHaveValue('Torque wrench');
    await scanned();
  });

  await test.step('and over what was written before, by whoever came back to it', async () => {
    await asset.fill('Parcel 77');
    await counter.next();
    await at(2);
    await act.press(counter.button(say('back')));
    await at(1);
    await scanned();
  });

  await test.step('who goes on before the walls are read waits for the door, and reads of no lack of one', async () => {
    await counter.next();
    await counter.person(receiver, someNumber());
    await counter.next();
    await counter.next();
    await expect(counter.button(say('next'))).toBeDisabled();
    await expect(page.getByRole('alert')).toHaveCount(0);
    held.resolve();
    await expect(openButton(page, say)).toContainText(new RegExp(cabinet.lockers.map(({ doorTag }) => doorTag).join('|')));
    await expect(page.getByRole('alert')).toHaveCount(0);
    await act.press(counter.button(say('back')));
  });

  const chosen = page.getByText(new RegExp(`^(${cabinet.lockers.map(({ doorTag }) => say('chosen', { tag: doorTag })).join('|')})$`));
  const first = lotIn(cabinet, await chosen.innerText());
  const word = page.getByRole('alert');

  const taken = await rival(first.id);
  await expect(word).toContainText(say('justTaken', { tag: first.doorTag }));
  const second = lotIn(cabinet, (await chosen.innerText()).replace(first.doorTag, ''));
  await expect(word).toContainText(say('chosenInstead', { next: second.doorTag }));

  await test.step('the first one, free again, does not take the place of the one that stands there', async () => {
    await api('DELETE /occupations/{id}', { params: { id: taken.id }, body: { reason: 'over' } });
    await expect(page.locator(`[data-door="${first.id}"]`)).toHaveAttribute('data-look', 'free');
    await expect(chosen).toHaveText(say('chosen', { tag: second.doorTag }));
  });

  await test.step('and the one instead is told of as well, here and at the summary', async () => {
    await rival(second.id);
    await expect(word).toContainText(say('justTaken', { tag: second.doorTag }));
    const third = lotIn(cabinet, await chosen.innerText());
    await expect(word).toContainText(say('chosenInstead', { next: third.doorTag }));
    await counter.next();
    await expect(word).toContainText(say('justTaken', { tag: second.doorTag }));
    await expect(page.getByRole('button', { name: say('openTag', { tag: third.doorTag }) })).toBeVisible();
    await rival(third.id);
    await expect(word).toContainText(say('justTaken', { tag: third.doorTag }));
    const last = lotIn(cabinet, (await word.innerText()).replace(third.doorTag, ''));
    await expect(page.getByRole('button', { name: say('openTag', { tag: last.doorTag }) })).toBeVisible();
  });

  await test.step('of two who put the same thing into a locker at once, the later is asked for their word', async () => {
    const dialog = page.getByRole('dialog', { name: say('inUseAlready', { name }) });
    const shown = await openButton(page, say).innerText();
    const lots = await api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } });
    const free = lots.find(({ doorTag, occupationId }) => occupationId === null && !shown.includes(doorTag));
    // the screen read that it lies nowhere; what it hears of meanwhile changes nothing of that
    const other = await api('POST /occupations/delivery', {
      body: { lockerId: free?.id ?? '', assetId, receiver: { name: 'Per', email: 'per@e2e.test' }, fill: true },
    });
    await act.press(openButton(page, say));
    await expect(dialog).toContainText(say('liesAlready', { name, tag: other.doorTag, service: say('delivery') }));
    await act.press(dialog.getByRole('button', { name: say('goOnAllTheSame'), exact: true }));
    await expect(dialog).toBeHidden();
    // they had pressed it, and their word is all that was missing
    await expect.poll(async () => (await api('GET /occupations', { query: { q: { assetId } } })).length).toBe(2);
  });
});

test('counter: a thing that lies elsewhere or is out is said to, as far as one may know, and goes on by somebody’s word alone', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const [lot, third, fourth] = (await company.wall({ doors: 3 })).lockers;
  const { api } = company.admin;
  await api('POST /assets', { body: { name: 'Zeta level' } });
  const lendable = async (what: string, lockerId = '') => {
    const { _id: assetId } = await api('POST /assets', { body: { name: what } });
    const { id } = await api('POST /occupations', { body: { type: 'lending', lockerId, assetId } });
    for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
    return id;
  };
  const clerk = await company.person(['delivery_manager']);
  const { code, name } = await lyingIn(company, lot);
  const at = (step: number) => counter.stands(say('delivery'), step, 4);
  const dialog = page.getByRole('dialog', { name: say('inUseAlready', { name }) });
  const inDialog = (action: string) => dialog.getByRole('button', { name: action, exact: true });
  const lies = say('liesAlready', { name, tag: lot?.doorTag ?? '', service: say('delivery') });

  await enter(clerk.email, '/portal/services/delivery');
  // said in the list, before anybody picks it; barred it is not
  const option = page.getByRole('option', { name });
  await expect(option).toContainText(say('liesInTag', { tag: lot?.doorTag ?? '' }));
  // what is in use stands below what is there to be taken
  await expect(page.getByRole('option')).toHaveText([/Zeta level/, new RegExp(name)]);
  await expect(option).not.toHaveAttribute('aria-disabled');

  await counter.field(say('asset')).fill(code);
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText(lies);
  await act.press(inDialog(say('pickAnother')));
  await expect(dialog).toBeHidden();
  await at(1);

  await test.step('on the step it stands too, with the way to it', async () => {
    const note = page.getByRole('alert').filter({ hasText: lies });
    await expect(note.getByRole('link')).toHaveAttribute('href', /manageoccupation\?id=/);
  });

  await test.step('asked once, it is not asked again', async () => {
    await counter.next();
    await act.press(inDialog(say('goOnAllTheSame')));
    await at(2);
    await act.press(counter.button(say('back')));
    await at(1);
    await counter.next();
    await at(2);
    await expect(dialog).toBeHidden();
    await act.press(counter.button(say('back')));
  });

  await test.step('whose loan it is, or where it lies in a service that is not theirs, they do not see', async () => {
    const id = await lendable('Drill', third?.id);
    await api('PUT /occupations/assign', { body: { action: 'claim', id, receiver: { name: receiver, email: 'k@e2e.test' } } });
    await api('PUT /occupations', { body: { id, action: 'finnish' } });
    await lendable('Projector', fourth?.id);
    for (const [what, listed, words] of [
      ['Drill', 'onLoan', say('outAlready', { name: 'Drill' })],
      ['Projector', 'inUseWord', say('inUseNotYours', { name: 'Projector' })],
    ] as const) {
      await counter.field(say('asset')).fill(what);
      const other = page.getByRole('option', { name: what });
      // a row that the list still moves is missed by a click
      await expect(page.getByRole('option')).toHaveCount(1);
      await expect(other).toContainText(say(listed));
      await expect(other).not.toContainText(fourth?.doorTag ?? '');
      await expect(other).not.toHaveAttribute('aria-disabled');
      await other.click();
      const note = page.getByRole('alert').filter({ hasText: words });
      await expect(note).toBeVisible();
      await expect(note.getByRole('link')).toHaveCount(0);
      await expect(page.getByText(receiver)).toHaveCount(0);
    }
    await counter.next();
    await act.press(
      page
        .getByRole('dialog', { name: say('inUseAlready', { name: 'Projector' }) })
        .getByRole('button', { name: say('goOnAllTheSame'), exact: true }),
    );
    await at(2);
  });
});

test('counter: however low the window is, the step begins at its top, the door that is chosen or scanned and what goes on stay in sight', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const { lockers } = await company.cabinet({ doors: 12 });
  const { api } = company.admin;
  const last = lockers.at(-1);
  if (!last) throw new Error('no lockers');
  for (const { id } of lockers.slice(0, -1))
    await api('PUT /lockers/{id}/service', { params: { id }, body: { outOfService: true, reason: 'Paint' } });
  // 1366 by 768 at 200 % zoom
  await page.setViewportSize({ width: 683, height: 384 });
  await enter(company.admin.email, '/portal/services/delivery');
  await counter.field(say('asset')).fill('Parcel 77');
  await counter.next();
  await counter.person(receiver, someNumber());
  await counter.next();
  const door = page.locator(`[data-door="${last.id}"]`);
  const going = page.locator('[data-going]');
  const words = page.getByText(say('chosen', { tag: last.doorTag }), { exact: true });
  const next = counter.button(say('next'));

  await test.step('the step is read from its top, whatever was chosen and has the focus', async () => {
    await expect(door).toHaveAttribute('data-suggested', 'true');
    await expect(going).toContainText(last.doorTag);
    await expect(going).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate<number>('scrollY')).toBe(0);
  });

  await test.step('a door that is scanned comes into sight', async () => {
    await scan(page, last.doorTag);
    await expect(door).toBeInViewport({ ratio: 0.9 });
    const foot = await boxOf(next);
    const box = await boxOf(door);
    expect(box.y + box.height).toBeLessThanOrEqual(foot.y);
    // a door too small for its word shows it by its icon, and says it to who rests on it
    await expect(door.locator('[data-icon]').first()).toBeVisible();
    await expect(door).toHaveAttribute('title', new RegExp(`, ${say('free')}`));
  });

  await test.step('on a counter’s screen, the same at 200 %, and on a phone', async () => {
    for (const size of [
      { width: 1366, height: 768 },
      { width: 683, height: 384 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      await door.scrollIntoViewIfNeeded();
      await expect(next).toBeInViewport({ ratio: 1 });
      const told = size.width > 992 ? words : going;
      await expect(told).toContainText(last.doorTag);
      await expect(told).toBeInViewport({ ratio: 1 });
    }
  });
  await page.setViewportSize({ width: 683, height: 384 });
  await counter.next();
  const open = page.getByRole('button', { name: say('openTag', { tag: last.doorTag }) });
  await expect(open).toBeInViewport({ ratio: 1 });
  // a laptop's window: the foot covers nothing that has the focus, once the router has begun the step at its top
  await page.setViewportSize({ width: 1366, height: 625 });
  await act.press(counter.button(say('back')));
  await counter.next();
  await expect(open).toBeFocused();
  await page.evaluate(
    'new Promise((done) => { let frames = 30; const wait = () => (frames-- > 0 ? requestAnimationFrame(wait) : done()); wait(); })',
  );
  const atItsMiddle = () =>
    open.evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return button.contains(button.ownerDocument.elementFromPoint(x + width / 2, y + height / 2));
    });
  await expect.poll(atItsMiddle).toBe(true);
});
