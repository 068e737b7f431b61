import { makeCompany } from '../company.ts';
import { openButton, test } from '../counter.ts';
import { expect } from '../journey.ts';
import { complaints, expectNone, goTo } from './look.ts';

// What no address leads to: what stands on a screen for a moment, once, or after somebody else was quicker.
for (const [colorScheme, language, locale] of [
  ['light', 'nb', 'nb-NO'],
  ['dark', 'en', 'en-US'],
] as const)
  test.describe(() => {
    test.use({ colorScheme, locale, language, contextOptions: { reducedMotion: 'reduce' } });
    // as of a screen: its ways, of which the gate walks one
    const titleOf = (name: string) => `${name}, ${language}, ${colorScheme}`;

    test(titleOf('a door as it opens, is filled, and fails'), async ({ page, company, act, say, standAtDoor }) => {
      const heard = complaints(page);
      const cabinet = await company.cabinet({ doors: 2 });
      const lot = await standAtDoor(cabinet);
      const says = (words: string) => expect(page.getByRole('heading', { name: words })).toBeVisible();
      await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: true });
      await act.press(openButton(page, say));
      await expect(page.locator('section[data-tone=bad]')).toBeVisible();
      await expectNone(page, 'running-failed');
      await cabinet.virtual.act({ do: 'jam', door: lot.compartment, on: false });
      await act.press(page.getByRole('button', { name: say('tryAgain'), exact: true }));
      await says(say('isOpen', { tag: lot.doorTag }));
      await expectNone(page, 'running-ajar');
      await cabinet.virtual.act({ do: 'put', door: lot.compartment, what: 'parcel' });
      await cabinet.virtual.act({ do: 'close', door: lot.compartment });
      await says(say('liesIn', { tag: lot.doorTag }));
      await expectNone(page, 'running-filled');
      await act.press(page.getByRole('button', { name: say('notify'), exact: true }));
      await says(say('notified', { name: 'Ingrid Solberg' }));
      await expectNone(page, 'running-told');
      expect(heard).toEqual([]);
    });

    test(titleOf('what is offered to who signed in at the cabinet'), async ({ page, company, act, say }) => {
      const { api } = company.admin;
      const { lockers, number } = await company.cabinet({ doors: 2, hasSensors: false });
      const person = await company.person([], 'Cara Crew');
      await api('POST /policies', { body: { name: 'Everybody', ref: company.ref('everybody'), services: ['lending', 'consumable'] } });
      const things = [
        { type: 'lending', assetText: 'Drill' },
        { type: 'consumable', assetText: 'Gloves', quantity: 5 },
      ] as const;
      for (const [at, thing] of things.entries()) {
        const { id } = await api('POST /occupations', { body: { ...thing, lockerId: lockers[at]?.id ?? '' } });
        for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
      }
      await page.goto(`/c/${number}`);
      await act.press(page.getByRole('button', { name: say('signIn'), exact: true }));
      await act.write(page.getByLabel(say('login')), person.email);
      await act.write(page.getByLabel(say('password'), { exact: true }), company.password);
      await act.press(page.getByRole('button', { name: say('signIn'), exact: true }));
      await expect(page.getByRole('listitem').filter({ hasText: 'Gloves' })).toBeVisible();
      await expectNone(page, 'pickup-offers');
    });

    test(titleOf('secrets that are shown once, and what somebody else saved meanwhile'), async ({ page, company, act, say, enter, go }) => {
      await enter(company.admin.email, '/portal/admin/api');
      const dialog = page.getByRole('dialog');
      const press = (name: string) => act.press(dialog.getByRole('button', { name, exact: true }));
      await act.press(page.getByRole('button', { name: say('newKey'), exact: true }).first());
      await act.write(dialog.getByLabel(say('name'), { exact: true }), 'Webshop');
      await press(say('makeKey'));
      await expect(dialog.getByText(say('scopeNeeded'))).toBeVisible();
      await act.press(dialog.getByRole('checkbox', { name: say('readEverything'), exact: true }));
      await press(say('makeKey'));
      await expect(dialog.getByRole('button', { name: say('keptIt'), exact: true })).toBeVisible();
      await expectNone(page, 'api-key-secret');

      await act.press(dialog.getByRole('button', { name: say('keptIt'), exact: true }));
      await go('/admin?section=webhooks');
      await act.press(page.getByRole('button', { name: say('newWebhook'), exact: true }).first());
      await act.write(dialog.getByLabel(say('address'), { exact: true }), 'http://example.com');
      await press(say('save'));
      await expect(dialog.getByText(say('addressRefused'))).toBeVisible();
      await expectNone(page, 'webhook-refused');
      await act.write(dialog.getByLabel(say('address'), { exact: true }), 'https://example.com/hatchway');
      await press(say('save'));
      await expect(dialog.getByRole('button', { name: say('keptIt'), exact: true })).toBeVisible();
      await expectNone(page, 'webhook-secret');
      await act.press(dialog.getByRole('button', { name: say('keptIt'), exact: true }));

      const { api } = company.admin;
      const made = await api('POST /asset-groups', { body: { name: 'Tools', description: 'What is lent out' } });
      await go('/iam/assetgroups');
      await act.press(page.getByRole('button', { name: say('changeThis', { name: 'Tools' }), exact: true }));
      await act.write(dialog.getByLabel(say('description'), { exact: true }), 'Mine');
      const { id, version } = made;
      await api('PUT /asset-groups/{id}', { params: { id }, body: { name: 'Tools', description: 'Theirs', version } });
      await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
      await expect(dialog.getByRole('alert')).toContainText(say('staleSaid'));
      await expectNone(page, 'save-stale');
      await act.press(dialog.getByRole('button', { name: say('showNewer'), exact: true }));
      await expect(dialog.getByRole('button', { name: say('bringBackMine'), exact: true })).toBeVisible();
      await expectNone(page, 'save-theirs');
    });

    test(titleOf('whoever belongs to two companies chooses one'), async ({ page, hatchway, company, act, say }) => {
      const other = await makeCompany(hatchway);
      await other.join(company.admin.email, ['delivery_manager']);
      await goTo(page, '/portal/');
      await act.write(page.getByLabel(say('login')), company.admin.email);
      await act.write(page.getByLabel(say('password'), { exact: true }), company.password);
      await act.press(page.getByRole('button', { name: say('signIn'), exact: true }));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('chooseCompany'));
      await expectNone(page, 'choose-company');
      await other.remove();
    });
  });
