import type { Page } from '@playwright/test';
import { openButton, someNumber, test } from '../counter.ts';
import { expect } from '../journey.ts';
import { standing } from '../steel.ts';

// Whoever only tries is led from a running step to what stands in for the cabinet and for the receiver's phone.

test('beside a running delivery the sandbox’s cabinet and inbox are one press away', async ({
  page,
  context,
  company,
  act,
  handsOn,
  say,
  standAtDoor,
}) => {
  const cabinets = [await company.cabinet({ doors: 1 }), await company.cabinet({ doors: 1 })];
  const tlf = someNumber();
  const led = async (key: 'beside.cabinets' | 'beside.inbox'): Promise<Page> => {
    const opened = context.waitForEvent('page');
    await act.press(page.getByRole('main').getByRole('link', { name: say(key), exact: true }));
    return opened;
  };

  const [first] = cabinets;
  if (!first) throw new Error('no cabinet');
  const lot = await standAtDoor({ ...first, lockers: cabinets.flatMap(({ lockers }) => lockers) }, tlf);
  await act.press(openButton(page, say));
  await expect(page.getByRole('heading', { name: say('isOpen', { tag: lot.doorTag }) })).toBeVisible();

  await test.step('the cabinet opens at this very door', async () => {
    const steel = await led('beside.cabinets');
    const door = standing(steel, handsOn(steel), say, lot);
    await door.seesItOpen();
    await door.put('Parcel 77');
    await door.close();
    // and at that of another cabinet where that one is named
    const other = cabinets.find(({ lockers }) => lockers.every(({ id }) => id !== lot.id));
    await steel.goto('about:blank');
    await steel.goto(`/sandbox/cabinets#controller=${other?.id}&door=1`);
    await expect(steel).toHaveURL(new RegExp(`#cabinet=${other?.virtual.id}&door=1$`));
  });

  await test.step('the inbox opens at this very message', async () => {
    await act.press(
      page
        .getByRole('main')
        .getByRole('button', { name: say('notify'), exact: true })
        .first(),
    );
    const inbox = await led('beside.inbox');
    const said = inbox.locator('.named');
    await expect(said).toBeInViewport();
    await expect(inbox.locator('li', { has: said })).toContainText(tlf);
    await expect(said.getByRole('link')).toBeFocused();
  });

  await test.step('and the frame leads to the sandbox from anywhere', async () => {
    await act.press(page.getByRole('button', { name: new RegExp(`^${say('profileMenu')}`) }));
    const opened = context.waitForEvent('page');
    await act.press(page.locator('#profile-menu').getByRole('link', { name: say('frame.sandbox'), exact: true }));
    await expect((await opened).locator('main h1')).toBeVisible();
  });
});
