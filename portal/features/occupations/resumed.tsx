import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortTime } from '../../app/dates.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { assetName } from './draft.ts';
import styles from './service.module.css';
import type { Flow } from './use-flow.ts';

/** A draft that was found here goes on at a step that may name neither what it is nor for whom: one line says so, at every step. */
export const Resumed = ({ flow: { draft, resumedAt }, onStartOver }: { flow: Flow; onStartOver: () => void }) => {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const { name, tlf, email } = draft.receiver;
  const now = [assetName(draft), [name, tlf, email].find((part) => part.trim() !== '')?.trim() ?? ''];
  const [begun] = useState(now);
  // Another thing, or for somebody else: that was begun now, by whoever sees it.
  if (resumedAt === null || begun.some((part, index) => part !== '' && part !== now[index])) return null;
  const what = begun.filter(Boolean).join(' · ');
  const word = t('occupations.resumed.startOver');
  return (
    <div className={styles.resumed}>
      <p>
        {t('occupations.resumed.since', { time: shortTime(resumedAt) })} <b>{what}</b>
      </p>
      <Button variant="default" size="compact-md" onClick={() => setAsked(true)}>
        {word}
      </Button>
      <ConfirmDialog
        opened={asked}
        title={t('occupations.abort.ask', { word })}
        action={word}
        keep={t('occupations.abort.keep')}
        destructive
        onConfirm={onStartOver}
        onClose={() => setAsked(false)}
      >
        {t('occupations.abort.draft')}
      </ConfirmDialog>
    </div>
  );
};
