import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onMidnight } from './midnight.ts';

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 4, 4, 23, 50) }));
afterEach(() => vi.useRealTimers());

test('all who listen hear the day turn, once, by one timer that ends with the last of them', () => {
  const told = [vi.fn(), vi.fn()];
  const [first, second] = told.map((tell) => onMidnight(tell));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(10 * 60_000 - 1);
  expect(told.map((tell) => tell.mock.calls.length)).toEqual([0, 0]);
  vi.advanceTimersByTime(1);
  expect(told.map((tell) => tell.mock.calls.length)).toEqual([1, 1]);
  first?.();
  vi.advanceTimersByTime(24 * 60 * 60_000);
  expect(told.map((tell) => tell.mock.calls.length)).toEqual([1, 2]);
  second?.();
  expect(vi.getTimerCount()).toBe(0);
});

test('a computer that slept over midnight says so within a minute', () => {
  const tell = vi.fn();
  const off = onMidnight(tell);
  vi.setSystemTime(new Date(2026, 4, 5, 7, 30));
  vi.advanceTimersByTime(60_000);
  expect(tell).toHaveBeenCalledOnce();
  off();
});
