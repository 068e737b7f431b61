import { describe, expect, it } from 'vitest';
import type { Occupation } from '../../app/queries.ts';
import { actsOf, behindMore, byErrand, extendedTo, isAsking, isConfirmed } from './offers.ts';

const at = (stage: number, actions: string[], more: Partial<Occupation> = {}, sensed?: 'occupied' | 'empty' | 'unknown') =>
  actsOf(
    {
      type: 'delivery',
      stage,
      pickupBy: null,
      price: null,
      quantity: 2,
      held: 0,
      dueAt: null,
      receiver: null,
      contactError: [],
      inDoubt: false,
      actions,
      ...more,
    },
    sensed,
  );

describe('what can be done with an occupation', () => {
  it('keeps the order of the rules and adds the door', () => {
    expect(at(2, ['send', 'publish', 'delete'])).toEqual(['send', 'publish', 'delete', 'openAnyway']);
    expect(at(0, ['fill', 'delete'])).toEqual(['open', 'fill', 'delete']);
    expect(at(7, ['fill', 'reset'])).toEqual(['fill', 'reset', 'open']);
  });

  it('puts the door first for whoever is let in, until it was seen open', () => {
    expect(at(6, ['return', 'finnish', 'delete'])).toEqual(['open', 'return', 'finnish', 'delete']);
    expect(at(6, ['finnish', 'return'])).toEqual(['finnish', 'return', 'open']);
  });

  it('says "again" once a message went out or failed', () => {
    expect(at(5, ['send'])).toContain('sendAgain');
    expect(at(3, ['send'], { contactError: ['refused'] })).toContain('sendAgain');
    expect(at(3, ['send'])).toContain('send');
    // told at an address that is wrong now, or reported lost later: that goes first
    expect(at(5, ['claim', 'send'], { contactError: ['address-changed'] }).slice(0, 2)).toEqual(['sendAgain', 'claim']);
    expect(at(5, ['claim', 'send'])[0]).toBe('claim');
  });

  it('believes a sensor that finds nothing inside before the word that it was put in', () => {
    const opened = ['fill', 'nothing-inside', 'empty'];
    expect(at(1, opened, {}, 'empty')).toEqual(['nothingInside', 'fill', 'empty', 'open']);
    for (const sensed of ['occupied', 'unknown'] as const) expect(at(1, opened, {}, sensed)[0]).toBe('fill');
    expect(at(1, opened)[0]).toBe('fill');
    // whoever may not say so is not offered it
    expect(at(1, ['fill'], {}, 'empty')[0]).toBe('fill');
    expect(at(0, ['fill', 'delete'], {}, 'empty')[0]).toBe('open');
    // nor is it the likely word of what was taken out
    expect(at(7, ['fill', 'move'], {}, 'empty')).toEqual(['open', 'fill', 'move']);
    expect(at(7, ['fill', 'move'], {}, 'unknown')[0]).toBe('fill');
  });

  it('extends only what has a deadline', () => {
    expect(at(5, ['amend'], { pickupBy: '2026-01-01T00:00:00Z' })).toContain('extend');
    expect(at(5, ['amend'])).toEqual(['correct', 'openAnyway']);
  });

  it('offers to end at once with taking out, and asks before', () => {
    expect(at(5, ['extract']).slice(0, 2)).toEqual(['retrieve', 'extract']);
    expect(isAsking('retrieve')).toBe(true);
    expect(isConfirmed('delete')).toBe(true);
    expect(isConfirmed('send')).toBe(false);
  });

  it('offers to move what lies inside, which begins with taking it out', () => {
    for (const type of ['delivery', 'storage', 'lending', 'consumable', 'sale'] as const)
      expect(at(3, ['extract'], { type })).toEqual(expect.arrayContaining(['moveOut']));
    // out of its locker, or never in it, it is moved at once
    for (const stage of [0, 7]) expect(at(stage, ['fill', 'move']).filter((act) => act.startsWith('move'))).toEqual(['move']);
    // what was brought for staff is fetched
    expect(at(3, ['claim', 'extract'], { type: 'recall' })).not.toContain('moveOut');
    expect(at(3, ['claim'])).not.toContain('moveOut');
    expect(isAsking('moveOut')).toBe(true);
  });

  it('can begin anew what has ended, and shows no word that it does not know', () => {
    expect(at(98, ['send'])).toEqual(['again']);
    expect(at(98, [], { type: 'lending' })).toEqual([]);
    expect(at(2, ['something-new'])).toEqual(['openAnyway']);
  });
});

