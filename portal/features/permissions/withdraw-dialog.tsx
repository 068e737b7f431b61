import { useTranslation } from 'react-i18next';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { usePermissionCommands, type Permission } from './api.ts';

/** Names what is withdrawn; it holds for nobody from that moment. */
export const WithdrawDialog = ({ permissions, onClose }: { permissions: readonly Permission[]; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = usePermissionCommands();
  const first = permissions[0]?.name ?? '';
  return (
    <EndDialog
      title={t('permissions.withdrawTitle', { count: permissions.length, name: first })}
      action={t('permissions.withdraw')}
      act={async () => {
        for (const { id } of permissions) await commands.withdraw(id);
      }}
      done={t('permissions.withdrawn', { count: permissions.length, name: first })}
      onClose={onClose}
    >
      <p>{t('permissions.withdrawText')}</p>
      {permissions.length > 1 && <p>{permissions.map(({ name }) => name).join(', ')}</p>}
    </EndDialog>
  );
};
