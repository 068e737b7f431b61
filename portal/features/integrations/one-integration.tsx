import type { IntegrationKind } from '@hatchway/domain/integration.ts';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Bones, Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Integration, integrationsQuery, useIntegrationCommands } from './api.ts';
import styles from './integrations.module.css';
import { SetupForm } from './setup-form.tsx';
import { IntegrationBadge } from './state.tsx';

/** One outside system: whether it is connected, what it is set up with, and the way back out. */
export const OneIntegration = ({ kind }: { kind: IntegrationKind }) => {
  const { t } = useTranslation();
  const query = useQuery(integrationsQuery(useApi()));
  const row = query.data?.find((one) => one.kind === kind) ?? null;
  const title = t(`integrations.${kind}.title`);
  return (
    <Panel title={title} aside={query.data && <IntegrationBadge state={row?.state ?? 'not-connected'} />}>
      <p className={styles.text}>{t(`integrations.${kind}.what`)}</p>
      <p className={styles.notYet}>{t(`integrations.${kind}.notYet`)}</p>
      {query.isPending && <Bones lines={4} height={28} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <>
          {row && <SetUp kind={kind} row={row} />}
          <SetupForm kind={kind} row={row} />
        </>
      )}
    </Panel>
  );
};

/** What is known of one that was saved, and what can be done with it. */
const SetUp = ({ kind, row }: { kind: IntegrationKind; row: Integration }) => {
  const { t } = useTranslation();
  const commands = useIntegrationCommands(kind);
  const [asked, setAsked] = useState(false);
  const title = t(`integrations.${kind}.title`);
  const end = useMutation({
    mutationFn: () => commands.disconnect(row),
    onSuccess: () => {
      toast.ok(t('integrations.disconnected', { name: title }));
      setAsked(false);
    },
  });
  return (
    <>
      <Facts
        rows={[
          [t('integrations.savedAt'), <Moment key="at" at={row.updatedAt} />],
          [t('integrations.lastSync'), row.lastSyncAt ? <Moment key="sync" at={row.lastSyncAt} /> : t('integrations.never')],
          ...(row.lastError ? ([[t('integrations.lastError'), row.lastError]] as const) : []),
        ]}
      />
      <div className={styles.actions}>
        <Button variant="subtle" color="red" onClick={() => setAsked(true)}>
          {t('integrations.disconnect')}
        </Button>
      </div>
      <ConfirmDialog
        opened={asked}
        destructive
        title={t('integrations.disconnectTitle', { name: title })}
        action={t('integrations.disconnect')}
        busy={end.isPending}
        onConfirm={() => end.mutate()}
        onClose={() => setAsked(false)}
      >
        {t('integrations.disconnectText')}
        {end.isError && <ProblemNote error={end.error} />}
      </ConfirmDialog>
    </>
  );
};
