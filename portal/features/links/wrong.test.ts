import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { wrongOf } from './wrong.ts';

test('what cannot be saved of a link is said before it is sent', () => {
  const t = ((key: string) => key) as TFunction;
  const wrong = (from: string, to: string) =>
    wrongOf({ name: 'Plumber', validFrom: from, validTo: to, maxUses: 1 }, t, true, Date.parse('2026-01-01T00:00:00Z'));
  expect(wrong('2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual({});
  expect(wrong('2026-01-01T00:00:00Z', '2027-01-03T00:00:00Z')).toEqual({ validTo: 'links.yearAtMost' });
  expect(wrong('2026-01-02T00:00:00Z', '2026-01-01T12:00:00Z')).toEqual({ validTo: 'links.endBeforeStart' });
  expect(wrong('2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z')).toEqual({ validTo: 'links.endPassed' });
});
