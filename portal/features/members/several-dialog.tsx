import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { tell } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { eachOf } from './api.ts';
import styles from './members.module.css';

type Props<T> = {
  rows: readonly T[];
  nameOf: (row: T) => string;
  title: string;
  action: string;
  destructive?: boolean;
  done: string;
  act: (row: T) => Promise<unknown>;
  onClose: (done: boolean) => void;
  children: ReactNode;
};
const SHOWN = 8;

/** Asks once for one or several, names them, and says afterwards for whom it was refused and why. */
export const SeveralDialog = <T,>({ rows, nameOf, title, action, destructive, done, act, onClose, children }: Props<T>) => {
  const { t } = useTranslation();
  const run = useMutation({
    mutationFn: () => eachOf(rows, act),
    onSuccess: (refused) => {
      if (refused.length > 0) return;
      toast.ok(done);
      onClose(true);
    },
  });
  const refused = run.data ?? [];
  return (
    <ConfirmDialog
      opened
      destructive={destructive ?? false}
      title={title}
      action={action}
      busy={run.isPending}
      onConfirm={() => run.mutate()}
      onClose={() => onClose(run.isSuccess)}
    >
      {children}
      {rows.length > 1 && (
        <ul className={styles.names}>
          {rows.slice(0, SHOWN).map((row) => (
            <li key={nameOf(row)}>{nameOf(row)}</li>
          ))}
          {rows.length > SHOWN && <li>{t('members.andMore', { count: rows.length - SHOWN })}</li>}
        </ul>
      )}
      {refused.length > 0 && (
        <div role="alert" className={styles.refused}>
          <strong>{t('members.refused', { count: refused.length })}</strong>
          <ul className={styles.names}>
            {refused.map(({ row, error }) => (
              <li key={nameOf(row)}>
                {nameOf(row)}: {t(`problems.${tell(error).sentence}`)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </ConfirmDialog>
  );
};
