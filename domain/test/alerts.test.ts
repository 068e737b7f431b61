import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quietUntil } from '../alerts.ts';

const night = { from: '22:00', to: '07:00' };
const oslo = (now: string, quiet = night) => quietUntil(quiet, 'Europe/Oslo', now);

describe('quiet hours', () => {
  it('are on the clock of the company, over midnight too', () => {
    expect(oslo('2026-01-15T20:59:59Z')).toBeNull(); // 21:59
    expect(oslo('2026-01-15T21:00:00Z')).toBe('2026-01-16T06:00:00.000Z');
    expect(oslo('2026-01-16T05:59:30Z')).toBe('2026-01-16T06:00:00.000Z');
    expect(oslo('2026-01-16T06:00:00Z')).toBeNull();
    expect(quietUntil(night, 'America/New_York', '2026-01-16T06:00:00Z')).toBe('2026-01-16T12:00:00.000Z');
    expect(oslo('2026-01-16T12:30:00Z', { from: '13:00', to: '15:00' })).toBe('2026-01-16T14:00:00.000Z');
    expect(oslo('2026-01-16T14:00:00Z', { from: '13:00', to: '15:00' })).toBeNull();
  });

  it('end at the hour that was named in a night when the clocks are changed', () => {
    expect(oslo('2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z'); // 23:00 → 07:00 summer time, an hour sooner
    expect(oslo('2026-10-24T21:00:00Z')).toBe('2026-10-25T06:00:00.000Z'); // 23:00 → 07:00 winter time, an hour later
  });

  it('are none without both ends', () => {
    expect(quietUntil(null, 'Europe/Oslo', '2026-01-16T01:00:00Z')).toBeNull();
    expect(oslo('2026-01-16T01:00:00Z', { from: '07:00', to: '07:00' })).toBeNull();
  });

  it('end within a day, and then are over', () => {
    const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map((pair) => pair.map((n) => String(n).padStart(2, '0')).join(':')); // prettier-ignore
    const zone = fc.constantFrom('Europe/Oslo', 'UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe');
    const at = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
    fc.assert(
      fc.property(clock, clock, zone, at, (from, to, timeZone, ms) => {
        const now = new Date(ms).toISOString();
        const end = quietUntil({ from, to }, timeZone, now);
        if (end === null) return;
        const left = Date.parse(end) - ms;
        expect(left).toBeGreaterThan(-60_000);
        expect(left).toBeLessThanOrEqual(26 * 3600_000);
      }),
      { numRuns: 500 },
    );
  });
});
