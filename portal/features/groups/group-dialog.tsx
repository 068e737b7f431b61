import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { Bones } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Group, groupQuery } from './api.ts';
import { GroupForm } from './group-form.tsx';
import { GroupMembers } from './group-members.tsx';
import { GroupPermissions } from './group-permissions.tsx';

type Props = { id: string; onDelete: (group: Group) => void; onClose: () => void };

/** One group: what it is called, who is in it, and what that gives them. */
export const GroupDialog = ({ id, onDelete, onClose }: Props) => {
  const { t } = useTranslation();
  const group = useQuery(groupQuery(useApi(), id));
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={group.data?.name ?? t('groups.one')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      closeOnClickOutside={false}
    >
      {group.isError && <ProblemNote error={group.error} onRetry={() => void group.refetch()} />}
      {group.isPending && <Bones lines={4} height={28} />}
      {group.data && (
        <>
          <GroupForm
            group={group.data}
            onSaved={() => undefined}
            onCancel={onClose}
            aside={
              <Button variant="subtle" color="red" mr="auto" onClick={() => onDelete(group.data)}>
                {t('common.delete')}
              </Button>
            }
          />
          <GroupMembers id={id} />
          <GroupPermissions id={id} />
        </>
      )}
    </Modal>
  );
};
