import { describe, expect, test, vi } from 'vitest';
import { answers, isChunkError, reloadOnce } from './chunks.ts';

const storage = (): Storage => {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    key: () => null,
    length: 0,
  };
};

describe('a chunk that is gone after a deployment', () => {
  test('reloads the page once, and no second time soon after', () => {
    const reload = vi.fn();
    const kept = storage();
    expect(reloadOnce(1_000_000, kept, reload)).toBe(true);
    expect(reloadOnce(1_010_000, kept, reload)).toBe(false);
    expect(reload).toHaveBeenCalledTimes(1);
    expect(reloadOnce(2_000_000, kept, reload)).toBe(true);
  });
  test('a browser that keeps nothing does not reload for ever', () => {
    const reload = vi.fn();
    const broken = Object.assign(storage(), {
      getItem: () => {
        throw new Error('denied');
      },
    });
    expect(reloadOnce(1, broken, reload)).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });
  test('leaves the page as it is while the server is out of reach', async () => {
    expect(await answers(() => Promise.reject(new TypeError('Failed to fetch')), '/portal/')).toBe(false);
    expect(await answers(async () => ({ ok: false }), '/portal/')).toBe(false);
    expect(await answers(async () => ({ ok: true }), '/portal/')).toBe(true);
  });
  // shows R8.13
  test('is told from other errors, a failed style sheet included', () => {
    expect(isChunkError(new TypeError('Failed to fetch dynamically imported module: /portal/assets/x.js'))).toBe(true);
    expect(isChunkError(new Error('Unable to preload CSS for /portal/assets/x.css'))).toBe(true);
    expect(isChunkError(new Error('x is undefined'))).toBe(false);
  });
});
