import { describe, expect, it } from 'vitest';
import { goesWhereTyped, openInvitationOf, peopleIn } from './people.ts';

describe('people out of what was pasted', () => {
  it('are found by line, comma and semicolon, once each', () => {
    const text = 'kari@example.com, ola@example.com\n\nKari Berg <KARI@example.com>; 912 34 567\r\n+4791234567';
    expect(peopleIn(text).people).toEqual([{ email: 'KARI@example.com' }, { email: 'ola@example.com' }, { tlf: '912 34 567' }]);
  });

  it('are told apart from what is neither address nor number', () => {
    expect(peopleIn('kari@, 12, ola@example.com')).toEqual({ people: [{ email: 'ola@example.com' }], wrong: ['kari@', '12'] });
    expect(peopleIn(' \n,;')).toEqual({ people: [], wrong: [] });
  });
});

it('an open invitation stands in for what was typed only where it goes each way that was', () => {
  const open = openInvitationOf({ invitationId: 'i', email: 'kari@example.com', tlf: '+4791234567' });
  if (open === null) throw new Error('it carries its id');
  const where = (email: string, tlf: string, of = open) => goesWhereTyped(of, { email, tlf });
  expect([where('KARI@example.com', ''), where('', '912 34 567'), where('kari@example.com', '91234567')]).toEqual([true, true, true]);
  expect([where('ola@example.com', '91234567'), where('kari@example.com', '91234568')]).toEqual([false, false]);
  expect(where('kari@example.com', '91234567', { ...open, tlf: null })).toBe(false);
  expect(openInvitationOf({})).toBeNull();
});
