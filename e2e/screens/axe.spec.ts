import AxeBuilder from '@axe-core/playwright';
import { fillIn, screens } from '@hatchway/dev/screens.ts';
import { expect, test } from '../journey.ts';

// Every screen of the product, in both themes and both languages: no violation of WCAG 2.2 AA, none left for later.
for (const [colorScheme, language, locale] of [
  ['light', 'en', 'en-US'],
  ['dark', 'en', 'en-US'],
  ['light', 'nb', 'nb-NO'],
  ['dark', 'nb', 'nb-NO'],
] as const)
  test.describe(`${colorScheme}, ${language}`, () => {
    test.use({ colorScheme, locale, language });

    test('screens of the portal', async ({ page, company, enter }) => {
      test.setTimeout(180_000);
      const { lockers } = await company.cabinet();
      const { api } = company.admin;
      const asset = await api('POST /assets', { body: { name: 'Cordless drill' } });
      const occupation = await api('POST /occupations/delivery', {
        body: {
          ...(lockers[0] ? { lockerId: lockers[0].id } : {}),
          assetText: 'Parcel',
          receiver: { name: 'Ingrid Solberg', email: 'ingrid@e2e.test' },
          fill: true,
        },
      });
      await enter(company.admin.email);
      const rows = { asset: asset._id, occupation: occupation.id };
      for (const screen of screens.filter((one) => !one.open)) {
        await page.goto(fillIn(screen.path, rows) ?? screen.path);
        await expect(page.getByRole('main')).toBeVisible();
        await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze();
        expect
          .soft(
            violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`),
            screen.name,
          )
          .toEqual([]);
      }
    });

    test('screens that anybody may open', async ({ page }) => {
      test.setTimeout(120_000);
      for (const screen of screens.filter((one) => one.open)) {
        const address = fillIn(screen.path, {});
        if (!address) continue;
        await page.goto(address);
        await expect(page.locator('main, form').first()).toBeVisible();
        const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
        expect
          .soft(
            violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`),
            screen.name,
          )
          .toEqual([]);
      }
    });
  });
