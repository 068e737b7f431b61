import { expect, test } from '../journey.ts';

test('an administrator makes a webhook, tests it, reads its log, sends again, switches it off and on, and deletes it', async ({
  page,
  hatchway,
  company,
  act,
  say,
  enter,
}) => {
  const { api } = company.admin;
  // nobody answers well at an address of the sandbox: of one that something arrived at, its row says so on the way
  const heard = await api('POST /webhooks', { body: { url: 'https://example.com/heard' } });
  await page.route('**/v1/webhooks?**', async (route) => {
    const rows = (await (await route.fetch()).json()) as object[];
    await route.fulfill({ json: rows.map((row) => ({ ...row, deliveredAt: '2026-03-12T11:00:00.000Z' })) });
  });
  await enter(company.admin.email, '/portal/admin?section=webhooks');
  const dialog = page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const url = `${hatchway.origin}/sandbox/nobody-home`;

  await test.step('of one that something arrived at, it is said when; deleted by somebody else, it goes', async () => {
    const one = page.getByRole('article', { name: heard.url });
    await expect(one).toContainText(`${say('lastDelivered')} 12.03.2026`);
    await expect(one).not.toContainText(say('neverDelivered'));
    await page.unroute('**/v1/webhooks?**');
    await api('DELETE /webhooks/{id}', { params: { id: heard.id } });
    await expect(one).toHaveCount(0);
  });

  await test.step('an address inside is refused beside its field; a good one shows its secret once', async () => {
    await act.press(button(say('newWebhook')).first());
    await dialog.getByLabel(say('address'), { exact: true }).fill('https://10.0.0.1/hook');
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog.getByText(say('addressRefused'))).toBeVisible();
    await act.write(dialog.getByLabel(say('address'), { exact: true }), url);
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(dialog.getByText(/^whsec_/)).toBeVisible();
    await act.press(dialog.getByRole('button', { name: say('keptIt'), exact: true }));
    await expect(page.getByRole('article', { name: url })).toContainText(say('neverDelivered'));
    await expect(page.getByRole('article', { name: url })).not.toContainText(say('failingSince'));
  });

  await test.step('a test is sent at once, and its answer stands in the log', async () => {
    // it says before what a test is, and afterwards how this one was answered, at its line in the log
    await expect(page.getByRole('article', { name: url })).toContainText(say('whatATestIs'));
    await act.press(button(say('sendTest')));
    const line = page.getByRole('article', { name: url }).getByRole('listitem').first();
    await expect(line.locator('summary')).toBeFocused();
    await expect(page.getByRole('article', { name: url }).getByRole('status')).toHaveText(
      say('testNotTaken', { answer: say('answeredStatus', { status: '404' }) }),
    );
    await expect(line).toContainText(say('answeredStatus', { status: '404' }));
    await act.press(line.locator('summary'));
    await expect(line).toContainText('webhook-id');
    await act.press(line.getByRole('button', { name: say('sendOnceMore'), exact: true }));
    const lines = page.getByRole('article', { name: url }).getByRole('listitem');
    await expect(lines).toHaveCount(2);
    const state = page.getByRole('article', { name: url }).getByLabel(say('deliveryState'), { exact: true });
    await state.selectOption('delivered');
    await expect(page.getByText(say('noneSuch'), { exact: true })).toBeVisible();
    // another test is led to in the whole log, whatever part of it was looked at
    await act.press(button(say('sendTest')));
    await expect(lines).toHaveCount(3);
    await expect(lines.first().locator('summary')).toBeFocused();
    await expect(state).toHaveValue('');
    await state.selectOption('queued');
    await expect(lines).toHaveCount(3);
    await expect(page.getByRole('article', { name: url })).toContainText(say('failingSince'));
    await expect(page.getByRole('article', { name: url })).toContainText(say('neverDelivered'));
  });

  await test.step('switched off, it stays so, and is switched on again', async () => {
    const off = page.getByRole('article', { name: url }).getByText(say('switchOff'), { exact: true });
    for (const on of [false, true]) {
      await act.press(button(say('changeThis', { name: url })));
      await expect(dialog.getByLabel(say('address'), { exact: true })).toHaveValue(url);
      await act.press(dialog.getByRole('checkbox', { name: say('switchedOn'), exact: true }));
      await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
      await expect(dialog).toBeHidden();
      await expect(off).toHaveCount(on ? 0 : 1);
      await expect(page.getByText(say('offSendsNoTest'))).toHaveCount(on ? 0 : 1);
      expect((await company.admin.api('GET /webhooks')).map((one) => one.active)).toEqual([on]);
    }
  });

  await test.step('deleting names it', async () => {
    await act.press(button(say('deleteThis', { name: url })));
    await expect(dialog).toContainText(say('deleteThisAsked', { name: url }));
    await act.press(dialog.getByRole('button', { name: say('delete'), exact: true }));
    await expect(page.getByRole('article', { name: url })).toHaveCount(0);
    expect(await company.admin.api('GET /webhooks')).toEqual([]);
  });
});
