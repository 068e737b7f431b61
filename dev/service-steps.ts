import type { Page } from '@playwright/test';
import type { Look } from './hand.ts';

const STEPS = {
  delivery: ['asset', 'receiver', 'locker', 'summary'],
  selfservice: ['asset', 'receiver', 'locker', 'summary'],
  lending: ['locker', 'summary'],
  consumable: ['locker', 'summary'],
  sale: ['price', 'locker', 'summary'],
  recall: ['receiver', 'locker', 'summary'],
  'drop-off': ['locker', 'summary'],
} as const;

const FILL: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  asset: (page) => page.locator('[data-step=asset] input[data-step-focus]').fill('Parcel 4300'),
  price: (page) => page.locator('[data-step=price] input[data-step-focus]').fill('89'),
  receiver: async (page) => {
    await page.locator('[data-step=receiver] input[data-step-focus]').fill('Ingrid Solberg');
    await page.locator('[data-step=receiver] input[type=email]').fill('ingrid@example.test');
  },
};

/** The steps of a service's screen after its first: what each asks for is filled in, and it goes on. Where there is something to be picked from outside, those steps lie between. */
export const throughSteps = (service: keyof typeof STEPS): Look[] =>
  STEPS[service].map((step) => ({
    name: `${service}-${step}`,
    go: async ({ page }) => {
      const stands = async () => (await page.locator('[data-step]').first().getAttribute('data-step')) ?? '';
      for (let now = await stands(); now !== step; now = await stands()) {
        await FILL[now]?.(page);
        await page.locator('form button[type=submit]').filter({ visible: true }).first().click();
        await page.locator(`[data-step]:not([data-step=${now}])`).first().waitFor();
      }
      if (step === 'locker') await page.locator('[data-door]').first().waitFor();
    },
  }));
