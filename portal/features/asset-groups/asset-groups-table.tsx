import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { actsColumn, nameCell, timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { ListSearch } from '../../ui/table/search.ts';
import { usePages } from '../../ui/table/use-pages.ts';
import type { AssetGroup } from './api.ts';

type Props = {
  search: ListSearch;
  onSearch: (change: ListSearch) => void;
  onEdit: (group: AssetGroup) => void;
  onDelete: (group: AssetGroup) => void;
  /** Stands where there is no group yet. */
  create: ReactNode;
  bulk: (rows: AssetGroup[], clear: () => void) => ReactNode;
};

export const AssetGroupsTable = ({ search, onSearch, onEdit, onDelete, create, bulk }: Props) => {
  const { t } = useTranslation();
  const { find } = search;
  const pages = usePages('GET /asset-groups', find ? { $text: find } : {});
  const columns = useColumns(onEdit, onDelete);
  return (
    <DataTable<AssetGroup>
      label={t('assetGroups.title')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={onSearch}
      defaultSort="name"
      searchable={t('assetGroups.search')}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      rowStamp={(row) => row.updatedAt}
      onOpen={onEdit}
      filtered={Boolean(find)}
      onClear={() => onSearch({ find: undefined })}
      empty={{ title: t('assetGroups.empty'), text: t('assetGroups.emptyText'), action: create }}
      bulk={bulk}
    />
  );
};

const useColumns = (onEdit: (group: AssetGroup) => void, onDelete: (group: AssetGroup) => void) => {
  const { t } = useTranslation();
  return useMemo(
    (): Column<AssetGroup>[] => [
      { id: 'name', header: t('assetGroups.name'), sort: 'name', cell: nameCell, text: (row) => row.name },
      { id: 'description', header: t('assetGroups.description'), cell: (row) => row.description, text: (row) => row.description },
      { id: 'count', header: t('assetGroups.count'), width: 110, text: (row) => row.count },
      { id: 'created', header: t('assetGroups.created'), sort: 'createdAt', width: 130, tucked: true, ...timeOf('createdAt') },
      actsColumn(t, (row) => [
        { icon: IconPencil, name: t('assetGroups.change', { name: row.name }), act: () => onEdit(row) },
        { icon: IconTrash, name: t('assetGroups.delete', { name: row.name }), ends: true, act: () => onDelete(row) },
      ]),
    ],
    [t, onEdit, onDelete],
  );
};
