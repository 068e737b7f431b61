import { expect, it } from 'vitest';
import { digitsOf } from '@hatchway/domain/price.ts';
import { majorOf, minorOf, priceOf, typedAmount } from './money.ts';

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
  ['1e3', 'NOK', null],
  ['0x10', 'NOK', null],
  ['12.345', 'NOK', null],
  ['0.005', 'NOK', null],
  ['1.5', 'JPY', null],
  ['1,2,3', 'NOK', null],
] as const)('%s %s is %s of the smallest unit', (typed, currency, minor) => {
  expect(minorOf(typed, currency)).toBe(minor);
});

it('of what one piece costs ten million at most is no slip of the finger', () => {
  expect([priceOf('10 000 000', 'NOK'), priceOf('10000000,01', 'NOK'), priceOf('0', 'NOK')]).toEqual([1_000_000_000, null, null]);
});

it('reads what it wrote', () => {
  for (const amount of [1, 99, 100, 8_950, 123_456_789]) expect(minorOf(majorOf(amount, 'NOK'), 'NOK')).toBe(amount);
  for (const language of ['en', 'nb']) expect(minorOf(typedAmount(8_950, 'NOK', language), 'NOK')).toBe(8_950);
  expect([typedAmount(24_900, 'NOK', 'nb'), typedAmount(24_900, 'NOK', 'en')]).toEqual(['249,00', '249.00']);
  expect([digitsOf('NOK'), digitsOf('JPY')]).toEqual([2, 0]);
});
