import { describe, expect, test } from 'vitest';
import { isNarrowed, occupationsQuestion, parseOccupationsSearch } from './search.ts';

describe('occupations’ question', () => {
  test('shows what runs unless told otherwise', () => {
    expect(occupationsQuestion({})).toEqual({ stage: { $lt: 98 } });
    expect(isNarrowed({})).toBe(false);
  });
  test('overdue is a kind of running; ended is the rest; all asks for no stage', () => {
    expect(occupationsQuestion({ view: 'overdue' })).toEqual({ stage: { $lt: 98 }, overdue: true });
    const due = occupationsQuestion({ view: 'due' });
    expect(due).toEqual({ stage: { $gte: 3, $lte: 6 }, pickupBy: { $lt: expect.stringMatching(/^\d{4}-.*Z$/) as string } });
    const end = new Date((due['pickupBy'] as { $lt: string }).$lt);
    expect([end.getHours(), end.getMinutes(), end > new Date()]).toEqual([0, 0, true]);
    expect(occupationsQuestion({ view: 'brought' })).toEqual({ stage: 3, type: { $in: ['drop-off', 'recall'] } });
    expect(occupationsQuestion({ view: 'ended' })).toEqual({ stage: { $gte: 98 } });
    expect(occupationsQuestion({ view: 'all' })).toEqual({});
  });
  test('a stage wins over the view, and words are searched', () => {
    expect(occupationsQuestion({ view: 'active', stage: 'TERMINATED', service: 'selfservice', find: 'kari', door: 'A-104' })).toEqual({
      stage: 98,
      service: 'selfservice',
      $text: 'kari',
      doorTag: 'A-104',
    });
  });
  test('an address with nonsense shows the usual list', () => {
    expect(parseOccupationsSearch({ view: 'x', service: '{"$ne":1}', stage: 12, size: 'many' })).toEqual({});
  });
});
