import { describe, expect, test } from 'vitest';
import { historyQuestion } from './question.ts';
import { parseHistorySearch } from './search.ts';
import { typesOf } from './words.ts';

describe('history’s question', () => {
  test('nothing set asks for everything', () => {
    expect(historyQuestion(parseHistorySearch({}))).toEqual({});
  });
  test('a group asks for its events, an event for itself, nonsense for all', () => {
    expect(historyQuestion({ kind: 'payment' })).toEqual({ type: { $in: typesOf('payment') } });
    expect(typesOf('payment')).toHaveLength(5);
    expect(historyQuestion({ kind: 'locker_opened' })).toEqual({ type: 'locker_opened' });
    expect(historyQuestion({ kind: 'drop table' })).toEqual({});
  });
  test('days are whole local days, the last one included', () => {
    const { at } = historyQuestion({ from: '2026-03-28', to: '2026-03-29' }) as { at: { $gte: string; $lt: string } };
    expect(new Date(at.$gte)).toEqual(new Date(2026, 2, 28));
    expect(new Date(at.$lt)).toEqual(new Date(2026, 2, 30));
  });
  test('door and person narrow it', () => {
    expect(historyQuestion(parseHistorySearch({ door: 1042, who: 'abc' }))).toEqual({ doorTag: '1042', actorId: 'abc' });
  });
});
