import { doorMayOpen, isJam, isStock } from '@hatchway/domain/doors.ts';
import { isAsked, NOT_SEEN, STAGES, type OccupationType, type Stage } from '@hatchway/domain/terms.ts';
import type { Locker, Occupation } from '../../app/queries.ts';
import { notLocked } from '../lockers/door-view.ts';

/** How the open command that this screen sent stands; null where it sent none (after a reload, say). */
export type Attempt =
  | null
  | { state: 'waiting' }
  | { state: 'opened' | 'refused' | 'not-seen' | 'no-answer' | 'offline' | 'failed'; jam?: boolean };

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
  /** Shut, and the clock does not fill it: something lay there before, or staff have said what does. */
  | 'unsaid'
  /** Closed again, but its lock did not catch; it fills all the same. */
  | 'not-locked'
  /** Closed again, and the sensor finds nothing inside: it fills only by somebody's word. */
  | 'sensed-empty'
  | 'filled'
  /** In use for somebody, who may have been told or been there: only its messages tell what was sent; of `kept-sent` the last one went out. */
  | 'kept'
  | 'kept-sent'
  /** Inside, and for all who may, but not offered yet. */
  | 'stocked'
  | 'published'
  | 'sending'
  | 'told'
  /** The send's answer was lost: nobody knows whether the receiver was told. */
  | 'unsure'
  | 'not-told'
  /** Somebody outside is asked to bring it: the link was not sent yet, is on its way, went out, may have, or did not. */
  | 'unasked'
  | 'asking'
  | 'asked'
  | 'ask-unsure'
  | 'not-asked'
  /** Who was asked has opened the door. */
  | 'bringing'
  | 'brought'
  /** Somebody is let in to take it. */
  | 'claimed'
  | 'lent'
  | 'sold-out'
  /** Its storage is open to its owner at this moment. */
  | 'visited'
  | 'taken-back'
  /** Its receiver has it. */
  | 'delivered'
  | 'unstored'
  | 'sold'
  /** What was brought is in the hands of staff. */
  | 'fetched'
  | 'ended';

type OccupationFacts = Pick<Occupation, 'type' | 'stage' | 'contactError' | 'endReason' | 'quantity' | 'dueAt' | 'awaitsWord'>;
type LockerFacts = Pick<Locker, 'door' | 'lock' | 'occupancy' | 'connection' | 'lastCommand'>;

/** How an open command ended, told apart as far as the controller told. */
export const endOfCommand = (outcome: string | undefined, code: unknown): 'refused' | 'not-seen' | 'no-answer' | 'offline' | null => {
  if (outcome === 'refused') return code === NOT_SEEN ? 'not-seen' : 'refused';
  return outcome === 'no-answer' || outcome === 'offline' ? outcome : null;
};

/** Refused because it sits fast: what this screen was answered, else what is read of the door, which comes a moment later. */
export const isJammed = (attempt: Attempt, locker: Pick<Locker, 'lastCommand'> | undefined): boolean =>
  attempt?.state === 'refused' ? attempt.jam === true : isJam(locker?.lastCommand?.code);

const failureOf = (attempt: Attempt, locker: LockerFacts | undefined): Scene | null => {
  if (attempt?.state === 'waiting') return 'opening';
  if (attempt !== null) return attempt.state === 'opened' ? null : attempt.state;
  const outcome = locker?.lastCommand?.op === 'open' ? locker.lastCommand.outcome : undefined;
  if (outcome === 'pending') return 'opening';
  return endOfCommand(outcome, locker?.lastCommand?.code);
};

const ENDED: Readonly<Record<OccupationType, Scene>> = {
  delivery: 'delivered',
  storage: 'unstored',
  sale: 'sold',
  'drop-off': 'fetched',
  recall: 'fetched',
  lending: 'ended',
  consumable: 'ended',
};

/** Offered to all who may, not to somebody who is told. */
const isShelf = (type: OccupationType): boolean => type === 'lending' || isStock(type);

const taken = ({ type, quantity, dueAt }: OccupationFacts): Scene => {
  if (type === 'lending' && dueAt != null) return 'lent';
  return isStock(type) && quantity === 0 ? 'sold-out' : 'taken-back';
};

const wentOut = (message: string | undefined): boolean => message === 'accepted' || message === 'delivered';

