import { ROLES } from '@hatchway/domain/terms.ts';
import { Button } from '@mantine/core';
import { IconPencil, IconUserMinus } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { Moment } from '../../ui/moment.tsx';
import { actsColumn, timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
import type { Member } from './api.ts';
import styles from './members.module.css';
import { RoleTags } from './role-picker.tsx';
import { type MembersSearch, membersQuestion } from './search.ts';

type Props = {
  search: MembersSearch;
  onSearch: (change: Partial<MembersSearch>) => void;
  me: string | undefined;
  onEdit: (member: Member) => void;
  onRoles: (members: Member[], done: () => void) => void;
  onRemove: (members: Member[], done?: () => void) => void;
  empty: ReactNode;
};

export const MembersTable = ({ search, onSearch, me, onEdit, onRoles, onRemove, empty }: Props) => {
  const { t } = useTranslation();
  const question = membersQuestion(search);
  const pages = usePages('GET /companies/{tenant}/memberships', question);
  const columns = useColumns(me, onEdit, onRemove);
  const bulk = useCallback(
    (rows: Member[], clear: () => void) => <Bulk rows={rows} clear={clear} onRoles={onRoles} onRemove={onRemove} />,
    [onRoles, onRemove],
  );
  return (
    <DataTable<Member>
      label={t('members.members')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={onSearch}
      file={{ call: 'GET /exports/members', q: question }}
      defaultSort="name"
      searchable={t('members.search')}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      rowStamp={(row) => row.updatedAt}
      onOpen={onEdit}
      filters={<RoleFilter value={search.role} onChange={(role) => onSearch({ role })} />}
      filtered={Boolean(search.find ?? search.role)}
      onClear={() => onSearch({ find: undefined, role: undefined })}
      empty={{ title: t('members.empty'), text: t('members.emptyText'), action: empty }}
      bulk={bulk}
    />
  );
};

type BulkProps = { rows: Member[]; clear: () => void } & Pick<Props, 'onRoles' | 'onRemove'>;
const Bulk = ({ rows, clear, onRoles, onRemove }: BulkProps) => {
  const { t } = useTranslation();
  return (
    <>
      <Button size="xs" variant="default" onClick={() => onRoles(rows, clear)}>
        {t('members.changeRoles')}
      </Button>
      <Button size="xs" variant="default" onClick={() => onRemove(rows, clear)}>
        {t('members.remove')}
      </Button>
    </>
  );
};

type Filter = { value: MembersSearch['role']; onChange: (role: MembersSearch['role']) => void };
export const RoleFilter = ({ value, onChange }: Filter) => {
  const { t } = useTranslation();
  return (
    <FilterSelect
      label={t('members.roles')}
      any={t('members.anyRole')}
      value={value}
      options={ROLES.map((role) => ({ value: role, label: t(`terms.role.${role}`) }))}
      onChange={onChange}
    />
  );
};

const useColumns = (me: string | undefined, onEdit: Props['onEdit'], onRemove: Props['onRemove']) => {
  const { t } = useTranslation();
  return useMemo(
    (): Column<Member>[] => [
      {
        id: 'name',
        header: t('members.name'),
        sort: 'name',
        cell: (row) => (
          <span className={styles.who}>
            <strong>
              {row.name}
              {row.accountId === me && ` (${t('members.you')})`}
            </strong>
            <span>{row.email ?? row.tlf}</span>
          </span>
        ),
        text: (row) => row.name,
      },
      { id: 'email', header: t('members.email'), tucked: true, text: (row) => row.email },
      { id: 'tlf', header: t('members.tlf'), width: 150, tucked: true, text: (row) => row.tlf },
      { id: 'roles', header: t('members.roles'), cell: (row) => <RoleTags roles={row.roles} />, text: (row) => row.roles.join(' ') },
      {
        id: 'seen',
        header: t('members.lastSeen'),
        sort: 'lastSeenAt',
        width: 130,
        cell: (row) => (row.lastSeenAt ? <Moment at={row.lastSeenAt} /> : <span className={styles.dim}>{t('members.never')}</span>),
        text: (row) => (row.lastSeenAt ? fullTime(row.lastSeenAt) : null),
      },
      { id: 'since', header: t('members.since'), sort: 'createdAt', width: 130, tucked: true, ...timeOf('createdAt') },
      actsColumn(t, (row) => [
        { icon: IconPencil, name: t('members.rolesOf', { name: row.name }), act: () => onEdit(row) },
        { icon: IconUserMinus, name: t('members.removeThis', { name: row.name }), ends: true, act: () => onRemove([row]) },
      ]),
    ],
    [t, me, onEdit, onRemove],
  );
};
