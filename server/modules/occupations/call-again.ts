import { STAGES } from '@hatchway/domain/terms.ts';
import { Problem } from '../../http/problem.ts';
import type { Calling } from '../messages/commands.ts';
import { attempt, load } from './commands.ts';
import { isBeingCalled } from './message-fate.ts';
import { lockOccupation } from './row-queries.ts';

/**
 * Somebody's word that its receiver shall be called once more is a Send: what was said of the call before is said no more, and what
 * becomes of this one counts. A call whose fate nobody knows is given up by that word; the stage sends nothing before. One that is
 * under way, by whatever channel, is not: what becomes of it would count no more, and somebody who got it be called untold. Looked at
 * under the lock, so that of two who ask by different messages one finds what the other began.
 */
export const callAgain: Calling = async (tx, deps, scope, occupationId, channel) => {
  await lockOccupation(tx, scope.tenantId, occupationId);
  if (await isBeingCalled(tx, scope.tenantId, occupationId))
    throw new Problem('message-not-sendable', 'The receiver is being called already');
  const { stage } = await load(tx, scope.tenantId, occupationId);
  if (stage === STAGES.CONTACTING)
    await attempt(tx, deps, scope, occupationId, { kind: 'message-failed', error: 'unknown' }, { as: 'server' });
  return (await attempt(tx, deps, scope, occupationId, { kind: 'send', channel }, { as: 'staff' })).ok;
};
