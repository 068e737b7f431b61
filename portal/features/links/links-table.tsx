import { LINK_PURPOSES, LINK_STATES } from '@hatchway/domain/access-link.ts';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useZone } from '../../app/who.ts';
import { companyTimeOf, nameCell, timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { compact } from '../../ui/table/search.ts';
import { usePages } from '../../ui/table/use-pages.ts';
import type { AccessLink } from './api.ts';
import type { LinksSearch } from './search.ts';
import { doorsText, LinkState, stoppedOf } from './state.tsx';

type Props = {
  search: LinksSearch;
  onSearch: (change: Partial<LinksSearch>) => void;
  onOpen: (link: AccessLink) => void;
  onClear: () => void;
  /** Stands where there is no link yet. */
  create: ReactNode;
  bulk: (rows: AccessLink[], clear: () => void) => ReactNode;
};

export const LinksTable = ({ search, onSearch, onOpen, onClear, create, bulk }: Props) => {
  const { t } = useTranslation();
  const { state, purpose, find } = search;
  const pages = usePages('GET /links', compact({ state, purpose, $text: find }));
  const columns = useColumns();
  return (
    <DataTable<AccessLink>
      label={t('links.title')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={onSearch}
      defaultSort="-createdAt"
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      rowStamp={(row) => row.version}
      onOpen={onOpen}
      searchable={t('links.search')}
      filters={
        <>
          <FilterSelect
            label={t('links.state')}
            any={t('links.allStates')}
            value={state}
            options={LINK_STATES.map((value) => ({ value, label: t(`links.states.${value}`) }))}
            onChange={(next) => onSearch({ state: next })}
          />
          <FilterSelect
            label={t('links.purpose')}
            any={t('links.allPurposes')}
            value={purpose}
            options={LINK_PURPOSES.map((value) => ({ value, label: t(`links.purposes.${value}`) }))}
            onChange={(next) => onSearch({ purpose: next })}
          />
        </>
      }
      filtered={Boolean(state ?? purpose ?? find)}
      onClear={onClear}
      empty={{ title: t('links.empty'), text: t('links.emptyText'), action: create }}
      bulk={bulk}
    />
  );
};

// Cells stand outside of the screen, so that a redraw of it makes no new ones.
const stateCell = (row: AccessLink) => <LinkState link={row} />;

const useColumns = () => {
  const { t } = useTranslation();
  const zone = useZone();
  return useMemo(
    (): Column<AccessLink>[] => [
      { id: 'name', header: t('links.name'), sort: 'name', cell: nameCell, text: (row) => row.name },
      {
        id: 'state',
        header: t('links.state'),
        width: 190,
        cell: stateCell,
        text: (row) => {
          const stopped = stoppedOf(row);
          return t(stopped === null ? `links.states.${row.state}` : `links.stopped.${stopped}`);
        },
      },
      { id: 'purpose', header: t('links.purpose'), width: 150, text: (row) => t(`links.purposes.${row.purpose}`) },
      {
        id: 'doors',
        header: t('links.lockers'),
        cell: (row) => doorsText(row.doors),
        text: (row) => doorsText(row.doors, row.doors.length),
      },
      {
        id: 'uses',
        header: t('links.uses'),
        width: 100,
        cell: (row) => t('links.usedOf', { used: row.used, most: row.maxUses }),
        text: (row) => `${row.used}/${row.maxUses}`,
      },
      { id: 'until', header: t('links.validTo'), sort: 'validTo', width: 130, ...companyTimeOf('validTo', zone) },
      { id: 'last', header: t('links.lastUsed'), width: 130, ...timeOf('lastUsedAt') },
      { id: 'by', header: t('links.createdBy'), width: 160, tucked: true, text: (row) => row.createdBy.name },
      { id: 'created', header: t('links.created'), sort: 'createdAt', width: 130, tucked: true, ...timeOf('createdAt') },
    ],
    [t, zone],
  );
};
