import { describe, expect, it } from 'vitest';
import { FETCHED, handsOn, handsOnAll, linkState, opensAgain, useLives, type LinkLimits } from '../access-link.ts';
import { factsFrom } from '../access.ts';
import { LICENSES } from '../terms.ts';
import { LINK_MAY } from '../transition.ts';

const at = (time: string) => `2026-11-21T${time}:00.000Z`;
const link = (changes: Partial<LinkLimits> = {}): LinkLimits => ({
  validFrom: at('08:00'),
  validTo: at('16:00'),
  maxUses: 2,
  used: 0,
  revokedAt: null,
  ...changes,
});

describe('an access link', () => {
  it.each([
    ['waits for its time', link(), '07:59', 'waiting'],
    ['holds from its first minute', link(), '08:00', 'active'],
    ['holds while a use is left', link({ used: 1 }), '12:00', 'active'],
    ['is used up', link({ used: 2 }), '12:00', 'used-up'],
    ['is over at its last minute', link(), '16:00', 'expired'],
    ['is over rather than used up', link({ used: 2 }), '16:00', 'expired'],
    ['is withdrawn before all else', link({ used: 2, revokedAt: at('09:00') }), '17:00', 'revoked'],
  ] as const)('%s', (_, limits, time, state) => expect(linkState(limits, at(time))).toBe(state));

  it('lets what was begun in time be brought to its end, unless it is withdrawn', () => {
    expect(useLives(link(), at('15:50'), at('16:49'))).toBe(true);
    expect(useLives(link(), at('15:50'), at('16:50'))).toBe(false);
    // Begun early, it may take until the link's own end.
    expect(useLives(link({ used: 2 }), at('08:00'), at('15:59'))).toBe(true);
    expect(useLives(link({ revokedAt: at('15:51') }), at('15:50'), at('15:52'))).toBe(false);
  });

  it('opens the same door once more for five minutes', () => {
    expect(opensAgain(link({ used: 2 }), at('12:00'), at('12:04'))).toBe(true);
    expect(opensAgain(link({ used: 2 }), at('12:00'), at('12:05'))).toBe(false);
    expect(opensAgain(link({ revokedAt: at('12:01') }), at('12:00'), at('12:02'))).toBe(false);
  });
});

describe('who hands on what', () => {
  const held = (roles: string[], scopes: string[] = []) =>
    factsFrom({ roles, licenses: LICENSES, permissions: [{ scopes, lockers: ['a'] }] });

  it('is who may open that door for that purpose, and may make links on it', () => {
    expect(handsOn('open', 'b', held(['all']))).toEqual(['lock-control']);
    expect(handsOn('open', 'a', held([], ['manage']))).toEqual(['lock-control']);
    expect(handsOn('open', 'b', held([], ['manage']))).toEqual([]);
    expect(handsOn('open', 'a', held(['manager']))).toEqual([]);
    expect(handsOn('pick-up', 'a', held(['delivery_manager']))).toEqual([]);
    expect(handsOn('pick-up', 'a', held(['manager', 'delivery_manager']))).toEqual(['delivery']);
    expect(handsOnAll({ purpose: 'open', lockerIds: ['a', 'b'] }, held([], ['manage']))).toBe(false);
    expect(handsOnAll({ purpose: 'open', lockerIds: [] }, held(['admin']))).toBe(false);
  });

  it('fetches what the rules let a link claim', () => {
    expect(Object.entries(LINK_MAY).flatMap(([type, may]) => (may.includes('claim') ? [type] : []))).toEqual([...FETCHED]);
  });
});
