import { HISTORY_EVENTS, type HistoryEventType } from '@hatchway/domain/history.ts';
import { Button, Checkbox, Group, MultiSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft, useRow } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { GROUPS } from '../history/words.ts';
import { useWebhookCommands, type Webhook, webhookQuery } from './api.ts';
import styles from './webhooks.module.css';

const isEvent = (word: string): word is HistoryEventType => HISTORY_EVENTS.some((type) => type === word);

const begun = (webhook: Webhook | null) => ({
  url: webhook?.url ?? '',
  events: (webhook?.events ?? []).filter(isEvent),
  active: webhook?.active ?? true,
});

/** Makes a webhook and shows its secret once, or changes one; what was typed stays when it is refused. */
export const WebhookDialog = ({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useWebhookCommands();
  const [tried, setTried] = useState(false);
  const draft = useDraft({
    ...useRow(webhookQuery(useApi(), webhook?.id ?? 'new'), webhook),
    begun,
    save: async (meant, version): Promise<string | null> => {
      const body = { ...meant, url: meant.url.trim() };
      if (webhook) return commands.change(webhook.id, { ...body, version }).then(() => null);
      return (await commands.create(body)).secret;
    },
    onSaved: (made) => {
      toast.ok(t(webhook ? 'webhooks.saved' : 'webhooks.made'));
      if (made === null) onClose();
    },
    // The secret must not outlive the dialog.
    gcTime: 0,
  });
  const { value, set } = draft;
  const { url, events, active } = value;
  const secret = draft.answer ?? null;
  const refused = fieldErrors(draft.error, t).url;
  const submit = (): void => {
    setTried(true);
    if (url.trim() !== '') draft.save();
  };
  return (
    <FormDialog
      title={secret ? t('webhooks.made') : webhook ? t('webhooks.change') : t('webhooks.make')}
      dirty={!secret && draft.dirty}
      saving={draft.saving}
      size="lg"
      once={secret !== null}
      onClose={onClose}
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
        <Form onSubmit={submit} className={styles.form}>
          <TextInput
            label={t('webhooks.url')}
            description={t('webhooks.urlText')}
            placeholder="https://example.com/hatchway"
            type="url"
            value={url}
            maxLength={2000}
            error={tried && url.trim() === '' ? t('webhooks.urlNeeded') : refused ? t('webhooks.urlRefused') : undefined}
            errorProps={{ role: 'alert' }}
            onChange={({ currentTarget }) => set({ url: currentTarget.value })}
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
            onChange={(next) => set({ events: next.filter(isEvent) })}
            searchable
            nothingFoundMessage={t('table.noMatch')}
            clearable
            clearButtonProps={{ 'aria-label': t('common.clear') }}
          />
          <Checkbox
            label={t('webhooks.active')}
            checked={active}
            onChange={({ currentTarget }) => set({ active: currentTarget.checked })}
          />
          <SaveProblem of={draft.conflict} quiet={refused !== undefined} />
          <FormFoot saving={draft.saving} />
        </Form>
      )}
    </FormDialog>
  );
};
