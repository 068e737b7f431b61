import { historyReach } from '@hatchway/domain/access.ts';
import { Button, Pill } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { hourOf } from '../../app/dates.ts';
import type { HistoryEvent } from '../../app/queries.ts';
import { useAccess, useFacts, useZone } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { StateBadge, type Tone } from '../../ui/state-badge.tsx';
import { timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { compact } from '../../ui/table/search.ts';
import { usePages } from '../../ui/table/use-pages.ts';
import { Actor } from './actor.tsx';
import { Filters } from './filters.tsx';
import { historyQuestion } from './question.ts';
import { besideOf, wordOf } from './said.ts';
import { daysTurned, type HistorySearch } from './search.ts';
import styles from './history.module.css';
import { lookOf } from './words.ts';

export const History = ({ search }: { search: HistorySearch }) => {
  const { t } = useTranslation();
  const access = useAccess();
  const navigate = useNavigate();
  const intro = useIntro();
  const set = (change: Partial<HistorySearch>): void =>
    void navigate({ to: '/history', search: compact({ ...search, ...change }), replace: true });
  const zone = useZone();
  const q = historyQuestion(search, zone);
  const pages = usePages('GET /history', q);
  const columns = useMemo(
    (): Column<HistoryEvent>[] => [
      { id: 'at', header: t('history.time'), sort: 'at', width: 120, ...timeOf('at') },
      {
        id: 'event',
        header: t('history.event'),
        lead: true,
        cell: eventCell,
        text: (row) => [wordOf(row, t, zone), besideOf(row, t, zone)].filter(Boolean).join(', '),
      },
      { id: 'door', header: t('history.door'), width: 120, once: true, text: (row) => row.doorTag },
      { id: 'who', header: t('history.who'), cell: whoCell, text: (row) => row.actor.name },
      {
        id: 'occupation',
        header: t('terms.occupation'),
        once: true,
        cell: occupationCell,
        text: (row) => row.occupationId,
      },
      {
        id: 'details',
        header: t('history.details'),
        tucked: true,
        cell: (row) => (Object.keys(row.data).length === 0 ? '–' : JSON.stringify(row.data, null, 2)),
        text: (row) => JSON.stringify(row.data),
      },
    ],
    [t, zone],
  );
  return (
    <>
      <PageHeader title={t('history.title')} intro={intro} />
      <DataTable<HistoryEvent>
        label={t('history.title')}
        columns={columns}
        pages={pages}
        search={search}
        onSearch={set}
        file={{ call: 'GET /exports/history', q }}
        searchable={t('history.search')}
        defaultSort="-at"
        rowId={(row) => row.id}
        rowName={(row) => row.type}
        groupOf={(row) => row.occupationId && `${row.occupationId} ${row.doorTag}`}
        onOpen={(row) => void (row.occupationId && navigate({ to: '/history/occupation/$id', params: { id: row.occupationId } }))}
        filters={
          <>
            <Filters search={search} onChange={set} />
            {search.who && <Only word={t('history.person')} onClear={() => set({ who: undefined })} />}
            {search.hour !== undefined && (
              <Only word={t('history.inHour', { hour: hourOf(search.hour) })} onClear={() => set({ hour: undefined })} />
            )}
            {search.service && <Only word={t(`terms.service.${search.service}`)} onClear={() => set({ service: undefined })} />}
            {search.currency && <Only word={search.currency} onClear={() => set({ currency: undefined })} />}
          </>
        }
        filtered={Object.keys(q).length > 0}
        {...(daysTurned(search) ? { noMatch: { title: t('history.endBeforeStart'), text: t('history.turnDays') } } : {})}
        onClear={() => void navigate({ to: '/history', search: {}, replace: true })}
        empty={{
          title: t('history.empty'),
          text: t('history.emptyText'),
          action: access.may('delivery') && (
            <Button component={Link} to="/services/delivery">
              {t('history.startDelivery')}
            </Button>
          ),
        }}
      />
    </>
  );
};

/** What a figure of the dashboard narrowed the list to, and the way out of it. */
const Only = ({ word, onClear }: { word: string; onClear: () => void }) => {
  const { t } = useTranslation();
  return (
    <Pill size="md" withRemoveButton onRemove={onClear} removeButtonProps={{ 'aria-label': `${t('common.clear')}: ${word}` }}>
      {word}
    </Pill>
  );
};

/** Whoever does not read all of it is told what they read. */
const useIntro = (): string => {
  const { t } = useTranslation();
  const reach = historyReach(useFacts());
  if (reach.all) return t('history.intro');
  const parts = [...reach.types.map((type) => t(`terms.type.${type}`)), ...(reach.lockerIds.length > 0 ? [t('history.yourLockers')] : [])];
  return t('history.introSome', { parts: parts.join(', ') });
};

// Cells stand outside of the screen, so that a redraw of it makes no new ones.
const eventCell = (row: HistoryEvent) => <EventWord row={row} />;
const whoCell = (row: HistoryEvent) => <Who actor={row.actor} />;
const occupationCell = (row: HistoryEvent) => (row.occupationId ? <TimelineLink id={row.occupationId} /> : '–');

/** Pressed, the list is narrowed to what that person or key did; whoever came with a link or code alone has no name to go by. */
const Who = ({ actor }: Pick<HistoryEvent, 'actor'>) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = actor;
  if (id === null) return <Actor actor={actor} />;
  return (
    <button
      type="button"
      className={styles.only}
      title={t('history.onlyBy', { name: actor.name })}
      onClick={(event) => {
        // The row itself leads to the timeline.
        event.stopPropagation();
        void navigate({ to: '/history', search: (before) => ({ ...before, who: id }), replace: true });
      }}
    >
      <Actor actor={actor} />
    </button>
  );
};

const TimelineLink = ({ id }: { id: string }) => {
  const { t } = useTranslation();
  return (
    <Link className={styles.link} to="/history/occupation/$id" params={{ id }}>
      {t('history.timeline')}
    </Link>
  );
};

/** What somebody may have to look at wears a badge; all else is plain. */
const LOUD: ReadonlySet<Tone> = new Set(['warn', 'bad', 'unknown']);

const EventWord = ({ row }: { row: HistoryEvent }) => {
  const { t } = useTranslation();
  const [EventIcon, tone] = lookOf(row.type);
  const zone = useZone();
  const beside = besideOf(row, t, zone);
  return (
    <span className={styles.said}>
      {LOUD.has(tone) ? (
        <StateBadge icon={EventIcon} tone={tone} word={wordOf(row, t, zone)} />
      ) : (
        <span className={styles.event} data-tone={tone}>
          <EventIcon size={15} stroke={2} aria-hidden />
          {wordOf(row, t, zone)}
        </span>
      )}
      {beside !== '' && <span className={styles.beside}>{beside}</span>}
    </span>
  );
};
