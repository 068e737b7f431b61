import { expect, type Locator, type Page } from '@playwright/test';

/** What slides or fades is somewhere else, and of another colour, while it does; what turns for ever is not waited for. */
const STILL = `document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity)`;
export const isStill = (page: Page): Promise<boolean> => page.evaluate(STILL);

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** Where something is once nothing moves any more: a place that was read before is another one by the time that a hand is there. */
export async function boxOf(what: Locator): Promise<Box> {
  let box: Box | null = null;
  await expect
    .poll(
      async () => {
        const before = box;
        box = await what.boundingBox();
        return box !== null && JSON.stringify(box) === JSON.stringify(before) && (await isStill(what.page()));
      },
      { intervals: [50], message: `${String(what)} stands still` },
    )
    .toBe(true);
  if (box === null) throw new Error(`Nobody can reach ${String(what)}.`);
  return box;
}

/** Presses what may be gone by itself before the hand is there: what was read anew meanwhile needs no asking. */
export const pressUnlessGone = (what: Locator): Promise<void> =>
  expect(async () => {
    if (await what.isVisible()) await what.click({ timeout: 10_000 });
  }).toPass({ timeout: 60_000 });
