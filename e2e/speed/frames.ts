import type { Page } from '@playwright/test';

export const FRAMES = 300;

/** Runs in the page: scrolls down and up again, 40 px a frame, and says how long each frame took. */
const measure = (frames: number): string => `(async () => {
  const box = document.scrollingElement;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const took = [];
  let direction = 1;
  let before = await frame();
  for (let n = 0; n < ${frames}; n++) {
    const top = box.scrollTop;
    box.scrollTop = top + direction * 40;
    if (box.scrollTop === top) direction = -direction;
    const now = await frame();
    took.push(now - before);
    before = now;
  }
  return took;
})()`;

/** Milliseconds from frame to frame while the page scrolls, sorted. */
export const framesOf = async (page: Page): Promise<number[]> => (await page.evaluate<number[]>(measure(FRAMES))).toSorted((a, b) => a - b);

export const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
export const told = (name: string, sorted: readonly number[]): string =>
  `${name}: median ${at(sorted, 0.5).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms, worst ${at(sorted, 1).toFixed(1)} ms`;