const asked = (message: string | undefined): Scene => {
  if (message === undefined) return 'unasked';
  if (message === 'failed') return 'not-asked';
  if (message === 'unknown') return 'ask-unsure';
  return wentOut(message) ? 'asked' : 'asking';
};

/** Something lies inside and nobody is at it. */
const lying = ({ type, stage, contactError }: OccupationFacts, message: string | undefined): Scene => {
  if (isAsked(type)) return 'brought';
  if (isShelf(type) && contactError.length === 0) return stage === STAGES.FILLED ? 'stocked' : 'published';
  if (contactError.length > 0) return 'not-told';
  if (type !== 'storage') return stage === STAGES.FILLED ? 'filled' : 'kept';
  // Its owner, who was told of it, has been there since: nothing is left to do here.
  return wentOut(message) ? 'kept-sent' : 'kept';
};

/**
 * What the last step shows, from what the server and the controller say. Sensed facts come before what this screen asked for:
 * a door that stands open is open, whatever happened to the answer. `message` is how the last call to it went.
 */
export function sceneOf(
  occupation: OccupationFacts,
  locker: LockerFacts | undefined,
  attempt: Attempt,
  byHand: boolean,
  message?: string,
): Scene {
  const { stage, type } = occupation;
  if (stage >= STAGES.TERMINATED) return occupation.endReason === 'taken' ? ENDED[type] : 'ended';
  if (stage === STAGES.VACANT) return taken(occupation);
  if (stage === STAGES.CLAIMING) return type === 'storage' ? 'visited' : 'claimed';
  // Accepted by the provider, and reported lost later: then nobody was told, whatever the stage says.
  if (stage === STAGES.CONTACTED) return occupation.contactError.length > 0 ? 'not-told' : type === 'storage' ? 'kept-sent' : 'told';
  if (stage === STAGES.CONTACTING) return message === 'unknown' ? 'unsure' : 'sending';
  if (stage === STAGES.ACQUIRABLE || stage === STAGES.FILLED) return lying(occupation, message);
  if (byHand) return 'by-hand';
  // Nobody stands here at the door: what happens to it is told by who was asked.
  if (isAsked(type) && attempt === null) return stage === STAGES.INITIATED ? 'bringing' : asked(message);
  if (locker?.door === 'opened') return 'ajar';
  if (stage === STAGES.INITIATED) {
    if (attempt?.state === 'waiting') return 'opening';
    if (locker?.door !== 'closed') return 'opened-unseen';
    if (locker.occupancy === 'empty') return 'sensed-empty';
    if (occupation.awaitsWord) return 'unsaid';
    return notLocked(locker) ? 'not-locked' : 'settling';
  }
  const failure = failureOf(attempt, locker);
  if (failure !== null) return failure;
  return attempt?.state === 'opened' ? 'opened-unseen' : 'reserved';
}

/** Scenes whose words say that something lies behind a shut door. */
const LIES: ReadonlySet<Scene> = new Set([
  'filled',
  'kept',
  'kept-sent',
  'stocked',
  'published',
  'sending',
  'told',
  'unsure',
  'not-told',
  'brought',
]);
/** And whose words say that the door is free for others. */
const FREE: ReadonlySet<Scene> = new Set(['delivered', 'unstored', 'sold', 'fetched']);

/** What is sensed or doubted against those words, which then give way: the door stands open again, or somebody has to look first. */
export const against = (scene: Scene, locker: Pick<Locker, 'door' | 'inDoubt'> | undefined): 'open' | 'doubt' | null => {
  if (locker !== undefined && FREE.has(scene)) return locker.inDoubt ? 'doubt' : null;
  if (locker === undefined || !LIES.has(scene)) return null;
  if (locker.door === 'opened') return 'open';
  return locker.inDoubt ? 'doubt' : null;
};

/**
 * Whether its door was heard to open for what is to be said now: until then opening it comes before any word of what lies there. Of what is
 * out that is since it went out, for the opening itself changes the record; of a stock, since the record changed.
 */
export const heardOpen = (
  { stage, stageAt, updatedAt }: Pick<Occupation, 'stage' | 'stageAt' | 'updatedAt'>,
  locker: Pick<Locker, 'door' | 'connection' | 'lastCommand'> | undefined,
): boolean => {
  if (stage === STAGES.INITIATED) return true;
  if (locker === undefined) return false;
  const { door, connection, lastCommand: last } = locker;
  const since = stage === STAGES.VACANT ? stageAt : updatedAt;
  return (door === 'opened' && connection === 'online') || (last?.op === 'open' && last.outcome === 'opened' && last.at > since);
};

