import { MAX_PIECES } from '@hatchway/domain/doors.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Occupation } from '../../app/queries.ts';

/** A typed whole number from `least` to what one locker can be said to hold; null where it is none. */
export function pieces(typed: string, least: number): number | null {
  const bare = typed.replaceAll(/\s/g, '');
  if (!/^\d{1,6}$/.test(bare)) return null;
  const count = Number(bare);
  return count >= least && count <= MAX_PIECES ? count : null;
}

/** What lies there by the record. */
export const inside = ({ stage, quantity }: Pick<Occupation, 'stage' | 'quantity'>): number =>
  stage === STAGES.VACANT ? 0 : (quantity ?? 0);

/** Whether more is put to what lies there, so that nothing is said of that; into an empty one it is all that lies there. */
export const addsToIt = ({ stage }: Pick<Occupation, 'stage'>): boolean => stage === STAGES.FILLED || stage === STAGES.ACQUIRABLE;

/** How many more were put in; null where it is no number, or with what lies there more than one locker can be said to hold. */
export function added(typed: string, one: Pick<Occupation, 'stage' | 'quantity'>): number | null {
  const count = pieces(typed, 1);
  return count !== null && inside(one) + count <= MAX_PIECES ? count : null;
}
