import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import { expect, it } from 'vitest';
import { isSendable } from './is-sendable.ts';

it('what failed is sent again, unless it was not needed or nobody knows any more to whom', () => {
  const failed = { state: 'failed', error: 'no such mailbox', to: 'k…@example.test' } as const;
  expect([failed, { ...failed, state: 'unknown' as const, error: null }].map(isSendable)).toEqual([true, true]);
  const never = [
    { ...failed, state: 'delivered' as const },
    { ...failed, error: NOT_NEEDED },
    { ...failed, error: null, to: '' },
  ];
  expect(never.map(isSendable)).toEqual([false, false, false]);
});
