import { describe, expect, it } from 'vitest';
import { shopNameOf } from '../shop.ts';

describe('a shop', () => {
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
