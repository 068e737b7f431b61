import { NOT_SEEN, STAGES } from '@hatchway/domain/terms.ts';
import type { Locker, Occupation } from '../../app/queries.ts';

/** How the open command that this screen sent stands; null where it sent none (after a reload, say). */
export type Attempt = null | { state: 'waiting' } | { state: 'opened' | 'refused' | 'not-seen' | 'no-answer' | 'offline' | 'failed' };

export type Scene =
  /** The command is on its way; nobody knows yet. */
  | 'opening'
  /** Set aside, door never opened. */
  | 'reserved'
  | 'refused'
  /** The lock let go, but the door's sensor saw nothing. */
  | 'not-seen'
  | 'no-answer'
  | 'offline'
  | 'failed'
  /** By key: nobody waits for the controller. */
  | 'by-hand'
  /** The controller senses the door open. */
  | 'ajar'
  /** It said that it opened, but no sensor says how the door stands. */
  | 'opened-unseen'
  /** Closed again; the server counts it as filled in a moment. */
  | 'settling'
  /** Closed again, and the sensor finds nothing inside: it fills only by somebody's word. */
  | 'sensed-empty'
  | 'filled'
  | 'sending'
  | 'told'
  /** The send's answer was lost: nobody knows whether the receiver was told. */
  | 'unsure'
  | 'not-told'
  | 'taken-back'
  /** Its receiver has it. */
  | 'delivered'
  | 'ended';

type OccupationFacts = Pick<Occupation, 'type' | 'stage' | 'contactError' | 'endReason'>;
type LockerFacts = Pick<Locker, 'door' | 'occupancy' | 'connection' | 'lastCommand'>;

/** How an open command ended, told apart as far as the controller told. */
export const endOfCommand = (outcome: string | undefined, code: unknown): 'refused' | 'not-seen' | 'no-answer' | 'offline' | null => {
  if (outcome === 'refused') return code === NOT_SEEN ? 'not-seen' : 'refused';
  return outcome === 'no-answer' || outcome === 'offline' ? outcome : null;
};

const failureOf = (attempt: Attempt, locker: LockerFacts | undefined): Scene | null => {
  if (attempt?.state === 'waiting') return 'opening';
  if (attempt !== null) return attempt.state === 'opened' ? null : attempt.state;
  const outcome = locker?.lastCommand?.op === 'open' ? locker.lastCommand.outcome : undefined;
  if (outcome === 'pending') return 'opening';
  return endOfCommand(outcome, locker?.lastCommand?.code);
};

/**
 * What the last step shows, from what the server and the controller say. Sensed facts come before what this screen asked for:
 * a door that stands open is open, whatever happened to the answer.
 */
export function sceneOf(
  occupation: OccupationFacts,
  locker: LockerFacts | undefined,
  attempt: Attempt,
  byHand: boolean,
  message?: string,
): Scene {
  const { stage } = occupation;
  if (stage >= STAGES.TERMINATED) return occupation.type === 'delivery' && occupation.endReason === 'taken' ? 'delivered' : 'ended';
  if (stage === STAGES.VACANT || stage === STAGES.CLAIMING) return 'taken-back';
  if (stage === STAGES.CONTACTED) return 'told';
  if (stage === STAGES.CONTACTING) return message === 'unknown' ? 'unsure' : 'sending';
  if (stage === STAGES.ACQUIRABLE) return occupation.contactError.length > 0 ? 'not-told' : 'filled';
  if (stage === STAGES.FILLED) return 'filled';
  if (byHand) return 'by-hand';
  if (locker?.door === 'opened') return 'ajar';
  if (stage === STAGES.INITIATED) {
    if (attempt?.state === 'waiting') return 'opening';
    if (locker?.door !== 'closed') return 'opened-unseen';
    return locker.occupancy === 'empty' ? 'sensed-empty' : 'settling';
  }
  const failure = failureOf(attempt, locker);
  if (failure !== null) return failure;
  return attempt?.state === 'opened' ? 'opened-unseen' : 'reserved';
}

/** What ending the occupation now would do, so that the dialog can say it. */
export function lossOf(stage: number | null): 'draft' | 'reserved' | 'doubt' | 'content' {
  if (stage === null) return 'draft';
  if (stage === STAGES.RESERVED) return 'reserved';
  return stage === STAGES.INITIATED ? 'doubt' : 'content';
}
