import { SECOND, later } from './deadlines.ts';
import { isStock } from './doors.ts';
import type { Context, Occupation } from './occupation-types.ts';
import { STAGES } from './terms.ts';

/** One visit to a door: to fill it, or for its claim. */
export type Visit = Pick<Occupation, 'type' | 'stage' | 'quantity' | 'claimQuantity' | 'doorClosedAt'>;
export type Sensing = Pick<Context, 'sensed' | 'sensedSince' | 'sensedBefore' | 'doubt'>;

/** What its claim leaves of a stock by the record. */
export const piecesLeft = ({ type, quantity, claimQuantity }: Omit<Visit, 'stage' | 'doorClosedAt'>): number =>
  isStock(type) ? quantity - (claimQuantity ?? 1) : 0;

/** It sensed something as the door was opened for the claim, and senses nothing now. */
export const wasSensedToGo = ({ sensed, sensedBefore }: Pick<Sensing, 'sensed' | 'sensedBefore'>): boolean =>
  sensed === 'empty' && sensedBefore === 'occupied';

/**
 * Whether the sensor bears witness to what the visit comes to. That something came, it senses. That something went is more than sensing
 * nothing: it may be blind to what lies there, so it has to have sensed it before any hand was inside, and nothing may lie there still.
 */
const bearsWitness = (visit: Visit, sensing: Sensing): boolean =>
  visit.stage === STAGES.CLAIMING
    ? wasSensedToGo(sensing) && sensing.doubt === null && piecesLeft(visit) <= 0
    : sensing.sensed === 'occupied';

/**
 * When silence settles a visit whose door is shut; null while it is not. The waits of the rules stand in for a sensor. A witness that says
 * the same thing on end for `sensedSeconds` is believed: until then a contact may bounce, and a thing slide behind the door. A sensor that
 * changes its mind later than that saw nobody's hand, and is none.
 */
export function settlesAt(visit: Visit, { rules, ...sensing }: Sensing & Pick<Context, 'rules'>): string | null {
  const { stage, doorClosedAt } = visit;
  if (doorClosedAt === null) return null;
  const silence = later(doorClosedAt, (stage === STAGES.CLAIMING ? rules.claimGraceSeconds : rules.fillSeconds) * SECOND);
  const { sensedSince } = sensing;
  if (sensedSince === null || !bearsWitness(visit, sensing)) return silence;
  const late = Math.max(0, Date.parse(sensedSince) - Date.parse(doorClosedAt));
  if (late > rules.sensedSeconds * SECOND) return silence;
  const sensed = later(doorClosedAt, late + rules.sensedSeconds * SECOND);
  return sensed < silence ? sensed : silence;
}
