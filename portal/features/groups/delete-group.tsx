import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { tell } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SeveralDialog } from '../../ui/several-dialog.tsx';
import { type Group, useGroupCommands } from './api.ts';

/** Says who loses what: the people stay, what permissions gave them through the group does not. */
export const DeleteGroup = ({ group, onClose }: { group: Group; onClose: (deleted: boolean) => void }) => {
  const { t } = useTranslation();
  const commands = useGroupCommands();
  const remove = useMutation({
    mutationFn: () => commands.remove(group.id),
    onSuccess: () => {
      toast.ok(t('groups.deleted', { name: group.name }));
      onClose(true);
    },
  });
  const inUse = remove.isError && tell(remove.error).sentence === 'in-use-elsewhere';
  return (
    <ConfirmDialog
      opened
      destructive
      title={t('groups.deleteTitle', { name: group.name })}
      action={t('common.delete')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={() => onClose(false)}
    >
      {group.total === 0 ? t('groups.deleteEmpty') : t('groups.deleteText', { count: group.total })}
      {remove.isError &&
        (inUse ? <ProblemNote error={remove.error} title={t('groups.policyNames')} /> : <ProblemNote error={remove.error} />)}
    </ConfirmDialog>
  );
};

/** One after the other: one that a policy is for stays, and is named. */
export const DeleteGroups = ({ groups, onClose }: { groups: readonly Group[]; onClose: (done: boolean) => void }) => {
  const { t } = useTranslation();
  const commands = useGroupCommands();
  return (
    <SeveralDialog
      rows={groups}
      nameOf={(group) => group.name}
      destructive
      title={t('groups.deleteSeveral', { count: groups.length })}
      action={t('common.delete')}
      done={t('groups.deletedSeveral', { count: groups.length })}
      act={(group) => commands.remove(group.id)}
      onClose={onClose}
    >
      <p>{t('groups.deleteSeveralText')}</p>
    </SeveralDialog>
  );
};
