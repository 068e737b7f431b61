import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Cabinet, type Site, useBuilderCommands } from './api.ts';
import styles from './builder.module.css';
import { heldBy, holdWords, policiesBy } from './words.ts';

export const DeleteSite = ({ site, onClose }: { site: Site; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useBuilderCommands();
  const remove = useMutation({
    mutationFn: () => commands.removeSite(site.id),
    onSuccess: () => {
      toast.ok(t('builder.siteGone', { name: site.name }));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      destructive
      title={t('builder.deleteSite', { name: site.name })}
      action={t('common.delete')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('builder.deleteSiteText')}
      {remove.isError &&
        (codeOf(remove.error) === 'in-use-elsewhere' ? <p role="alert">{t('builder.siteInUse')}</p> : <ProblemNote error={remove.error} />)}
    </ConfirmDialog>
  );
};

/** Says what goes with it, and which doors keep it when it is refused. */
export const DeleteCabinet = ({ cabinet, onClose, onGone }: { cabinet: Cabinet; onClose: () => void; onGone: () => void }) => {
  const { t } = useTranslation();
  const commands = useBuilderCommands();
  const count = cabinet.columns.reduce((sum, column) => sum + column.doors.length, 0);
  const remove = useMutation({
    mutationFn: () => commands.removeCabinet(cabinet.id),
    onSuccess: () => {
      toast.ok(t('builder.cabinetGone', { name: cabinet.name }));
      onClose();
      onGone();
    },
  });
  const held = heldBy(remove.error);
  const policies = policiesBy(remove.error);
  return (
    <ConfirmDialog
      opened
      destructive
      title={t('builder.deleteCabinet', { name: cabinet.name })}
      action={t('common.delete')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('builder.deleteCabinetText', { count })}</p>
      <p>{t('builder.deleteCabinetLabels')}</p>
      {held.length > 0 && (
        <div role="alert" className={styles.bad}>
          {t('builder.deleteHeld')}
          <ul className={styles.list}>
            {held.map(({ doorTag, hold }) => (
              <li key={doorTag}>{holdWords(t, doorTag, hold)}</li>
            ))}
          </ul>
        </div>
      )}
      {policies.length > 0 && <p role="alert">{t('builder.policiesKeep', { names: policies.join(', ') })}</p>}
      {remove.isError && held.length + policies.length === 0 && <ProblemNote error={remove.error} />}
    </ConfirmDialog>
  );
};
