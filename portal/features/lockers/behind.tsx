import { isFailing, standingOf, type LockerStanding } from '@hatchway/domain/locker.ts';
import type { OccupationType } from '@hatchway/domain/terms.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/portal.ts';
import { occupationQuery, type Locker } from '../../app/queries.ts';
import { contentWord } from './door-view.ts';
import { recordOf } from './record.ts';
import styles from './lock-control.module.css';

/** So many are named; a dialog is read in a glance. */
export const NAMED = 8;

/** In the order in which whoever opens them should know of it. */
const ORDER: readonly LockerStanding[] = ['inUse', 'inDoubt', 'outOfService', 'unready', 'free'];

type Facts = Pick<Locker, 'door' | 'inDoubt' | 'outOfService' | 'occupation' | 'connection' | 'content' | 'lastCommand'>;

/** What somebody may reach into comes first, so that it is named however many are opened. */
export const gravestFirst = <T extends Facts>(lockers: readonly T[]): T[] =>
  lockers.toSorted((a, b) => ORDER.indexOf(standingOf(a)) - ORDER.indexOf(standingOf(b)));

/** What a locker counts as, and what is believed to lie there: of a free one that is nothing. */
export const behindWords = (locker: Facts, t: TFunction): string => {
  const standing = standingOf(locker);
  const word = t(`lockers.stands.${standing}`);
  // As on the wall: more than that it did not open when it was last asked nobody knows.
  if (standing === 'free') return isFailing(locker.lastCommand) ? t('terms.lockerState.failing') : word;
  const use = standing === 'inUse' && locker.occupation !== null ? ` (${t(`terms.type.${locker.occupation.type as OccupationType}`)})` : '';
  return `${word}${use} · ${contentWord(locker, t)}`;
};

/** Somebody's thing may lie behind it, so that a careless press must not open it: what is free, or nobody's, opens without a question. */
export const asksFirst = (locker: Facts): boolean => ['inUse', 'inDoubt'].includes(standingOf(locker));

/** Before one door is opened: what lies behind it by the record, and for whom, as far as whoever asks may see it. */
export const BehindOne = ({ locker }: { locker: Locker }) => {
  const { t } = useTranslation();
  const id = locker.occupationId;
  const { data } = useQuery({ ...occupationQuery(useApi(), id ?? ''), enabled: id !== null });
  const what = data === undefined ? null : recordOf(data, locker, t);
  return (
    <ul className={styles.behind}>
      <li>
        <b>{locker.doorTag}</b> <span>{[behindWords(locker, t), what].filter(Boolean).join(' · ')}</span>
      </li>
    </ul>
  );
};

/** Before several doors are opened: which, and what lies behind each. */
export const Behind = ({ lockers }: { lockers: readonly Locker[] }) => {
  const { t } = useTranslation();
  const rest = lockers.length - NAMED;
  return (
    <ul className={styles.behind}>
      {gravestFirst(lockers)
        .slice(0, NAMED)
        .map((locker) => (
          <li key={locker.id}>
            <b>{locker.doorTag}</b> <span>{behindWords(locker, t)}</span>
          </li>
        ))}
      {rest > 0 && <li>{t('common.andMore', { count: rest })}</li>}
    </ul>
  );
};
