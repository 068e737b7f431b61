import type { TFunction } from 'i18next';
import type { DoorChoice } from './choice.ts';

type Chosen = Pick<DoorChoice, 'why' | 'locker' | 'walls' | 'away' | 'cabinetId'>;

/** Which door is chosen, if any: nothing is said before the walls are read. */
export const chosenWord = ({ locker, walls }: Chosen, t: TFunction): string => {
  if (locker !== null) return t('occupations.locker.chosen', { tag: locker.doorTag });
  return t(walls.pending ? 'common.loading' : 'occupations.alert.locker');
};

/**
 * Why this door. The best of one cabinet is not the best of all: where there are more of them it is said which one was looked through, and
 * why it is not the one that was asked for.
 */
export const fitWords = ({ why, locker, walls, away, cabinetId }: Chosen, t: TFunction): string => {
  if (locker === null && walls.pending) return '';
  const cabinet = walls.cabinets.length > 1 ? walls.cabinets.find(({ id }) => id === locker?.cabinetId) : undefined;
  const best =
    cabinet !== undefined && (why === 'smallest-free' || why === 'next-size-up')
      ? t(`lockers.fit.within.${why}`, { cabinet: cabinet.name })
      : t(`lockers.fit.${why}`);
  const chosen = walls.cabinets.find(({ id }) => id === cabinetId)?.name ?? '';
  return away === null ? best : `${best} ${t(`lockers.fit.away.${away}`, { cabinet: cabinet?.name ?? '', chosen })}`;
};
