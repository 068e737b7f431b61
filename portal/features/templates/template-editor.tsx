import { templateFault, type Placeholder } from '@hatchway/domain/template.ts';
import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Bones, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { previewQuery, type Template, templatesQuery, useTemplateCommands } from './api.ts';
import { TemplatePreview } from './template-preview.tsx';
import styles from './templates.module.css';

/** Milliseconds after the last key, so that the server is not asked for each letter. */
const REST = 300;

/** One text with what may stand in it, and beside it what its receiver will see. */
export const TemplateEditor = ({ template, onDirty }: { template: Template; onDirty: (dirty: boolean) => void }) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useTemplateCommands();
  const queryClient = useQueryClient();
  const { kind, channel, locale } = template;
  const draft = useDraft({
    row: template,
    newest: () => queryClient.fetchQuery({ ...templatesQuery(api), staleTime: 0 }),
    begun: (row) => ({ subject: row?.subject ?? '', text: row?.text ?? '' }),
    save: (written, version) =>
      commands.word({ kind, channel, locale, subject: channel === 'mail' ? written.subject : null, text: written.text, version }),
    onSaved: () => toast.ok(t('templates.saved')),
  });
  const { dirty } = draft;
  const { subject, text } = draft.value;
  const [giving, setGiving] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => onDirty(dirty), [dirty, onDirty]);

  const wording = { kind, channel, locale, subject: channel === 'mail' ? subject : null, text };
  const faultOf = (written: string, as: typeof channel): string | null => {
    if (written.trim() === '') return t('templates.empty');
    const fault = templateFault(kind, as, written);
    if (fault?.fault === 'unknown-placeholder') return t('templates.unknown', { name: `{${fault.name}}` });
    if (fault?.fault === 'missing-key') return t('templates.missing', { names: fault.oneOf.map((one) => `{${one}}`).join(', ') });
    return null;
  };
  const textWrong = faultOf(text, channel);
  const subjectWrong = channel === 'mail' ? faultOf(subject, 'mail') : null;
  const sound = textWrong === null && subjectWrong === null;
  const [asked] = useDebouncedValue(wording, REST);
  const preview = useQuery({ ...previewQuery(api, asked), enabled: sound });
  const giveBack = useMutation({
    mutationFn: () => commands.giveBack({ kind, channel, locale, version: template.version }),
    onSuccess: () => {
      setGiving(false);
      draft.reset();
      toast.ok(t('templates.givenBack'));
    },
  });
  const submit = (): void => {
    if (sound) draft.save();
  };
  const insert = (name: Placeholder): void => {
    const field = area.current;
    const [from, to] = [field?.selectionStart ?? text.length, field?.selectionEnd ?? text.length];
    draft.set({ text: `${text.slice(0, from)}{${name}}${text.slice(to)}` });
    field?.focus();
  };
  return (
    <div className={styles.editor}>
      <UnsavedGuard dirty={dirty && !draft.saving} />
      <Form onSubmit={submit} className={styles.form}>
        <p className="hw-hint">{t(`templates.when.${kind}`)}</p>
        {channel === 'mail' && (
          <TextInput
            label={t('templates.subject')}
            value={subject}
            maxLength={200}
            error={subjectWrong}
            errorProps={{ role: 'alert' }}
            onChange={({ currentTarget }) => draft.set({ subject: currentTarget.value })}
          />
        )}
        <Textarea
          ref={area}
          label={t('templates.text')}
          description={channel === 'mail' ? t('templates.mailText') : t('templates.smsText')}
          value={text}
          maxLength={4000}
          autosize
          minRows={4}
          maxRows={16}
          error={textWrong}
          errorProps={{ role: 'alert' }}
          onChange={({ currentTarget }) => draft.set({ text: currentTarget.value })}
        />
        <fieldset className={styles.placeholders}>
          <legend>{t('templates.placeholders')}</legend>
          {template.placeholders.map((name) => (
            <Button key={name} size="sm" variant="default" onClick={() => insert(name)} title={t(`templates.means.${name}`)}>
              {`{${name}}`}
            </Button>
          ))}
        </fieldset>
        <SaveProblem of={draft.conflict} />
        <Group gap="xs">
          <Button type="submit" loading={draft.saving} disabled={!dirty || !sound}>
            {t('common.save')}
          </Button>
          {dirty && (
            <Button variant="default" onClick={draft.reset}>
              {t('templates.undo')}
            </Button>
          )}
          {template.own && (
            <Button variant="subtle" color="red" ml="auto" onClick={() => setGiving(true)}>
              {t('templates.giveBack')}
            </Button>
          )}
        </Group>
      </Form>
      <Panel title={t('templates.preview')} aside={<span className="hw-hint">{t('templates.sample')}</span>}>
        {/* What was right before is not what stands there now. */}
        {!sound && <p className="hw-hint">{t('templates.noPreview')}</p>}
        {sound && preview.isError && <ProblemNote error={preview.error} />}
        {sound && preview.isLoading && <Bones lines={4} height={20} />}
        {sound && preview.data && !preview.isError && <TemplatePreview preview={preview.data} />}
      </Panel>
      <ConfirmDialog
        opened={giving}
        destructive
        title={t('templates.giveBackTitle', { kind: t(`templates.kinds.${kind}`) })}
        action={t('templates.giveBack')}
        busy={giveBack.isPending}
        onConfirm={() => giveBack.mutate()}
        onClose={() => setGiving(false)}
      >
        <p>{t('templates.giveBackText')}</p>
        {giveBack.isError && <ProblemNote error={giveBack.error} />}
      </ConfirmDialog>
    </div>
  );
};
