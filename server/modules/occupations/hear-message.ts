import type { Hearing } from '../messages/commands.ts';
import { attempt } from './commands.ts';
import { CALLS, lastCall } from './message-fate.ts';
import { lockOccupation } from './row-queries.ts';

/**
 * What became of one message: accepted as soon as one channel is; failed when all of the last call have failed, also where that is
 * reported after it was accepted. What the stage does not call for is refused there.
 */
export const hearMessage: Hearing = async (tx, deps, scope, { occupationId, kind, cause, state, error }) => {
  if (!CALLS.includes(kind)) return;
  // Two ways may fail at the same moment: whoever comes second sees what became of the first.
  await lockOccupation(tx, scope.tenantId, occupationId);
  const last = await lastCall(tx, scope.tenantId, occupationId);
  // Of a call that another has followed, to somebody else perhaps, nothing counts any more.
  if (last[0]?.cause !== cause) return;
  if (state === 'accepted') return void (await attempt(tx, deps, scope, occupationId, { kind: 'message-accepted' }, { as: 'server' }));
  if (!last.every((one) => one.state === 'failed')) return;
  await attempt(tx, deps, scope, occupationId, { kind: 'message-failed', error }, { as: 'server' });
};
