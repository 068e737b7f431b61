import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { usePermissionCommands, type Permission } from './api.ts';

/** Names what is withdrawn; it holds for nobody from that moment. */
export const WithdrawDialog = ({
  permissions,
  onDone,
  onClose,
}: {
  permissions: readonly Permission[];
  onDone: () => void;
  onClose: () => void;
}) => {
  const { t } = useTranslation();
  const commands = usePermissionCommands();
  const [first] = permissions;
  const withdraw = useMutation({
    mutationFn: async () => {
      for (const { id } of permissions) await commands.withdraw(id);
    },
    onSuccess: () => {
      toast.ok(t('permissions.withdrawn', { count: permissions.length, name: first?.name ?? '' }));
      onDone();
    },
  });
  return (
    <ConfirmDialog
      opened
      destructive
      title={t('permissions.withdrawTitle', { count: permissions.length, name: first?.name ?? '' })}
      action={t('permissions.withdraw')}
      busy={withdraw.isPending}
      onConfirm={() => withdraw.mutate()}
      onClose={onClose}
    >
      <p>{t('permissions.withdrawText')}</p>
      {permissions.length > 1 && <p>{permissions.map(({ name }) => name).join(', ')}</p>}
      {withdraw.isError && <ProblemNote error={withdraw.error} />}
    </ConfirmDialog>
  );
};
