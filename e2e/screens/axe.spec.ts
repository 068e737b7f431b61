import { handOn } from '@hatchway/dev/hand.ts';
import { fillIn, lookThrough, screens } from '@hatchway/dev/screens.ts';
import { expect } from '../journey.ts';
import { expectFits, expectNone } from './look.ts';
import { test } from './shared.ts';

/** A link to open with stands for a look that no address of its own has: the same page for another purpose. */
const all = [...screens, { name: 'pickup-access-link-open', path: '{openAddress}', open: true as const }];

// Every screen of the product in both languages, the one in the light theme and the other in the dark one.
for (const [colorScheme, language, locale] of [
  ['light', 'en', 'en-US'],
  ['dark', 'nb', 'nb-NO'],
] as const)
  test.describe(() => {
    test.use({ colorScheme, locale, language });
    const titleOf = (name: string) => `${name}, ${language}, ${colorScheme}`;

    for (const screen of all.filter((one) => !one.open))
      test(titleOf(screen.name), async ({ page, rows, show }) => {
        const address = fillIn(screen.path, rows);
        // looked at by another name, from which what is opened on it differs
        const isKnown = all.slice(0, all.indexOf(screen)).some((one) => fillIn(one.path, rows) === address);
        await show(address);
        await expect(page.getByRole('main')).toBeVisible();
        await lookThrough(screen, handOn(page, language), async (name) => {
          if (isKnown && name === screen.name) return;
          await expectNone(page, name);
          // Norwegian has the longer words
          if (language === 'nb') await expectFits(page, name);
        });
      });

    test.describe(() => {
      test.use({ isSignedIn: false });
      for (const screen of all.filter((one) => one.open))
        test(titleOf(screen.name), async ({ page, rows, say, show }) => {
          await show(fillIn(screen.path, rows));
          await expect(page.locator('main, form').first()).toBeVisible();
          // what the address is for, not what stands there until it is read
          if (/\{(link|\w+Address)\}/.test(screen.path)) await expect(page.getByRole('button', { name: say('openLocker') })).toBeVisible();
          if (screen.path.includes('{inbox}')) await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
          await lookThrough(screen, handOn(page, language), (name) => expectNone(page, name));
        });
    });
  });
