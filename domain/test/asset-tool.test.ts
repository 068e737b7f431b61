import { describe, expect, it, test } from 'vitest';
import { differencesOf, tellingOf, type BothSides } from '../asset-tool.ts';
import type { Effect } from '../occupation-types.ts';
import { STAGES, type OccupationType } from '../terms.ts';

const { FILLED, RESERVED, CONTACTED, CLAIMING, VACANT, ACQUIRABLE, TERMINATED, ARCHIVED } = STAGES;
type Stage = (typeof STAGES)[keyof typeof STAGES];
type Type = Parameters<typeof tellingOf>[0]['events'][number]['type'];

describe('what a tool is told', () => {
  const told = (type: OccupationType, from: Stage, to: Stage, events: Type[], effects: Effect[] = []) =>
    tellingOf({ before: { stage: from }, after: { type, stage: to }, events: events.map((one) => ({ type: one })), effects });
  const loan: Effect = { kind: 'open-loan', dueAt: '', borrower: { kind: 'system', id: null, name: '' }, receiver: null };
  const back = (endedBy: 'returned' | 'lost' | 'returned-elsewhere'): Effect => ({ kind: 'close-loan', endedBy, condition: null });

  test.each<[string, ReturnType<typeof told>, 'check-out' | 'check-in' | null]>([
    ['a delivery that is set aside', told('delivery', RESERVED, RESERVED, []), null],
    ['a delivery that lies there', told('delivery', RESERVED, FILLED, ['occupation_filled']), 'check-out'],
    ['its receiver has it', told('delivery', CLAIMING, TERMINATED, ['occupation_claimed', 'occupation_delivered']), null],
    ['its receiver put it back', told('delivery', CLAIMING, CONTACTED, ['occupation_returned']), null],
    ['staff took it out and keep the locker', told('delivery', CONTACTED, VACANT, ['occupation_extract']), null],
    ['it ended without its receiver', told('delivery', VACANT, TERMINATED, ['occupation_terminated']), 'check-in'],
    ['its data are forgotten', told('delivery', TERMINATED, ARCHIVED, ['occupation_archived']), null],
    ['a lending that is offered', told('lending', RESERVED, FILLED, ['occupation_filled']), null],
    ['a loan', told('lending', CLAIMING, VACANT, ['occupation_borrowed'], [loan]), 'check-out'],
    ['a loan that is back', told('lending', VACANT, ACQUIRABLE, ['occupation_returned'], [back('returned')]), 'check-in'],
    ['a loan that came back elsewhere', told('lending', VACANT, TERMINATED, [], [back('returned-elsewhere')]), 'check-in'],
    ['a loan that is lost', told('lending', VACANT, TERMINATED, [], [back('lost')]), null],
    ['what is recalled lies there', told('recall', RESERVED, ACQUIRABLE, ['occupation_filled', 'occupation_published']), null],
    ['staff have it', told('recall', CLAIMING, TERMINATED, ['occupation_claimed', 'occupation_returned']), 'check-in'],
    ['staff have what was dropped off', told('drop-off', CLAIMING, TERMINATED, ['occupation_claimed']), 'check-in'],
    ['nobody brought it', told('recall', RESERVED, TERMINATED, ['occupation_terminated']), null],
    ['goods', told('consumable', RESERVED, FILLED, ['occupation_filled']), null],
  ])('%s', (_, said, wanted) => expect(said).toBe(wanted));
});

describe('what differs', () => {
  const same: BothSides = {
    there: 'available',
    isGone: false,
    here: null,
    inUse: false,
    told: null,
    isHeardSince: true,
    requestClosed: false,
    sharesIdentifier: false,
  };
  const of = (more: Partial<BothSides>) => differencesOf({ ...same, ...more });
  it('is nothing where both say the same, or only one side has to do with it', () => {
    expect(of({})).toEqual([]);
    expect(of({ there: 'out' })).toEqual([]);
    expect(of({ there: 'out', here: 'out', told: { state: 'done' } })).toEqual([]);
    expect(of({ here: 'in' })).toEqual([]);
  });
  it('is who has it, once the tool was heard after it was told', () => {
    expect(of({ there: 'out', here: 'in' })).toEqual(['out-there']);
    expect(of({ here: 'out', told: { state: 'done' } })).toEqual(['out-here']);
    expect(of({ there: 'not-lendable', here: 'out' })).toEqual(['out-here']);
    expect(of({ here: 'out', told: { state: 'done' }, isHeardSince: false })).toEqual([]);
  });
  it('is what it was not told, or refused, before anything else', () => {
    for (const state of ['wanted', 'sent', 'unknown'] as const) expect(of({ here: 'out', told: { state } })).toEqual(['untold']);
    expect(of({ here: 'out', told: { state: 'refused' } })).toEqual(['refused']);
  });
  it('is what is gone there, was withdrawn there, or bears the same code', () => {
    expect(of({ isGone: true })).toEqual([]);
    expect(of({ isGone: true, inUse: true, here: 'out' })).toEqual(['gone-there']);
    expect(of({ requestClosed: true, here: 'out', there: 'out' })).toEqual(['request-closed']);
    expect(of({ sharesIdentifier: true })).toEqual(['same-identifier']);
  });
});
