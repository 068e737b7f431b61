import type { TFunction } from 'i18next';
import type { DoorChoice } from './choice.ts';

/** Why this door. The best of one cabinet is not the best of all: where there are more of them it is said which one was looked through. */
export const fitWords = ({ why, locker, walls }: Pick<DoorChoice, 'why' | 'locker' | 'walls'>, t: TFunction): string => {
  const cabinet = walls.cabinets.length > 1 ? walls.cabinets.find(({ id }) => id === locker?.cabinetId) : undefined;
  return cabinet !== undefined && (why === 'smallest-free' || why === 'next-size-up')
    ? t(`lockers.fit.within.${why}`, { cabinet: cabinet.name })
    : t(`lockers.fit.${why}`);
};
