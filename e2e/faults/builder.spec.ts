import type { Page } from '@playwright/test';
import { expect, test } from '../journey.ts';
import { pressUnlessGone } from '../still.ts';

// A wall that somebody draws while answers are lost and reads fail.

test('strokes that are not saved outlive a failed read, a lost answer makes no door twice, and what is saved is said to be', async ({
  page,
  company,
  act,
  say,
  enter,
}) => {
  const { api } = company.admin;
  const { id } = await company.cabinet({ doors: 3 });
  const ids = async () => (await api('GET /cabinets/{id}/lockers', { params: { id } })).map((locker) => locker.id).toSorted();
  const line = await lineOf(page);
  await enter(company.admin.email, `/portal/manage/lockers?cabinet=${id}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const doors = page.locator('[data-door]');
  const save = async () => {
    await act.press(button(say('saveAsk')));
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
  };
  const wall = `**/v1/cabinets/${id}/lockers`;
  const away = () => page.route(wall, (route) => route.fulfill({ status: 503, body: 'away' }));
  const back = async () => {
    await page.unroute(wall);
    await pressUnlessGone(button(say('tryAgain')));
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
  };
  await expect(doors).toHaveCount(3);
  await act.press(button(say('addDoorOf', { size: 'M' })));
  await expect(doors).toHaveCount(4);

  await test.step('the line is cut, and of what is read anew nothing comes', async () => {
    await away();
    line.cut();
    await expect(button(say('tryAgain'))).toBeVisible();
    await expect(doors).toHaveCount(4);
    await back();
    await expect(doors).toHaveCount(4);
  });

  await test.step('saved, though no answer comes: it is said to be, by nobody else, and nothing is left to be saved', async () => {
    await page.route(
      `**/v1/cabinets/${id}`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await save();
    await expect(dialog).toBeHidden();
    await expect(button(say('keepMine'))).toHaveCount(0);
    await expect(button(say('saveAsk'))).toBeDisabled();
    const made = await ids();
    expect(made).toHaveLength(4);
    await expect(doors).toHaveCount(4);
    await act.press(button(say('addDoorOf', { size: 'M' })));
    await save();
    await expect(dialog).toBeHidden();
    expect(await ids()).toEqual(expect.arrayContaining(made));
    expect(await ids()).toHaveLength(5);
  });

  await test.step('saved, though its doors cannot be read after that', async () => {
    await away();
    await act.press(button(say('addDoorOf', { size: 'M' })));
    await save();
    await expect(dialog).toBeHidden();
    await expect(button(say('tryAgain'))).toBeVisible();
    await expect(button(say('saveAsk'))).toBeDisabled();
    await expect(doors).toHaveCount(6);
    expect(await ids()).toHaveLength(6);
    await back();
    await expect(doors).toHaveCount(6);
  });

  await test.step('labels say, too, that what they show could not be read anew, though not on paper', async () => {
    await act.press(button(say('menuMore')));
    await act.press(page.getByRole('menuitem', { name: say('doorLabels'), exact: true }));
    const labels = page.getByRole('main').getByRole('listitem');
    await expect(labels).toHaveCount(6);
    await away();
    line.cut();
    await expect(button(say('tryAgain'))).toBeVisible();
    await expect(labels).toHaveCount(6);
    await page.emulateMedia({ media: 'print' });
    await expect(button(say('tryAgain'))).toBeHidden();
    await expect(page.locator('[data-print-sheet] [data-label]').filter({ visible: true })).toHaveCount(7);
    await page.emulateMedia({ media: 'screen' });
    await back();
  });
});

/** The page's socket, which can be cut: it comes again by itself, and asks for what it may have missed. */
const lineOf = async (page: Page): Promise<{ cut: () => void }> => {
  let cut = () => {};
  await page.routeWebSocket(/\/live/, (socket) => {
    const server = socket.connectToServer();
    cut = () => {
      void server.close();
      void socket.close({ code: 4001 });
    };
  });
  return { cut: () => cut() };
};
