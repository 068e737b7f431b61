import type { TFunction } from 'i18next';
import type { lockers } from '../../i18n/en/lockers.ts';

type Why = Exclude<keyof typeof lockers.why, 'sensor-denies'>;
const WHY: Record<Why, true> = {
  filled: true, taken: true, 'assumed-filled': true, 'assumed-taken': true, 'taken-out': true, 'put-back': true, 'said-empty': true, 'nothing-inside': true, reset: true, aborted: true, unseen: true,
  silent: true, 'unexpected-opening': true, 'left-open': true, 'not-empty': true, 'found-empty': true, 'put-elsewhere': true, 'still-sensed': true, 'not-sensed': true, sensor: true, word: true,
}; // prettier-ignore
const isWhy = (word: string): word is Why => Object.hasOwn(WHY, word);

/** Why somebody has to look, in words; a reason of a newer server is said to be unknown rather than shown raw. */
export const whyWords = (t: TFunction, { content, contentWhy: why }: { content: string; contentWhy: string | null }): string => {
  // A sensor alone never makes it unknown: it said otherwise than somebody did.
  if (content === 'unknown' && why === 'sensor') return t('lockers.why.sensor-denies');
  return why !== null && isWhy(why) ? t(`lockers.why.${why}`) : t('common.unknown');
};
