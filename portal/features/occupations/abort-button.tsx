import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Occupation } from '../../app/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import type { FillService } from './plan.ts';
import { lossOf } from './running.ts';

type Props = { service: FillService; occupation: Occupation | null; onAbort: () => Promise<void> };

/** The service's own abort word, and a dialog that says what it would do to which door. */
export const AbortButton = ({ service, occupation, onAbort }: Props) => {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const word = t(`occupations.abort.word.${service}`);
  const abort = async () => {
    setBusy(true);
    setError(null);
    try {
      await onAbort();
      setAsked(false);
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setAsked(true)}>
        {word}
      </Button>
      <ConfirmDialog
        opened={asked}
        title={t('occupations.abort.ask', { word })}
        action={word}
        keep={t('occupations.abort.keep')}
        destructive
        busy={busy}
        onConfirm={() => void abort()}
        onClose={() => setAsked(false)}
      >
        {t(`occupations.abort.${lossOf(occupation?.stage ?? null)}`, { tag: occupation?.doorTag ?? '' })}
        {error !== null && <ProblemNote error={error} />}
      </ConfirmDialog>
    </>
  );
};