/** Whether its stage calls for an open door, so that the command may name it. */
export const callsForOpen = ({ type, stage }: Pick<Occupation, 'type' | 'stage'>): boolean =>
  // Stages on the wire are numbers; those of the list are the only ones that the server sends.
  doorMayOpen({ type, stage: stage as Stage });

/**
 * Whether "Nothing inside" can be said of what counts as filled: it is stated empty and starts over. Not where that would lose what was
 * planned with it: the pieces of a stock, the span of a storage.
 */
export const mayStartOver = ({ type, actions }: Pick<Occupation, 'type' | 'actions'>): boolean =>
  (type === 'delivery' || type === 'lending') && actions.includes('empty');

/** Scenes whose words say that something was taken out, which a person or a sensor told, or nobody. */
const TAKEN: ReadonlySet<Scene> = new Set(['lent', 'delivered', 'unstored', 'sold', 'fetched']);
export const isTaken = (scene: Scene): boolean => TAKEN.has(scene);

/** No button is the main one where the likely thing is done with the hands, or what lies there may be another thing, or nothing. */
export const hasMainOne = (scene: Scene): boolean => scene !== 'ajar' && scene !== 'sensed-empty' && scene !== 'unsaid';

/** An Enter too many must not say that something lies inside where no sensor agrees: then only the words have the focus. */
export const wantsWords = (scene: Scene, locker: Pick<Locker, 'occupancy'> | undefined): boolean =>
  !hasMainOne(scene) ||
  scene === 'opened-unseen' ||
  scene === 'by-hand' ||
  ((scene === 'settling' || scene === 'not-locked') && locker?.occupancy !== 'occupied');

/** Scenes from which this screen has nothing left to do but the next one. */
const OVER: ReadonlySet<Scene> = new Set<Scene>([
  'told',
  'kept-sent',
  'sending',
  'unsure',
  'published',
  'bringing',
  'brought',
  'claimed',
  'visited',
  'lent',
  'sold-out',
  'taken-back',
  'delivered',
  'unstored',
  'sold',
  'fetched',
  'ended',
]);
export const isOver = (scene: Scene | null): boolean => scene !== null && OVER.has(scene);

/** Whose end is not known yet: whoever comes back is to hear it. */
const AWAITED: ReadonlySet<Scene> = new Set(['sending', 'unsure']);

/**
 * Come back to, it gives way to the next one: nothing is left to do here, nor to know first. Behind a door that was last heard to stand open,
 * or not to be locked, there is, unless the locker serves another use by now.
 */
export const givesWay = (
  scene: Scene | null,
  locker: Pick<Locker, 'door' | 'lock' | 'lastCommand' | 'occupation'> | undefined,
  id: string,
): boolean => {
  if (scene === null || !isOver(scene) || AWAITED.has(scene)) return false;
  if (locker === undefined || (locker.occupation !== null && locker.occupation.id !== id)) return true;
  return locker.door !== 'opened' && !notLocked(locker);
};

/** What ending the occupation now would do, so that the dialog can say it. */
export function lossOf(
  occupation: Pick<Occupation, 'stage' | 'createdAt'> | null,
  lastCommand: Locker['lastCommand'] | undefined,
): 'draft' | 'reserved' | 'asked' | 'doubt' | 'content' {
  if (occupation === null) return 'draft';
  if (occupation.stage === STAGES.INITIATED) return 'doubt';
  if (occupation.stage !== STAGES.RESERVED) return 'content';
  // What came after it hides an opening from here, not from whoever decides.
  const untouched = lastCommand === null || (lastCommand !== undefined && lastCommand.at < occupation.createdAt);
  return untouched ? 'reserved' : 'asked';
}

/** How the door is left by who ends it now, where that is not shut: sensed open, or opened and not sensed since. */
export const leftBehind = (stage: number, door: Locker['door']): 'opened' | 'unknown' | null =>
  door === 'opened' ? 'opened' : door === 'unknown' && stage === STAGES.INITIATED ? 'unknown' : null;
