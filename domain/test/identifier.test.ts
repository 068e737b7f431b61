import { describe, expect, it } from 'vitest';
import { identifierClass, identifierForm } from '../identifier.ts';

const of = ([kind, value]: readonly [string, string]) => `${identifierClass(kind)} ${identifierForm(value)}`;

describe('an identifier is the same one', () => {
  it.each([
    [
      'serial',
      'INV-38260',
      ['Serial', 'inv38260'],
      ['serial', 'INV 38260'],
      ['serial', 'ＩＮＶ－３８２６０'],
      ['serial', 'INV\u201138260'],
    ],
    [
      'barcode',
      '036000291452',
      ['ean', '036000291452'],
      ['upc', '036000291452'],
      ['gtin', '00036000291452'],
      ['barcode', '0036000291452'],
      ['EAN-13', '0036000291452'],
    ],
    [
      'EAN-8',
      '96385074',
      ['barcode', '96385074'],
      ['gtin8', '9638-5074'],
      ['JAN 8', '96385074'],
      ['ean', '0000096385074'],
      ['GTIN-14', '00000096385074'],
    ],
    [
      'Strek-kode',
      '7033000000017',
      ['EAN/UPC', '7033000000017'],
      ['ITF-14', '07033000000017'],
      ['isbn 13', '7033000000017'],
      ['EAN-nummer', '7 033000 000017'],
      ['Strekkodenr', '７０３３０００００００１７'],
      ['Barcode number', '٧٠٣٣٠٠٠٠٠٠٠١٧'],
      ['ｅａｎ', '70330000\u00ad00017'],
    ],
  ] as const)('as %s %s, however it is written', (kind, value, ...same: (readonly [string, string])[]) => {
    for (const one of same) expect([one, of(one)]).toEqual([one, of([kind, value])]);
  });

  it.each([
    ['serial', '036000291452', ['barcode', '036000291452']],
    ['barcode', '36000291452', ['barcode', '036000291452']],
    ['barcode', '703300000001', ['barcode', '7033000000017']],
    ['barcode', '963850740', ['barcode', '96385074']],
    ['serial', 'INV.38260', ['serial', 'INV-38260']],
    ['serial', 'INV/38260', ['serial', 'INV-38260']],
    ['serial', '1NV38260', ['serial', 'INV-38260']],
    ['serial no', 'INV38260', ['serial', 'INV-38260']],
    ['ean99', '96385074', ['EAN-8', '96385074']],
    ['tag', '96385074', ['EAN-8', '96385074']],
  ] as const)('not where %s %s only looks alike', (kind, value, other) => {
    expect(of([kind, value])).not.toBe(of(other));
  });
});
