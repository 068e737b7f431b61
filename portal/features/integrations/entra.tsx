import { DIRECTORY_FAULTS } from '@hatchway/domain/entra.ts';
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { Form } from '../../ui/form.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { Disconnect } from './disconnect.tsx';
import { type Back, type Entra as Directory, entraQuery, useEntraCommands } from './entra-api.ts';
import { ComesBack } from './entra-consent.tsx';
import styles from './integrations.module.css';
import { IntegrationBadge } from './state.tsx';

/** How often a connected directory is looked at anew, whose age is shown. */
const LOOK_MS = 30_000;

/** The company's directory: whether it is connected, how it goes with it, and the way in and out. */
export const Entra = ({ back }: { back: Back }) => {
  const { t } = useTranslation();
  const query = useQuery({ ...entraQuery(useApi()), refetchInterval: LOOK_MS });
  const entra = query.data;
  return (
    <Panel title={t('integrations.entra.title')} aside={entra && <IntegrationBadge state={entra.state} />}>
      <p className={styles.text}>{t('integrations.entra.what')}</p>
      {back.state !== undefined && <ComesBack key={back.state} back={back} />}
      <Waiting of={query} lines={4} height={28} />
      {entra && (
        <>
          <p className={styles.text}>{t(`integrations.entra.signIn.${entra.signsIn ? 'there' : 'keycloak'}`)}</p>
          {!entra.available && <p className={styles.notYet}>{t('integrations.entra.unavailable')}</p>}
          {entra.available && entra.state === 'unverified' && <p className={styles.notYet}>{t('integrations.entra.waits')}</p>}
          {entra._id !== null && <Standing entra={entra} id={entra._id} />}
          <NameForm entra={entra} />
        </>
      )}
    </Panel>
  );
};

/** What is known of one that is named, and what can be done with it. */
const Standing = ({ entra, id }: { entra: Directory; id: string }) => {
  const { t } = useTranslation();
  const commands = useEntraCommands();
  const said = (seen: Directory, well: string): void => {
    if (seen.lastError === null) toast.ok(well);
  };
  const test = useMutation({ mutationFn: commands.test, onSuccess: (seen) => said(seen, t('integrations.entra.works')) });
  const sync = useMutation({ mutationFn: commands.sync, onSuccess: (seen) => said(seen, t('integrations.entra.synced')) });
  const { state, since, lastSyncAt, lastError } = entra;
  const isConnected = state === 'active' || state === 'failing';
  const word = isConnected ? state : 'saved';
  const failed = [test, sync].find(({ isError }) => isError);
  return (
    <>
      {lastError !== null && <Fault error={lastError} />}
      <Facts
        rows={[
          ...(since ? ([[t(`integrations.since.${word}`), <Moment key="since" at={since} />]] as const) : []),
          [t('integrations.lastSync'), lastSyncAt ? <Moment key="sync" at={lastSyncAt} /> : t('integrations.never')],
        ]}
      />
      {failed?.error && <ProblemNote error={failed.error} />}
      <div className={styles.actions}>
        {isConnected && (
          <>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {t('integrations.tryIt')}
            </Button>
            <Button variant="default" loading={sync.isPending} onClick={() => sync.mutate()}>
              {t('integrations.entra.sync')}
            </Button>
          </>
        )}
        <Disconnect kind="entra" row={{ _id: id }} text={t('integrations.entra.disconnectText')} />
      </div>
    </>
  );
};

/** What is wrong there, in words where it is known. */
const Fault = ({ error }: { error: string }) => {
  const { t } = useTranslation();
  const known = DIRECTORY_FAULTS.find((one) => one === error);
  return (
    <div role="alert" className={styles.fault}>
      <strong>{t('integrations.entra.failing')}</strong>
      <p>{known === undefined ? t('integrations.theirWords', { words: error }) : t(`integrations.entra.wrong.${known}`)}</p>
      <p>{t('integrations.entra.goesOn')}</p>
    </div>
  );
};

const tidOf = (row: Directory | null): { tid: string } => ({ tid: row?.tid ?? '' });

/** Names the directory, and leaves for its administrator's consent. */
const NameForm = ({ entra }: { entra: Directory }) => {
  const { t } = useTranslation();
  const commands = useEntraCommands();
  const [tried, setTried] = useState(false);
  const draft = useDraft({
    row: entra._id === null ? null : entra,
    newest: commands.again,
    begun: tidOf,
    save: ({ tid }, version) => commands.name(tid.trim(), version),
    onSaved: ({ consentUrl }) => {
      setTried(false);
      if (consentUrl === null) toast.ok(t('integrations.saved'));
      else location.assign(consentUrl);
    },
  });
  const { tid } = draft.value;
  const refused = fieldErrors(draft.error, t);
  const isEmpty = tid.trim() === '';
  const submit = (): void => {
    setTried(true);
    if (!isEmpty) draft.save();
  };
  const wrong = tried && isEmpty ? t('integrations.needed') : refused['tid'] === undefined ? undefined : t('integrations.wrong.tid');
  return (
    <Form onSubmit={submit} className={styles.form}>
      <UnsavedGuard dirty={draft.dirty && !draft.saving} />
      <TextInput
        label={t('integrations.fields.tid')}
        description={t('integrations.entra.where')}
        placeholder={t('integrations.examples.tid')}
        error={wrong}
        errorProps={{ role: 'alert' }}
        autoComplete="off"
        spellCheck={false}
        maxLength={120}
        value={tid}
        onChange={(event) => draft.set({ tid: event.currentTarget.value })}
      />
      <SaveProblem of={draft.conflict} quiet={Object.keys(refused).length > 0 && codeOf(draft.error) === 'malformed'} />
      <Group>
        <Button type="submit" loading={draft.saving}>
          {entra.available ? t('integrations.entra.ask') : t('common.save')}
        </Button>
      </Group>
    </Form>
  );
};
