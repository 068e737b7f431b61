import type { ToolKind } from '@hatchway/domain/integration.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Integration, useIntegrationCommands } from './api.ts';
import { Differences } from './differences.tsx';
import styles from './integrations.module.css';

type Props = { kind: ToolKind; row: Integration; /** Its form says otherwise than what would be tried. */ unsaved: boolean };
/** What is done with an asset tool that was saved: its key is tried, all that it has is fetched, and what differs is shown. */
export const ToolActs = ({ kind, row, unsaved }: Props) => {
  const { t } = useTranslation();
  const commands = useIntegrationCommands(kind);
  const said = (seen: Integration, well: string): void => {
    if (seen.lastError === null) toast.ok(well);
  };
  const test = useMutation({ mutationFn: () => commands.test(row), onSuccess: (seen) => said(seen, t('integrations.tool.works')) });
  const sync = useMutation({ mutationFn: () => commands.sync(row), onSuccess: (seen) => said(seen, t('integrations.tool.synced')) });
  const failed = [test, sync].find(({ isError }) => isError);
  const isTried = row.state === 'active' || row.state === 'failing';
  return (
    <>
      <div className={styles.actions}>
        <Button variant={isTried ? 'default' : 'filled'} disabled={unsaved} loading={test.isPending} onClick={() => test.mutate()}>
          {t('integrations.tool.test')}
        </Button>
        {isTried && (
          <Button variant="default" disabled={unsaved} loading={sync.isPending} onClick={() => sync.mutate()}>
            {t('integrations.tool.sync')}
          </Button>
        )}
      </div>
      <output className={styles.text}>{unsaved && t('integrations.saveFirst')}</output>
      {failed?.error && <ProblemNote error={failed.error} />}
      {isTried && <Differences kind={kind} row={row} />}
    </>
  );
};
