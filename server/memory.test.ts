import { setImmediate as turn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { giveBackMemory } from './memory.ts';

it('gives back what nobody holds, and leaves no flag', async () => {
  const left = new WeakRef({ of: 'a start' });
  await turn();
  giveBackMemory();
  expect(left.deref()).toBeUndefined();
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
