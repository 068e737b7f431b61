import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { Bones } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Back, useEntraCommands } from './entra-api.ts';
import styles from './integrations.module.css';

/** Somebody comes back from the directory: from the consent, and then from the sign-in. What they came with counts once. */
export const ComesBack = ({ back }: { back: Back }) => {
  const { t } = useTranslation();
  const commands = useEntraCommands();
  const navigate = useNavigate();
  const { mutate, data, error } = useMutation({
    mutationFn: commands.goOn,
    onSuccess: ({ url, fault }) => {
      if (url !== null) return location.assign(url);
      void commands.again();
      if (fault !== null) return undefined;
      toast.ok(t('integrations.entra.connected'));
      return void navigate({ to: '/integration/entraid', search: {}, replace: true });
    },
  });
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate(back);
  }, [back, mutate]);
  if (error) return <ProblemNote error={error} onRetry={() => mutate(back)} />;
  if (data?.fault === undefined || data.fault === null) return <Bones lines={2} height={20} />;
  return (
    <div role="alert" className={styles.fault}>
      <strong>{t('integrations.entra.notConnected')}</strong>
      <p>{t(`integrations.entra.faults.${data.fault}`)}</p>
    </div>
  );
};
