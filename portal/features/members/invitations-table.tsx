import { Button } from '@mantine/core';
import { IconCheck, IconClock, IconClockX, IconMailForward, IconTrash, IconX, type Icon } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge, type Tone } from '../../ui/state-badge.tsx';
import { actsColumn, timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
import type { Invitation } from './api.ts';
import { RoleFilter } from './members-table.tsx';
import styles from './members.module.css';
import { RoleTags } from './role-picker.tsx';
import { invitationsQuestion, type MembersSearch, STATES } from './search.ts';

type Act = (rows: Invitation[], done?: () => void) => void;
type Props = {
  search: MembersSearch;
  onSearch: (change: Partial<MembersSearch>) => void;
  onResend: Act;
  onWithdraw: Act;
  empty: ReactNode;
};

export const nameOf = (one: Invitation): string => one.email ?? one.tlf ?? '';
const LOOK: Record<Invitation['state'], { icon: Icon; tone: Tone }> = {
  pending: { icon: IconClock, tone: 'accent' },
  expired: { icon: IconClockX, tone: 'warn' },
  accepted: { icon: IconCheck, tone: 'ok' },
  withdrawn: { icon: IconX, tone: 'plain' },
};
const isOpen = ({ state }: Invitation): boolean => state === 'pending' || state === 'expired';

export const InvitationsTable = ({ search, onSearch, onResend, onWithdraw, empty }: Props) => {
  const { t } = useTranslation();
  const pages = usePages('GET /companies/{tenant}/invitations', invitationsQuestion(search));
  const columns = useColumns(onResend, onWithdraw);
  const bulk = useCallback(
    (rows: Invitation[], clear: () => void) => (
      <Bulk rows={rows.filter(isOpen)} clear={clear} onResend={onResend} onWithdraw={onWithdraw} />
    ),
    [onResend, onWithdraw],
  );
  return (
    <DataTable<Invitation>
      label={t('members.invitations')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={onSearch}
      defaultSort="-createdAt"
      searchable={t('members.searchInvitations')}
      rowId={(row) => row.id}
      rowName={nameOf}
      rowStamp={(row) => row.updatedAt}
      filters={
        <>
          <FilterSelect
            label={t('members.state')}
            any={t('members.open')}
            value={search.state}
            options={[
              ...STATES.map((value) => ({ value, label: t(`members.invitation.${value}`) })),
              { value: 'all', label: t('common.all') },
            ]}
            onChange={(state) => onSearch({ state })}
          />
          <RoleFilter value={search.role} onChange={(role) => onSearch({ role })} />
        </>
      }
      filtered={Boolean(search.find ?? search.role ?? search.state)}
      onClear={() => onSearch({ find: undefined, role: undefined, state: undefined })}
      empty={{ title: t('members.noInvitation'), text: t('members.noInvitationText'), action: empty }}
      bulk={bulk}
    />
  );
};

const Bulk = ({ rows, clear, onResend, onWithdraw }: { rows: Invitation[]; clear: () => void; onResend: Act; onWithdraw: Act }) => {
  const { t } = useTranslation();
  return (
    <>
      <Button size="xs" variant="default" disabled={rows.length === 0} onClick={() => onResend(rows, clear)}>
        {t('members.resend')}
      </Button>
      <Button size="xs" variant="default" disabled={rows.length === 0} onClick={() => onWithdraw(rows, clear)}>
        {t('members.withdraw')}
      </Button>
    </>
  );
};

const useColumns = (onResend: Act, onWithdraw: Act) => {
  const { t } = useTranslation();
  return useMemo(
    (): Column<Invitation>[] => [
      {
        id: 'to',
        header: t('members.to'),
        cell: (row) => (
          <span className={styles.who}>
            <strong>{nameOf(row)}</strong>
            {row.email && row.tlf && <span>{row.tlf}</span>}
          </span>
        ),
        text: (row) => [row.email, row.tlf].filter(Boolean).join(' '),
      },
      { id: 'roles', header: t('members.roles'), cell: (row) => <RoleTags roles={row.roles} />, text: (row) => row.roles.join(' ') },
      {
        id: 'state',
        header: t('members.state'),
        width: 130,
        cell: (row) => <StateBadge {...LOOK[row.state]} word={t(`members.invitation.${row.state}`)} />,
        text: (row) => t(`members.invitation.${row.state}`),
      },
      { id: 'by', header: t('members.by'), width: 150, tucked: true, text: (row) => row.invitedBy },
      { id: 'sent', header: t('members.sent'), sort: 'createdAt', width: 120, ...timeOf('createdAt') },
      { id: 'expires', header: t('members.expires'), sort: 'expiresAt', width: 120, ...timeOf('expiresAt') },
      actsColumn(t, (row) =>
        isOpen(row)
          ? [
              { icon: IconMailForward, name: t('members.resendThis', { who: nameOf(row) }), act: () => onResend([row]) },
              { icon: IconTrash, name: t('members.withdrawThis', { who: nameOf(row) }), ends: true, act: () => onWithdraw([row]) },
            ]
          : [],
      ),
    ],
    [t, onResend, onWithdraw],
  );
};
