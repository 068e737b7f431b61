import { describe, expect, it } from 'vitest';
import { hoursLine, isClosedDay, isOpenAt } from '../hours.ts';

const OSLO = 'Europe/Oslo';
const span = (day: number, from = '08:00', to = '16:00') => ({ day, from, to });
const week = [1, 2, 3, 4, 5].map((day) => span(day));
const night = [span(6, '22:00', '02:00')];

describe('hours', () => {
  // 2026-11-28 is a Saturday; Oslo is an hour ahead of UTC then.
  it.each([
    ['no hours', [], '2026-11-28T03:00:00Z', true],
    ['as it opens', week, '2026-11-27T07:00:00Z', true],
    ['a minute before', week, '2026-11-27T06:59:00Z', false],
    ['as it closes', week, '2026-11-27T15:00:00Z', false],
    ['on a day off', week, '2026-11-28T10:00:00Z', false],
    ['past midnight, of the day before', night, '2026-11-29T00:30:00Z', true],
    ['past midnight, too late', night, '2026-11-29T01:00:00Z', false],
    ['the night before', night, '2026-11-28T00:30:00Z', false],
    ['Sunday into Monday', [span(7, '23:00', '01:00')], '2026-11-29T23:30:00Z', true],
    ['all day', [span(6, '00:00', '00:00')], '2026-11-28T12:00:00Z', true],
    ['in summer, by the clock', week, '2026-07-03T06:00:00Z', true],
  ] as const)('are by the company’s clock: %s', (_name, hours, now, open) => {
    expect(isOpenAt(hours, OSLO, now)).toBe(open);
  });

  // 2026-11-30 is a Monday.
  it.each([
    ['a day on which it opens', week, [], '2026-11-30T10:00:00Z', false],
    ['such a day, after closing', week, [], '2026-11-30T20:00:00Z', false],
    ['a day on which it never opens', week, [], '2026-11-29T10:00:00Z', true],
    ['a date that is closed', week, ['2026-11-30'], '2026-11-30T10:00:00Z', true],
    ['the company’s date, not UTC’s', week, ['2026-12-01'], '2026-11-30T23:30:00Z', true],
    ['hours that nobody said', [], [], '2026-11-29T10:00:00Z', false],
    ['hours that nobody said, on a closed date', [], ['2026-12-25'], '2026-12-25T10:00:00Z', true],
    ['past midnight, of the day before', night, [], '2026-11-29T00:30:00Z', false],
    ['past midnight, too late', night, [], '2026-11-29T10:00:00Z', true],
    ['past midnight, of a day before that was closed', night, ['2026-11-28'], '2026-11-29T00:30:00Z', true],
    ['past midnight of an open night, on a closed date', night, ['2026-11-29'], '2026-11-29T00:30:00Z', false],
    ['as an open night ends, on a closed date', night, ['2026-11-29'], '2026-11-29T01:00:00Z', true],
    ['the second half of a day with a pause', [span(1, '08:00', '11:00'), span(1, '12:00', '16:00')], [], '2026-11-30T10:30:00Z', false],
    ['all of one day, and no minute of the next', [span(6, '00:00', '00:00')], [], '2026-11-28T23:00:00Z', true],
    ['the last minute of all of one day', [span(6, '00:00', '00:00')], [], '2026-11-28T22:59:00Z', false],
    ['Sunday night into Monday', [span(7, '22:00', '06:00')], [], '2026-11-30T04:00:00Z', false],
    ['the hour that is twice', week, ['2026-10-25'], '2026-10-25T01:30:00Z', true],
    ['the hour that is not', [span(7)], [], '2027-03-28T01:30:00Z', false],
    ['29 February', week, ['2028-02-29'], '2028-02-29T12:00:00Z', true],
    ['the first minute of a year', week, ['2027-01-01'], '2026-12-31T23:00:00Z', true],
    ['the last minute before it', week, ['2027-01-01'], '2026-12-31T22:59:00Z', false],
    ['the day on which the clock is set', week, [], '2026-10-25T23:30:00Z', false],
  ] as const)('tell a closed day: %s', (_name, hours, closedDays, at, closed) => {
    expect(isClosedDay({ hours, closedDays }, OSLO, at)).toBe(closed);
  });

  it.each([
    [week, 'en', 'Mon–Fri 08:00–16:00'],
    [[...week, span(6, '10:00', '14:00')], 'nb', 'man–fre 08:00–16:00, lør 10:00–14:00'],
    [[span(1), span(3)], 'en', 'Mon 08:00–16:00, Wed 08:00–16:00'],
    [[span(1, '13:00', '16:00'), span(1, '08:00', '12:00')], 'en', 'Mon 08:00–12:00, 13:00–16:00'],
    [[1, 2, 3, 4, 5, 6, 7].map((day) => span(day, '00:00', '00:00')), 'en', 'day and night'],
    [[1, 2, 3, 4, 5, 6, 7].map((day) => span(day, '06:00', '06:00')), 'nb', 'hele døgnet'],
    [[1, 2, 3, 4, 5, 6].map((day) => span(day, '00:00', '00:00')), 'nb', 'man–lør 00:00–00:00'],
    [[], 'en', ''],
  ])('are written as people write them: %#', (hours, locale, line) => {
    expect(hoursLine(hours, locale)).toBe(line);
  });
});
