import { mayActOnOccupation } from '@hatchway/domain/access.ts';
import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deadline, fullTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { useFacts, useZone } from '../../app/who.ts';
import { Moment, useNow } from '../../ui/moment.tsx';
import { OverdueBadge } from '../../ui/stage-badge.tsx';
import { timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
import { TakeBack } from '../occupations/take-back.tsx';
import { type Asset, groupsQuery, labelsQuery, toolAssetsQuery } from './api.ts';
import styles from './assets.module.css';
import { BulkAssets } from './bulk-assets.tsx';
import { LabelBadge } from './label-badge.tsx';
import { Thumb } from './picture.tsx';
import { type AssetsSearch, LOAN_STATES, SOURCES, assetsQuestion, isNarrowed } from './search.ts';

type Props = {
  search: AssetsSearch;
  onSearch: (change: Partial<AssetsSearch>) => void;
  onClear: () => void;
  /** Whether rows may be changed; without it they cannot be selected. */
  writes: boolean;
  /** Stands where there is no asset yet. */
  create: ReactNode;
};
const MINUTE = 60_000;

export const AssetsTable = ({ search, onSearch, onClear, writes, create }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const navigate = useNavigate();
  const labels = useQuery(labelsQuery(api)).data ?? NONE;
  const groups = useQuery(groupsQuery(api)).data ?? NONE;
  const hasTool = (useQuery(toolAssetsQuery(api)).data?.length ?? 0) > 0;
  const question = assetsQuestion(search, new Date(useNow(MINUTE)));
  const pages = usePages('GET /assets', question);
  const mayTakeBack = mayActOnOccupation({ type: 'lending', lockerId: '' }, useFacts());
  const [backing, setBacking] = useState<string | null>(null);
  const columns = useColumns(labels, groups, hasTool, mayTakeBack ? setBacking : null);
  return (
    <>
      {backing !== null && <TakeBack id={backing} onClose={() => setBacking(null)} />}
      <DataTable<Asset>
        label={t('assets.title')}
        columns={columns}
        pages={pages}
        search={search}
        onSearch={onSearch}
        file={{ call: 'GET /exports/assets', q: question }}
        defaultSort="name"
        searchable={t('assets.search')}
        rowId={(row) => row._id}
        rowName={(row) => row.name}
        rowStamp={(row) => `${row.version} ${row.updatedAt}`}
        onOpen={(row) => void navigate({ to: '/manage/assets/$id', params: { id: row._id } })}
        filters={
          <>
            <SegmentedControl
              size="sm"
              aria-label={t('assets.loanState')}
              value={search.loan ?? 'all'}
              onChange={(loan) => onSearch({ loan: LOAN_STATES.find((one) => one === loan) })}
              data={[{ value: 'all', label: t('assets.all') }, ...LOAN_STATES.map((value) => ({ value, label: t(`assets.${value}`) }))]}
            />
            <FilterSelect
              label={t('assets.label')}
              any={t('assets.anyLabel')}
              value={search.label}
              options={[...labels.map(({ id, name }) => ({ value: id, label: name })), { value: 'none', label: t('assets.noLabel') }]}
              onChange={(label) => onSearch({ label })}
            />
            <FilterSelect
              label={t('assets.groups')}
              any={t('assets.anyGroup')}
              value={search.group}
              options={[...groups.map(({ id, name }) => ({ value: id, label: name })), { value: 'none', label: t('assets.noGroups') }]}
              onChange={(group) => onSearch({ group })}
            />
            {(hasTool || search.source !== undefined) && (
              <FilterSelect
                label={t('assets.source')}
                any={t('assets.anySource')}
                value={search.source}
                options={SOURCES.map((value) => ({ value, label: t(`assets.sources.${value}`) }))}
                onChange={(source) => onSearch({ source })}
              />
            )}
          </>
        }
        filtered={isNarrowed(search)}
        onClear={onClear}
        empty={{ title: t('assets.empty'), text: t(writes ? 'assets.emptyText' : 'assets.readOnly'), action: create }}
        {...(writes ? { bulk: bulkBar } : {})}
      />
    </>
  );
};
const NONE: never[] = [];

// Cells stand outside of the screen, so that a redraw of it makes no new ones.
const bulkBar = (rows: Asset[], clear: () => void) => <BulkAssets rows={rows} onDone={clear} />;
const nameCell = (row: Asset) => (
  <Link to="/manage/assets/$id" params={{ id: row._id }} className={styles.name}>
    <Thumb asset={row} />
    {row.name}
  </Link>
);
const dueCell = (row: Asset, zone: string | undefined) =>
  row.dueAt === null ? (
    '–'
  ) : (
    <>
      <Moment at={row.dueAt} zone={zone} /> {Date.parse(row.dueAt) < Date.now() && <OverdueBadge />}
    </>
  );
/** By our loans, else by the tool that it belongs to. */
const holderOf = (row: Asset) => row.holder?.name ?? row.tool?.holder ?? null;
const codesOf = (row: Asset) => row.identifiers.map(({ value }) => value).join(' · ');

/** Who has it; of a loan of ours, what is done as they bring it. */
const holderCell = (row: Asset, word: string, onBack: ((id: string) => void) | null) =>
  row.holder === null || onBack === null ? (
    (holderOf(row) ?? '–')
  ) : (
    <span className={styles.has}>
      <span>{row.holder.name}</span>
      <Button size="compact-sm" variant="default" onClick={() => onBack(row.holder?.occupationId ?? '')}>
        {word}
        <span className="hw-spoken"> {row.name}</span>
      </Button>
    </span>
  );

type Named = { id: string; name: string };
const useColumns = (
  labels: readonly Parameters<typeof LabelBadge>[0]['label'][],
  groups: readonly Named[],
  hasTool: boolean,
  onBack: ((id: string) => void) | null,
) => {
  const { t } = useTranslation();
  const zone = useZone();
  return useMemo((): Column<Asset>[] => {
    const labelOf = new Map(labels.map((label) => [label.id, label]));
    const groupOf = new Map(groups.map(({ id, name }) => [id, name]));
    const groupsOf = (row: Asset) =>
      row.assetGroupIds
        .map((id) => groupOf.get(id) ?? '')
        .filter(Boolean)
        .join(', ');
    return [
      { id: 'name', header: t('assets.name'), sort: 'name', cell: nameCell, text: (row) => row.name },
      {
        id: 'label',
        header: t('assets.label'),
        cell: (row) => {
          const label = labelOf.get(row.statusLabelId ?? '');
          return label ? <LabelBadge label={label} /> : '–';
        },
        text: (row) => labelOf.get(row.statusLabelId ?? '')?.name ?? null,
      },
      { id: 'holder', header: t('assets.holder'), cell: (row) => holderCell(row, t('assets.takeBack'), onBack), text: holderOf },
      {
        id: 'due',
        header: t('assets.dueBack'),
        sort: 'dueAt',
        width: 140,
        cell: (row) => dueCell(row, zone),
        text: (row) => deadline(row.dueAt, zone),
      },
      { id: 'groups', header: t('assets.groups'), text: groupsOf },
      { id: 'identifiers', header: t('assets.identifiers'), text: codesOf },
      { id: 'externalId', header: t('assets.externalId'), tucked: true, text: (row) => row.externalId },
      {
        id: 'source',
        header: t('assets.source'),
        tucked: !hasTool,
        cell: (row) =>
          row.tool === null ? (
            t(`assets.sources.${row.source}`)
          ) : (
            <>
              {t(`assets.sources.${row.source}`)} · <Moment at={row.tool.asOf} />
            </>
          ),
        text: (row) =>
          row.tool === null
            ? t(`assets.sources.${row.source}`)
            : t('assets.toldAt', { source: t(`assets.sources.${row.source}`), time: fullTime(row.tool.asOf) }),
      },
      { id: 'created', header: t('assets.created'), sort: 'createdAt', width: 120, tucked: true, ...timeOf('createdAt') },
    ];
  }, [t, labels, groups, zone, hasTool, onBack]);
};
