import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import { Moment } from '../../ui/moment.tsx';
import { Bones, Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import styles from './admin.module.css';
import type { SystemState } from './api.ts';

const EVERY = 10_000;

/** How the parts stand now. What cannot be asked is not said to be well. */
const SystemSection = () => {
  const { t } = useTranslation();
  const { api, config, live } = usePortal();
  const state = useQuery({
    queryKey: ['system', 'state'],
    queryFn: ({ signal }) => api('GET /system', { signal }),
    refetchInterval: EVERY,
    staleTime: EVERY,
  });
  const one = state.data;
  return (
    <Panel
      title={t('admin.sections.system')}
      aside={
        one && (
          <span className={styles.dim}>
            {t('admin.asOf')} <Moment at={one.at} />
          </span>
        )
      }
    >
      {state.isError && <ProblemNote error={state.error} title={t('admin.systemAway')} onRetry={() => void state.refetch()} />}
      {state.isPending && <Bones lines={6} height={24} />}
      {one && !state.isError && (
        <Facts
          rows={[
            [t('admin.database'), <Sign key="database" ok={one.database} />],
            [t('admin.broker'), <Sign key="broker" ok={one.broker} />],
            [t('admin.live'), <Sign key="live" ok={live.state() === 'open'} />],
            [
              t('admin.cabinets'),
              <Part
                key="cabinets"
                tone={one.cabinets.online < one.cabinets.total - one.cabinets.unpaired ? 'warn' : 'ok'}
                word={t('admin.cabinetsOnline', { online: one.cabinets.online, total: one.cabinets.total })}
              >
                {one.cabinets.unpaired > 0 && t('admin.unpaired', { count: one.cabinets.unpaired })}{' '}
                {one.cabinets.total > 0 && <Link to="/manage/lockers">{t('admin.toCabinets')}</Link>}
              </Part>,
            ],
            [
              t('admin.jobs'),
              <Part
                key="jobs"
                tone={one.jobs.late + one.jobs.failed > 0 ? 'warn' : 'ok'}
                word={one.jobs.late > 0 ? t('admin.jobsLate', { count: one.jobs.late }) : t('admin.jobsOk')}
              >
                {t('admin.jobsWaiting', { count: one.jobs.waiting })}
                {one.jobs.failed > 0 && `, ${t('admin.jobsFailed', { count: one.jobs.failed })}`}
              </Part>,
            ],
            [t('terms.channel.mail'), <Channel key="mail" of={one.mail} />],
            [t('terms.channel.sms'), <Channel key="sms" of={one.sms} />],
            [t('admin.build'), <code key="build">{config.build}</code>],
          ]}
        />
      )}
    </Panel>
  );
};
export default SystemSection;

const Sign = ({ ok }: { ok: boolean }) => {
  const { t } = useTranslation();
  return <StateBadge icon={ok ? IconCircleCheck : IconCircleX} tone={ok ? 'ok' : 'bad'} word={t(ok ? 'admin.well' : 'admin.away')} />;
};

const Part = ({ tone, word, children }: { tone: 'ok' | 'warn'; word: string; children?: ReactNode }) => (
  <span className={styles.partState}>
    <StateBadge icon={tone === 'ok' ? IconCircleCheck : IconAlertTriangle} tone={tone} word={word} />
    <span>{children}</span>
  </span>
);

const Channel = ({ of }: { of: SystemState['mail'] }) => {
  const { t } = useTranslation();
  if (!of.ready) return <StateBadge icon={IconCircleX} tone="bad" word={t('admin.notSetUp')} />;
  return (
    <Part
      tone={of.failedToday > 0 ? 'warn' : 'ok'}
      word={of.failedToday > 0 ? t('admin.failedToday', { count: of.failedToday }) : t('admin.setUp')}
    >
      {of.lastAcceptedAt ? (
        <>
          {t('admin.lastAccepted')} <Moment at={of.lastAcceptedAt} />
        </>
      ) : (
        t('admin.noneAccepted')
      )}
      {of.failedToday > 0 && of.lastError && <code className={styles.error}>{of.lastError}</code>}
    </Part>
  );
};
