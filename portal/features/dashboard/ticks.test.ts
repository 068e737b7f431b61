import { expect, it } from 'vitest';
import { ticksOf } from './ticks.ts';

it('an axis has few lines, all of them at whole numbers, and none twice', () => {
  expect(ticksOf(1)).toEqual([0, 1]);
  expect(ticksOf(4)).toEqual([0, 1, 2, 3, 4]);
  expect(ticksOf(5)).toEqual([0, 2, 4, 6]);
  expect(ticksOf(25)).toEqual([0, 10, 20, 30]);
  expect(ticksOf(99)).toEqual([0, 50, 100]);
  expect(ticksOf(0)).toEqual([0, 1]);
  for (let most = 1; most < 3_000; most += 7) {
    const ticks = ticksOf(most);
    expect(ticks.every(Number.isInteger) && ticks.length <= 5 && (ticks.at(-1) ?? 0) >= most).toBe(true);
  }
});

it('money has its lines at whole kroner, not at half of one', () => {
  expect(ticksOf(267_00, 100)).toEqual([0, 100_00, 200_00, 300_00]);
  expect(ticksOf(1_50, 100)).toEqual([0, 1_00, 2_00]);
});
