import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Locker } from '../../app/queries.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useDoorCommands } from '../lockers/api.ts';
import { ReasonDialog } from '../occupations/reason-dialog.tsx';
import styles from './builder.module.css';

/** Out of service with a reason, or back: at once, and no part of the drawing. */
export const ServiceButton = ({ lockers }: { lockers: readonly Locker[] }) => {
  const { t } = useTranslation();
  const commands = useDoorCommands();
  const [asking, setAsking] = useState(false);
  const out = lockers.filter((locker) => locker.outOfService !== null);
  const inService = lockers.filter((locker) => locker.outOfService === null);
  const run = useMutation({
    mutationFn: async (reason: string | null) => {
      for (const locker of reason === null ? out : inService)
        await (reason === null ? commands.backInService(locker.id) : commands.outOfService(locker.id, reason));
    },
    onSettled: () => setAsking(false),
  });
  return (
    <>
      {out.map((locker) => (
        <p key={locker.id} className={styles.quiet}>
          {t('builder.outOfService')}: {locker.doorTag} – {locker.outOfService?.reason}
        </p>
      ))}
      <div className={styles.row}>
        {inService.length > 0 && (
          <Button size="sm" variant="default" onClick={() => setAsking(true)}>
            {t('lockers.takeOut', { count: inService.length })}
          </Button>
        )}
        {out.length > 0 && (
          <Button size="sm" variant="default" loading={run.isPending} onClick={() => run.mutate(null)}>
            {t('lockers.bringBack', { count: out.length })}
          </Button>
        )}
      </div>
      {run.isError && <ProblemNote error={run.error} />}
      {asking && (
        <ReasonDialog
          title={t('lockers.takeOut', { count: inService.length })}
          text={t('lockers.takeOutText', { tags: inService.map((locker) => locker.doorTag).join(', ') })}
          label={t('lockers.reason')}
          placeholder={t('lockers.reasonPlaceholder')}
          needed={t('lockers.reasonNeeded')}
          action={t('lockers.takeOut', { count: inService.length })}
          busy={run.isPending}
          onConfirm={(reason) => run.mutate(reason)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};
