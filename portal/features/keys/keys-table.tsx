import { Button } from '@mantine/core';
import { IconClockX, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { Moment, useNow } from '../../ui/moment.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { actsColumn, nameCell, timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { ListSearch } from '../../ui/table/search.ts';
import { usePages } from '../../ui/table/use-pages.ts';
import { Tags } from '../account/rights.tsx';
import type { ApiKey } from './api.ts';
import { isKeyScope, wordOf } from './scopes.ts';

type Props = { search: ListSearch; onSearch: (change: ListSearch) => void; onRevoke: (keys: ApiKey[]) => void; create: ReactNode };

// Cells stand outside of the screen, so that a redraw of it makes no new ones.
const prefixCell = (row: ApiKey) => <code>{row.prefix}…</code>;
const expiryCell = (row: ApiKey) => <Expiry at={row.expiresAt} />;

export const KeysTable = ({ search, onSearch, onRevoke, create }: Props) => {
  const { t } = useTranslation();
  const { find } = search;
  const pages = usePages('GET /key', find ? { $text: find } : {});
  const bulk = (rows: ApiKey[]) => (
    <Button size="xs" variant="default" onClick={() => onRevoke(rows)}>
      {t('keys.revoke')}
    </Button>
  );
  const columns = useColumns(onRevoke);
  return (
    <DataTable<ApiKey>
      label={t('keys.title')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={onSearch}
      defaultSort="-createdAt"
      searchable={t('keys.search')}
      rowId={(row) => row._id}
      rowName={(row) => row.name}
      filtered={Boolean(find)}
      onClear={() => onSearch({ find: undefined })}
      empty={{ title: t('keys.empty'), text: t('keys.emptyText'), action: create }}
      bulk={bulk}
    />
  );
};

const useColumns = (onRevoke: (keys: ApiKey[]) => void): Column<ApiKey>[] => {
  const { t } = useTranslation();
  return useMemo((): Column<ApiKey>[] => {
    const words = (row: ApiKey): string[] => row.scopes.map((scope) => (isKeyScope(scope) ? t(`keys.words.${wordOf(scope)}`) : scope));
    return [
      { id: 'name', header: t('keys.name'), sort: 'name', cell: nameCell, text: (row) => row.name },
      { id: 'prefix', header: t('keys.begins'), width: 150, cell: prefixCell, text: (row) => row.prefix },
      { id: 'scopes', header: t('keys.scopes'), cell: (row) => <Tags words={words(row)} />, text: (row) => row.scopes.join(' ') },
      { id: 'maker', header: t('keys.maker'), tucked: true, text: (row) => row.createdBy },
      {
        id: 'used',
        header: t('keys.lastUsed'),
        width: 130,
        cell: (row) => (row.lastUsedAt ? <Moment at={row.lastUsedAt} /> : t('keys.unused')),
        text: (row) => (row.lastUsedAt ? fullTime(row.lastUsedAt) : ''),
      },
      {
        id: 'expires',
        header: t('keys.expires'),
        width: 150,
        cell: expiryCell,
        text: (row) => (row.expiresAt ? fullTime(row.expiresAt) : ''),
      },
      { id: 'created', header: t('keys.created'), sort: 'createdAt', width: 130, ...timeOf('createdAt') },
      actsColumn(
        t,
        (row) => [{ icon: IconTrash, name: t('keys.revokeThis', { name: row.name }), ends: true, act: () => onRevoke([row]) }],
        90,
      ),
    ];
  }, [t, onRevoke]);
};

/** A key past its time opens nothing: said by icon and word, not by a date alone. */
const Expiry = ({ at }: { at: string | null }) => {
  const { t } = useTranslation();
  const now = useNow(60_000);
  if (at === null) return <span>{t('keys.never')}</span>;
  return Date.parse(at) <= now ? (
    <StateBadge icon={IconClockX} tone="bad" word={t('keys.expired')} title={fullTime(at)} />
  ) : (
    <Moment at={at} />
  );
};
