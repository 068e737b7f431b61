import { DELIVERY_ERRORS } from '@hatchway/domain/webhook.ts';
import { Button, NativeSelect } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClock, IconPlayerPause } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { Moment } from '../../ui/moment.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { isKnown } from '../history/words.ts';
import { deliveriesQuery, STATES, useWebhookCommands, type Delivery, type Webhook } from './api.ts';
import styles from './webhooks.module.css';

const LOOK = {
  queued: [IconClock, 'warn'],
  delivered: [IconCircleCheck, 'ok'],
  failed: [IconCircleX, 'bad'],
  missed: [IconPlayerPause, 'warn'],
} as const;

/** How it was answered: a status, or why there is none; empty before the first attempt. */
const answerOf = ({ status, error }: Delivery, t: TFunction): string => {
  if (status !== null) return t('webhooks.answered', { status });
  const why = DELIVERY_ERRORS.find((one) => one === error);
  return why ? t(`webhooks.errors.${why}`) : (error ?? '');
};

/** What became of the test that somebody waits for. */
const fateOf = (row: Delivery, t: TFunction): string => {
  const answer = answerOf(row, t);
  if (row.state === 'delivered' || row.state === 'failed') return t(`webhooks.tested.${row.state}`, { answer });
  return answer === '' ? t('webhooks.tested.onItsWay') : t('webhooks.tested.notTaken', { answer });
};

/** What was sent, how it was answered and how long that took, newest first; each can be sent once more. `tested`: the test to lead to. */
export const DeliveryLog = ({ webhook, tested }: { webhook: Webhook; tested: string | undefined }) => {
  const { t } = useTranslation();
  const [state, setState] = useState<Delivery['state'] | null>(null);
  const log = useInfiniteQuery(deliveriesQuery(useApi(), webhook.id, state));
  const rows = log.data?.pages.flatMap((page) => page.rows);
  const test = rows?.find(({ id }) => id === tested);
  return (
    <>
      {tested !== undefined && <output className="hw-hint">{test ? fateOf(test, t) : ''}</output>}
      <NativeSelect
        size="sm"
        w="fit-content"
        aria-label={t('webhooks.state')}
        value={state ?? ''}
        onChange={({ currentTarget: { value } }) => setState(STATES.find((one) => one === value) ?? null)}
        data={[{ value: '', label: t('webhooks.anyState') }, ...STATES.map((value) => ({ value, label: t(`webhooks.states.${value}`) }))]}
      />
      <Waiting of={log} lines={3} height={20} />
      {rows?.length === 0 && <p className="hw-hint">{t(state === null ? 'webhooks.noDeliveries' : 'webhooks.noneSuch')}</p>}
      {rows && rows.length > 0 && (
        <ul className={styles.log}>
          {rows.map((row) => (
            <OneDelivery key={row.id} webhook={webhook} row={row} led={row.id === tested} />
          ))}
        </ul>
      )}
      {log.hasNextPage && (
        <Button size="sm" variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t('webhooks.older')}
        </Button>
      )}
    </>
  );
};

const OneDelivery = ({ webhook, row, led }: { webhook: Webhook; row: Delivery; led: boolean }) => {
  const { t } = useTranslation();
  const line = useRef<HTMLElement>(null);
  useEffect(() => {
    if (led) line.current?.focus();
  }, [led]);
  const commands = useWebhookCommands();
  const replay = useMutation({
    mutationFn: () => commands.replay(webhook.id, row.id),
    onSuccess: () => toast.ok(t('webhooks.replayed')),
    onError: toast.fail,
  });
  const [icon, tone] = LOOK[row.state];
  const answer = answerOf(row, t);
  const event = row.type === 'test' ? t('webhooks.testEvent') : isKnown(row.type) ? t(`history.events.${row.type}`) : row.type;
  return (
    <li>
      <details>
        <summary ref={line}>
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
          <p className="hw-hint">{t('webhooks.nextAt', { time: fullTime(row.nextAt) })}</p>
        )}
        <p className="hw-hint">
          webhook-id: <code>{row.id}</code>
        </p>
        {row.sequence !== null && (
          <p className="hw-hint">
            webhook-sequence: <code>{row.sequence}</code>
          </p>
        )}
        <pre className={styles.payload}>{JSON.stringify(row.payload, null, 2)}</pre>
        <Button size="sm" variant="default" loading={replay.isPending} disabled={!webhook.active} onClick={() => replay.mutate()}>
          {t('webhooks.replay')}
        </Button>
      </details>
    </li>
  );
};
