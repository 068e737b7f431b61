import { IN_DOUBT, NOT_NEEDED } from '@hatchway/domain/terms.ts';
import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleMinus, IconCircleX, IconClock, IconHelp, IconSend, type Icon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { fullTime } from '../../app/dates.ts';
import { occupationQuery } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { Moment } from '../../ui/moment.tsx';
import { StateBadge, type Tone } from '../../ui/state-badge.tsx';
import { Sandbox } from '../sandbox/sandbox.tsx';
import { messagesQuery, useOccupationCommands, type Message } from './api.ts';
import { isSendable } from './is-sendable.ts';
import styles from './service.module.css';

const LOOK: Record<Message['state'], [Icon, Tone]> = {
  queued: [IconClock, 'plain'],
  sent: [IconSend, 'accent'],
  accepted: [IconSend, 'ok'],
  delivered: [IconCircleCheck, 'ok'],
  failed: [IconCircleX, 'bad'],
  unknown: [IconHelp, 'unknown'],
};

/** A gateway has it, and so may the sandbox's inbox. */
const wentOut = ({ state }: Message): boolean => state !== 'queued' && state !== 'failed';

const UNNEEDED: [Icon, Tone] = [IconCircleMinus, 'plain'];
export const lookOfMessage = ({ state, error }: Message): [Icon, Tone] => (error === NOT_NEEDED ? UNNEEDED : LOOK[state]);
export const fateOf = ({ state, error, notBefore }: Message, t: TFunction): string => {
  if (error === NOT_NEEDED) return t('occupations.notNeeded');
  if (error === IN_DOUBT) return t('occupations.notSure');
  if (state === 'queued' && notBefore !== null && Date.parse(notBefore) > Date.now())
    return t('occupations.waitsUntil', { at: fullTime(notBefore) });
  return t(`terms.message.${state}`);
};

/** By which way to whom; to whom is forgotten with the rest of its occupation. */
export const wayOf = ({ channel, to }: Message, t: TFunction): string =>
  to === '' ? t(`terms.channel.${channel}`) : t('occupations.messageRow', { channel: t(`terms.channel.${channel}`), to });

/** What it tells: whoever says that they got none is asked which. */
export const messageWord = ({ kind }: Message, t: TFunction): string => t(kind === null ? 'templates.kind' : `templates.kinds.${kind}`);

/** Each message and its fate, live. One whose fate nobody knows, or that failed, can be sent again; never by itself. */
export const MessageList = ({ occupationId, empty }: { occupationId: string; empty?: string }) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useOccupationCommands();
  const messages = useQuery(messagesQuery(api, occupationId));
  const stage = useQuery(occupationQuery(api, occupationId)).data?.stage;
  const [sending, setSending] = useState<string | null>(null);
  const sendAgain = async (id: string) => {
    setSending(id);
    try {
      await commands.sendAgain(id);
    } catch (error) {
      toast.fail(error);
    }
    await messages.refetch();
    setSending(null);
  };
  const rows = messages.data ?? [];
  if (rows.length === 0) return empty === undefined || messages.isPending ? null : <p className={styles.quiet}>{empty}</p>;
  return (
    <ul className={styles.messages} aria-label={t('occupations.messages')} aria-live="polite">
      {rows.map((message) => (
        <li key={message.id}>
          <b>{messageWord(message, t)}</b>
          <span>{wayOf(message, t)}</span>
          <StateBadge
            icon={lookOfMessage(message)[0]}
            tone={lookOfMessage(message)[1]}
            word={fateOf(message, t)}
            {...(message.error === null || message.error === NOT_NEEDED ? {} : { title: message.error })}
          />
          <Moment at={message.updatedAt} />
          {wentOut(message) && <Sandbox to={{ message: message.id }} />}
          {isSendable(message, stage) && (
            <Button size="compact-sm" variant="default" loading={sending === message.id} onClick={() => void sendAgain(message.id)}>
              {t('occupations.act.sendAgain')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
};
