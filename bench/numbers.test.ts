import { describe, expect, it } from 'vitest';
import { byTurns, holds, median, quantile, row, type Ratio } from './numbers.ts';

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

  it('measures by turns, each as often as the other', async () => {
    const order: string[] = [];
    const note = (name: string) => async () => order.push(name);
    await byTurns(3, note('a'), note('b'));
    expect(order.join('')).toBe('abbaab');
  });
});
