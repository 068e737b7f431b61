import { isAsked, STAGES } from '@hatchway/domain/terms.ts';
import type { Occupation } from '../../app/queries.ts';

type Facts = Pick<Occupation, 'type' | 'stage' | 'dueAt' | 'contactError' | 'takingOut' | 'awaitsWord'>;

/**
 * What nobody but staff can move on: half put in, not told of or told in vain, brought for them, being taken out, shut
 * again with nobody's word, empty and still in use.
 */
export const wantsStaff = ({ type, stage, dueAt, contactError, takingOut, awaitsWord }: Facts): boolean => {
  if (takingOut !== null || awaitsWord) return true;
  // A loan is out with somebody.
  if (stage === STAGES.VACANT) return !dueAt;
  if (stage >= STAGES.CLAIMING) return false;
  if (contactError.length > 0) return true;
  // Who is asked to bring it has to come first.
  return isAsked(type) ? stage === STAGES.ACQUIRABLE : stage <= STAGES.FILLED;
};

/**
 * Whether it goes on at the door, where its service left it: set aside, opened, or put in and told to nobody. What is lent is looked over
 * first, and of what somebody else is asked to bring nothing is to be done there.
 */
export const goesOnAtDoor = ({ type, stage, takingOut }: Pick<Facts, 'type' | 'stage' | 'takingOut'>): boolean =>
  !isAsked(type) && takingOut === null && (stage <= STAGES.INITIATED || (stage === STAGES.FILLED && type !== 'lending'));
