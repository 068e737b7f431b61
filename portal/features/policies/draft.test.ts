import { expect, it } from 'vitest';
import type { Policy } from './api.ts';
import { draftOf, inputOf, priceFits } from './draft.ts';

it.each([
  ['NOK', 'nb', 8_950, '89,50'],
  ['NOK', 'en', 8_950, '89.50'],
  ['JPY', 'en', 5_000, '5000'],
  ['KWD', 'en', 5_250, '5.250'],
])('a price in %s stands in the form as people write it in %s, and is saved as it was', (currency, language, amount, typed) => {
  const draft = draftOf({ price: { amount, currency } } as Policy, language);
  expect(draft).toMatchObject({ price: typed, currency });
  expect(inputOf(draft).price).toEqual({ amount, currency });
});

it.each([
  ['49,5', 4_950],
  ['49,50', 4_950],
  ['49.50', 4_950],
  ['1 234,50', 123_450],
  ['', null],
  ['49,', false],
  ['49,505', false],
  ['1.234,50', false],
  ['-5', false],
  ['0', false],
] as const)('%j typed as a price is %j, and nothing else', (price, amount) => {
  const draft = { ...draftOf(null, 'nb'), price };
  expect(priceFits(draft)).toBe(amount !== false);
  expect(inputOf(draft).price?.amount ?? null).toBe(amount === false ? null : amount);
});
