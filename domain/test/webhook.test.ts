import { describe, expect, it } from 'vitest';
import { WEBHOOK_GIVES_UP_S, WEBHOOK_WAITS, retryAfterOf, webhookOutcome } from '../webhook.ts';

const tried = (more: object) => webhookOutcome({ attempt: 1, status: 500, retryAfter: null, failingForS: 0, ...more });

describe('a webhook’s answer', () => {
  it.each([200, 201, 202, 204, 299])('%i is delivered', (status) => expect(tried({ status })).toEqual({ state: 'delivered' }));
  it.each([null, 100, 300, 301, 302, 400, 401, 404, 429, 500, 503])('%s is tried again', (status) =>
    expect(tried({ status })).toEqual({ state: 'again', waitS: 5 }),
  );
  it('410 ends it, and all that would follow', () => expect(tried({ status: 410 })).toEqual({ state: 'failed', disable: 'gone' }));

  it('is waited for longer each time, then given up', () => {
    const waits = WEBHOOK_WAITS.map((_, at) => tried({ attempt: at + 1 }));
    expect(waits).toEqual(WEBHOOK_WAITS.map((waitS) => ({ state: 'again', waitS })));
    expect(WEBHOOK_WAITS.reduce((sum, one) => sum + one)).toBeGreaterThan(WEBHOOK_GIVES_UP_S);
    const last = { attempt: WEBHOOK_WAITS.length + 1 };
    expect(tried({ ...last, failingForS: WEBHOOK_GIVES_UP_S })).toEqual({ state: 'failed', disable: 'failing' });
    expect(tried({ ...last, failingForS: WEBHOOK_GIVES_UP_S - 1 })).toEqual({ state: 'failed', disable: null });
  });

  it('may ask for more time, never for less, and for a day at most', () => {
    expect(tried({ status: 429, retryAfter: 60 })).toEqual({ state: 'again', waitS: 60 });
    expect(tried({ status: 429, retryAfter: 1 })).toEqual({ state: 'again', waitS: 5 });
    expect(tried({ status: 503, retryAfter: 1e9 })).toEqual({ state: 'again', waitS: 86_400 });
    expect(tried({ status: 503, retryAfter: -1e9 })).toEqual({ state: 'again', waitS: 5 });
  });

  it.each([
    ['120', 120],
    ['Fri, 27 Nov 2026 14:00:00 GMT', 7200],
    ['Friday, 27-Nov-26 14:00:00 GMT', 7200],
    ['Fri Nov 27 14:00:00 2026', 7200],
    ['Fri, 27 Nov 2026 11:00:00 GMT', -3600],
    ['Fri, 99 Nov 2026 14:00:00 GMT', null],
    ['Fri, 27 Nov 2026 14:00:00 +0200', null],
    ['2026-11-27T14:00:00Z', null],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('asks for time in seconds or until a date: %j', (header, seconds) =>
    expect(retryAfterOf(header, Date.parse('2026-11-27T12:00:00Z'))).toBe(seconds),
  );
});
