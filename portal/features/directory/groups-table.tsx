import { ActionIcon } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { pagesQuery } from '../../app/queries.ts';
import type { Column } from '../../ui/table/column.ts';
import { DataTable, type PagesOf } from '../../ui/table/data-table.tsx';
import { RoleTags } from '../members/role-picker.tsx';
import { groupsQuery, permissionsQuery } from '../permissions/api.ts';
import type { DirectoryGroup } from './api.ts';
import styles from './directory.module.css';
import { type DirectorySearch, groupsQuestion } from './search.ts';

type Props = {
  source: 'scim' | 'entra';
  search: DirectorySearch;
  onSearch: (change: Partial<DirectorySearch>) => void;
  onOpen: (group: DirectoryGroup) => void;
};
type Named = { id: string; name: string };
const NONE: Named[] = [];

/** Every group that the directory told of, with what its people get here. */
export const GroupsTable = ({ source, search, onSearch, onOpen }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const { data: groups = NONE } = useQuery(groupsQuery(api));
  const { data: permissions = NONE } = useQuery(permissionsQuery(api));
  const asked = JSON.stringify(groupsQuestion(source, search));
  const pages: PagesOf<DirectoryGroup> = useCallback(
    (limit, sort) =>
      pagesQuery(api, 'GET /directory/groups', { q: JSON.parse(asked) as Record<string, unknown>, limit, ...(sort ? { sort } : {}) }),
    [api, asked],
  );
  const columns = useColumns(groups, permissions, onOpen);
  return (
    <DataTable<DirectoryGroup>
      label={t('directory.groups')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={onSearch}
      defaultSort="name"
      searchable={t('directory.searchGroups')}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      rowStamp={(row) => `${row.updatedAt} ${row.members}`}
      onOpen={onOpen}
      filtered={Boolean(search.find)}
      onClear={() => onSearch({ find: undefined })}
      empty={{ title: t('directory.noGroups'), text: t('directory.noGroupsText') }}
    />
  );
};

const nameCell = (row: DirectoryGroup) => <strong>{row.name}</strong>;
const rolesCell = (row: DirectoryGroup) => <RoleTags roles={row.roles} />;

const useColumns = (groups: readonly Named[], permissions: readonly Named[], onOpen: Props['onOpen']): Column<DirectoryGroup>[] => {
  const { t } = useTranslation();
  return useMemo(() => {
    const among = (all: readonly Named[], ids: readonly string[]): string =>
      all
        .filter(({ id }) => ids.includes(id))
        .map(({ name }) => name)
        .join(', ');
    return [
      { id: 'name', header: t('directory.name'), sort: 'name', cell: nameCell, text: (row) => row.name },
      {
        id: 'members',
        header: t('directory.members'),
        width: 140,
        cell: (row) => (
          <span className={styles.state}>
            <span>{row.members}</span>
            {row.groupsInside > 0 && <span>{t('directory.inside', { count: row.groupsInside })}</span>}
          </span>
        ),
        text: (row) => row.members,
      },
      { id: 'roles', header: t('directory.roles'), cell: rolesCell, text: (row) => row.roles.join(' ') },
      {
        id: 'groups',
        header: t('directory.ourGroups'),
        cell: (row) => among(groups, row.groups) || '–',
        text: (row) => among(groups, row.groups),
      },
      {
        id: 'permissions',
        header: t('directory.permissions'),
        cell: (row) => among(permissions, row.permissions) || '–',
        text: (row) => among(permissions, row.permissions),
      },
      {
        id: 'actions',
        header: t('common.actions'),
        width: 90,
        cell: (row) => (
          <ActionIcon variant="subtle" aria-label={t('directory.map', { name: row.name })} onClick={() => onOpen(row)}>
            <IconPencil size={18} aria-hidden />
          </ActionIcon>
        ),
      },
    ];
  }, [t, groups, permissions, onOpen]);
};
