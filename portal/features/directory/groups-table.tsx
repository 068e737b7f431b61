import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { actsColumn, nameCell } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
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
  const pages = usePages('GET /directory/groups', groupsQuestion(source, search));
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

const rolesCell = (row: DirectoryGroup) => <RoleTags roles={row.roles} />;

const useColumns = (groups: readonly Named[], permissions: readonly Named[], onOpen: Props['onOpen']) => {
  const { t } = useTranslation();
  return useMemo((): Column<DirectoryGroup>[] => {
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
      { id: 'groups', header: t('directory.ourGroups'), text: (row) => among(groups, row.groups) },
      { id: 'permissions', header: t('directory.permissions'), text: (row) => among(permissions, row.permissions) },
      actsColumn(t, (row) => [{ icon: IconPencil, name: t('directory.map', { name: row.name }), act: () => onOpen(row) }], 90),
    ];
  }, [t, groups, permissions, onOpen]);
};
