import { isJam, isNotLocked } from '@hatchway/domain/doors.ts';
import { isFailing, lockerState, unfit, type Candidate } from '@hatchway/domain/locker.ts';
import { STAGES, type Service, type Stage } from '@hatchway/domain/terms.ts';
import type { TFunction } from 'i18next';
import { serverNow } from '../../app/clock.ts';
import type { Cabinet, Locker } from '../../app/queries.ts';
import type { DoorLook, DoorView, Doors } from '../../ui/wall/model.ts';

export type LockerFacts = Pick<
  Locker,
  | 'id'
  | 'cabinetId'
  | 'doorTag'
  | 'size'
  | 'reach'
  | 'connection'
  | 'paired'
  | 'door'
  | 'lock'
  | 'content'
  | 'inDoubt'
  | 'outOfService'
  | 'occupation'
  | 'services'
  | 'lastCommand'
  | 'openLinkUntil'
>;

const opening = ({ lastCommand }: Pick<Locker, 'lastCommand'>): boolean => lastCommand?.op === 'open' && lastCommand.outcome === 'pending';

/** Shut, but its lock did not catch. */
export const notLocked = (locker: Pick<Locker, 'door' | 'lock' | 'lastCommand'>): boolean =>
  isNotLocked({ door: locker.door, lock: locker.lock, opening: opening(locker) });

/** Heard now, and its sensor senses nothing behind the door, shut or not: whoever says that something lies there is asked. */
const sensesNothing = (locker: Pick<Locker, 'connection' | 'occupancy'>): boolean =>
  locker.connection === 'online' && locker.occupancy === 'empty';

/**
 * What stands against the word that something lies inside, so that it is asked for once more: a door that is heard to stand open, whatever
 * is sensed behind it, or a sensor that senses nothing.
 */
export const againstInside = (locker: Pick<Locker, 'connection' | 'door' | 'occupancy'>): 'open' | 'nothing' | null =>
  locker.connection === 'online' && locker.door === 'opened' ? 'open' : sensesNothing(locker) ? 'nothing' : null;

/** What is said of the door at that question, as it stands now. Only a door that is heard to be closed is called so. */
export const saidOfInside = (
  locker: Pick<Locker, 'connection' | 'door' | 'occupancy'> | undefined,
): NonNullable<ReturnType<typeof againstInside>> | 'shut' | 'unheard' => {
  if (locker === undefined) return 'unheard';
  return againstInside(locker) ?? (locker.connection === 'online' && locker.door === 'closed' ? 'shut' : 'unheard');
};

/** Whether its cabinet can be heard, in words; one without a controller is not away. */
export const connectionWord = ({ connection, paired }: Pick<Locker, 'connection' | 'paired'>, t: TFunction): string =>
  t(`terms.connection.${paired ? connection : 'unpaired'}`);

/** How the door stands, in words; of a cabinet that is silent nobody knows, whatever was read of it before. */
export const doorWord = (locker: Pick<Locker, 'connection' | 'door' | 'lock' | 'lastCommand'>, t: TFunction): string =>
  locker.connection === 'offline'
    ? t('terms.door.unknown')
    : notLocked(locker)
      ? t('terms.lockerState.not-locked')
      : t(`terms.door.${locker.door}`);

/** How the last command ended; a jam by its own word, which is what one can do something about. */
export const outcomeWord = ({ outcome, code }: NonNullable<Locker['lastCommand']>, t: TFunction): string =>
  t(`lockers.outcome.${outcome === 'refused' && isJam(code) ? 'jammed' : outcome}`);

/** What is believed of the content. Of a cabinet that cannot be heard it is what was last known, and anything may have happened since. */
export const contentWord = ({ connection, content }: Pick<Locker, 'connection' | 'content'>, t: TFunction): string => {
  const word = t(`terms.content.${content}`);
  return connection === 'offline' && content !== 'unknown' ? t('lockers.facts.lastKnown', { content: word }) : word;
};

/**
 * Since when nobody knows how its door stands: since it was asked and gave no answer, where its cabinet has said nothing since, or since
 * the cabinet is offline. One that is quiet is there all the same. Null while its sensors are heard, or where they never were.
 */
