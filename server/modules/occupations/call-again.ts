import { STAGES } from '@hatchway/domain/terms.ts';
import { Problem } from '../../http/problem.ts';
import type { Calling } from '../messages/commands.ts';
import { takeBack } from '../messages/waiting-commands.ts';
import { attempt, load } from './commands.ts';
import { callsUnderWay } from './message-fate.ts';
import { lockOccupation } from './row-queries.ts';

/**
 * Somebody's word that its receiver shall be called once more is a Send: what was said of the call before is said no more, and what
 * becomes of this one counts. A call whose fate nobody knows is given up by that word; the stage sends nothing before. One that is
 * under way is not: what becomes of it would count no more, and somebody who got it be called untold. But what the other channel
 * refused for the moment, and waits to be tried again, is taken back and becomes part of this call: the way that is down must not shut
 * the one that is not. Looked at under the lock, so that of two who ask by different messages one finds what the other began.
 */
export const callAgain: Calling = async (tx, deps, scope, occupationId, channel) => {
  await lockOccupation(tx, scope.tenantId, occupationId);
  const underWay = await callsUnderWay(tx, scope.tenantId, occupationId);
  const other = underWay.filter((call) => call.channel !== channel).map(({ id }) => id);
  if (other.length < underWay.length || !(await takeBack(tx, scope, other)))
    throw new Problem('message-not-sendable', 'The receiver is being called already');
  const { stage } = await load(tx, scope.tenantId, occupationId);
  if (stage === STAGES.CONTACTING)
    await attempt(tx, deps, scope, occupationId, { kind: 'message-failed', error: 'unknown' }, { as: 'server' });
  const send = { kind: 'send', channel: other.length > 0 ? ('both' as const) : channel } as const;
  const { ok } = await attempt(tx, deps, scope, occupationId, send, { as: 'staff' });
  // Nobody is called now: then nothing is taken back either.
  if (!ok && other.length > 0) throw new Problem('message-not-sendable', 'The receiver is being called already');
  return ok;
};
