import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { type HistoryEvent, historyQuery } from '../../app/queries.ts';
import { useAccess, useZone } from '../../app/who.ts';
import { Moment } from '../../ui/moment.tsx';
import { Bones, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { wordOf } from '../history/said.ts';
import { lookOf } from '../history/words.ts';
import styles from './dashboard.module.css';
import { LATEST } from './first-look.ts';
import { MayLead } from './may-lead.tsx';

export const Latest = () => {
  const { t } = useTranslation();
  const { history } = useAccess();
  const latest = useQuery(historyQuery(useApi(), LATEST));
  return (
    <Panel
      title={t('dashboard.latest')}
      flush
      aside={
        history && (
          <Link to="/history" search={{}} className={styles.link}>
            {t('common.showAll')}
          </Link>
        )
      }
    >
      {latest.isPending && (
        <div className={styles.pad}>
          <Bones lines={8} height={20} />
        </div>
      )}
      {latest.isError && <ProblemNote error={latest.error} onRetry={() => void latest.refetch()} />}
      {latest.data?.length === 0 && <p className={styles.pad}>{t('dashboard.noEvents')}</p>}
      {latest.data && (
        <ul className={styles.events}>
          {latest.data.map((event) => (
            <li key={event.id}>
              <Entry event={event} linked={history} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
};

const Entry = ({ event, linked }: { event: HistoryEvent; linked: boolean }) => {
  const { t } = useTranslation();
  const [EventIcon, tone] = lookOf(event.type);
  const to: LinkProps | null = linked && event.occupationId ? { to: '/history/occupation/$id', params: { id: event.occupationId } } : null;
  return (
    <MayLead to={to} className={styles.event}>
      <EventIcon size={18} stroke={1.8} aria-hidden data-tone={tone} />
      <span className={styles.what}>{wordOf(event, t, useZone())}</span>
      <span className={styles.tag}>{event.doorTag}</span>
      <span className={styles.by}>{event.actor.name}</span>
      <Moment at={event.at} />
    </MayLead>
  );
};
