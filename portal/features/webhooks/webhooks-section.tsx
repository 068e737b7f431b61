import { WEBHOOK_KEPT_DAYS, MISSED_MOST } from '@hatchway/domain/webhook.ts';
import { ActionIcon, Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPencil, IconPlayerPause, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { MakeButton } from '../../ui/make-button.tsx';
import { Tags } from '../account/rights.tsx';
import { SectionHead } from '../admin/section-head.tsx';
import { isKnown } from '../history/words.ts';
import { useWebhookCommands, type Webhook, webhooksQuery } from './api.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import styles from './webhooks.module.css';

type Open = { make: true } | { change: Webhook } | { remove: Webhook } | null;

/** Addresses that are told what happens, each with its log. */
const WebhooksSection = () => {
  const { t } = useTranslation();
  const webhooks = useQuery(webhooksQuery(useApi()));
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const create = <MakeButton word={t('webhooks.make')} onClick={() => setOpen({ make: true })} />;
  return (
    <>
      <SectionHead title={t('webhooks.title')} intro={t('webhooks.intro')} actions={webhooks.data?.length ? create : undefined} />
      <Waiting of={webhooks} lines={4} height={24} />
      {webhooks.data?.length === 0 && (
        <Notice level={2} title={t('webhooks.empty')} text={t('webhooks.emptyText')}>
          {create}
        </Notice>
      )}
      {webhooks.data?.map((webhook) => (
        <OneWebhook
          key={webhook.id}
          webhook={webhook}
          onEdit={() => setOpen({ change: webhook })}
          onRemove={() => setOpen({ remove: webhook })}
        />
      ))}
      {open && 'make' in open && <WebhookDialog webhook={null} onClose={close} />}
      {open && 'change' in open && <WebhookDialog key={open.change.id} webhook={open.change} onClose={close} />}
      {open && 'remove' in open && <RemoveDialog webhook={open.remove} onClose={close} />}
    </>
  );
};
export default WebhooksSection;

const State = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useTranslation();
  if (webhook.disabledReason) return <StateBadge icon={IconAlertTriangle} tone="bad" word={t('webhooks.disabled')} />;
  if (!webhook.active) return <StateBadge icon={IconPlayerPause} word={t('webhooks.off')} />;
  return webhook.failingSince ? (
    <StateBadge icon={IconAlertTriangle} tone="warn" word={t('webhooks.failing')} />
  ) : (
    <StateBadge icon={IconCircleCheck} tone="ok" word={t('webhooks.on')} />
  );
};

const OneWebhook = ({ webhook, onEdit, onRemove }: { webhook: Webhook; onEdit: () => void; onRemove: () => void }) => {
  const { t } = useTranslation();
  const commands = useWebhookCommands();
  const [shown, setShown] = useState(false);
  const test = useMutation({
    mutationFn: () => commands.test(webhook.id),
    onSuccess: () => setShown(true),
    onError: toast.fail,
  });
  const hint = useId();
  const words = webhook.events.map((type) => (isKnown(type) ? t(`history.events.${type}`) : type));
  return (
    <article className={styles.webhook} aria-label={webhook.url}>
      <div className={styles.head}>
        <strong className={styles.url}>{webhook.url}</strong>
        <State webhook={webhook} />
        <div className={styles.tools}>
          <ActionIcon size="xl" variant="subtle" aria-label={t('webhooks.changeThis', { url: webhook.url })} onClick={onEdit}>
            <IconPencil size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon size="xl" variant="subtle" color="red" aria-label={t('webhooks.deleteThis', { url: webhook.url })} onClick={onRemove}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </div>
      </div>
      {webhook.disabledReason && (
        <p role="alert" className={styles.word}>
          {t(`webhooks.reason.${webhook.disabledReason}`)}
        </p>
      )}
      <Missed webhook={webhook} />
      {webhook.active && webhook.failingSince && (
        <p className={styles.word}>{t('webhooks.failingSince', { time: fullTime(webhook.failingSince) })}</p>
      )}
      <p className="hw-hint">
        {webhook.deliveredAt === null ? (
          t('webhooks.neverDelivered')
        ) : (
          <>
            {t('webhooks.lastDelivered')} <Moment at={webhook.deliveredAt} />
          </>
        )}
      </p>
      <Tags words={words.length === 0 ? [t('history.allEvents')] : words} />
      <div className={styles.acts}>
        <Button
          variant="default"
          size="sm"
          loading={test.isPending}
          disabled={!webhook.active}
          aria-describedby={hint}
          onClick={() => test.mutate()}
        >
          {t('webhooks.test')}
        </Button>
        <Button variant="subtle" size="sm" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? t('webhooks.hideLog') : t('webhooks.showLog')}
        </Button>
      </div>
      <p id={hint} className="hw-hint">
        {t(webhook.active ? 'webhooks.testText' : 'webhooks.testOff')}
      </p>
      {/* Begun anew with each test, so that no filter hides it. */}
      {shown && <DeliveryLog key={test.data?.id} webhook={webhook} tested={test.data?.id} />}
    </article>
  );
};

/** What happened while it was switched off by itself, and how much of that is still there. */
const Missed = ({ webhook: { active, missed } }: { webhook: Webhook }) => {
  const { t } = useTranslation();
  if (missed.kept + missed.lost === 0) return null;
  return (
    <p className={styles.word}>
      {[
        missed.kept > 0 && t(active ? 'webhooks.catchingUp' : 'webhooks.missed', { count: missed.kept }),
        missed.lost > 0 && t('webhooks.lost', { count: missed.lost }),
        !active && t('webhooks.keeps', { days: WEBHOOK_KEPT_DAYS, most: MISSED_MOST }),
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
  );
};

const RemoveDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useWebhookCommands();
  return (
    <EndDialog
      title={t('webhooks.deleteTitle', { url: webhook.url })}
      action={t('common.delete')}
      act={() => commands.remove(webhook.id)}
      done={t('webhooks.deleted')}
      onClose={onClose}
    >
      <p>{t('webhooks.deleteText')}</p>
    </EndDialog>
  );
};
