import { describe, expect, it } from 'vitest';
import type { Occupation } from '../../app/queries.ts';
import { actsOf, extendedTo, isConfirmed } from './offers.ts';

const at = (stage: number, actions: string[], more: Partial<Occupation> = {}) =>
  actsOf({ type: 'delivery', stage, pickupBy: null, receiver: null, contactError: [], actions, ...more });

describe('what can be done with an occupation', () => {
  it('keeps the order of the rules and adds the door', () => {
    expect(at(2, ['send', 'publish', 'delete'])).toEqual(['send', 'publish', 'delete', 'openAnyway']);
    expect(at(0, ['fill', 'delete'])).toEqual(['open', 'fill', 'delete']);
    expect(at(7, ['fill', 'reset'])).toEqual(['fill', 'reset', 'open']);
  });

  it('says "again" once a message went out or failed', () => {
    expect(at(5, ['send'])).toContain('sendAgain');
    expect(at(3, ['send'], { contactError: ['refused'] })).toContain('sendAgain');
    expect(at(3, ['send'])).toContain('send');
  });

  it('extends only what has a deadline', () => {
    expect(at(5, ['amend'], { pickupBy: '2026-01-01T00:00:00Z' })).toContain('extend');
    expect(at(5, ['amend'])).toEqual(['correct', 'openAnyway']);
  });

  it('offers to end at once with taking out, and asks before', () => {
    expect(at(5, ['extract']).slice(0, 2)).toEqual(['retrieve', 'extract']);
    expect(isConfirmed('retrieve')).toBe(true);
    expect(isConfirmed('send')).toBe(false);
  });

  it('can begin anew what has ended, and shows no word that it does not know', () => {
    expect(at(98, ['send'])).toEqual(['again']);
    expect(at(98, [], { type: 'lending' })).toEqual([]);
    expect(at(2, ['something-new'])).toEqual(['openAnyway']);
  });
});

describe('extending', () => {
  it('counts from the deadline, or from now when that has passed', () => {
    const now = Date.parse('2026-03-10T12:00:00Z');
    expect(extendedTo('2026-03-12T12:00:00Z', 2, now)).toBe('2026-03-14T12:00:00.000Z');
    expect(extendedTo('2026-03-01T12:00:00Z', 2, now)).toBe('2026-03-12T12:00:00.000Z');
  });
});
