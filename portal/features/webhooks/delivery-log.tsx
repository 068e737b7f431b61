import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { Moment } from '../../ui/moment.tsx';
import { Bones } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { isKnown } from '../history/words.ts';
import { deliveriesQuery, SHOWN, useWebhookCommands, type Delivery, type Webhook } from './api.ts';
import styles from './webhooks.module.css';

const LOOK = {
  queued: [IconClock, 'warn'],
  delivered: [IconCircleCheck, 'ok'],
  failed: [IconCircleX, 'bad'],
} as const;

/** What was sent, how it was answered and how long that took, newest first; each can be sent once more. */
export const DeliveryLog = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useTranslation();
  const log = useQuery(deliveriesQuery(useApi(), webhook.id));
  if (log.isError) return <ProblemNote error={log.error} onRetry={() => void log.refetch()} />;
  if (log.isPending) return <Bones lines={3} height={20} />;
  if (log.data.length === 0) return <p className={styles.hint}>{t('webhooks.noDeliveries')}</p>;
  return (
    <>
      <ul className={styles.log}>
        {log.data.map((row) => (
          <OneDelivery key={row.id} webhook={webhook} row={row} />
        ))}
      </ul>
      {log.data.length === SHOWN && <p className={styles.hint}>{t('webhooks.newest', { count: SHOWN })}</p>}
    </>
  );
};

const OneDelivery = ({ webhook, row }: { webhook: Webhook; row: Delivery }) => {
  const { t } = useTranslation();
  const commands = useWebhookCommands();
  const replay = useMutation({
    mutationFn: () => commands.replay(webhook.id, row.id),
    onSuccess: () => toast.ok(t('webhooks.replayed')),
    onError: toast.fail,
  });
  const [icon, tone] = LOOK[row.state];
  const answer = row.status === null ? row.error : t('webhooks.answered', { status: row.status });
  const event = row.type === 'test' ? t('webhooks.testEvent') : isKnown(row.type) ? t(`history.events.${row.type}`) : row.type;
  return (
    <li>
      <details>
        <summary>
          <StateBadge icon={icon} tone={tone} word={t(`webhooks.states.${row.state}`)} />
          <strong>{event}</strong>
          <span className={styles.facts}>
            {answer}
            {row.durationMs !== null && ` · ${t('webhooks.took', { ms: row.durationMs })}`}
            {row.attempts > 1 && ` · ${t('webhooks.attempts', { count: row.attempts })}`}
            {row.replayOf !== null && ` · ${t('webhooks.isReplay')}`}
          </span>
          <Moment at={row.createdAt} />
        </summary>
        {row.state === 'queued' && row.nextAt && row.attempts > 0 && (
          <p className={styles.hint}>{t('webhooks.nextAt', { time: fullTime(row.nextAt) })}</p>
        )}
        <p className={styles.hint}>
          webhook-id: <code>{row.id}</code>
        </p>
        <pre className={styles.payload}>{JSON.stringify(row.payload, null, 2)}</pre>
        <Button size="sm" variant="default" loading={replay.isPending} disabled={!webhook.active} onClick={() => replay.mutate()}>
          {t('webhooks.replay')}
        </Button>
      </details>
    </li>
  );
};
