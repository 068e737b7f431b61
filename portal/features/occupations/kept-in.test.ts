import { expect, it } from 'vitest';
import { inOrder, keptIn, stepFrom } from './kept-in.ts';

const thing = { _id: 'a1', dueAt: null, statusLabelId: null };
const out = { ...thing, dueAt: '2026-03-10T12:00:00Z' };
type Type = Parameters<typeof keptIn>[0];
const use = (type: Type, stage: number) => ({ assetId: 'a1', type, stage, doorTag: 'A-01' });
const labels = [
  { id: 'broken', type: 'undeployable' },
  { id: 'fine', type: 'deployable' },
] as const;

it('what is out or lies elsewhere is said to, and goes on by somebody’s word alone', () => {
  for (const type of ['delivery', 'sale', 'consumable', 'storage'] as const) {
    expect(keptIn(type, thing, [], labels)).toBeNull();
    expect(keptIn(type, out, [], labels)).toEqual({ why: 'out', tag: '', barred: false });
    expect(keptIn(type, thing, [use('lending', 3)], labels)).toEqual({ why: 'lies', tag: 'A-01', barred: false });
    // only a stage that says so lets anybody say that it lies there
    expect(keptIn(type, thing, [use('delivery', 0)], labels)).toEqual({ why: 'under', tag: 'A-01', barred: false });
    expect(keptIn(type, { ...thing, _id: 'a2' }, [use('delivery', 3)], labels)).toBeNull();
  }
});

it('goods may stand in several lockers', () => {
  expect(keptIn('sale', thing, [use('sale', 3), use('consumable', 3)], labels)).toBeNull();
  expect(keptIn('delivery', thing, [use('sale', 3)], labels)?.why).toBe('lies');
});

it('nothing is lent twice, nor against its label', () => {
  expect(keptIn('lending', out, [], labels)).toEqual({ why: 'out', tag: '', barred: true });
  expect(keptIn('lending', thing, [use('delivery', 3), use('lending', 1)], labels)).toEqual({ why: 'under', tag: 'A-01', barred: true });
  expect(keptIn('lending', { ...thing, statusLabelId: 'broken' }, [], labels)).toEqual({ why: 'label', tag: '', barred: true });
  expect(keptIn('lending', { ...thing, statusLabelId: 'fine' }, [use('delivery', 5)], labels)).toEqual({
    why: 'lies',
    tag: 'A-01',
    barred: false,
  });
});

it('what is in use out of sight is said to be in use, and not where', () => {
  const unseen = { why: 'unseen', tag: '', barred: false };
  expect(keptIn('delivery', thing, [], labels, ['a1'])).toEqual(unseen);
  expect(keptIn('lending', thing, [], labels, ['a1'])).toEqual(unseen);
  expect(keptIn('delivery', thing, [], labels, ['a2'])).toBeNull();
  expect(keptIn('delivery', thing, [use('sale', 3)], labels, ['a1'])?.why).toBe('lies');
});

it('what is out is what can be recalled', () => {
  expect(keptIn('recall', out, [use('lending', 7)], labels)).toBeNull();
});

it('what nothing keeps stands first, save that rows under a hand stay where they are', () => {
  const list = ['a', 'b', 'c', 'd'].map((_id) => ({ _id }));
  const ids = (kept: string, held: string[] = [], of = list) => inOrder(of, ({ _id }) => kept.includes(_id), held).map(({ _id }) => _id);
  expect([ids(''), ids('a'), ids('ac')]).toEqual([
    ['a', 'b', 'c', 'd'],
    ['b', 'c', 'd', 'a'],
    ['b', 'd', 'a', 'c'],
  ]);
  expect(ids('a', ['a', 'b', 'c', 'd'])).toEqual(['a', 'b', 'c', 'd']);
  // what came since stands below them, what went leaves the others in their order
  expect(ids('ac', ['d', 'a'])).toEqual(['d', 'a', 'b', 'c']);
  expect(ids('', ['d', 'gone', 'a'])).toEqual(['d', 'a', 'b', 'c']);
});

it('the marked thing is walked from where it stands now', () => {
  const list = ['b', 'a', 'c'].map((_id) => ({ _id }));
  expect([stepFrom(list, null, 1), stepFrom(list, 'a', 1), stepFrom(list, 'c', 1)]).toEqual(['b', 'c', 'c']);
  expect([stepFrom(list, 'a', -1), stepFrom(list, 'b', -1), stepFrom(list, null, -1)]).toEqual(['b', null, null]);
  expect([stepFrom(list, 'gone', 1), stepFrom([], null, 1)]).toEqual(['b', null]);
});
