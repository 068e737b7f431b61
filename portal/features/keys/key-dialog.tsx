import { Button, Checkbox, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '../../app/problem.ts';
import { useFacts } from '../../app/who.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { useKeyCommands } from './api.ts';
import { grantable, type KeyScope, tells, wordOf } from './scopes.ts';
import styles from './keys.module.css';

/** In days; null: until it is revoked. */
const SPANS = [30, 90, 365, null] as const;
const DAY = 86_400_000;
const laterBy = (days: number | null): string | null => (days === null ? null : new Date(Date.now() + days * DAY).toISOString());

/** Makes a key; then shows its secret, which nobody can read again. */
export const KeyDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useKeyCommands();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly KeyScope[]>([]);
  const [span, setSpan] = useState<number | null>(365);
  const [tried, setTried] = useState(false);
  const make = useMutation({
    mutationFn: () => commands.create({ name: name.trim(), scopes: [...scopes], expiresAt: laterBy(span) }),
    // The secret must not outlive the dialog.
    gcTime: 0,
  });
  const submit = (): void => {
    setTried(true);
    if (name.trim() !== '' && scopes.length > 0) make.mutate();
  };
  const secret = make.data?.secret;
  return (
    <FormDialog
      title={secret ? t('keys.made', { name: make.data?.key.name ?? '' }) : t('keys.make')}
      dirty={!secret && (name !== '' || scopes.length > 0)}
      saving={make.isPending}
      size="lg"
      long
      once={secret !== undefined}
      onClose={onClose}
    >
      {secret ? (
        <Made secret={secret} onClose={onClose} />
      ) : (
        <Form onSubmit={submit} className={styles.form}>
          <TextInput
            label={t('keys.name')}
            description={t('keys.nameText')}
            placeholder={t('keys.namePlaceholder')}
            value={name}
            maxLength={100}
            error={tried && name.trim() === '' ? t('keys.nameNeeded') : fieldErrors(make.error, t).name}
            errorProps={{ role: 'alert' }}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <ScopeFields value={scopes} wrong={tried && scopes.length === 0} onChange={setScopes} />
          <NativeSelect
            label={t('keys.expires')}
            value={String(span)}
            onChange={(event) => setSpan(SPANS.find((one) => String(one) === event.currentTarget.value) ?? null)}
            data={SPANS.map((days) => ({ value: String(days), label: days === null ? t('keys.never') : t('keys.days', { count: days }) }))}
          />
          {make.isError && <ProblemNote error={make.error} />}
          <FormFoot saving={make.isPending} save={t('keys.makeIt')} />
        </Form>
      )}
    </FormDialog>
  );
};

const Made = ({ secret, onClose }: { secret: string; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <>
      <Text mb="md">{t('keys.once')}</Text>
      <SecretOnce label={t('keys.secret')} secret={secret} />
      <Text mt="md" className="hw-hint">
        {t('keys.use')}
      </Text>
      <pre className={styles.example}>Authorization: Bearer {secret.slice(0, 8)}…</pre>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('keys.kept')}
        </Button>
      </Group>
    </>
  );
};

type ScopeProps = { value: readonly KeyScope[]; wrong: boolean; onChange: (scopes: readonly KeyScope[]) => void };
const ScopeFields = ({ value, wrong, onChange }: ScopeProps) => {
  const { t } = useTranslation();
  const offered = grantable(useFacts());
  const saidId = useId();
  const groups = [
    { title: t('keys.reading'), text: undefined, scopes: offered.filter((scope) => scope === 'read') },
    { title: t('keys.services'), text: undefined, scopes: offered.filter((scope) => scope !== 'read' && !scope.startsWith('admin:')) },
    { title: t('keys.keeping'), text: t('keys.keepingText'), scopes: offered.filter((scope) => scope.startsWith('admin:')) },
  ].filter((group) => group.scopes.length > 0);
  return (
    <fieldset className={styles.scopes}>
      <legend className={styles.legend}>{t('keys.scopes')}</legend>
      <p className="hw-hint">{t('keys.scopesText')}</p>
      {wrong && (
        <p id={saidId} role="alert" className="hw-wrong">
          {t('keys.scopesNeeded')}
        </p>
      )}
      {groups.map((group) => (
        <fieldset key={group.title} className={styles.group}>
          <legend className={styles.groupTitle}>{group.title}</legend>
          {group.text !== undefined && <p className="hw-hint">{group.text}</p>}
          {group.scopes.map((scope) => (
            <Checkbox
              key={scope}
              label={t(`keys.words.${wordOf(scope)}`)}
              description={tells(scope) ? t(`keys.tells.${wordOf(scope)}`) : undefined}
              checked={value.includes(scope)}
              aria-invalid={wrong || undefined}
              aria-describedby={wrong ? saidId : undefined}
              onChange={(event) => onChange(event.currentTarget.checked ? [...value, scope] : value.filter((one) => one !== scope))}
            />
          ))}
        </fieldset>
      ))}
    </fieldset>
  );
};
