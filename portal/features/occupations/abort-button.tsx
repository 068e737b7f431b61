import { Button } from '@mantine/core';
import { IconDoor } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Locker, Occupation } from '../../app/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import type { FillService } from './plan.ts';
import { leftBehind, lossOf } from './running.ts';
import styles from './service.module.css';

type Props = { service: FillService; occupation: Occupation | null; locker: Locker | undefined; onAbort: () => Promise<void> };

/** The service's own abort word, and a dialog that says what it would do to which door. */
export const AbortButton = ({ service, occupation, locker, onAbort }: Props) => {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const word = t(`occupations.abort.word.${service}`);
  const tag = occupation?.doorTag ?? '';
  // Who leaves it so comes back to a door that anybody may reach into; what nobody senses may stand open too, once it was opened.
  const door = occupation === null || locker === undefined ? null : leftBehind(occupation.stage, locker.door);
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
        {t(`occupations.abort.${lossOf(occupation, locker?.lastCommand)}`, { tag })}
        {door !== null && (
          <p className={styles.loose}>
            <IconDoor size={18} aria-hidden /> {t(`occupations.abort.door.${door}`, { tag })}
          </p>
        )}
        {error !== null && <ProblemNote error={error} />}
      </ConfirmDialog>
    </>
  );
};
