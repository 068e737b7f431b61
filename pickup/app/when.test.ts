import { expect, test } from 'vitest';
import { deadline, left, moment, money, phone } from './when.ts';

const now = Date.parse('2026-11-20T22:30:00Z');

test('says a moment as people do, by the day of the place', () => {
  expect(moment('2026-11-20T22:45:00Z', now, 'en-GB', 'Europe/Oslo')).toBe('today at 23:45');
  expect(moment('2026-11-20T23:15:00Z', now, 'nb-NO', 'Europe/Oslo')).toBe('i morgen kl. 00:15');
  expect(moment('2026-11-23T17:00:00Z', now, 'en-GB', 'Europe/Oslo')).toMatch(/^Monday,? 23 November at 18:00$/);
});
test('says until when by the company’s clock, and names its zone where the phone’s shows another time', () => {
  const phone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const at = '2026-11-20T22:45:00Z';
  expect(deadline(at, now, 'en-GB', phone)).toBe(moment(at, now, 'en-GB', phone));
  const said = ['Europe/Oslo', 'Asia/Tokyo'].filter((zone) => zone !== phone).map((zone) => deadline(at, now, 'en-GB', zone));
  expect(said.every((one) => ['today at 23:45 CET', 'today at 07:45 GMT+9'].includes(one))).toBe(true);
});
test('counts down, and not below zero', () => {
  expect(left('2026-11-20T22:34:05Z', now)).toBe('4:05');
  expect(left('2026-11-20T22:00:00Z', now)).toBe('0:00');
});
test('writes money and phone numbers', () => {
  expect(money({ amount: 4950, currency: 'NOK' }, 'en-GB')).toMatch(/NOK\s?49\.50/);
  expect(money({ amount: 500, currency: 'JPY' }, 'en-GB')).toBe('JP¥500');
  expect(phone('+4722334455')).toBe('+47 22 33 44 55');
  expect(phone('+46812345')).toBe('+46812345');
});
