import type { Selectable } from 'kysely';
import { MINUTE } from '@hatchway/domain/deadlines.ts';
import type { LockersTable } from '../../db/tables/lockers.ts';

/** Longer than anybody stands before a lock that was let go for them, or than a jam holds what was pulled at. */
export const MOVES_WITHIN = 2 * MINUTE;
/** So many openings without a rest between them are of no hand: the contact is broken. */
export const BROKEN_AFTER = 10;

type Incident = { at: string; openings: number };
type Before = Pick<
  Selectable<LockersTable>,
  'door' | 'door_at' | 'incident_at' | 'openings' | 'content' | 'content_why' | 'doubted_at' | 'said_at'
>;

const isNear = (at: string, other: string | null, ms: number): boolean =>
  other !== null && Math.abs(Date.parse(at) - Date.parse(other)) < ms;

/**
 * Which incident an opening, or an alarm, belongs to: since when that has gone on, and how many openings it had without a rest. An alarm and
 * its opening are one, so is what comes before somebody has looked, and a contact that bounces. `at`: by the controller's clock.
 */
export function incidentOf(before: Before, { at, now }: { at: string; now: string }, bounceMs: number): Incident {
  const { door, door_at: moved, incident_at: since, openings } = before;
  if (since === null) return { at: now, openings: 1 };
  if (door === 'closed' && openings > 0 && isNear(at, moved, bounceMs)) return { at: since, openings: openings + 1 };
  const looked = before.said_at !== null && before.said_at > since;
  const inDoubt = before.content === 'unknown' && before.content_why === 'unexpected-opening';
  const goesOn = !looked && (inDoubt || isNear(now, before.doubted_at, MOVES_WITHIN));
  return { at: goesOn ? since : now, openings: 1 };
}
