import { STAGE_NAMES, type StageName } from '@hatchway/domain/terms.ts';
import { Button, Group, SegmentedControl } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { kindWord } from '../../app/kind-word.ts';
import { deadline } from '../../app/dates.ts';
import type { Occupation } from '../../app/queries.ts';
import { useAccess, useZone } from '../../app/who.ts';
import { DayField } from '../../ui/date-fields.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { OverdueBadge, UseBadge } from '../../ui/stage-badge.tsx';
import { companyTimeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { compact } from '../../ui/table/search.ts';
import { usePages } from '../../ui/table/use-pages.ts';
import { CalledOffBadge } from '../occupations/called-off.tsx';
import { ContactBadge } from '../occupations/contact-badge.tsx';
import { DoubtBadge } from '../occupations/doubt-note.tsx';
import { LookOverBadge } from '../occupations/look-over.tsx';
import { Board } from './board.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { type OccupationsSearch, VIEWS, type View, isNarrowed, narrowsBoard, occupationsQuestion } from './search.ts';
import { ServiceSelect } from './service-select.tsx';

export const Occupations = ({ search }: { search: OccupationsSearch }) => {
  const { t } = useTranslation();
  const access = useAccess();
  const navigate = useNavigate();
  const set = (change: Partial<OccupationsSearch>): void =>
    void navigate({ to: '/manage/occupations', search: compact({ ...search, ...change }), replace: true });
  const question = occupationsQuestion(search, useZone());
  const pages = usePages('GET /occupations', question);
  const view = search.view ?? 'active';
  // A board shows what goes on, whatever the list beside it was narrowed to.
  const boarded = narrowsBoard(view) ? view : 'active';
  const listed = search.stage ? 'all' : view;
  const intro = search.look === 'board' ? boarded : listed;
  const columns = useColumns(view);
  const list = (
    <DataTable<Occupation>
      label={t('manage.occupations.title')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={set}
      file={{ call: 'GET /exports/occupations', q: question }}
      defaultSort="-createdAt"
      searchable={t('manage.occupations.search')}
      rowId={(row) => row.id}
      rowName={(row) => row.doorTag}
      // What stands beside it changes under its version.
      rowStamp={(row) => `${row.version} ${row.inDoubt} ${row.orderCalledOff}`}
      onOpen={(row) => void navigate({ to: '/services/manageoccupation', search: { id: row.id } })}
      filters={
        <>
          <SegmentedControl
            size="sm"
            aria-label={t('manage.occupations.state')}
            value={view}
            onChange={(next) => set({ view: next === 'active' ? undefined : next, stage: undefined })}
            data={VIEWS.map((one) => ({ value: one, label: t(`manage.occupations.${one}`) }))}
          />
          <ServiceSelect value={search.service} onChange={(service) => set({ service })} />
          <FilterSelect
            label={t('manage.occupations.stage')}
            any={t('manage.occupations.anyStage')}
            value={search.stage}
            options={STAGE_NAMES.map((value) => ({ value, label: t(`terms.stage.${value}`) }))}
            onChange={(stage) => set({ stage })}
          />
          <DayField quiet label={t('manage.occupations.from')} value={search.from} onChange={(from) => set({ from })} />
        </>
      }
      filtered={isNarrowed(search)}
      onClear={() => void navigate({ to: '/manage/occupations', search: {}, replace: true })}
      empty={{
        title: t('manage.occupations.empty'),
        text: t('manage.occupations.emptyText'),
        action: access.may('delivery') && (
          <Button renderRoot={(props) => <Link {...props} to="/services/delivery" />}>{t('manage.occupations.start')}</Button>
        ),
      }}
      bulk={bulkBar}
    />
  );
  return (
    <>
      <PageHeader
        title={t('manage.occupations.title')}
        intro={t(`manage.occupations.intros.${intro}`)}
        actions={
          <Group gap="xs">
            <SegmentedControl
              aria-label={t('manage.occupations.look')}
              value={search.look ?? 'list'}
              onChange={(look) => set({ look: look === 'board' ? 'board' : undefined })}
              data={[
                { value: 'list', label: t('manage.occupations.list') },
                { value: 'board', label: t('manage.occupations.board') },
              ]}
            />
            <Button
              variant="default"
              leftSection={<IconSearch size={18} />}
              renderRoot={(props) => <Link {...props} to="/services/manageoccupation" search={{}} />}
            >
              {t('manage.occupations.findOne')}
            </Button>
          </Group>
        }
      />
      {search.look === 'board' ? <Board search={search} onSearch={set} /> : list}
    </>
  );
};

// Cells stand outside of the screen, so that a redraw of it makes no new ones.
const bulkBar = (rows: Occupation[], clear: () => void) => <BulkBar rows={rows} onDone={clear} />;
const contentOf = (row: Occupation) => row.assetText ?? row.assetName ?? row.orderRef;
const doorCell = (row: Occupation) => <strong>{row.doorTag}</strong>;
const stageCell = (row: Occupation) => (
  <>
    <UseBadge one={row} /> <DoubtBadge one={row} /> <CalledOffBadge one={row} /> <ContactBadge one={row} /> <LookOverBadge one={row} />{' '}
    {row.overdue && <OverdueBadge />}
  </>
);

const useColumns = (view: View) => {
  const { t } = useTranslation();
  const zone = useZone();
  return useMemo((): Column<Occupation>[] => {
    const columns: Column<Occupation>[] = [
      {
        id: 'door',
        header: t('manage.occupations.door'),
        width: 110,
        cell: doorCell,
        text: (row) => row.doorTag,
      },
      {
        id: 'stage',
        header: t('manage.occupations.stage'),
        cell: stageCell,
        text: (row) => t(`terms.stage.${row.stageName as StageName}`),
      },
      { id: 'receiver', header: t('manage.occupations.receiver'), text: (row) => row.receiver?.name ?? null },
      { id: 'content', header: t('manage.occupations.content'), text: contentOf },
      { id: 'type', header: t('manage.occupations.type'), text: (row) => kindWord(row, t) },
      { id: 'created', header: t('manage.occupations.created'), sort: 'createdAt', width: 120, ...companyTimeOf('createdAt', zone) },
      {
        id: 'pickupBy',
        header: t('manage.occupations.pickupBy'),
        sort: 'deadline',
        width: 130,
        // what is out is late by when it is due back
        cell: (row) => <Moment at={row.dueAt ?? row.pickupBy} row zone={zone} />,
        text: (row) => deadline(row.dueAt ?? row.pickupBy, zone),
      },
      {
        id: 'changed',
        header: t('manage.occupations.changed'),
        sort: 'updatedAt',
        width: 120,
        tucked: true,
        ...companyTimeOf('updatedAt', zone),
      },
      { id: 'createdBy', header: t('manage.occupations.createdBy'), tucked: true, text: (row) => row.createdBy.name },
      { id: 'note', header: t('manage.occupations.note'), tucked: true, text: (row) => row.note },
    ];
    // Where the deadline is what it is about, it is in sight on a phone too.
    const first = view === 'due' || view === 'overdue' ? ['door', 'pickupBy'] : [];
    return columns.toSorted((a, b) => Number(first.includes(b.id)) - Number(first.includes(a.id)));
  }, [t, view, zone]);
};
