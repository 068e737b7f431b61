import { useTranslation } from 'react-i18next';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { SeveralDialog } from '../../ui/several-dialog.tsx';
import { type AssetGroup, useAssetGroupCommands } from './api.ts';

/** Says how many assets lose the group, and that they stay. */
export const DeleteDialog = ({ group, onClose }: { group: AssetGroup; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useAssetGroupCommands();
  return (
    <EndDialog
      title={t('assetGroups.deleteTitle', { name: group.name })}
      action={t('common.delete')}
      act={() => commands.remove(group.id)}
      done={t('assetGroups.deleted', { name: group.name })}
      onClose={onClose}
    >
      {group.count === 0 ? t('assetGroups.deleteEmpty') : t('assetGroups.deleteText', { count: group.count })}
    </EndDialog>
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
