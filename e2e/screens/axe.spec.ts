import { handOn } from '@hatchway/dev/hand.ts';
import { fillIn, lookThrough, screens } from '@hatchway/dev/screens.ts';
import { messagesTo } from '../company.ts';
import { expect, test } from '../journey.ts';
import { complaints, expectFits, expectNone, goTo } from './look.ts';
import { rowsOf } from './rows.ts';

/** Of one receiver's alone, made for it below; the inbox too: whatever ran before has filled it, and each mail is a frame to look into. */
const BEHIND_A_LINK = new Set(['pickup-link', 'pickup-access-link', 'sandbox-inbox']);

const staff = screens.filter((one) => !one.open);
const half = Math.ceil(staff.length / 2);
const parts = [staff.slice(0, half), staff.slice(half)];

// Every screen of the product in both languages, and each look in both themes; two at a time.
for (const [colorScheme, language, locale] of [
  ['light', 'en', 'en-US'],
  ['dark', 'nb', 'nb-NO'],
] as const)
  test.describe(`${colorScheme}, ${language}`, () => {
    test.use({ colorScheme, locale, language });
    // for what hangs: a part is some seventy looks
    test.setTimeout(600_000);

    for (const part of parts)
      test(`portal, ${part[0]?.name} to ${part.at(-1)?.name}`, async ({ page, company, enter, language }) => {
        const rows = await rowsOf(company);
        await enter(company.admin.email);
        const hand = handOn(page, language);
        const heard = complaints(page);
        for (const screen of part) {
          await goTo(page, fillIn(screen.path, rows));
          await expect(page.getByRole('main')).toBeVisible();
          await lookThrough(screen, hand, async (name) => {
            await expectNone(page, name);
            // Norwegian has the longer words
            if (language === 'nb') await expectFits(page, name);
          });
        }
        expect(heard).toEqual([]);
      });

    test('screens that anybody may open', async ({ page, hatchway, company, language }) => {
      const { virtual } = await company.cabinet({ doors: 2 });
      const to = `nora-${company.id}@e2e.test`;
      await company.admin.api('POST /companies/{tenant}/invitations', { params: { tenant: company.id }, body: { email: to, roles: [] } });
      const [invited] = await messagesTo(hatchway.origin, to);
      const rows = { invitation: invited?.links[0] ?? '', virtual: `#cabinet=${virtual.id}` };
      const hand = handOn(page, language);
      const heard = complaints(page);
      for (const screen of screens.filter((one) => one.open && !BEHIND_A_LINK.has(one.name))) {
        await goTo(page, fillIn(screen.path, rows));
        await expect(page.locator('main, form').first()).toBeVisible();
        await lookThrough(screen, hand, (name) => expectNone(page, name));
      }
      expect(heard).toEqual([]);
    });

    test('the end-user site behind a link', async ({ page, company, hatchway, say }) => {
      const { lockers } = await company.cabinet({ doors: 2 });
      const { api } = company.admin;
      const to = `ingrid-${Math.random().toString(36).slice(2)}@e2e.test`;
      const held = await api('POST /occupations/delivery', {
        body: { lockerId: lockers[0]?.id ?? '', assetText: 'Parcel', receiver: { name: 'Ingrid Solberg', email: to }, fill: true },
      });
      await api('PUT /occupations', { body: { id: held.id, action: 'send' } });
      const link = (await messagesTo(hatchway.origin, to))[0]?.links[0] ?? '';
      await goTo(page, link);
      await expect(page.getByRole('button', { name: say('openLocker') })).toBeVisible();
      await expectNone(page, 'pickup-link');
      const inbox = `/sandbox/inbox?to=${encodeURIComponent(to)}`;
      await goTo(page, inbox);
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
      await expectNone(page, 'sandbox-inbox');
      for (const purpose of ['open', 'drop-off'] as const) {
        const { url } = await api('POST /links', { body: { name: 'Supplier', purpose, lockerIds: lockers.map(({ id }) => id) } });
        await goTo(page, url);
        await expect(page.getByRole('button', { name: say('openLocker') })).toBeVisible();
        await expectNone(page, `pickup-access-link ${purpose}`);
      }
    });
  });
