import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MIN_VALIDITY, REFRESH_EVERY, keepFresh } from './refresh.ts';
import { tokenData, untilThere } from './session.ts';

describe('token refresh', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  // shows R9.4, R4.35
  test('asks every 10 s for 60 s of validity', async () => {
    const update = vi.fn(() => Promise.resolve(false));
    const fresh = keepFresh({ update, every: REFRESH_EVERY, validity: MIN_VALIDITY });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(update).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20_001);
    expect(update.mock.calls).toEqual([[60], [60], [60]]);
    fresh.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(update).toHaveBeenCalledTimes(3);
  });

  test('a failure is reported and the next check tries again', async () => {
    const failures: unknown[] = [];
    const update = vi.fn(() => Promise.resolve(true)).mockRejectedValueOnce(new Error('network'));
    const fresh = keepFresh({ update, every: 10, validity: 60, onFailure: (error) => failures.push(error) });
    await vi.advanceTimersByTimeAsync(20);
    expect(failures).toHaveLength(1);
    expect(update).toHaveBeenCalledTimes(2);
    fresh.stop();
  });

  test('a slow refresh is not doubled', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const update = vi.fn(() => promise);
    const fresh = keepFresh({ update, every: 10, validity: 60 });
    await vi.advanceTimersByTimeAsync(50);
    expect(update).toHaveBeenCalledTimes(1);
    resolve(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(update).toHaveBeenCalledTimes(2);
    fresh.stop();
  });

  // shows R8.7
  test('token data without a token fails with the specification’s words', () => {
    expect(() => tokenData(undefined)).toThrow('No Token');
  });
});

describe('before the page loads itself anew', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('waits until the provider answers, and says once that it does not', async () => {
    let there = false;
    let done = false;
    const onAway = vi.fn();
    void untilThere(() => Promise.resolve(there), onAway, 10).then(() => (done = true));
    await vi.advanceTimersByTimeAsync(50);
    expect([onAway.mock.calls.length, done]).toEqual([1, false]);
    there = true;
    await vi.advanceTimersByTimeAsync(10);
    expect(done).toBe(true);
  });

  test('loads at once where it answers', async () => {
    const onAway = vi.fn();
    await untilThere(() => Promise.resolve(true), onAway);
    expect(onAway).not.toHaveBeenCalled();
  });
});
