import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SeveralDialog } from '../../ui/several-dialog.tsx';
import { type AssetGroup, useAssetGroupCommands } from './api.ts';

/** Says how many assets lose the group, and that they stay. */
export const DeleteDialog = ({ group, onClose }: { group: AssetGroup; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useAssetGroupCommands();
  const remove = useMutation({
    mutationFn: () => commands.remove(group.id),
    onSuccess: () => {
      toast.ok(t('assetGroups.deleted', { name: group.name }));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      destructive
      title={t('assetGroups.deleteTitle', { name: group.name })}
      action={t('common.delete')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {group.count === 0 ? t('assetGroups.deleteEmpty') : t('assetGroups.deleteText', { count: group.count })}
      {remove.isError && <ProblemNote error={remove.error} />}
    </ConfirmDialog>
  );
};

export const DeleteSeveral = ({ groups, onClose }: { groups: readonly AssetGroup[]; onClose: (done: boolean) => void }) => {
  const { t } = useTranslation();
  const commands = useAssetGroupCommands();
  return (
    <SeveralDialog
      rows={groups}
      nameOf={(group) => group.name}
      destructive
      title={t('assetGroups.deleteSeveral', { count: groups.length })}
      action={t('common.delete')}
      done={t('assetGroups.deletedSeveral', { count: groups.length })}
      act={(group) => commands.remove(group.id)}
      onClose={onClose}
    >
      <p>{t('assetGroups.deleteSeveralText')}</p>
    </SeveralDialog>
  );
};
