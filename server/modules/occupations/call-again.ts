import { STAGES } from '@hatchway/domain/terms.ts';
import type { Calling } from '../messages/commands.ts';
import { attempt, load } from './commands.ts';

/**
 * Somebody's word that its receiver shall be called once more is a Send: what was said of the call before is said no more, and what
 * becomes of this one counts. A call whose fate nobody knows is given up by that word; the stage sends nothing before.
 */
export const callAgain: Calling = async (tx, deps, scope, occupationId, channel) => {
  const { stage } = await load(tx, scope.tenantId, occupationId);
  if (stage === STAGES.CONTACTING)
    await attempt(tx, deps, scope, occupationId, { kind: 'message-failed', error: 'unknown' }, { as: 'server' });
  return (await attempt(tx, deps, scope, occupationId, { kind: 'send', channel }, { as: 'staff' })).ok;
};
