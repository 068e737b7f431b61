import { HISTORY_EVENTS } from '@hatchway/domain/history.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { historyQuery, occupationQuery, type Locker } from '../../app/queries.ts';
import { recordOf } from '../lockers/record.ts';
import styles from './builder.module.css';

const OF_A_USE = HISTORY_EVENTS.filter((type) => type.startsWith('occupation_'));

/**
 * What nobody uses now: whose it was before, as far as whoever asks may see it. By the history of this door: a use that moved on is
 * elsewhere by its record, and what it left is found here.
 */
export const LastUse = ({ locker }: { locker: Locker }) => {
  const { t } = useTranslation();
  const api = useApi();
  const free = locker.occupationId === null;
  const asked = { q: { lockerId: locker.id, type: { $in: OF_A_USE } }, limit: 1 };
  const last = useQuery({ ...historyQuery(api, asked), enabled: free }).data?.[0];
  const id = last?.occupationId ?? null;
  const use = useQuery({ ...occupationQuery(api, id ?? ''), enabled: free && id !== null }).data;
  if (!free || last === undefined || use === undefined) return null;
  const what = [t(`terms.type.${use.type}`), recordOf(use, { occupationId: use.id }, t)].join(', ');
  return <p className={styles.quiet}>{t('builder.check.lastUse', { what, time: fullTime(last.at) })}</p>;
};
