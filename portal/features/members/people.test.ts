import { describe, expect, it } from 'vitest';
import { peopleIn } from './people.ts';

describe('people out of what was pasted', () => {
  it('are found by line, comma and semicolon, once each', () => {
    const text = 'kari@example.com, ola@example.com\n\nKari Berg <KARI@example.com>; 912 34 567\r\n+4791234567';
    expect(peopleIn(text, 'NO').people).toEqual([{ email: 'KARI@example.com' }, { email: 'ola@example.com' }, { tlf: '+4791234567' }]);
  });

  it('are told apart from what is neither address nor number', () => {
    expect(peopleIn('kari@, 12, ola@example.com', 'NO')).toEqual({ people: [{ email: 'ola@example.com' }], wrong: ['kari@', '12'] });
    expect(peopleIn(' \n,;', 'NO')).toEqual({ people: [], wrong: [] });
  });
});
