import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import type { Occupation } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type BulkAction, type Outcome, runBulk } from './bulk.ts';

const ACTIONS: readonly BulkAction[] = ['send', 'extract', 'terminate'];

/** What may be done to several at once. Each gets its own answer; those that were refused are named with the reason. */
export const BulkBar = ({ rows, onDone }: { rows: Occupation[]; onDone: () => void }) => {
  const { t } = useTranslation();
  const { api, applyChange } = usePortal();
  const [asking, setAsking] = useState<BulkAction | null>(null);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Outcome[]>([]);
  const run = async (action: BulkAction): Promise<void> => {
    setBusy(true);
    const outcomes = await runBulk(api, action, rows, applyChange);
    setBusy(false);
    setAsking(null);
    const failed = outcomes.filter((outcome) => outcome.refused);
    const unknown = failed.filter((outcome) => outcome.refused === 'unanswered').length;
    setRefused(failed);
    if (failed.length === 0) {
      toast.ok(t('manage.occupations.doneAll', { count: outcomes.length }));
      onDone();
    } else if (unknown > 0) toast.warn(t('manage.occupations.unansweredSome', { count: unknown }));
    else toast.warn(t('manage.occupations.doneSome', { done: outcomes.length - failed.length, refused: failed.length }));
  };
  return (
    <>
      {ACTIONS.map((action) => (
        <Button key={action} size="xs" variant="default" onClick={() => setAsking(action)}>
          {t(`manage.occupations.${action}`)}
        </Button>
      ))}
      {refused.length > 0 && (
        <details open>
          <summary>{t('manage.occupations.notDone')}</summary>
          <ul>
            {refused.map((outcome) => (
              <li key={outcome.row.id}>
                {outcome.row.doorTag}:{' '}
                {outcome.refused === 'unanswered'
                  ? t('manage.occupations.unanswered')
                  : outcome.refused && t(`problems.${outcome.refused}`)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {asking && (
        <ConfirmDialog
          opened
          destructive={asking !== 'send'}
          busy={busy}
          title={t(`manage.occupations.confirm.${asking}`, { count: rows.length })}
          action={t(`manage.occupations.${asking}`)}
          onConfirm={() => void run(asking)}
          onClose={() => setAsking(null)}
        >
          <p>{t(`manage.occupations.confirm.${asking}Text`)}</p>
          {asking === 'send' && rows.some(({ dueAt }) => dueAt) && <p>{t('manage.occupations.confirm.sendLent')}</p>}
          <p>{rows.map((row) => row.doorTag).join(', ')}</p>
        </ConfirmDialog>
      )}
    </>
  );
};
