import { expect, test } from 'vitest';
import { keptRows, written } from './kept-rows.ts';

test('keeps so many, and those that are asked for longest', () => {
  const rows = keptRows(4);
  rows.keep('a', 'A');
  for (const key of ['b', 'c', 'd', 'e']) {
    rows.keep(key, key.toUpperCase());
    expect(rows.get('a')).toBe('A');
  }
  expect(rows.get('b')).toBeUndefined();
  expect(rows.get('e')).toBe('E');
});

test('writes a page of old and new rows in its order, checks the new ones, and keeps them', () => {
  const rows = keptRows();
  rows.keep('1', '{"n":1}');
  const page = {
    kept: [{ row: { n: 0, secret: 's' }, key: '0' }, { text: '{"n":1}' }, { row: { n: 2, secret: 's' }, key: '2' }],
    in: rows,
  };
  const without = (all: { n: number }[]) => all.map(({ n }) => ({ n }));
  expect(written({ ...page, next: null, total: null }, without)).toBe('[{"n":0},{"n":1},{"n":2}]');
  expect([rows.get('0'), rows.get('2')]).toEqual(['{"n":0}', '{"n":2}']);
  expect(written({ kept: [], in: rows, next: null, total: null }, without)).toBe('[]');
});
