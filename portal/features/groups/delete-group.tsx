import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { SeveralDialog } from '../../ui/several-dialog.tsx';
import { type Group, useGroupCommands } from './api.ts';

/** Says who loses what: the people stay, what permissions gave them through the group does not. */
export const DeleteGroup = ({ group, onClose }: { group: Group; onClose: (deleted: boolean) => void }) => {
  const { t } = useTranslation();
  const commands = useGroupCommands();
  return (
    <EndDialog
      title={t('groups.deleteTitle', { name: group.name })}
      action={t('common.delete')}
      act={() => commands.remove(group.id)}
      done={t('groups.deleted', { name: group.name })}
      why={(error) => (codeOf(error) === 'in-use-elsewhere' ? t('groups.policyNames') : undefined)}
      onDone={() => onClose(true)}
      onClose={() => onClose(false)}
    >
      {group.total === 0 ? t('groups.deleteEmpty') : t('groups.deleteText', { count: group.total })}
    </EndDialog>
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
