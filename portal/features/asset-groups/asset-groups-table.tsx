import { ActionIcon, Group } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { pagesQuery } from '../../app/queries.ts';
import { Moment } from '../../ui/moment.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable, type PagesOf } from '../../ui/table/data-table.tsx';
import type { AssetGroup } from './api.ts';
import type { AssetGroupsSearch } from './search.ts';

type Props = {
  search: AssetGroupsSearch;
  onSearch: (change: AssetGroupsSearch) => void;
  onEdit: (group: AssetGroup) => void;
  onDelete: (group: AssetGroup) => void;
  /** Stands where there is no group yet. */
  create: ReactNode;
  bulk: (rows: AssetGroup[], clear: () => void) => ReactNode;
};

export const AssetGroupsTable = ({ search, onSearch, onEdit, onDelete, create, bulk }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const { find } = search;
  const pages: PagesOf<AssetGroup> = useCallback(
    (limit, sort) => pagesQuery(api, 'GET /asset-groups', { ...(find ? { q: { $text: find } } : {}), limit, ...(sort ? { sort } : {}) }),
    [api, find],
  );
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

// Cells stand outside of the screen, so that a redraw of it makes no new ones.
const nameCell = (row: AssetGroup) => <strong>{row.name}</strong>;

const useColumns = (onEdit: (group: AssetGroup) => void, onDelete: (group: AssetGroup) => void): Column<AssetGroup>[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { id: 'name', header: t('assetGroups.name'), sort: 'name', cell: nameCell, text: (row) => row.name },
      { id: 'description', header: t('assetGroups.description'), cell: (row) => row.description, text: (row) => row.description },
      { id: 'count', header: t('assetGroups.count'), width: 110, cell: (row) => row.count, text: (row) => row.count },
      {
        id: 'created',
        header: t('assetGroups.created'),
        sort: 'createdAt',
        width: 130,
        tucked: true,
        cell: (row) => <Moment at={row.createdAt} />,
        text: (row) => fullTime(row.createdAt),
      },
      {
        id: 'actions',
        header: t('common.actions'),
        width: 110,
        cell: (row) => (
          <Group gap={4} wrap="nowrap">
            <ActionIcon variant="subtle" aria-label={t('assetGroups.change', { name: row.name })} onClick={() => onEdit(row)}>
              <IconPencil size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" color="red" aria-label={t('assetGroups.delete', { name: row.name })} onClick={() => onDelete(row)}>
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        ),
      },
    ],
    [t, onEdit, onDelete],
  );
};
