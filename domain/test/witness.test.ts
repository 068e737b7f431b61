import { describe, expect, it } from 'vitest';
import type { Context, Occupation } from '../occupation-types.ts';
import { STAGES } from '../terms.ts';
import { settlesAt } from '../witness.ts';
import { context, NOW, occupationIn } from './samples.ts';

const { INITIATED, CLAIMING, VACANT } = STAGES;
const seconds = (count: number): string => new Date(Date.parse(NOW) + count * 1000).toISOString();
/** How many seconds after its closing it is settled. */
const waits = (o: Occupation, more: Partial<Context>): number | null => {
  const at = settlesAt({ ...o, doorClosedAt: NOW }, context(more));
  return at === null ? null : (Date.parse(at) - Date.parse(NOW)) / 1000;
};

describe('what a door was opened to be filled with', () => {
  const begun = occupationIn(INITIATED, 'delivery');
  const table: [string, Partial<Context>, number][] = [
    ['no sensor', {}, 5],
    ['sensed since the door was open', { sensed: 'occupied', sensedSince: seconds(-4) }, 2],
    ['sensed as it shut', { sensed: 'occupied', sensedSince: NOW }, 2],
    ['sensed a second later', { sensed: 'occupied', sensedSince: seconds(1) }, 3],
    ['sensed so late that nobody put it there', { sensed: 'occupied', sensedSince: seconds(3) }, 5],
    ['sensed to be empty', { sensed: 'empty', sensedSince: NOW }, 5],
    ['a sensor that does not know', { sensed: 'unknown' }, 5],
  ];
  it.each(table)('%s', (_, more, after) => expect(waits(begun, more)).toBe(after));
});

describe('what a door was opened to be taken from', () => {
  const claim = occupationIn(CLAIMING, 'delivery');
  const gone: Partial<Context> = { sensed: 'empty', sensedSince: seconds(-1), sensedBefore: 'occupied' };
  const table: [string, Partial<Context>, number][] = [
    ['no sensor', {}, 30],
    ['sensed before, and gone since the door was open', gone, 2],
    ['gone as it shut', { ...gone, sensedSince: NOW }, 2],
    ['gone a second later', { ...gone, sensedSince: seconds(1) }, 3],
    ['gone so late that nobody took it', { ...gone, sensedSince: seconds(3) }, 30],
    ['a sensor that sensed nothing before: blind, or too thin for it', { ...gone, sensedBefore: 'empty' }, 30],
    ['a sensor that did not know before', { ...gone, sensedBefore: 'unknown' }, 30],
    ['somebody else’s opening, or a cabinet that fell silent', { ...gone, sensedBefore: null }, 30],
    ['sensed still', { ...gone, sensed: 'occupied' }, 30],
    ['not known now', { ...gone, sensed: 'unknown', sensedSince: null }, 30],
    ['not heard now', { ...gone, sensed: null, sensedSince: null }, 30],
    ['left open meanwhile', { ...gone, doubt: 'left-open' }, 30],
    ['nothing was found there', { ...gone, doubt: 'found-empty' }, 30],
  ];
  it.each(table)('%s', (_, more, after) => expect(waits(claim, more)).toBe(after));

  it('of a stock, only with its last pieces: what stays inside is to be sensed', () => {
    const stock = (quantity: number, claimQuantity: number) => occupationIn(CLAIMING, 'sale', { quantity, claimQuantity });
    expect([waits(stock(3, 1), gone), waits(stock(3, 3), gone), waits(stock(1, 1), gone)]).toEqual([30, 2, 2]);
  });

  it('never later than its policy says, and never while the door is open', () => {
    const { rules } = context();
    expect(waits(claim, { ...gone, rules: { ...rules, claimGraceSeconds: 1 } })).toBe(1);
    expect(settlesAt(claim, context(gone))).toBeNull();
  });
});

it('what was lent is out: that its door is shut brings nothing back', () => {
  expect(settlesAt(occupationIn(VACANT, 'lending'), context({ sensed: 'occupied', sensedSince: NOW }))).toBeNull();
});
