import { HISTORY_EVENTS, type HistoryEventType } from '@hatchway/domain/history.ts';
import { Button, Checkbox, Group, Modal, MultiSelect, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { GROUPS } from '../history/words.ts';
import { useWebhookCommands, type Webhook } from './api.ts';
import styles from './webhooks.module.css';

const isEvent = (word: string): word is HistoryEventType => HISTORY_EVENTS.some((type) => type === word);

/** Makes a webhook and shows its secret once, or changes one; what was typed stays when it is refused. */
export const WebhookDialog = ({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useWebhookCommands();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<HistoryEventType[]>((webhook?.events ?? []).filter(isEvent));
  const [active, setActive] = useState(webhook?.active ?? true);
  const [tried, setTried] = useState(false);
  const dirty = url !== (webhook?.url ?? '') || active !== (webhook?.active ?? true) || events.join() !== (webhook?.events ?? []).join();
  const save = useMutation({
    mutationFn: async (): Promise<string | null> => {
      const body = { url: url.trim(), events, active };
      if (webhook) return commands.change(webhook.id, body).then(() => null);
      return (await commands.create(body)).secret;
    },
    onSuccess: (made) => {
      toast.ok(t(webhook ? 'webhooks.saved' : 'webhooks.made'));
      if (made === null) onClose();
    },
    // The secret must not outlive the dialog.
    gcTime: 0,
  });
  const secret = save.data ?? null;
  const refused = fieldErrors(save.error).url;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (url.trim() !== '') save.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={secret ? t('webhooks.made') : webhook ? t('webhooks.change') : t('webhooks.make')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      closeOnClickOutside={false}
      closeOnEscape={!secret}
      size="lg"
    >
      {secret ? (
        <>
          <Text mb="md">{t('webhooks.once')}</Text>
          <SecretOnce label={t('webhooks.secret')} secret={secret} />
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={onClose}>
              {t('webhooks.kept')}
            </Button>
          </Group>
        </>
      ) : (
        <form onSubmit={submit} noValidate className={styles.form}>
          <UnsavedGuard dirty={dirty && !save.isSuccess} />
          <TextInput
            label={t('webhooks.url')}
            description={t('webhooks.urlText')}
            placeholder="https://example.com/hatchway"
            type="url"
            value={url}
            maxLength={2000}
            error={tried && url.trim() === '' ? t('webhooks.urlNeeded') : refused ? t('webhooks.urlRefused') : undefined}
            errorProps={{ role: 'alert' }}
            onChange={({ currentTarget }) => {
              setUrl(currentTarget.value);
              if (save.isError) save.reset();
            }}
            data-autofocus
          />
          <MultiSelect
            label={t('webhooks.events')}
            description={t('webhooks.eventsText')}
            placeholder={events.length === 0 ? t('history.allEvents') : ''}
            data={GROUPS.map((group) => ({
              group: t(`history.groups.${group}`),
              items: HISTORY_EVENTS.filter((type) => type.startsWith(`${group}_`)).map((type) => ({
                value: type,
                label: t(`history.events.${type}`),
              })),
            }))}
            value={events}
            onChange={(next) => setEvents(next.filter(isEvent))}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('common.clear') }}
          />
          <Checkbox label={t('webhooks.active')} checked={active} onChange={({ currentTarget }) => setActive(currentTarget.checked)} />
          {save.isError && !refused && <ProblemNote error={save.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('common.save')}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  );
};
