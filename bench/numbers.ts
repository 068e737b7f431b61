/** The q-th quantile (0…1) of some figures, the nearest that was measured. */
export function quantile(figures: readonly number[], q: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const found = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))];
  if (found === undefined) throw new Error('Nothing was measured.');
  return found;
}

export const median = (figures: readonly number[]): number => quantile(figures, 0.5);

/** A ratio of two things measured side by side in this run, and what it must not pass. Machines differ; ratios of one run differ little. */
export type Ratio = { name: string; value: number; limit: number; must: 'reach' | 'stay below'; detail: string };

export const holds = ({ value, limit, must }: Ratio): boolean => (must === 'reach' ? value >= limit : value <= limit);

export const row = (ratio: Ratio): string =>
  `${holds(ratio) ? '  ' : '✗ '}${ratio.name.padEnd(58)} ${ratio.value.toFixed(2).padStart(6)}  must ${ratio.must} ${ratio.limit}   ${ratio.detail}`;

/** Measures two things by turns, so that a machine that warms up or slows down does so for both; answers the medians of `times` each. */
export async function byTurns(times: number, one: () => Promise<number>, other: () => Promise<number>): Promise<[number, number]> {
  const [ones, others]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < times; turn++) {
    // who begins changes with each turn
    if (turn % 2 === 0) ones.push(await one());
    others.push(await other());
    if (turn % 2 === 1) ones.push(await one());
  }
  return [median(ones), median(others)];
}
