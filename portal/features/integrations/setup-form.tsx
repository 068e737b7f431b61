import { INTEGRATIONS, isElsewhere, isToolKind, MOST_SECRET, WRITE_BACKS, type IntegrationKind } from '@hatchway/domain/integration.ts';
import { Button, Group, NativeSelect, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../app/draft.ts';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { type Integration, useIntegrationCommands } from './api.ts';
import styles from './integrations.module.css';

type Name = (typeof INTEGRATIONS)[IntegrationKind]['settings' | 'secrets'][number];
type Values = Record<string, string | boolean>;

const CHOICES: Readonly<Record<string, string>> = { handedOver: 'note', fetched: 'complete' };
const valuesOf = (kind: IntegrationKind, row: Integration | null): Values =>
  Object.fromEntries(
    INTEGRATIONS[kind].settings.map((name) => {
      const kept = row?.settings[name];
      return [name, name === 'testMode' ? kept === true : typeof kept === 'string' ? kept : (CHOICES[name] ?? '')];
    }),
  );

const NO_SECRETS: Record<string, string> = {};
/** An empty field is no secret: the one that is kept stays. */
const typedOf = (secrets: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).filter(([, value]) => value.trim() !== ''));

type Props = {
  kind: IntegrationKind;
  row: Integration | null;
  /** The word on its button, where that does more than to save. */
  action?: string;
  /** Shows why saving is refused, where nobody was quicker; else the plain note does. */
  Problem?: ComponentType<{ error: unknown }>;
  /** What follows; else it is said that it is saved. */
  onSaved?: (row: Integration) => void;
  /** Hears whether something stands in it that is not saved. */
  onDirty?: (dirty: boolean) => void;
};

/** What one kind is set up with. A secret is typed and never shown again: an empty field leaves the one that is kept, for the address that it was given for. */
export const SetupForm = ({ kind, row, action, Problem, onSaved, onDirty }: Props) => {
  const { t } = useTranslation();
  const commands = useIntegrationCommands(kind);
  const queryClient = useQueryClient();
  const [tried, setTried] = useState(false);
  const [asked, setAsked] = useState(false);
  const draft = useDraft({
    row,
    newest: () => queryClient.refetchQueries({ queryKey: ['integrations', 'list'] }, { throwOnError: true }),
    begun: (one) => ({ settings: valuesOf(kind, one), secrets: NO_SECRETS }),
    save: ({ settings, secrets }, version) => commands.save(row, { settings, secrets: typedOf(secrets) }, version),
    onSaved: (saved) => {
      setTried(false);
      if (saved && onSaved) onSaved(saved);
      else toast.ok(t('integrations.saved'));
    },
  });
  const { dirty } = draft;
  useEffect(() => onDirty?.(dirty), [dirty, onDirty]);
  const { settings, secrets } = draft.value;
  const moved = isElsewhere(row?.settings ?? {}, settings);
  const losesKeys = moved && Object.values(row?.secrets ?? {}).some(Boolean);
  const empty = Object.entries(settings).filter(([, value]) => typeof value === 'string' && value.trim() === '');
  const refused = fieldErrors(draft.error, t);
  const errorOf = (at: 'settings' | 'secrets', name: Name): string | undefined => {
    if (tried && at === 'settings' && empty.some(([one]) => one === name)) return t('integrations.needed');
    return refused[`${at}.${name}`] === undefined && refused[name] === undefined ? undefined : t(`integrations.wrong.${name}`);
  };
  const submit = (): void => {
    setTried(true);
    if (empty.length > 0) return;
    if (losesKeys) setAsked(true);
    else draft.save();
  };
  const field = (at: 'settings' | 'secrets', name: Name) => ({
    label: t(`integrations.fields.${name}`),
    error: errorOf(at, name),
    errorProps: { role: 'alert' },
    autoComplete: 'off',
    spellCheck: false,
  });
  const told = Object.keys(refused).length > 0 && codeOf(draft.error) === 'malformed';
  return (
    <Form onSubmit={submit} className={styles.form}>
      <UnsavedGuard dirty={dirty && !draft.saving} />
      {INTEGRATIONS[kind].settings.map((name) =>
        name === 'testMode' ? (
          <Switch
            key={name}
            label={t('integrations.fields.testMode')}
            description={t('integrations.testModeText')}
            checked={settings[name] === true}
            onChange={(event) => draft.set({ settings: { ...settings, [name]: event.currentTarget.checked } })}
          />
        ) : name in CHOICES ? (
          <NativeSelect
            key={name}
            {...field('settings', name)}
            data={WRITE_BACKS.map((value) => ({ value, label: t(`integrations.writeBack.${value}`) }))}
            value={String(settings[name])}
            onChange={(event) => draft.set({ settings: { ...settings, [name]: event.currentTarget.value } })}
          />
        ) : (
          <TextInput
            key={name}
            {...field('settings', name)}
            placeholder={t(`integrations.examples.${name}`)}
            maxLength={300}
            value={String(settings[name] ?? '')}
            onChange={(event) => draft.set({ settings: { ...settings, [name]: event.currentTarget.value } })}
          />
        ),
      )}
      {INTEGRATIONS[kind].secrets.map((name) => (
        <PasswordInput
          key={name}
          {...field('secrets', name)}
          autoComplete="new-password"
          description={t(!row?.secrets[name] ? 'integrations.notKept' : moved ? 'integrations.leftBehind' : 'integrations.kept')}
          maxLength={MOST_SECRET}
          value={secrets[name] ?? ''}
          visibilityToggleButtonProps={{ 'aria-label': t('integrations.show', { name: t(`integrations.fields.${name}`) }) }}
          onChange={(event) => draft.set({ secrets: { ...secrets, [name]: event.currentTarget.value } })}
        />
      ))}
      <SaveProblem of={draft.conflict} quiet={told || Problem !== undefined} />
      {Problem && draft.error && !told && !draft.conflict.stale && <Problem error={draft.error} />}
      <Group>
        <Button type="submit" loading={draft.saving}>
          {action ?? t('common.save')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asked}
        destructive
        title={t('integrations.moveTitle', { name: t(`integrations.${kind}.title`) })}
        action={t('integrations.move')}
        onConfirm={() => {
          setAsked(false);
          draft.save();
        }}
        onClose={() => setAsked(false)}
      >
        {t(isToolKind(kind) ? 'integrations.tool.moveText' : 'integrations.moveText', { url: String(valuesOf(kind, row)['url'] ?? '') })}
      </ConfirmDialog>
    </Form>
  );
};
