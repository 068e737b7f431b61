import type { Page } from '@playwright/test';

const FRAMES = 300;

/** Runs in the page: scrolls a box, or the page itself, 40 px a frame, down and back to where it was, and says how long each frame took, and how far it went. */
const measure = (frames: number, box: string): string => `(async () => {
  const box = ${box === '' ? 'document.scrollingElement' : `document.querySelector(${JSON.stringify(box)})`};
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const took = [];
  let gone = 0;
  let direction = 1;
  let before = await frame();
  for (let n = 0; n < ${frames}; n++) {
    const top = box.scrollTop;
    box.scrollTop = top + direction * 40;
    gone += Math.abs(box.scrollTop - top);
    if (box.scrollTop === top || n === ${frames / 2}) direction = -direction;
    const now = await frame();
    took.push(now - before);
    before = now;
  }
  return { took, gone };
})()`;

/** Milliseconds that the page's main thread itself has worked: unlike the time of a frame they are the same however busy the machine is. */
async function worked(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const now = async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  const before = await now();
  return async () => {
    const ms = ((await now()) - before) * 1000;
    await session.detach();
    return ms;
  };
}

export type Measured = { sorted: number[]; gone: number; work: number };
/** Milliseconds from frame to frame while the page, or a box in it, scrolls, sorted; and those of work a frame. */
export const framesOf = async (page: Page, box = ''): Promise<Measured> => {
  const work = await worked(page);
  const { took, gone } = await page.evaluate<{ took: number[]; gone: number }>(measure(FRAMES, box));
  return { sorted: took.toSorted((a, b) => a - b), gone, work: (await work()) / FRAMES };
};

export const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
const told = (name: string, { sorted, work }: Measured): string =>
  `${name}: ${work.toFixed(1)} ms of work a frame; median ${at(sorted, 0.5).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms, worst ${at(sorted, 1).toFixed(1)} ms, ${sorted.filter((ms) => ms > 20).length} of ${sorted.length} dropped one`;

/** What p95 of the frames may be, in those of an empty page of the same run. */
export const LIMIT = 2;

export type Frames = { idle: Measured; busy: Measured };

/** Prints both and answers their p95 against each other's: machines differ, ratios of one run do not. */
export function compared(name: string, changes: number, empty: Frames, full: Frames): { scrolled: number; live: number } {
  const scrolled = at(full.idle.sorted, 0.95) / at(empty.idle.sorted, 0.95);
  const live = at(full.busy.sorted, 0.95) / at(empty.busy.sorted, 0.95);
  console.log(
    [
      told('empty page', empty.idle),
      told('empty page while others work', empty.busy),
      told(`${name}, scrolled`, full.idle),
      told(`${name}, scrolled during ${changes} live changes`, full.busy),
      `p95 against the empty page's: scrolled ${scrolled.toFixed(2)}, with live changes ${live.toFixed(2)} (at most ${LIMIT})`,
    ].join('\n'),
  );
  return { scrolled, live };
}

/** Others who change something all the while, some twenty times a second; answers what was measured meanwhile, and how many changes came. */
export async function whileOthersChange<T>(
  change: (n: number) => Promise<unknown>,
  measured: () => Promise<T>,
): Promise<{ found: T; changes: number }> {
  const others = { changes: 0, open: true };
  const ended = (async () => {
    while (others.open) {
      await Promise.all([change(others.changes), new Promise((resolve) => setTimeout(resolve, 50))]);
      others.changes += 1;
    }
  })();
  try {
    return { found: await measured(), changes: others.changes };
  } finally {
    others.open = false;
    await ended;
  }
}
