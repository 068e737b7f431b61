import { SETTINGS } from '@hatchway/domain/alerts.ts';
import { IconAlertTriangle, IconPackageImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallResult } from '@hatchway/contract/client.ts';
import { localDay } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { companyQuery, statsNowQuery } from '../../app/queries.ts';
import { useAccess, useToken, useZone } from '../../app/who.ts';
import { Moment, useNow } from '../../ui/moment.tsx';
import { Bones, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './dashboard.module.css';
import { MayLead } from './may-lead.tsx';
import { Sizes } from './sizes.tsx';

type Stats = CallResult<'GET /stats/now'>;

/** How things stand at this moment; each figure leads to what it counts, where this person may go there. */
export const Now = () => {
  const { t } = useTranslation();
  const now = useQuery(statsNowQuery(useApi()));
  const long = useLeftOpen();
  const zone = useZone();
  if (now.isError && !now.data) return <ProblemNote error={now.error} onRetry={() => void now.refetch()} />;
  if (!now.data) {
    return (
      <Panel title={t('dashboard.now')}>
        <Bones lines={4} height={24} />
      </Panel>
    );
  }
  const { lockers, running, brought, doorsOpen, overdue, offlineCabinets, today } = now.data;
  return (
    <div className={styles.halves}>
      {brought > 0 && <Brought count={brought} />}
      <Panel title={t('dashboard.lockers')} aside={<span className="hw-hint">{t('dashboard.total', { count: lockers.total })}</span>}>
        <Sizes lockers={lockers} running={running} />
      </Panel>
      <Panel title={t('dashboard.now')} flush>
        <div className={styles.figures}>
          <Figure
            word={t('dashboard.doorsOpen')}
            value={doorsOpen.length}
            alarm={doorsOpen.some(long) && 'warn'}
            to={{ to: '/services/lock-control', search: { show: 'open' } }}
            area="locks"
          >
            {doorsOpen.length === 0
              ? t(offlineCabinets.length === 0 ? 'dashboard.noneOpen' : 'dashboard.noneKnown')
              : doorsOpen.slice(0, 4).map((door) => (
                  <span key={door.lockerId} className={styles.nowrap} data-long={long(door) || undefined}>
                    {long(door) && <IconAlertTriangle size={14} aria-label={t('dashboard.openLong')} />}
                    {door.doorTag} <Moment at={door.since} />
                  </span>
                ))}
          </Figure>
          <Figure
            word={t('dashboard.overdue')}
            value={overdue}
            alarm={overdue > 0}
            to={{ to: '/manage/occupations', search: { view: 'overdue' } }}
            area="manage"
          />
          <Figure
            word={t('dashboard.offline')}
            value={offlineCabinets.length}
            alarm={offlineCabinets.length > 0}
            to={{ to: '/services/lock-control', search: { show: 'offline' } }}
            area="locks"
          >
            {offlineCabinets.length === 0
              ? t('dashboard.allOnline')
              : offlineCabinets.slice(0, 3).map((one) => (
                  <span key={one.id} className={styles.nowrap}>
                    {one.name} {one.since === null ? t('dashboard.neverOnline') : <Moment at={one.since} />}
                  </span>
                ))}
          </Figure>
          <Figure
            word={t('dashboard.filledToday')}
            value={today.filled}
            to={{ to: '/history', search: { kind: 'occupation_filled', from: localDay(0, zone) } }}
            area="history"
          />
          <Figure
            word={t('dashboard.takenToday')}
            value={today.taken}
            to={{ to: '/history', search: { kind: 'occupation_claimed', from: localDay(0, zone) } }}
            area="history"
          />
          <Figure
            word={t('dashboard.dueToday')}
            value={today.due}
            to={{ to: '/manage/occupations', search: { view: 'due', sort: 'deadline' } }}
            area="manage"
          />
        </div>
      </Panel>
    </div>
  );
};

/** What was asked for has come: nobody but staff takes it out, and nothing else tells them. */
const Brought = ({ count }: { count: number }) => {
  const { t } = useTranslation();
  const { manage } = useAccess();
  return (
    <p className={styles.brought}>
      <IconPackageImport size={18} aria-hidden />
      <span>
        {t('dashboard.brought', { count })}{' '}
        {manage && (
          <Link to="/manage/occupations" search={{ view: 'brought' }} className={styles.link}>
            {t('dashboard.seeBrought')}
          </Link>
        )}
      </span>
    </p>
  );
};

/** Whether a door has stood open for longer than the company bears; told anew as time goes by. */
const useLeftOpen = (): ((door: Stats['doorsOpen'][number]) => boolean) => {
  const at = useNow(15_000);
  const { data } = useQuery(companyQuery(useApi(), useToken().tenant?.tenant_id ?? ''));
  const minutes = data?.settings.doorOpenMinutes ?? SETTINGS.doorOpenMinutes;
  return ({ since }) => since !== null && at - Date.parse(since) > minutes * 60_000;
};

type FigureProps = {
  word: string;
  value: number;
  /** Red, or amber where it is a warning. */
  alarm?: boolean | 'warn';
  to: LinkProps;
  area: 'locks' | 'manage' | 'history';
  children?: ReactNode;
};
const Figure = ({ word, value, alarm, to, area, children }: FigureProps) => {
  const access = useAccess();
  const open = area === 'locks' ? access.may('lock-control') : area === 'manage' ? access.manage : access.history;
  return (
    <MayLead to={open ? to : null} className={styles.figure}>
      <span className={styles.word}>{word}</span>
      <span className={styles.value} data-alarm={alarm === 'warn' ? 'warn' : alarm || undefined}>
        {value}
      </span>
      {children && <span className={styles.more}>{children}</span>}
    </MayLead>
  );
};
