import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../app/clock.ts';
import { useApi, usePortal } from '../../app/portal.ts';
import { historyQuery, statsNowQuery } from '../../app/queries.ts';
import { useAccess, useMe } from '../../app/who.ts';
import { Bones, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './dashboard.module.css';

const STEPS = ['open', 'fill', 'tell', 'fetch'] as const;
type Step = (typeof STEPS)[number];

/** Since when this person is walked through a first parcel in this browser, or that it is over; null: not begun. */
type Walk = { since: string } | 'over' | null;

const keyOf = (tenantId: string, accountId: string): string => `first-parcel.${tenantId}.${accountId}`;

const keptWalk = (tenantId: string, accountId: string): Walk => {
  try {
    const kept = localStorage.getItem(keyOf(tenantId, accountId));
    return kept === null || kept === 'over' ? kept : { since: kept };
  } catch {
    // Where nothing can be kept, nobody is asked to walk anew at each look.
    return 'over';
  }
};

const keepWalk = (tenantId: string, accountId: string, walk: Exclude<Walk, null>): void => {
  try {
    localStorage.setItem(keyOf(tenantId, accountId), walk === 'over' ? walk : walk.since);
  } catch {
    // It is over for this look alone.
  }
};

/** Whoever tries the product, and whoever is in a company where nothing was ever put in, is walked through a first parcel. */
export const FirstParcel = () => {
  const { data: me } = useMe();
  const mayDeliver = useAccess().may('delivery');
  if (!me || me.tenantId === null || !mayDeliver) return null;
  return <Newcomer key={me.account.id} tenantId={me.tenantId} accountId={me.account.id} />;
};

type Person = { tenantId: string; accountId: string };

const Newcomer = ({ tenantId, accountId }: Person) => {
  const { config, api } = usePortal();
  const [walk, setWalk] = useState(() => keptWalk(tenantId, accountId));
  const asks = walk === null;
  const now = useQuery({ ...statsNowQuery(api), enabled: asks });
  const used = useQuery({
    ...historyQuery(api, { q: { type: 'occupation_filled', service: 'delivery' }, limit: 1 }),
    enabled: asks && config.sandbox === undefined,
  });
  // Without a locker, those are what to begin with.
  const begins = asks && (now.data?.lockers.total ?? 0) > 0 && (config.sandbox !== undefined || used.data?.length === 0);
  const [opened] = useState(() => new Date(serverNow()).toISOString());
  // Once begun it goes on, whatever is put in meanwhile.
  if (begins) setWalk({ since: opened });
  useEffect(() => {
    if (walk !== null) keepWalk(tenantId, accountId, walk);
  }, [walk, tenantId, accountId]);
  if (walk === null || walk === 'over') return null;
  return (
    <Walked accountId={accountId} since={walk.since} onDone={() => keepWalk(tenantId, accountId, 'over')} onHide={() => setWalk('over')} />
  );
};

type Props = { accountId: string; since: string; onDone: () => void; onHide: () => void };

/** Each step is ticked by what the history and the messages tell of it, and by nothing else. */
const Walked = ({ accountId, since, onDone, onHide }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const mine = useQuery(
    historyQuery(api, {
      q: { type: 'occupation_created', service: 'delivery', actorId: accountId, at: { $gte: since } },
      sort: 'at',
      limit: 1,
    }),
  );
  const id = mine.data?.[0]?.occupationId ?? null;
  const story = useQuery({ ...historyQuery(api, { q: { occupationId: id ?? '' }, sort: 'at', limit: 100 }), enabled: id !== null });
  const messages = useQuery({
    queryKey: ['messages', 'list', { q: { occupationId: id ?? '' } }],
    queryFn: ({ signal }) => api('GET /messages', { query: { q: { occupationId: id ?? '' }, limit: 50 }, signal }),
    enabled: id !== null,
  });
  const happened = (type: string): boolean => story.data?.some((event) => event.type === type) ?? false;
  const ticks: Record<Step, boolean> = {
    open: happened('locker_opened'),
    fill: happened('occupation_filled'),
    tell: messages.data?.some(({ state }) => state === 'accepted' || state === 'delivered') ?? false,
    fetch: happened('occupation_claimed'),
  };
  const done = STEPS.every((step) => ticks[step]);
  useEffect(() => {
    if (done) onDone();
  }, [done, onDone]);
  const failed = [mine, story, messages].find(({ isError }) => isError);
  const next = STEPS.find((step) => !ticks[step]);
  return (
    <Panel
      title={t('dashboard.parcel.title')}
      aside={
        <button type="button" className={styles.hide} onClick={onHide}>
          {t('dashboard.parcel.hide')}
        </button>
      }
    >
      {failed && <ProblemNote error={failed.error} onRetry={() => void failed.refetch()} />}
      {mine.isPending ? (
        <Bones lines={2} height={20} />
      ) : (
        <ol className={styles.ticks}>
          {STEPS.map((step) => (
            <li key={step} data-ticked={ticks[step] || undefined} aria-current={step === next ? 'step' : undefined}>
              {ticks[step] ? <IconCircleCheck size={22} aria-hidden /> : <IconCircle size={22} aria-hidden />}
              <span className="hw-spoken">{t(ticks[step] ? 'dashboard.parcel.ticked' : 'dashboard.parcel.unticked')}: </span>
              {t(`dashboard.parcel.${step}`)}
            </li>
          ))}
        </ol>
      )}
      <p className="hw-hint">
        {done ? t('dashboard.parcel.done') : t('dashboard.parcel.text')}{' '}
        {!done && !ticks.fill && (
          <Link to="/services/delivery" search={{}} className={styles.link}>
            {t('dashboard.parcel.begin')}
          </Link>
        )}
      </p>
    </Panel>
  );
};
