import { mayAdminister } from '@hatchway/domain/access.ts';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFacts } from '../../app/who.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useSeveral } from '../../ui/several.tsx';
import { compact } from '../../ui/table/search.ts';
import { MakeButton } from '../../ui/make-button.tsx';
import { ForOthers } from '../pages/not-allowed.tsx';
import type { Group } from './api.ts';
import { DeleteGroup, DeleteGroups } from './delete-group.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { GroupForm } from './group-form.tsx';
import { GroupsTable } from './groups-table.tsx';
import type { GroupsSearch } from './search.ts';

export const Groups = ({ search }: { search: GroupsSearch }) => {
  const { t } = useTranslation();
  const may = mayAdminister('groups', useFacts());
  const navigate = useNavigate();
  const [making, setMaking] = useState(false);
  const [dirty, setDirty] = useState(false);
  const [deleting, setDeleting] = useState<Group | null>(null);
  const several = useSeveral<Group>(t('common.delete'));
  const onSearch = useCallback(
    (change: Partial<GroupsSearch>): void =>
      void navigate({ to: '/iam/groups', search: (old) => compact({ ...old, ...change }), replace: true }),
    [navigate],
  );
  const open = useCallback((group: Group) => onSearch({ id: group.id }), [onSearch]);
  const remove = useCallback((group: Group) => setDeleting(group), []);
  const close = (): void => onSearch({ id: undefined });
  if (!may) return <ForOthers title={t('admin.adminOnly')} text={t('groups.adminOnlyText')} />;
  const create = <MakeButton word={t('groups.make')} onClick={() => setMaking(true)} />;
  return (
    <>
      <PageHeader title={t('groups.title')} intro={t('groups.intro')} actions={create} />
      <GroupsTable search={search} onSearch={onSearch} onOpen={open} onDelete={remove} create={create} bulk={several.bulk} />
      {making && (
        <FormDialog title={t('groups.make')} dirty={dirty} onClose={() => setMaking(false)}>
          <GroupForm
            group={null}
            onSaved={(group) => {
              setMaking(false);
              // The next thing is to put people in.
              open(group);
            }}
            onDirty={setDirty}
          />
        </FormDialog>
      )}
      {search.id && !deleting && <GroupDialog key={search.id} id={search.id} onDelete={remove} onClose={close} />}
      {several.rows && <DeleteGroups groups={several.rows} onClose={several.close} />}
      {deleting && (
        <DeleteGroup
          group={deleting}
          onClose={(deleted) => {
            setDeleting(null);
            if (deleted) close();
          }}
        />
      )}
    </>
  );
};
