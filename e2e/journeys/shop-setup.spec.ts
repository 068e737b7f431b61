import { expect, test } from '../journey.ts';

test('how to connect is said once of what is not connected; another address is asked about before a shop’s keys are dropped, and its owner’s no is read with the way to ask again', async ({
  page,
  company,
  hatchway,
  act,
  say,
  enter,
  go,
}) => {
  const { api } = company.admin;
  const url = `${hatchway.origin}/sandbox/woo/shop`;
  const kept = async () => (await api('GET /integrations', { query: { type: 'shop' } }))[0];
  await enter(company.admin.email, '/portal/admin?section=integrations');
  for (const kind of ['woo', 'snipeit', 'tcm'] as const) {
    const one = page.getByRole('region', { name: say(`integrations.${kind}.title`) });
    await expect(one.getByRole('button', { name: say('common.save'), exact: true })).toBeVisible();
    await expect(one.getByText(say(`integrations.${kind}.notYet`))).toHaveCount(1);
  }
  await api('POST /integrations/{kind}', {
    params: { kind: 'woo' },
    body: { settings: { url }, secrets: { consumerKey: 'ck_one', consumerSecret: 'cs_one' } },
  });
  await go('/');
  await go('/admin?section=integrations');
  const panel = page.getByRole('region', { name: say('integrations.woo.title') });
  const button = (name: string) => panel.getByRole('button', { name, exact: true });
  const field = panel.getByLabel(say('integrations.fields.url'), { exact: true });
  const dialog = page.getByRole('dialog', { name: say('integrations.moveTitle', { name: say('integrations.woo.title') }) });

  await test.step('what is saved is tried, and nothing else', async () => {
    await expect(button(say('integrations.shop.test'))).toBeEnabled();
    await field.fill(`${url}s`);
    await expect(button(say('integrations.shop.test'))).toBeDisabled();
    await expect(button(say('integrations.shop.sync'))).toBeDisabled();
    await expect(panel.getByText(say('integrations.saveFirst'))).toBeVisible();
  });

  await test.step('who says no keeps the shop', async () => {
    await act.press(button(say('common.save')));
    await expect(dialog.getByText(url)).toBeVisible();
    await act.press(dialog.getByRole('button', { name: say('common.cancel'), exact: true }));
    expect(await kept()).toMatchObject({ settings: { url }, secrets: { consumerKey: true, consumerSecret: true } });
  });

  await test.step('who says yes has the new address, without keys', async () => {
    await act.press(button(say('common.save')));
    await act.press(dialog.getByRole('button', { name: say('integrations.move'), exact: true }));
    await expect
      .poll(kept)
      .toMatchObject({ settings: { url: `${url}s` }, secrets: { consumerKey: false, consumerSecret: false }, state: 'unverified' });
  });

  await test.step('whose owner said no reads that, with the way to ask again', async () => {
    // so the shop answers, as it leads them back
    await page.goto('/portal/admin?section=integrations&success=0&user_id=asked');
    await expect(panel.getByRole('alert')).toHaveText(say('integrations.shop.denied'));
    await expect(panel.getByRole('link', { name: say('integrations.shop.approve') })).toBeVisible();
    await expect(page).toHaveURL(/section=integrations$/);
  });
});
