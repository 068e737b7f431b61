import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import { expect, it } from 'vitest';
import { isSendable } from './is-sendable.ts';

it('what failed is sent again, unless it was not needed or nobody knows any more to whom', () => {
  const failed = { kind: 'ready', state: 'failed', error: 'no such mailbox', to: 'k…@example.test' } as const;
  expect([failed, { ...failed, state: 'unknown' as const, error: null }].map((one) => isSendable(one))).toEqual([true, true]);
  const never = [
    { ...failed, state: 'delivered' as const },
    { ...failed, error: NOT_NEEDED },
    { ...failed, error: null, to: '' },
  ];
  expect(never.map((one) => isSendable(one))).toEqual([false, false, false]);
  for (const kind of ['request', 'recall'] as const)
    expect([undefined, 0, 1, 2, 7].map((stage) => isSendable({ ...failed, kind }, stage))).toEqual([true, true, true, false, false]);
  expect([undefined, 0, 2, 4, 7, 98].map((stage) => isSendable({ ...failed, kind: 'taken-out' }, stage))).toEqual([
    true,
    false,
    false,
    false,
    true,
    true,
  ]);
});
