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

test('each hears the day turn where the clocks stand by which its times are shown', () => {
  vi.setSystemTime(new Date('2026-05-04T21:50:00Z'));
  const [here, oslo, also, tokyo] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  const offs = [onMidnight(here), onMidnight(oslo, 'Europe/Oslo'), onMidnight(also, 'Europe/Oslo'), onMidnight(tokyo, 'Asia/Tokyo')];
  expect(vi.getTimerCount()).toBe(1);
  const calls = () => [oslo, also, tokyo].map((tell) => tell.mock.calls.length);
  // 22:00 in UTC is midnight in Oslo, and 15:00 is in Tokyo.
  vi.advanceTimersByTime(10 * 60_000 - 1);
  expect(calls()).toEqual([0, 0, 0]);
  vi.advanceTimersByTime(1);
  expect(calls()).toEqual([1, 1, 0]);
  vi.setSystemTime(new Date('2026-05-05T14:59:30Z'));
  vi.advanceTimersByTime(60_000);
  expect(calls()).toEqual([1, 1, 1]);
  for (const off of offs) off();
  expect(vi.getTimerCount()).toBe(0);
});
