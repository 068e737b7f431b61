import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tell } from '../app/problem.ts';
import { toast } from '../app/toasts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import styles from './several-dialog.module.css';

/** One after the other, each with its own answer: those that were refused are named. */
export const eachOf = async <T,>(rows: readonly T[], act: (row: T) => Promise<unknown>): Promise<{ row: T; error: unknown }[]> => {
  const refused: { row: T; error: unknown }[] = [];
  for (const row of rows) await act(row).catch((error: unknown) => refused.push({ row, error }));
  return refused;
};

type Props<T> = {
  rows: readonly T[];
  nameOf: (row: T) => string;
  title: string;
  action: string;
  destructive?: boolean;
  done: string;
  act: (row: T) => Promise<unknown>;
  /** False while it is not said yet what shall be done. */
  ready?: boolean;
  onClose: (done: boolean) => void;
  children: ReactNode;
};
const SHOWN = 8;

/** Asks once for one or several, names them, and says afterwards for whom it was refused and why. */
export const SeveralDialog = <T,>({ rows, nameOf, title, action, destructive, done, act, ready = true, onClose, children }: Props<T>) => {
  const { t } = useTranslation();
  /** Pressed again, it is for those that were refused. */
  const [left, setLeft] = useState(rows);
  const run = useMutation({
    mutationFn: () => eachOf(left, act),
    onSuccess: (refused) => {
      setLeft(refused.map(({ row }) => row));
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
      blocked={!ready}
      onConfirm={() => run.mutate()}
      onClose={() => onClose(run.isSuccess)}
    >
      {children}
      {rows.length > 1 && (
        <ul className={styles.names}>
          {rows.slice(0, SHOWN).map((row) => (
            <li key={nameOf(row)}>{nameOf(row)}</li>
          ))}
          {rows.length > SHOWN && <li>{t('common.andMore', { count: rows.length - SHOWN })}</li>}
        </ul>
      )}
      {refused.length > 0 && (
        <div role="alert" className={styles.refused}>
          <strong>{t('common.refused', { count: refused.length })}</strong>
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
