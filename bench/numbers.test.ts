import { describe, expect, it } from 'vitest';
import { comparison, holds, mean, median, quantile, row, sideBySide, type Ratio } from './numbers.ts';

describe('the bench’s arithmetic', () => {
  it('takes medians and quantiles of what was measured', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.99)).toBe(10);
    expect(() => median([])).toThrow(/Nothing/);
  });

  it('fails a ratio on the wrong side of its limit', () => {
    const ratio: Ratio = { name: 'x', value: 0.49, limit: 0.5, must: 'reach', detail: '' };
    expect(holds(ratio)).toBe(false);
    expect(holds({ ...ratio, value: 0.5 })).toBe(true);
    expect(holds({ ...ratio, value: 1.6, limit: 1.5, must: 'stay below' })).toBe(false);
    expect(row(ratio)).toMatch(/^✗/);
  });

  it('measures side by side, each as often as the other and first as often', async () => {
    const order: string[] = [];
    const note = (name: string, figure: number) => async () => {
      order.push(name);
      return figure;
    };
    const found = await sideBySide({ turns: 3, slices: 2 }, note('a', 6), note('b', 3), mean);
    expect(order.join('')).toBe('abbabaababba');
    expect(found).toEqual({ ratio: 2, from: 2, to: 2, one: 6, other: 3 });
  });

  it('takes the median of the turns’ ratios, and says how far they lay apart', () => {
    const found = comparison([
      [1, 2],
      [9, 3],
      [4, 4],
    ]);
    expect(found).toEqual({ ratio: 1, from: 0.5, to: 3, one: 4, other: 3 });
  });
});
