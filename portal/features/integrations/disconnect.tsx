import type { IntegrationKind } from '@hatchway/domain/integration.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Integration, useIntegrationCommands } from './api.ts';

type Props = {
  kind: IntegrationKind;
  row: Pick<Integration, '_id'>;
  text: string;
  /** Shows why it is refused. */
  Problem?: ComponentType<{ error: unknown }>;
};

/** The way back out, which is asked about. */
export const Disconnect = ({ kind, row, text, Problem = ProblemNote }: Props) => {
  const { t } = useTranslation();
  const commands = useIntegrationCommands(kind);
  const [asked, setAsked] = useState(false);
  const name = t(`integrations.${kind}.title`);
  const end = useMutation({
    mutationFn: () => commands.disconnect(row),
    onSuccess: () => {
      toast.ok(t('integrations.disconnected', { name }));
      setAsked(false);
    },
  });
  const ask = (opened: boolean): void => {
    setAsked(opened);
    end.reset();
  };
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => ask(true)}>
        {t('integrations.disconnect')}
      </Button>
      <ConfirmDialog
        opened={asked}
        destructive
        title={t('integrations.disconnectTitle', { name })}
        action={t('integrations.disconnect')}
        busy={end.isPending}
        onConfirm={() => end.mutate()}
        onClose={() => ask(false)}
      >
        {text}
        {end.isError && <Problem error={end.error} />}
      </ConfirmDialog>
    </>
  );
};
