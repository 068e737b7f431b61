import type { Page } from '@playwright/test';
import { expect, openButton, test } from '../counter.ts';

// Real keys, as a scanner without any wire of its own sends them.

/** Keys that press as a hand's do, 120 ms apart by their own clock, whatever the machine does meanwhile. */
const send = async (page: Page, ...keys: readonly string[]) => {
  // All at once: none waits for the page to have heard the one before.
  const sent: Promise<unknown>[] = [];
  const wire = await page.context().newCDPSession(page);
  let at = Date.now() / 1000;
  for (const key of keys) {
    at += 0.12;
    const ctrl = key.startsWith('Ctrl+');
    const letter = ctrl ? key.slice(5).toLowerCase() : key;
    const text = key === 'Enter' ? '\r' : letter.length === 1 && !ctrl ? letter : '';
    const code = key === ' ' ? 'Space' : key;
    const windowsVirtualKeyCode = key === 'Enter' ? 13 : key === 'Tab' ? 9 : letter.toUpperCase().charCodeAt(0);
    const event = { key: letter, code, windowsVirtualKeyCode, modifiers: ctrl ? 2 : 0, timestamp: at };
    sent.push(
      wire.send('Input.dispatchKeyEvent', { type: text === '' ? 'rawKeyDown' : 'keyDown', ...event, ...(text === '' ? {} : { text }) }),
    );
    sent.push(wire.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event, timestamp: at + 0.01 }));
  }
  await Promise.all(sent);
  await wire.detach();
};

test('a scanner presses nothing, however slow it is and whatever it sends; in Settings one reads what it sent @mouse', async ({
  page,
  company,
  standAtDoor,
  say,
  go,
}) => {
  const cabinet = await company.cabinet({ doors: 1 });
  await standAtDoor(cabinet);
  const open = openButton(page, say);
  for (const [code, ending] of [
    ['PAR 77 1', 'Enter'],
    ['7033000', 'Tab'],
    ['A-04', 'Ctrl+J'],
    ['99', 'Enter'],
  ] as const) {
    await open.focus();
    await send(page, ...Array.from(code), ending);
    // A code that nobody here waits for is looked up; a stump of one is dropped.
    const looked = page.getByRole('dialog');
    await expect(looked).toHaveCount(code === '99' ? 0 : 1);
    if (code !== '99') await page.keyboard.press('Escape');
    await expect(looked).toHaveCount(0);
  }
  // What a press would have done by now, a press still does.
  await expect(open).toBeVisible();
  expect(await company.admin.api('GET /occupations')).toEqual([]);
  await open.focus();
  await page.keyboard.press('Space');
  await expect.poll(async () => (await company.admin.api('GET /occupations')).length).toBe(1);

  await go('/settings');
  const trial = page.getByRole('status', { name: say('account.scanner.title') });
  await expect(trial).toBeAttached();
  await page.getByRole('heading', { level: 1 }).click();
  await send(page, ...Array.from('httpsØ--lockers.example-c-104'), 'Tab');
  await expect(trial).toContainText('https://lockers.example/c/104');
  await expect(trial).toContainText('Tab');
  await expect(trial).toContainText(say('account.scanner.mended.layout'));
  await expect(trial).toContainText(say('account.scanner.kinds.cabinet'));
});
