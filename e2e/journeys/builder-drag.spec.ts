import type { CDPSession, Locator, Page } from '@playwright/test';
import { expect, tapOn, test, type Fixtures } from '../journey.ts';
import { boxOf } from '../still.ts';

// What hands do at the wall in edit mode: real mouse, real fingers, real keys. Walked once; each hand is its own test.

/** The tags as they stand, column by column. */
const wall = (page: Page) =>
  page
    .locator('[data-column]')
    .evaluateAll((columns) =>
      columns.map((column) => [...column.querySelectorAll('[data-door]')].map((door) => door.textContent?.split(' ')[0] ?? '')),
    );
const stands = (page: Page, tags: readonly (readonly string[])[]) => expect.poll(() => wall(page)).toEqual(tags);
const doorOf = (page: Page, tag: string) => page.locator('[data-door]').filter({ hasText: new RegExp(`^${tag}\\b`) });

/** A point of something, given as parts of its width and height. */
async function pointOf(what: Locator, [x, y]: readonly [number, number]) {
  const box = await boxOf(what);
  return { x: box.x + box.width * x, y: box.y + box.height * y };
}
type Point = { x: number; y: number };

async function dragByMouse(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** A finger that stays a moment before it moves, as one that lifts something does; `lifted` waits for what shows that it holds it. */
async function dragByFinger(finger: CDPSession, from: Point, to: Point, lifted: () => Promise<void> = async () => {}): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Point) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  await touch('touchStart', from);
  await lifted();
  for (let step = 1; step <= 6; step++)
    await touch('touchMove', { x: from.x + ((to.x - from.x) * step) / 6, y: from.y + ((to.y - from.y) * step) / 6 });
  await touch('touchEnd');
}

/** A wall of four doors at the builder, the first of them in use; its tags, and what is saved of it. */
async function atTheBuilder({ company, enter, page }: Pick<Fixtures, 'company' | 'enter'> & { page: Page }) {
  const { api } = company.admin;
  const { id, lockers } = await company.wall({ doors: 4 });
  await api('POST /occupations', {
    body: { type: 'delivery', lockerId: lockers[0]?.id ?? '', assetText: 'Parcel 7', receiver: { name: 'Ingrid', email: 'i@e2e.test' } },
  });
  const byCompartment = lockers.toSorted((a, b) => a.compartment - b.compartment);
  const [a = '', b = '', c = '', d = ''] = byCompartment.map((one) => one.doorTag);
  await enter(company.admin.email, `/portal/manage/lockers?cabinet=${id}`);
  await stands(page, [[a, b, c, d]]);
  const saved = async () => {
    const [{ columns }, now] = await Promise.all([
      api('GET /cabinets/{id}', { params: { id } }),
      api('GET /cabinets/{id}/lockers', { params: { id } }),
    ]);
    return columns.map(({ doors }) => doors.map(({ lockerId }) => now.find((one) => one.id === lockerId)?.doorTag ?? ''));
  };
  return { tags: [a, b, c, d] as const, saved };
}

