import { expect, type Page } from '@playwright/test';

/** What the top bar and the dashboard's shortcuts offer, by their words. */
export const offered = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  const [main, shortcuts] = [
    page.getByRole('navigation', { name: 'Main navigation' }),
    page.getByRole('region', { name: 'Services', exact: true }),
  ];
  for (const part of [main, shortcuts]) await expect(part.getByRole('link').first()).toBeVisible();
  const names = async (of: ReturnType<Page['getByRole']>) =>
    (await of.getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0]);
  return {
    bar: await names(main),
    services: await names(shortcuts),
  };
};
