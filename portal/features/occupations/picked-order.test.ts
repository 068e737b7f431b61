import { expect, it } from 'vitest';
import { emptyDraft, registrationOf, type Draft } from './draft.ts';
import { isOrderWritten, orderPicked, orderTyped, type Order } from './picked-order.ts';
import { PLANS } from './plan.ts';

const order = (number: string, name: string, line: string): Order => ({
  id: `id-${number}`,
  number,
  shop: null,
  status: 'processing',
  customer: { name, tlf: '+4791234567', email: null },
  lines: [{ name: line, quantity: 2 }],
  createdAt: '2026-03-10T12:00:00.000Z',
  modifiedAt: '2026-03-10T12:00:00.000Z',
  asOf: '2026-03-10T12:00:00.000Z',
});
const [annas, bos] = [order('10005', 'Anna', 'Boots'), order('10006', 'Bo', 'Skis')];
const draft = emptyDraft('order', 'k');
const picked = (from: Draft, one: Order): Draft => ({ ...from, ...orderPicked(from, one) });
const typed = (from: Draft, text: string): Draft => ({ ...from, ...orderTyped(from, text) });

it('brings receiver and content, and another order brings its own', () => {
  const hers = picked({ ...draft, samePerson: true }, annas);
  expect(hers).toMatchObject({ orderRef: '10005', receiver: { name: 'Anna' }, samePerson: false, text: '2 × Boots' });
  expect(isOrderWritten(hers)).toBe(false);
  expect(picked(hers, bos)).toMatchObject({ order: { id: 'id-10006' }, receiver: { name: 'Bo' }, text: '2 × Skis' });
});

it('reads a number as a shop prints it, and keeps a picked one as the shop has it', () => {
  const refOf = (from: Draft) => registrationOf(from, PLANS.delivery, 'l1').orderRef;
  for (const text of ['#10005', ' # 10005 ', '10005']) expect([text, refOf(typed(draft, text))]).toEqual([text, '10005']);
  expect(isOrderWritten(typed(draft, '#'))).toBe(false);
  expect(refOf(typed(draft, '#'))).toBeUndefined();
  expect(refOf(picked(draft, order('#A-1', 'Anna', 'Boots')))).toBe('#A-1');
});

it('takes back with a changed number what the order brought, and that alone', () => {
  const other = typed(picked(draft, annas), '10006');
  expect(other).toEqual({ ...draft, orderRef: '10006' });
  expect(isOrderWritten(other)).toBe(true);
  const asset = { id: 'a', name: 'Saw' };
  const own = { ...draft, asset, text: 'Saw' };
  expect(picked(own, annas)).toMatchObject({ asset, text: 'Saw' });
  expect(typed(picked(own, annas), '1')).toEqual({ ...own, orderRef: '1' });
  expect(typed({ ...picked(draft, annas), text: 'Left boot' }, '1').text).toBe('Left boot');
  const receiver = { name: 'Kari', tlf: '91234567', email: '' };
  expect(typed({ ...draft, receiver }, '1').receiver).toEqual(receiver);
});
