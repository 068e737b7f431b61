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

export const ms = (value: number) => `${value.toFixed(2)} ms`;

/** `unit` writes the figures of both sides. */
export const ratioOf = (name: string, must: Ratio['must'], limit: number, found: Comparison, unit: (figure: number) => string): Ratio => ({
  name,
  value: found.ratio,
  limit,
  must,
  detail: `${found.from.toFixed(2)}–${found.to.toFixed(2)}, ${unit(found.one)} against ${unit(found.other)}`,
});

export const holds = ({ value, limit, must }: Ratio): boolean => (must === 'reach' ? value >= limit : value <= limit);

export const row = (ratio: Ratio): string =>
  `${holds(ratio) ? '  ' : '✗ '}${ratio.name.padEnd(68)} ${ratio.value.toFixed(2).padStart(6)}  must ${ratio.must} ${ratio.limit}   ${ratio.detail}`;

/** Medians of both sides and of the turns' ratios, and how far those lay apart. */
type Comparison = { ratio: number; from: number; to: number; one: number; other: number };

export function comparison(turns: readonly (readonly [one: number, other: number])[]): Comparison {
  const ratios = turns.map(([one, other]) => one / other);
  return {
    ratio: median(ratios),
    from: Math.min(...ratios),
    to: Math.max(...ratios),
    one: median(turns.map(([one]) => one)),
    other: median(turns.map(([, other]) => other)),
  };
}

/**
 * Measures two things side by side: each turn is a few short slices of both, by turns, so that a machine that warms up or has other
 * work meanwhile has it for both. `whole` makes one figure of a turn's slices.
 */
export async function sideBySide<T>(
  { turns, slices }: { turns: number; slices: number },
  one: () => Promise<T>,
  other: () => Promise<T>,
  whole: (parts: T[]) => number,
): Promise<Comparison> {
  const measured: [number, number][] = [];
  for (let turn = 0; turn < turns; turn++) {
    const [ones, others]: [T[], T[]] = [[], []];
    for (let slice = 0; slice < slices; slice++) {
      // who begins changes
      const first = (turn + slice) % 2 === 0;
      if (first) ones.push(await one());
      others.push(await other());
      if (!first) ones.push(await one());
    }
    measured.push([whole(ones), whole(others)]);
  }
  return comparison(measured);
}

export const mean = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
