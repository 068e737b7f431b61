import { defaultStringifySearch } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { parseSearch } from './address.ts';

describe('an address', () => {
  it('keeps a door tag as it is printed', () => {
    for (const tag of ['527E-2', '1E5', '0012', '12-3', 'A14', '5.2.7']) {
      expect(parseSearch(`?scan=${tag}`)).toEqual({ scan: tag });
      expect(parseSearch(defaultStringifySearch({ scan: tag }))).toEqual({ scan: tag });
    }
  });
  it('brings back what the portal wrote into it', () => {
    const search = { find: '12', page: 3, all: true, stages: ['RESERVED', 'FILLED'], from: null };
    expect(parseSearch(defaultStringifySearch(search))).toEqual(search);
  });
});
