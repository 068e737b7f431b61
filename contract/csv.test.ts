import { describe, expect, test } from 'vitest';
import { lineOf, separatorOf } from './csv.ts';

describe('a line of a CSV file', () => {
  test('quotes what needs it and disarms formulas, not numbers', () => {
    const cells = ['a,b', 'say "hi"', '=1+1', '-2', '+47 900 00 000', '@x', 'plain', null, 12, -3, 'two\nlines'];
    expect(lineOf(cells, ',')).toBe(`"a,b","say ""hi""",'=1+1,'-2,'+47 900 00 000,'@x,plain,,12,-3,"two\nlines"\r\n`);
  });
  test('has between cells what a spreadsheet of its language expects, and quotes that alone', () => {
    expect(lineOf(['1,5', 'a;b'], separatorOf('nb'))).toBe('1,5;"a;b"\r\n');
    expect(lineOf(['1,5', 'a;b'], separatorOf('en'))).toBe('"1,5",a;b\r\n');
  });
});
