import { mayAdminister } from '@hatchway/domain/access.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFacts } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useSeveral } from '../../ui/several.tsx';
import { compact, type ListSearch } from '../../ui/table/search.ts';
import { MakeButton } from '../../ui/make-button.tsx';
import { ForOthers } from '../pages/not-allowed.tsx';
import type { AssetGroup } from './api.ts';
import { AssetGroupDialog } from './asset-group-dialog.tsx';
import { AssetGroupsTable } from './asset-groups-table.tsx';
import { DeleteDialog, DeleteSeveral } from './delete-dialog.tsx';

type Open = { make: true } | { change: AssetGroup } | { remove: AssetGroup } | null;

export const AssetGroups = ({ search }: { search: ListSearch }) => {
  const { t } = useTranslation();
  const may = mayAdminister('asset-groups', useFacts());
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>(null);
  const [edit] = useState(() => (group: AssetGroup) => setOpen({ change: group }));
  const [remove] = useState(() => (group: AssetGroup) => setOpen({ remove: group }));
  const several = useSeveral<AssetGroup>(t('common.delete'));
  const close = (): void => setOpen(null);
  if (!may) return <ForOthers title={t('assetGroups.adminOnly')} text={t('assetGroups.adminOnlyText')} />;
  const create = <MakeButton word={t('assetGroups.make')} onClick={() => setOpen({ make: true })} />;
  return (
    <>
      <PageHeader title={t('assetGroups.title')} intro={t('assetGroups.intro')} actions={create} />
      <AssetGroupsTable
        search={search}
        onSearch={(change) => void navigate({ to: '/iam/assetgroups', search: compact({ ...search, ...change }), replace: true })}
        onEdit={edit}
        onDelete={remove}
        create={create}
        bulk={several.bulk}
      />
      {open && 'make' in open && <AssetGroupDialog group={null} onDelete={remove} onClose={close} />}
      {open && 'change' in open && <AssetGroupDialog key={open.change.id} group={open.change} onDelete={remove} onClose={close} />}
      {several.rows && <DeleteSeveral groups={several.rows} onClose={several.close} />}
      {open && 'remove' in open && <DeleteDialog group={open.remove} onClose={close} />}
    </>
  );
};
