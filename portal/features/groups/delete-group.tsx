import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { tell } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
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
      {group.members === 0 ? t('groups.deleteEmpty') : t('groups.deleteText', { count: group.members })}
      {remove.isError &&
        (inUse ? <ProblemNote error={remove.error} title={t('groups.policyNames')} /> : <ProblemNote error={remove.error} />)}
    </ConfirmDialog>
  );
};
