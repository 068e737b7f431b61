import { askPayer } from '@hatchway/dev/vipps.ts';
import { expect, test } from '../journey.ts';

test('whoever is asked to pay decides on the sandbox’s phone, and the provider’s books tell', async ({
  page,
  company,
  hatchway,
  act,
  say,
}) => {
  const goods = (no: number) => `Drill bit ${no} of ${company.id.slice(0, 8)}`;
  const ask = async (no: number) => `/sandbox/vipps/pay${await askPayer(hatchway.origin, goods(no))}`;
  const button = (word: 'approve' | 'refuse' | 'decline') => page.getByRole('button', { name: say(`sandbox.vipps.${word}`), exact: true });
  const entry = (no: number) => page.getByRole('listitem').filter({ has: page.locator('summary', { hasText: goods(no) }) });

  await test.step('a declined card leaves the choice, and approving leads back to the shop', async () => {
    await page.goto(await ask(1));
    await expect(page.getByText(goods(1))).toBeVisible();
    await act.press(button('decline'));
    await expect(page.getByRole('status')).toHaveText(say('sandbox.vipps.again'));
    await act.press(button('approve'));
    await page.waitForURL(`${hatchway.origin}/`);
  });

  await test.step('refusing leads back too', async () => {
    const address = await ask(2);
    await page.goto(address);
    await act.press(button('refuse'));
    await page.waitForURL(`${hatchway.origin}/`);
    await page.goto(address);
    await expect(page.getByRole('status')).toHaveText(say('sandbox.vipps.ABORTED'));
    await expect(button('approve')).toHaveCount(0);
  });

  await test.step('the books say what became of each, as it happens', async () => {
    await page.goto('/sandbox/vipps');
    await expect(entry(1)).toContainText(say('sandbox.vipps.AUTHORIZED'));
    await expect(entry(2)).toContainText(say('sandbox.vipps.ABORTED'));
    await act.press(entry(1).locator('summary'));
    await expect(entry(1)).toContainText(`AUTHORIZED (${say('sandbox.vipps.declined')})`);
    await ask(3);
    const request = page.getByRole('listitem').filter({ hasText: goods(3) });
    await act.press(request.getByRole('link', { name: say('sandbox.vipps.open') }));
    await expect(button('approve')).toBeVisible();
  });
});
