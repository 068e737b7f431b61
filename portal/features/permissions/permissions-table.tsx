import { Button } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { actsColumn, nameCell, timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
import { Tags } from '../account/rights.tsx';
import type { Group as PeopleGroup, Permission, Wall } from './api.ts';
import { useLockerWords } from './matrix.tsx';
import { useScopeWords } from './permission-dialog.tsx';
import type { PermissionsSearch } from './search.ts';

type Props = {
  search: PermissionsSearch;
  onSearch: (change: PermissionsSearch) => void;
  groups: readonly PeopleGroup[];
  walls: readonly Wall[];
  onEdit: (permission: Permission) => void;
  onWithdraw: (permissions: Permission[]) => void;
  create: ReactNode;
};

export const PermissionsTable = ({ search, onSearch, groups, walls, onEdit, onWithdraw, create }: Props) => {
  const { t } = useTranslation();
  const { find } = search;
  const pages = usePages('GET /permissions', find ? { $text: find } : {});
  const bulk = (rows: Permission[]) => (
    <Button size="xs" variant="default" onClick={() => onWithdraw(rows)}>
      {t('permissions.withdraw')}
    </Button>
  );
  const columns = useColumns({ groups, walls, onEdit, onWithdraw });
  return (
    <DataTable<Permission>
      label={t('permissions.title')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={onSearch}
      defaultSort="name"
      searchable={t('permissions.search')}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      rowStamp={(row) => row.updatedAt}
      onOpen={onEdit}
      filtered={Boolean(find)}
      onClear={() => onSearch({ find: undefined })}
      empty={{ title: t('permissions.empty'), text: t('permissions.emptyText'), action: create }}
      bulk={bulk}
    />
  );
};

type Shown = Pick<Props, 'groups' | 'walls' | 'onEdit' | 'onWithdraw'>;
const useColumns = ({ groups, walls, onEdit, onWithdraw }: Shown): Column<Permission>[] => {
  const { t } = useTranslation();
  const scopeWords = useScopeWords();
  const lockerWords = useLockerWords(walls);
  return useMemo((): Column<Permission>[] => {
    const groupWords = (row: Permission): string =>
      row.groups.map((id) => groups.find((group) => group.id === id)?.name ?? t('common.unknown')).join(', ');
    return [
      { id: 'name', header: t('permissions.name'), sort: 'name', cell: nameCell, text: (row) => row.name },
      {
        id: 'scopes',
        header: t('permissions.scopes'),
        cell: (row) => <Tags words={scopeWords(row.scopes)} />,
        text: (row) => scopeWords(row.scopes).join(', '),
      },
      { id: 'groups', header: t('permissions.groups'), text: groupWords },
      { id: 'lockers', header: t('permissions.lockers'), text: (row) => lockerWords(row.lockers) },
      { id: 'changed', header: t('permissions.changed'), sort: 'createdAt', width: 130, tucked: true, ...timeOf('updatedAt') },
      actsColumn(t, (row) => [
        { icon: IconPencil, name: t('permissions.change', { name: row.name }), act: () => onEdit(row) },
        { icon: IconTrash, name: t('permissions.withdrawThis', { name: row.name }), ends: true, act: () => onWithdraw([row]) },
      ]),
    ];
    // The two ways of saying things follow the language and the walls.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- made anew with each of these
  }, [t, groups, walls, onEdit, onWithdraw]);
};
