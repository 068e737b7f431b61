import { describe, expect, it } from 'vitest';
import { isOpenAt, shopNameOf } from '../shop.ts';

const OSLO = 'Europe/Oslo';
const week = [1, 2, 3, 4, 5].map((day) => ({ day, from: '08:00', to: '16:00' }));
const night = [{ day: 6, from: '22:00', to: '02:00' }];

describe('a shop', () => {
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
    ['Sunday into Monday', [{ day: 7, from: '23:00', to: '01:00' }], '2026-11-29T23:30:00Z', true],
    ['all day', [{ day: 6, from: '00:00', to: '00:00' }], '2026-11-28T12:00:00Z', true],
    ['in summer, by the clock', week, '2026-07-03T06:00:00Z', true],
  ] as const)('is open by the company’s clock: %s', (_name, hours, now, open) => {
    expect(isOpenAt(hours, OSLO, now)).toBe(open);
  });

  it.each([
    ['Nordlys-Verktoy', 'nordlys-verktoy'],
    [' tools24 ', 'tools24'],
    ['ab', null],
    ['-tools', null],
    ['tools--24', null],
    ['verktøy', null],
    ['../admin', null],
    ['admin', null],
    ['a'.repeat(41), null],
  ])('has a name that is read and typed: %s', (typed, name) => expect(shopNameOf(typed)).toBe(name));
});
