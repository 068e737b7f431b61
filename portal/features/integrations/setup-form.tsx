import { INTEGRATIONS, type IntegrationKind } from '@hatchway/domain/integration.ts';
import { Button, Group, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { type Integration, useIntegrationCommands } from './api.ts';
import styles from './integrations.module.css';

type Name = (typeof INTEGRATIONS)[IntegrationKind]['settings' | 'secrets'][number];
type Values = Record<string, string | boolean>;

const valuesOf = (kind: IntegrationKind, row: Integration | null): Values =>
  Object.fromEntries(
    INTEGRATIONS[kind].settings.map((name) => {
      const kept = row?.settings[name];
      return [name, name === 'testMode' ? kept === true : typeof kept === 'string' ? kept : ''];
    }),
  );

/** What one kind is set up with. A secret is typed and never shown again: an empty field leaves the one that is kept. */
export const SetupForm = ({ kind, row }: { kind: IntegrationKind; row: Integration | null }) => {
  const { t } = useTranslation();
  const commands = useIntegrationCommands(kind);
  const [settings, setSettings] = useState(() => valuesOf(kind, row));
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const [tried, setTried] = useState(false);
  const typed = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value.trim() !== ''));
  const empty = Object.entries(settings).filter(([, value]) => typeof value === 'string' && value.trim() === '');
  const save = useMutation({
    mutationFn: () => commands.save(row, { settings, secrets: typed }),
    onSuccess: () => {
      setSecrets({});
      toast.ok(t('integrations.saved'));
    },
  });
  const refused = fieldErrors(save.error);
  const errorOf = (at: 'settings' | 'secrets', name: Name): string | undefined => {
    if (tried && at === 'settings' && empty.some(([one]) => one === name)) return t('integrations.needed');
    return refused[`${at}.${name}`] === undefined && refused[name] === undefined ? undefined : t(`integrations.wrong.${name}`);
  };
  const dirty = JSON.stringify([settings, typed]) !== JSON.stringify([valuesOf(kind, row), {}]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (empty.length === 0) save.mutate();
  };
  const field = (at: 'settings' | 'secrets', name: Name) => ({
    label: t(`integrations.fields.${name}`),
    error: errorOf(at, name),
    errorProps: { role: 'alert' },
    autoComplete: 'off',
    spellCheck: false,
  });
  const told = Object.keys(refused).length > 0 && codeOf(save.error) === 'malformed';
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <UnsavedGuard dirty={dirty && !save.isPending} />
      {INTEGRATIONS[kind].settings.map((name) =>
        name === 'testMode' ? (
          <Switch
            key={name}
            label={t(`integrations.fields.${name}`)}
            checked={settings[name] === true}
            onChange={(event) => setSettings({ ...settings, [name]: event.currentTarget.checked })}
          />
        ) : (
          <TextInput
            key={name}
            {...field('settings', name)}
            placeholder={t(`integrations.examples.${name}`)}
            maxLength={300}
            value={String(settings[name] ?? '')}
            onChange={(event) => {
              setSettings({ ...settings, [name]: event.currentTarget.value });
              if (save.isError) save.reset();
            }}
          />
        ),
      )}
      {INTEGRATIONS[kind].secrets.map((name) => (
        <PasswordInput
          key={name}
          {...field('secrets', name)}
          autoComplete="new-password"
          description={t(row?.secrets[name] ? 'integrations.kept' : 'integrations.notKept')}
          maxLength={500}
          value={secrets[name] ?? ''}
          visibilityToggleButtonProps={{ 'aria-label': t('integrations.show', { name: t(`integrations.fields.${name}`) }) }}
          onChange={(event) => setSecrets({ ...secrets, [name]: event.currentTarget.value })}
        />
      ))}
      {save.isError && !told && <ProblemNote error={save.error} />}
      <Group>
        <Button type="submit" loading={save.isPending}>
          {t('common.save')}
        </Button>
      </Group>
    </form>
  );
};
