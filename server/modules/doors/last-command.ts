import type { Selectable } from 'kysely';
import type { ContentState } from '@hatchway/domain/terms.ts';
import type { CommandsTable, LastCommand, LockersTable } from '../../db/tables/lockers.ts';

type Locker = Pick<Selectable<LockersTable>, 'door' | 'occupancy' | 'sensed_since' | 'last_command'>;
type Opener = Pick<Selectable<CommandsTable>, 'id' | 'issued_at'>;

/**
 * What was sensed inside while the door was still shut, and already when it was asked to open: after that a hand may be what is sensed. The
 * locker's row is as it was before.
 */
const sensedInside = ({ door, occupancy, sensed_since: since }: Locker, { issued_at: asked }: Opener): ContentState =>
  door === 'closed' && since !== null && since <= asked ? occupancy : 'unknown';

type Heard = {
  /** The command that opened the door with this word. */
  opener: Opener | null;
  sprung: boolean;
  /** The word of a new session, or one that waited at a broker: what came before it nobody knows. */
  unheard: boolean;
  now: string;
};

/** The last command of a door, after a word of its controller; null where it stays as it was. */
export const lastCommandAfter = (locker: Locker, { opener, sprung, unheard, now }: Heard): LastCommand | null => {
  const last = locker.last_command;
  if (last === null) return null;
  if (opener !== null && last.id === opener.id) {
    const inside = sprung && !unheard ? sensedInside(locker, opener) : 'unknown';
    return { ...last, outcome: last.outcome === 'pending' ? 'opened' : last.outcome, seen: { at: now, inside } };
  }
  // What was sensed as it opened bears no witness to what came while nobody heard its cabinet.
  if (unheard && typeof last.seen === 'object') return { ...last, seen: { ...last.seen, inside: 'unknown' } };
  return null;
};
