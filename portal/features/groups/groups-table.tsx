import { ActionIcon, Group as Row } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { pagesQuery } from '../../app/queries.ts';
import { Moment } from '../../ui/moment.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable, type PagesOf } from '../../ui/table/data-table.tsx';
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
  const api = useApi();
  const { data: permissions = NONE } = useQuery(permissionsQuery(api));
  const { find } = search;
  const pages: PagesOf<Group> = useCallback(
    (limit, sort) => pagesQuery(api, 'GET /groups', { ...(find ? { q: { $text: find } } : {}), limit, ...(sort ? { sort } : {}) }),
    [api, find],
  );
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

const nameCell = (row: Group) => <strong>{row.name}</strong>;

const useColumns = (permissions: readonly Permission[], onOpen: Props['onOpen'], onDelete: Props['onDelete']): Column<Group>[] => {
  const { t } = useTranslation();
  return useMemo(() => {
    const named = (row: Group): string =>
      permissions
        .filter((one) => one.groups.includes(row.id))
        .map((one) => one.name)
        .join(', ');
    return [
      { id: 'name', header: t('groups.name'), sort: 'name', cell: nameCell, text: (row) => row.name },
      { id: 'description', header: t('groups.description'), cell: (row) => row.description, text: (row) => row.description },
      { id: 'members', header: t('groups.members'), width: 120, cell: (row) => row.total, text: (row) => row.total },
      { id: 'permissions', header: t('groups.permissions'), cell: (row) => named(row) || '–', text: named },
      {
        id: 'created',
        header: t('groups.created'),
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
          <Row gap={4} wrap="nowrap">
            <ActionIcon variant="subtle" aria-label={t('groups.change', { name: row.name })} onClick={() => onOpen(row)}>
              <IconPencil size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" color="red" aria-label={t('groups.delete', { name: row.name })} onClick={() => onDelete(row)}>
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Row>
        ),
      },
    ];
  }, [t, permissions, onOpen, onDelete]);
};