export const unheardSince = (
  { connection, lastCommand, doorSince }: Pick<Locker, 'connection' | 'lastCommand' | 'doorSince'>,
  cabinet: Pick<Cabinet, 'lastSeenAt' | 'connectionAt'> | undefined,
): string | null => {
  if (!cabinet?.lastSeenAt) return null;
  const asked = lastCommand?.outcome === 'no-answer' ? lastCommand.at : '';
  if (cabinet.lastSeenAt < asked && (doorSince ?? '') < asked) return asked;
  return connection === 'offline' ? cabinet.connectionAt : null;
};

/** Since when; null of what nobody knows now, whose last change was another state's. */
export const knownSince = (state: string, since: string | null): string | null => (state === 'unknown' ? null : since);

/** The rule's look, told apart further where a person can do something about it: look inside, or fill again. */
export function lookOf(locker: LockerFacts): DoorLook {
  const { occupation } = locker;
  const look = lockerState({
    connection: locker.connection,
    door: locker.door,
    lock: locker.lock,
    opening: opening(locker),
    content: locker.content,
    outOfService: locker.outOfService !== null,
    // Stages on the wire are numbers; those of the list are the only ones that the server sends.
    occupation: occupation === null ? null : { ...occupation, stage: occupation.stage as Stage },
  });
  if (look === 'offline' && !locker.paired) return 'unpaired';
  if (look === 'unknown' && locker.inDoubt && locker.door !== 'unknown') return 'inDoubt';
  // Free by its record, and not seen to open when it was last asked: more than that nobody knows.
  if (look === 'free' && isFailing(locker.lastCommand)) return 'failing';
  return look === 'reserved' && occupation?.stage === STAGES.VACANT ? 'vacant' : look;
}

/** Somebody can open it by a link now, or will. */
export const isLinked = ({ openLinkUntil }: Pick<Locker, 'openLinkUntil'>): boolean =>
  openLinkUntil !== null && Date.parse(openLinkUntil) > serverNow();

export const candidate = (locker: LockerFacts): Candidate => ({
  id: locker.id,
  cabinetId: locker.cabinetId,
  doorTag: locker.doorTag,
  size: locker.size,
  reach: locker.reach,
  connection: locker.connection,
  door: locker.door,
  content: locker.content,
  outOfService: locker.outOfService !== null,
  services: locker.services as readonly Service[],
  occupied: locker.occupation !== null,
  failing: isFailing(locker.lastCommand),
  linked: isLinked(locker),
});

export type Obstacle = NonNullable<ReturnType<typeof unfit>> | 'unknown' | 'unpaired';

/** Why this locker cannot be given to a service now; null where it can. */
export function obstacleTo(locker: LockerFacts, service: Service): Obstacle | null {
  const obstacle = unfit(candidate(locker), service);
  if (obstacle === 'offline' && !locker.paired) return 'unpaired';
  return obstacle === 'open' && locker.door === 'unknown' ? 'unknown' : obstacle;
}

/** Of a locker that has not changed the same view is given again, so that a wall is compared by what it is handed. */
const views = new WeakMap<LockerFacts, DoorView>();
export function doorView(locker: LockerFacts, blocked?: string): DoorView {
  const known = blocked === undefined ? views.get(locker) : undefined;
  if (known) return known;
  const view: DoorView = { id: locker.id, tag: locker.doorTag, size: locker.size, look: lookOf(locker), ajar: locker.door === 'opened' };
  if (view.look !== 'not-locked' && notLocked(locker)) view.loose = true;
  if (locker.lastCommand?.outcome === 'pending') view.busy = true;
  if (blocked !== undefined) view.blocked = blocked;
  else views.set(locker, view);
  return view;
}

/** A wall for giving lockers away: whatever cannot be given stands back and says why. */
export function doorsFor(lockers: readonly LockerFacts[], service: Service, t: TFunction): Doors {
  return Object.fromEntries(
    lockers.map((locker) => {
      const obstacle = obstacleTo(locker, service);
      return [locker.id, obstacle === null ? doorView(locker) : { ...doorView(locker, t(`lockers.obstacle.${obstacle}`)), faint: true }];
    }),
  );
}

/** A wall for looking after lockers: every door can be chosen. */
export const doorsOf = (lockers: readonly LockerFacts[]): Doors =>
  Object.fromEntries(lockers.map((locker) => [locker.id, doorView(locker)]));
