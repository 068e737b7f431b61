import { describe, expect, test } from 'vitest';
import { markedRow } from './marked-row.ts';

const rows = (...labels: string[]) => ({ waits: false, actions: labels.map((label) => ({ label })) });
const waits = { waits: true, actions: [] };

describe('Enter', () => {
  test.each([
    ['takes the first row', [rows('A-04 · Kari', 'A-05 · Ola'), rows('A-04')], { at: 0, waits: false }],
    ['takes it though groups below have not answered', [rows('B-01 · Kari'), waits, waits], { at: 0, waits: false }],
    ['waits for the group above the only row', [waits, rows('A-04')], { at: 0, waits: true }],
    ['waits for each group above it', [rows(), waits, rows('Lock control')], { at: 0, waits: true }],
    ['takes a lower one when all above it came with nothing', [rows(), rows(), rows('Lock control')], { at: 0, waits: false }],
    ['waits while nothing has come', [waits, waits], { at: -1, waits: true }],
    ['takes nothing where all came with nothing', [rows(), rows()], { at: -1, waits: false }],
    ['takes nothing where there is no group', [], { at: -1, waits: false }],
    ['takes what is just what was typed, below others', [rows('Ola A-04'), rows('A-04')], { at: 1, waits: false }],
    ['waits above what is just what was typed', [waits, rows('A-041', 'A-04')], { at: 1, waits: true }],
    ['takes the first of two that are just that', [rows('A-04 · Kari'), rows('A-04')], { at: 0, waits: false }],
    [
      'waits for rows that are of the text before',
      [{ waits: true, actions: [{ label: 'Old' }] }, rows('Settings')],
      { at: 0, waits: true },
    ],
  ])('%s', (_, groups, expected) => expect(markedRow(groups, 'a-04 ')).toEqual(expected));

  test('takes the thing with just that identifier before one whose name begins so', () => {
    const things = {
      waits: false,
      actions: [
        { label: 'Drill', keywords: ['inv-10'] },
        { label: 'Saw', keywords: ['INV-1', '4006381333931'] },
      ],
    };
    expect(markedRow([things], 'inv-1')).toEqual({ at: 1, waits: false });
    expect(markedRow([things], '4006381333931')).toEqual({ at: 1, waits: false });
  });
});
