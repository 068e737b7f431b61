import { expect, it } from 'vitest';
import { digitsOf, localeOf, majorOf, minorOf } from './money.ts';

it.each([
  ['89', 'NOK', 8_900],
  ['89,50', 'NOK', 8_950],
  ['1 234.5', 'NOK', 123_450],
  [0.29, 'NOK', 29],
  ['500', 'JPY', 500],
  ['', 'NOK', null],
  ['0', 'NOK', null],
  ['-5', 'NOK', null],
  ['abc', 'NOK', null],
  ['1e300', 'NOK', null],
] as const)('%s %s is %s of the smallest unit', (typed, currency, minor) => {
  expect(minorOf(typed, currency)).toBe(minor);
});

it('reads what it wrote', () => {
  for (const amount of [1, 99, 100, 8_950, 123_456_789]) expect(minorOf(majorOf(amount, 'NOK'), 'NOK')).toBe(amount);
  expect([digitsOf('NOK'), digitsOf('JPY')]).toEqual([2, 0]);
  expect([localeOf('nb'), localeOf('en')]).toEqual(['nb-NO', 'en-US']);
});