// shows R2.12
test('by keys and by mouse doors, columns and borders are moved, parts joined and taken away, one in use stays, and all of it is undone and done again', async ({
  page,
  company,
  enter,
  say,
  act,
}) => {
  const { tags, saved } = await atTheBuilder({ page, company, enter });
  const [a, b, c, d] = tags;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const drag = async (from: Locator, to: Locator, at: readonly [number, number]) =>
    dragByMouse(page, await pointOf(from, [0.5, 0.4]), await pointOf(to, at));

  await test.step('by keys a door moves, its border moves, it is taken away and brought back; one in use stays', async () => {
    await doorOf(page, a).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await stands(page, [[b, a, c, d]]);
    await expect(doorOf(page, a)).toBeFocused();
    await page.keyboard.press('Alt+ArrowDown');
    await stands(page, [[b, c, a, d]]);
    await expect(doorOf(page, a)).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(page.getByText(say('heldInUse', { tag: a }))).toBeVisible();
    await stands(page, [[b, c, a, d]]);
    // an arrow alone walks; with Alt it carries
    await page.keyboard.press('ArrowUp');
    await expect(doorOf(page, c)).toBeFocused();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await expect(page.getByText(say('doorHigh', { tag: c, height: '310' }))).toBeVisible();
    await page.keyboard.press('Delete');
    await stands(page, [[b, a, d]]);
    await expect(doorOf(page, a), 'keys go on where it stood').toBeFocused();
    await page.keyboard.press('Control+z');
    await stands(page, [[b, c, a, d]]);
    await page.keyboard.press('Control+Shift+z');
    await stands(page, [[b, a, d]]);
    // back to how it was drawn, for the mouse
    for (let strokes = 0; strokes < 4; strokes++) await page.keyboard.press('Control+z');
    await stands(page, [[a, b, c, d]]);
  });

  await test.step('a door is dragged below another, and the wall stays where it is; undone and done again', async () => {
    const top = async () => (await boxOf(page.locator('[data-column="0"]'))).y;
    const before = await top();
    await drag(doorOf(page, a), doorOf(page, c), [0.5, 0.9]);
    await stands(page, [[b, c, a, d]]);
    expect(await top()).toBe(before);
    await act.press(button(say('undo')));
    await stands(page, [[a, b, c, d]]);
    await act.press(button(say('redo')));
    await stands(page, [[b, c, a, d]]);
  });

  await test.step('a new column, a door dragged into it, and the column dragged before the other', async () => {
    await doorOf(page, b).click();
    await act.press(button(say('addColumnTo')));
    await stands(page, [[b, c, a, d], []]);
    await act.press(button(say('addDoorOf', { size: 'M' })));
    await expect.poll(async () => (await wall(page)).map((column) => column.length)).toEqual([4, 1]);
    await act.press(button(say('undo')));
    await drag(doorOf(page, d), page.locator('[data-column="1"]'), [0.5, 0.5]);
    await stands(page, [[b, c, a], [d]]);
    await drag(page.locator('[data-handle]').nth(1), page.locator('[data-handle]').nth(0), [0.1, 0.5]);
    await stands(page, [[d], [b, c, a]]);
  });

  await test.step('a door from the palette comes down where it is let go', async () => {
    await drag(button(say('addDoorOf', { size: 'M' })), doorOf(page, b), [0.5, 0.2]);
    await expect.poll(async () => (await wall(page))[1]?.length).toBe(4);
    const made = (await wall(page))[1]?.[0] ?? '';
    expect(tags).not.toContain(made);
    // Nothing is known of it yet, so it is not said to be free either.
    await expect(doorOf(page, made)).toHaveAccessibleName(`${made} M, ${say('aNewDoor')}`);
    await page.keyboard.press('Control+z');
    await stands(page, [[d], [b, c, a]]);
  });

  await test.step('the border between two doors is dragged: one gains what the other gives', async () => {
    const height = async (tag: string) => (await boxOf(doorOf(page, tag))).height;
    const [was, below] = [await height(b), await height(c)];
    const { x, y } = await pointOf(doorOf(page, b), [0.5, 1]);
    await dragByMouse(page, { x, y: y - 2 }, { x, y: y + 20 });
    await expect.poll(async () => (await height(b)) > was && (await height(c)) < below).toBe(true);
    await act.press(button(say('undo')));
    await expect.poll(() => height(b)).toBe(was);
  });

  await test.step('two doors are joined, and the one in use is the one that stays', async () => {
    await doorOf(page, c).click();
    await doorOf(page, a).click({ modifiers: ['ControlOrMeta'] });
    await act.press(button(say('merge')));
    await stands(page, [[d], [b, a]]);
  });

  await test.step('its column cannot be taken away', async () => {
    await page.locator('[data-handle]').nth(1).click();
    await act.press(button(say('takeColumnAway')));
    await expect(page.getByText(say('heldInUse', { tag: a }))).toBeVisible();
    await stands(page, [[d], [b, a]]);
  });

  // The second click of a double click closes nothing of what the first one opened.
  await button(say('saveAsk')).click({ clickCount: 2, delay: 60 });
  await act.press(page.getByRole('dialog').getByRole('button', { name: say('save'), exact: true }));
  await expect.poll(saved).toEqual([[d], [b, a]]);
});

