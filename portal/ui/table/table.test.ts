import { z } from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { isoDay, listSearch, oneOf, rowId, searchParser, SIZE_DEFAULT, SIZES } from './search.ts';

describe('a list’s address', () => {
  const parse = searchParser(z.object({ ...listSearch, state: oneOf(['active', 'ended']), from: isoDay, row: rowId }));
  test('keeps what makes sense', () => {
    expect(parse({ find: 'Kari', sort: '-createdAt', size: 100, state: 'ended', from: '2026-03-29' })).toEqual({
      find: 'Kari',
      sort: '-createdAt',
      size: 100,
      state: 'ended',
      from: '2026-03-29',
    });
    expect(parse({ size: 'all' })).toEqual({ size: 'all' });
  });
  // shows R9.11
  test('knows 25, 50, 100 rows or all, and 50 unless told', () => {
    expect([SIZES, SIZE_DEFAULT]).toEqual([[25, 50, 100, 'all'], 50]);
    expect([25, 50, 100, 'all', 10, 500, '25'].map((size) => parse({ size }).size)).toEqual([
      25,
      50,
      100,
      'all',
      undefined,
      undefined,
      undefined,
    ]);
  });
  test('drops what does not, and never throws', () => {
    expect(parse({ size: 7, state: 'gone', from: '2026-99-99', row: 'xyz', find: '  ', sort: { $ne: 1 }, other: 'x' })).toEqual({});
  });
  test('opens the row that is named, and knows the days of the calendar', () => {
    const row = '4a4f4c7e-54ff-4b1c-9f69-2a8b0f3c1c10';
    expect(parse({ row, from: '2028-02-29' })).toEqual({ row, from: '2028-02-29' });
    expect(parse({ from: '2026-02-29' })).toEqual({});
  });
  test('reads a number in the search as text', () => {
    expect(parse({ find: 1042 })).toEqual({ find: '1042' });
  });
});
