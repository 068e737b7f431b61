import { defaultStringifySearch } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from './address.ts';

describe('an address', () => {
  it('keeps a door tag as it is printed', () => {
    for (const tag of ['527E-2', '1E5', '0012', '12-3', 'A14', '5.2.7']) {
      expect(parseSearch(`?scan=${tag}`)).toEqual({ scan: tag });
      expect(parseSearch(defaultStringifySearch({ scan: tag }))).toEqual({ scan: tag });
      expect(stringifySearch({ scan: tag })).toBe(`?scan=${tag}`);
    }
  });
  it('brings back what the portal wrote into it', () => {
    const search = { find: '12', page: 3, all: true, stages: ['RESERVED', 'FILLED'], from: null };
    expect(parseSearch(defaultStringifySearch(search))).toEqual(search);
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });
  it('brings back every text as a text', () => {
    const texts = [
      '',
      ' ',
      ' 12',
      '12 ',
      '-1',
      '1.5',
      '.5',
      '1e21',
      '2026-11-29',
      'true',
      'truely',
      'null',
      'NaN',
      '"',
      '"a"',
      '[',
      '{}',
      '[1] x',
      'a b',
    ];
    for (const find of texts) expect(parseSearch(stringifySearch({ find }))).toEqual({ find });
  });
  it('quotes no day and no word', () => {
    expect(stringifySearch({ kind: 'occupation_filled', from: '2026-11-29' })).toBe('?kind=occupation_filled&from=2026-11-29');
  });
});
