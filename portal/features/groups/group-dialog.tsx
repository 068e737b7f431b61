import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type Group, groupQuery } from './api.ts';
import { GroupForm } from './group-form.tsx';
import { GroupMembers } from './group-members.tsx';
import { GroupPermissions } from './group-permissions.tsx';

type Props = { id: string; onDelete: (group: Group) => void; onClose: () => void };

/** One group: what it is called, who is in it, and what that gives them. */
export const GroupDialog = ({ id, onDelete, onClose }: Props) => {
  const { t } = useTranslation();
  const [dirty, setDirty] = useState(false);
  const group = useQuery(groupQuery(useApi(), id));
  return (
    <FormDialog title={group.data?.name ?? t('groups.one')} dirty={dirty} size="lg" onClose={onClose}>
      <Waiting of={group} lines={4} height={28} />
      {group.data && (
        <>
          <GroupForm group={group.data} onSaved={() => undefined} onDirty={setDirty} onDelete={onDelete} />
          <GroupMembers id={id} />
          <GroupPermissions id={id} />
        </>
      )}
    </FormDialog>
  );
};
