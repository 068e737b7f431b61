import type { Client } from '@hatchway/contract/client.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { historyQuery, type Locker } from '../../app/queries.ts';
import { recordOf } from '../lockers/record.ts';
import styles from './builder.module.css';

/** Events with which a use ends; its row may be changed later, as it is archived. */
const ENDS = ['occupation_claimed', 'occupation_terminated'];

const lastUseQuery = (api: Client, lockerId: string) => {
  const query = { q: { lockerId, stage: { $gte: STAGES.TERMINATED } }, sort: '-createdAt' as const, limit: 1 };
  return queryOptions({
    queryKey: ['occupations', 'list', query],
    queryFn: ({ signal }) => api('GET /occupations', { query, signal }),
  });
};

/** What nobody uses now: whose it was before, as far as whoever asks may see it. What is found there is most likely theirs. */
export const LastUse = ({ locker }: { locker: Locker }) => {
  const { t } = useTranslation();
  const api = useApi();
  const free = locker.occupationId === null;
  const use = useQuery({ ...lastUseQuery(api, locker.id), enabled: free }).data?.[0];
  const asked = { q: { occupationId: use?.id ?? '', type: { $in: ENDS } }, limit: 1 };
  const end = useQuery({ ...historyQuery(api, asked), enabled: free && use !== undefined }).data?.[0];
  if (!free || use === undefined) return null;
  const values = { what: [t(`terms.type.${use.type}`), recordOf(use, { occupationId: use.id }, t)].filter(Boolean).join(', ') };
  return (
    <p className={styles.quiet}>
      {end === undefined ? t('builder.check.lastUse', values) : t('builder.check.lastUseEnded', { ...values, time: fullTime(end.at) })}
    </p>
  );
};