test.describe('by finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  // shows R2.12
  test('a chosen door and a piece of the palette are dragged, another finger scrolls past, and a wall wider than a phone scrolls in its frame', async ({
    page,
    company,
    enter,
    say,
    go,
  }) => {
    const { tags } = await atTheBuilder({ page, company, enter });
    const [a, b, c, d] = tags;
    const finger = await page.context().newCDPSession(page);
    const palette = page.getByRole('button', { name: say('addDoorOf', { size: 'S' }), exact: true });
    // the palette and the top of the wall in one sight, below the bar that stays
    await palette.evaluate((element) => {
      element.scrollIntoView({ block: 'start' });
      element.ownerDocument.defaultView?.scrollBy(0, -80);
    });

    await test.step('a piece of the palette is lifted and put over the first door', async () => {
      await dragByFinger(finger, await pointOf(palette, [0.5, 0.5]), await pointOf(doorOf(page, a), [0.5, 0.2]), () =>
        expect(page.locator('[data-carried]')).toBeVisible(),
      );
      await expect.poll(async () => (await wall(page))[0]?.length).toBe(5);
      expect((await wall(page))[0]?.slice(1)).toEqual([a, b, c, d]);
      await tapOn(page.getByRole('button', { name: say('undo'), exact: true }));
      await stands(page, [[a, b, c, d]]);
    });

    await test.step('a door that is not chosen is not carried off by a finger that scrolls', async () => {
      await dragByFinger(finger, await pointOf(doorOf(page, b), [0.5, 0.5]), await pointOf(doorOf(page, a), [0.5, 0.1]));
      await stands(page, [[a, b, c, d]]);
    });

    await test.step('one that is chosen is', async () => {
      await tapOn(doorOf(page, b));
      await expect(doorOf(page, b)).toHaveAttribute('aria-pressed', 'true');
      await doorOf(page, a).evaluate((element) => {
        element.scrollIntoView({ block: 'start' });
        element.ownerDocument.defaultView?.scrollBy(0, -120);
      });
      await dragByFinger(finger, await pointOf(doorOf(page, b), [0.5, 0.5]), await pointOf(doorOf(page, a), [0.5, 0.1]));
      await stands(page, [[b, a, c, d]]);
    });

    await test.step('a wall wider than a phone scrolls in its frame, and the page does not', async () => {
      const { api } = company.admin;
      const { id: siteId } = await api('POST /sites', { body: { name: 'Depot' } });
      const columns = [1, 2, 3, 4, 5, 6, 7].map((at) => ({
        width: 450,
        doors: [{ doorTag: `A0${at}`, compartment: at, size: 'M' as const, height: 300 }],
      }));
      const { id } = await api('POST /cabinets', { body: { siteId, name: 'Hall', columns } });
      await go(`/manage/lockers?cabinet=${id}`);
      await expect(page.getByText(say('lockers.wall.sideways', { count: '7' }))).toBeVisible();
      const past = () => page.evaluate<number[]>('[document.documentElement.scrollWidth - innerWidth, scrollX]');
      for (const [at, width] of [390, 320].entries()) {
        await page.setViewportSize({ width, height: 844 });
        await expect.poll(past).toEqual([0, 0]);
        // What is swiped is the wall.
        await page.locator('[data-handle]').last().scrollIntoViewIfNeeded();
        await doorOf(page, 'A01').scrollIntoViewIfNeeded();
        await tapOn(page.locator('[data-handle]').nth(at));
        expect(await past()).toEqual([0, 0]);
        // What can be done with the column is seen where it was pressed.
        await expect(page.getByRole('textbox', { name: say('builder.width') })).toBeInViewport();
      }
    });
  });
});
