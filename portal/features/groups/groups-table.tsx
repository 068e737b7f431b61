import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { actsColumn, nameCell, timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
import { type Permission, permissionsQuery } from '../permissions/api.ts';
import type { Group } from './api.ts';
import type { GroupsSearch } from './search.ts';

type Props = {
  search: GroupsSearch;
  onSearch: (change: Partial<GroupsSearch>) => void;
  onOpen: (group: Group) => void;
  onDelete: (group: Group) => void;
  create: ReactNode;
  bulk: (rows: Group[], clear: () => void) => ReactNode;
};
const NONE: Permission[] = [];

export const GroupsTable = ({ search, onSearch, onOpen, onDelete, create, bulk }: Props) => {
  const { t } = useTranslation();
  const { data: permissions = NONE } = useQuery(permissionsQuery(useApi()));
  const { find } = search;
  const pages = usePages('GET /groups', find ? { $text: find } : {});
  const columns = useColumns(permissions, onOpen, onDelete);
  return (
    <DataTable<Group>
      label={t('groups.title')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={onSearch}
      defaultSort="name"
      searchable={t('groups.search')}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      rowStamp={(row) => `${row.updatedAt} ${row.total}`}
      onOpen={onOpen}
      filtered={Boolean(find)}
      onClear={() => onSearch({ find: undefined })}
      empty={{ title: t('groups.empty'), text: t('groups.emptyText'), action: create }}
      bulk={bulk}
    />
  );
};

const useColumns = (permissions: readonly Permission[], onOpen: Props['onOpen'], onDelete: Props['onDelete']) => {
  const { t } = useTranslation();
  return useMemo((): Column<Group>[] => {
    const named = (row: Group): string =>
      permissions
        .filter((one) => one.groups.includes(row.id))
        .map((one) => one.name)
        .join(', ');
    return [
      { id: 'name', header: t('groups.name'), sort: 'name', cell: nameCell, text: (row) => row.name },
      { id: 'description', header: t('groups.description'), cell: (row) => row.description, text: (row) => row.description },
      { id: 'members', header: t('groups.members'), width: 120, text: (row) => row.total },
      { id: 'permissions', header: t('groups.permissions'), text: named },
      { id: 'created', header: t('groups.created'), sort: 'createdAt', width: 130, tucked: true, ...timeOf('createdAt') },
      actsColumn(t, (row) => [
        { icon: IconPencil, name: t('groups.change', { name: row.name }), act: () => onOpen(row) },
        { icon: IconTrash, name: t('groups.delete', { name: row.name }), ends: true, act: () => onDelete(row) },
      ]),
    ];
  }, [t, permissions, onOpen, onDelete]);
};
