import { describe, expect, it } from 'vitest';
import type { Message } from './api.ts';
import { lastCall } from './last-call.ts';

const at = (minute: number, kind: Message['kind'], state: Message['state']) =>
  ({ kind, state, createdAt: `2026-03-02T10:0${minute}:00.000Z` }) as const;

describe('how the last call went', () => {
  it('is nothing before there was one', () => {
    expect(lastCall()).toBeUndefined();
    expect(lastCall([at(1, 'reminder', 'delivered')])).toBeUndefined();
  });

  it('is that of the newest, whatever else was sent since', () => {
    expect(lastCall([at(1, 'ready', 'delivered'), at(2, 'ready', 'failed'), at(3, 'reminder', 'delivered')])).toBe('failed');
  });

  it('is that of whichever of its ways got further', () => {
    expect(lastCall([at(1, 'request', 'failed'), at(1, 'request', 'accepted')])).toBe('accepted');
    expect(lastCall([at(1, 'request', 'failed'), at(1, 'request', 'unknown')])).toBe('unknown');
    expect(lastCall([at(1, 'recall', 'failed'), at(1, 'recall', 'failed')])).toBe('failed');
  });
});
