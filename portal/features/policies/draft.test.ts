import { expect, it } from 'vitest';
import type { Policy } from './api.ts';
import { draftOf, inputOf } from './draft.ts';

it.each([
  ['NOK', 8_950, 89.5],
  ['JPY', 5_000, 5_000],
  ['KWD', 5_250, 5.25],
])('a price in %s stands in the form as people write it, and is saved as it was', (currency, amount, typed) => {
  const draft = draftOf({ price: { amount, currency } } as Policy);
  expect(draft).toMatchObject({ price: typed, currency });
  expect(inputOf(draft).price).toEqual({ amount, currency });
});