describe('what each service adds', () => {
  it('a loan that is out comes back, is prolonged, or is over elsewhere', () => {
    const receiver = { name: 'Kari', tlf: null, email: 'kari@example.test' };
    const out = at(7, ['return', 'amend'], { type: 'lending', dueAt: '2026-05-01T12:00:00Z', receiver });
    expect(out).toEqual(['takeBack', 'extendLoan', 'lost', 'elsewhere', 'correct', 'open']);
    expect(isConfirmed('lost')).toBe(true);
    expect(isAsking('takeBack')).toBe(true);
    // somebody who may not act on it gets none of that
    expect(at(7, [], { type: 'lending', dueAt: '2026-05-01T12:00:00Z' })).toEqual(['open']);
    expect(at(7, ['return', 'send'], { type: 'lending', dueAt: '2026-05-01T12:00:00Z' })).toContain('remind');
    expect(at(3, ['claim'], { type: 'lending' })[0]).toBe('lend');
  });
  it('stock is refilled and taken by the piece; the first fill is what was planned', () => {
    expect(at(3, ['claim', 'fill'], { type: 'consumable' })).toEqual(['takePieces', 'refill', 'open']);
    expect(at(7, ['fill'], { type: 'consumable' })).toEqual(['refill', 'open']);
    // emptied and begun anew nobody has said how many go in: it is asked
    expect(at(1, ['fill'], { type: 'consumable', quantity: 0 })[0]).toBe('refill');
    expect(at(1, ['fill'], { type: 'consumable', quantity: 5 })[0]).toBe('fill');
    expect(at(1, ['fill', 'amend'], { type: 'consumable' })).toEqual(['fill', 'open']);
  });
  it('goods with a price are sold by hand until somebody has paid', () => {
    const price = { amount: 8900, currency: 'NOK' };
    expect(at(3, ['extract'], { type: 'sale', price })[0]).toBe('sell');
    // another customer's payment keeps nobody from buying what is left; when all is paid for, nothing is sold
    expect(at(3, ['claim', 'extract'], { type: 'sale', price, held: 1 }).slice(0, 2)).toEqual(['claim', 'sell']);
    expect(at(3, ['claim', 'extract'], { type: 'sale', price, held: 2 })).not.toContain('sell');
    expect(at(3, [], { type: 'sale', price })).not.toContain('sell');
    expect(at(2, ['extract'], { type: 'sale', price })).not.toContain('sell');
  });
  it('what has a price is paid before it is handed out, and once', () => {
    const price = { amount: 5000, currency: 'NOK' };
    const one = { price, quantity: null };
    expect(at(5, ['send', 'extract'], one)[0]).toBe('pay');
    expect(at(3, ['extract'], { ...one, type: 'storage' })[0]).toBe('pay');
    expect(at(3, ['claim', 'extract'], one)).not.toContain('pay');
    // what may be gone is paid for by nobody; a storage is paid for as its owner comes and goes
    expect(at(5, ['send', 'extract'], { ...one, inDoubt: true })).not.toContain('pay');
    expect(at(3, ['extract'], { ...one, type: 'sale', quantity: 2, inDoubt: true })).not.toContain('sell');
    expect(at(3, ['extract'], { ...one, type: 'storage', inDoubt: true })[0]).toBe('pay');
    expect(at(2, ['extract'], one)).not.toContain('pay');
    expect(at(3, ['extract'], { ...one, price: { amount: 0, currency: 'NOK' } })).not.toContain('pay');
    // who has paid for some of a stock gets as many as were paid for: nobody asks how many
    expect(at(3, ['claim'], { price, quantity: 5, type: 'consumable' })).toEqual(['claim', 'open']);
  });
  it('who is asked gets a link; the door comes after it', () => {
    expect(at(0, ['send', 'fill', 'delete'], { type: 'recall' })).toEqual(['sendLink', 'fill', 'delete', 'open']);
    // one way to take out what was brought, which ends it; where nobody can be let in, that takes it out and ends it too
    for (const type of ['drop-off', 'recall'] as const) {
      expect(at(3, ['claim', 'extract', 'empty'], { type })).toEqual(['fetch', 'extract', 'empty', 'openAnyway']);
      expect(at(2, ['extract', 'empty'], { type }).slice(0, 2)).toEqual(['retrieve', 'extract']);
    }
    expect(at(3, ['claim', 'finnish'], { type: 'storage' }).slice(0, 2)).toEqual(['letOwnerIn', 'finnishStorage']);
  });
});

describe('extending', () => {
  it('counts from the deadline, or from now when that has passed', () => {
    const now = Date.parse('2026-03-10T12:00:00Z');
    expect(extendedTo('2026-03-12T12:00:00Z', 2, now)).toBe('2026-03-14T12:00:00.000Z');
    expect(extendedTo('2026-03-01T12:00:00Z', 2, now)).toBe('2026-03-12T12:00:00.000Z');
  });
});

it('of the ways to end a storage the usual one stands there, the others behind a menu', () => {
  const acts = at(3, ['claim', 'finnish', 'send', 'extract', 'empty', 'delete'], { type: 'storage' });
  expect(behindMore({ type: 'storage' }, acts)).toEqual(['retrieve', 'extract', 'empty', 'delete']);
  expect(behindMore({ type: 'storage' }, ['finnishStorage', 'empty', 'delete'])).toEqual(['empty', 'delete']);
  expect(behindMore({ type: 'storage' }, ['open', 'fill', 'delete'])).toEqual([]);
  expect(behindMore({ type: 'delivery' }, acts)).toEqual([]);
});

describe('what can be done, by errand', () => {
  it('loses no act, keeps the likelier first, and puts what ends it last', () => {
    const acts = at(5, ['claim', 'send', 'extract', 'empty', 'delete', 'amend'], { pickupBy: '2026-01-01T00:00:00Z' });
    const groups = byErrand(acts);
    expect(groups.map(({ errand }) => errand)).toEqual(['message', 'door', 'correction', 'end']);
    expect(groups.flatMap((group) => group.acts).toSorted()).toEqual([...acts].toSorted());
    expect(groups.find(({ errand }) => errand === 'door')?.acts).toEqual(['claim', 'extract', 'moveOut', 'openAnyway']);
    expect(groups.at(-1)?.acts).toEqual(['retrieve', 'empty', 'delete']);
  });

  it('names no errand in which nothing can be done', () => {
    expect(byErrand(['open'])).toEqual([{ errand: 'door', acts: ['open'] }]);
  });
});
