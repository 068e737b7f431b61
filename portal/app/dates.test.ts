import { describe, expect, test } from 'vitest';
import {
  atWallClock,
  dayStart,
  deadline,
  fullTime,
  listed,
  localDay,
  otherZone,
  shortTime,
  span,
  typedMoment,
  wallClock,
} from './dates.ts';

const now = new Date(2026, 2, 29, 15, 4, 5);

describe('dates', () => {
  // shows R2.42
  test('today reads HH:mm:ss', () => {
    expect(shortTime(new Date(2026, 2, 29, 0, 0, 0), now)).toBe('00:00:00');
    expect(shortTime(new Date(2026, 2, 29, 9, 8, 7), now)).toBe('09:08:07');
    expect(shortTime(new Date(2026, 2, 29, 23, 59, 59), now)).toBe('23:59:59');
  });
  // shows R2.42
  test('any other day reads DD.MM.YYYY, a second before midnight too', () => {
    expect(shortTime(new Date(2026, 2, 28, 23, 59, 59), now)).toBe('28.03.2026');
    expect(shortTime(new Date(2026, 2, 30, 0, 0, 0), now)).toBe('30.03.2026');
    expect(shortTime(new Date(2025, 2, 29, 15, 4, 5), now)).toBe('29.03.2025');
  });
  test('wire strings are read in the local time zone', () => {
    expect(shortTime(now.toISOString(), now)).toBe('15:04:05');
  });
  test('nothing and nonsense read as a dash', () => {
    expect(shortTime(null, now)).toBe('–');
    expect(shortTime('soon', now)).toBe('–');
    expect(fullTime(undefined)).toBe('–');
  });
  test('a zone has its own today', () => {
    const late = Date.parse('2026-11-22T23:04:00Z');
    expect(localDay(0, 'Europe/Oslo', late)).toBe('2026-11-23');
    expect(localDay(1, 'Europe/Oslo', late)).toBe('2026-11-22');
    expect(localDay(0, 'America/New_York', late)).toBe('2026-11-22');
    expect(dayStart('2026-11-23', 0, 'Europe/Oslo')).toBe('2026-11-22T23:00:00.000Z');
    expect(localDay(0, undefined, now.getTime())).toBe('2026-03-29');
  });
  // shows R2.42
  test('a deadline is said by the company’s clock, its zone named where the browser’s shows another time', () => {
    const browser = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const at = '2026-11-22T23:04:00.000Z';
    expect([deadline(at, browser), deadline(at, undefined), deadline(at, browser, shortTime)]).toEqual([
      fullTime(at),
      fullTime(at),
      shortTime(at),
    ]);
    // Two zones, so that one of them is not the browser's.
    const said = ['Europe/Oslo', 'Asia/Kolkata'].filter((zone) => zone !== browser).map((zone) => deadline(at, zone, shortTime));
    expect(said.every((one) => ['23.11.2026 00:04:00 CET', '23.11.2026 04:34:00 GMT+5:30'].includes(one))).toBe(true);
    expect(deadline(null, 'Asia/Kolkata')).toBe('–');
  });
  // shows R2.42
  test('a list keeps it short: the time of the company’s today, else its day, and the zone where the browser’s clock shows another time', () => {
    const browser = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const at = '2026-11-22T23:04:00.000Z';
    expect([listed(at, browser, now.getTime()), listed(at, undefined, now.getTime())]).toEqual([shortTime(at, now), shortTime(at, now)]);
    const zones = ['Europe/Oslo', 'Asia/Kolkata'].filter((zone) => zone !== browser);
    const said = (read: string) => zones.map((zone) => listed(at, zone, Date.parse(read)));
    expect(said('2026-11-23T04:00:00Z').every((one) => ['00:04:00 CET', '04:34:00 GMT+5:30'].includes(one))).toBe(true);
    expect(said('2026-11-25T04:00:00Z').every((one) => ['23.11.2026 CET', '23.11.2026 GMT+5:30'].includes(one))).toBe(true);
    expect(listed(null, 'Asia/Kolkata')).toBe('–');
  });
  test('spans name two units at most', () => {
    expect([span(8000), span(250_000), span(12_000_000), span(187_200_000), span(-5)]).toEqual(['8s', '4m 10s', '3h 20m', '2d 4h', '0s']);
  });
});

test('a time is written and read by the clock of a zone, also where the clocks change', () => {
  for (const [zone, shown, at] of [
    ['Europe/Oslo', '2026-11-27 16:00:00', '2026-11-27T15:00:00.000Z'],
    ['Europe/Oslo', '2026-07-01 16:00:00', '2026-07-01T14:00:00.000Z'],
    ['Europe/Oslo', '2026-03-29 01:59:00', '2026-03-29T00:59:00.000Z'],
    ['Europe/Oslo', '2026-03-29 03:00:00', '2026-03-29T01:00:00.000Z'],
    ['Europe/Oslo', '2026-10-25 01:30:00', '2026-10-24T23:30:00.000Z'],
    ['Europe/Oslo', '2026-10-25 03:30:00', '2026-10-25T02:30:00.000Z'],
    ['America/New_York', '2026-03-08 03:30:00', '2026-03-08T07:30:00.000Z'],
    ['America/New_York', '2026-11-01 03:30:00', '2026-11-01T08:30:00.000Z'],
    ['America/St_Johns', '2026-11-27 11:30:00', '2026-11-27T15:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-28 04:30:00', '2026-11-27T23:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-27 20:45:00', '2026-11-27T15:00:00.000Z'],
    ['Pacific/Auckland', '2026-11-28 04:00:00', '2026-11-27T15:00:00.000Z'],
    ['Pacific/Kiritimati', '2027-01-01 05:00:00', '2026-12-31T15:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-12-31 04:00:00', '2026-12-31T15:00:00.000Z'],
    ['UTC', '2026-11-27 15:00:00', '2026-11-27T15:00:00.000Z'],
  ] as const)
    expect([shown, atWallClock(shown, zone), wallClock(at, zone)]).toEqual([shown, at, shown]);
  // left out as the clocks go forward: the hour after it
  expect(atWallClock('2026-03-29 02:30:00', 'Europe/Oslo')).toBe('2026-03-29T01:30:00.000Z');
  const browser = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(otherZone('2026-11-27T15:00:00.000Z', browser)).toBeNull();
});

test('a typed day comes before its month, and one that is none is none', () => {
  expect(['05.11.2026', '5.11.2026', '2026-11-05'].map(typedMoment)).toEqual(Array(3).fill('2026-11-05 00:00:00'));
  expect(['25.11.2026 14:30', '2026-11-25 14:30:00'].map(typedMoment)).toEqual(Array(2).fill('2026-11-25 14:30:00'));
  expect(['11.25.2026', '31.02.2026', '5.11.', '05/11/2026', '05.11.2026 25:00', 'tomorrow', ''].map(typedMoment)).toEqual(
    Array(7).fill(null),
  );
});
