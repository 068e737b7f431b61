import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifiersCell, identifiersIn, lineOf, namesCell, namesIn, separatorOf } from './csv.ts';

describe('a line of a CSV file', () => {
  test('quotes what needs it and disarms formulas, not numbers', () => {
    const cells = ['a,b', 'say "hi"', '=1+1', '-2', '+47 900 00 000', '@x', '＝1+1', '－2', "'＠x", 'plain', null, 12, -3, 'two\nlines'];
    expect(lineOf(cells, ',')).toBe(`"a,b","say ""hi""",'=1+1,'-2,'+47 900 00 000,'@x,'＝1+1,'－2,''＠x,plain,,12,-3,"two\nlines"\r\n`);
  });
  test.each(['\n=1+1', ' =1+1', '\u00a0-1', '\u3000＝1', '﹦1+1', '﹢1', '﹣1', '﹫x', '\t\n@x', ' \r+1', "''\n=1"])(
    'disarms %j',
    (cell) => {
      expect(lineOf([cell], ';').replaceAll('"', '')).toBe(`'${cell}\r\n`);
    },
  );
  test.each(['a=1', '1-2', 'x@y.no', "'quoted'", ' plain', '% 5', '(=1)', '’=1', '#1', '/x', 'two\n=lines'])(
    'leaves %j as it is',
    (cell) => {
      expect(lineOf([cell], ';').replaceAll('"', '')).toBe(`${cell}\r\n`);
    },
  );
  test('has between cells what a spreadsheet of its language expects, and quotes that alone', () => {
    expect(lineOf(['1,5', 'a;b'], separatorOf('nb'))).toBe('1,5;"a;b"\r\n');
    expect(lineOf(['1,5', 'a;b'], separatorOf('en'))).toBe('"1,5",a;b\r\n');
  });
});

describe('several things in one cell', () => {
  // as the contract keeps them: trimmed, and not empty
  const word = fc
    .oneof(fc.string({ unit: fc.constantFrom('|', '\\', ':', ' ', 'a', 'B', '1'), maxLength: 12 }), fc.string({ maxLength: 40 }))
    .map((text) => text.trim())
    .filter((text) => text !== '');
  test('are read as they were written, whatever stands in them', () => {
    fc.assert(
      fc.property(fc.array(word), (names) => {
        expect(namesIn(namesCell(names))).toEqual(names);
      }),
    );
    const identifier = fc.record({ kind: word, value: word });
    fc.assert(
      fc.property(fc.array(identifier), (all) => {
        expect(identifiersIn(identifiersCell(all))).toEqual(all);
      }),
    );
  });
  test('are read as people write them', () => {
    expect(namesIn('Tools| Drills ')).toEqual(['Tools', 'Drills']);
    expect(identifiersIn('4711 | serial: A:12 | C:\\tools')).toEqual([
      { kind: 'barcode', value: '4711' },
      { kind: 'serial', value: 'A:12' },
      { kind: 'C', value: '\\tools' },
    ]);
  });
});
