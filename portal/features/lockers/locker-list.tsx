import { SIZES } from '@hatchway/domain/terms.ts';
import { Button, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import type { Cabinet, Locker } from '../../app/queries.ts';
import { Notice } from '../../ui/notice.tsx';
import type { Column } from '../../ui/table/column.ts';
import { saveRows } from '../../ui/table/file.ts';
import { Rows } from '../../ui/table/rows.tsx';
import { DoorIcon } from '../../ui/wall/door-icon.tsx';
import { contentWord, doorWord, knownSince, lookOf, outcomeWord, unheardSince } from './door-view.ts';
import { Sensed } from './known.tsx';
import styles from './lock-control.module.css';

type Props = {
  lockers: readonly Locker[];
  cabinets: readonly Cabinet[];
  picked: ReadonlySet<string>;
  onToggle: (id: string) => void;
  onPick: (ids: ReadonlySet<string>) => void;
  sort: string | undefined;
  onSort: (sort: string) => void;
  onClear: () => void;
};
/** So many rows are drawn whole; of more those that are in sight. */
const WHOLE = 100;
const nothing = () => {};

/** The same doors as rows: for comparing, and for who reads rather than looks. */
export const LockerList = ({ lockers, cabinets, picked, onToggle, onPick, sort, onSort, onClear }: Props) => {
  const { t, i18n } = useTranslation();
  const columns = useMemo(() => columnsOf(t, cabinets), [t, cabinets]);
  const rows = useMemo(() => inOrder(lockers, columns, sort, i18n.language), [lockers, columns, sort, i18n.language]);
  const selected = useMemo(
    () => Object.fromEntries(rows.filter(({ id }) => picked.has(id)).map(({ id }) => [id, true as const])),
    [rows, picked],
  );
  if (rows.length === 0)
    return (
      <Notice
        level={2}
        title={t('table.noMatch')}
        text={t('table.noMatchText')}
        action={{ label: t('table.clearFilters'), onClick: onClear }}
      />
    );
  return (
    <section className={styles.list} aria-label={t('lockers.title')}>
      <Group justify="flex-end" p="xs">
        <Button
          variant="default"
          size="sm"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveRows(t('lockers.title'), columns, rows)}
        >
          {t('table.csv')}
        </Button>
      </Group>
      <Rows<Locker>
        rows={rows}
        columns={columns}
        loading={false}
        virtual={rows.length > WHOLE}
        sort={sort}
        onSort={onSort}
        rowId={({ id }) => id}
        rowName={({ doorTag }) => doorTag}
        rowStamp={({ version }) => version}
        onOpen={undefined}
        selected={selected}
        onSelect={onToggle}
        onSelectAll={(on) => onPick(new Set(on ? rows.map(({ id }) => id) : []))}
        onStart={nothing}
        onEnd={nothing}
      />
    </section>
  );
};

/** `by`: what it is sorted by. */
type Sorted = Column<Locker> & { by: (locker: Locker) => string };

const columnsOf = (t: TFunction, cabinets: readonly Cabinet[]): readonly Sorted[] => {
  const places = new Map(cabinets.map(({ id, name, siteName }) => [id, `${name} · ${siteName}`]));
  const of = new Map(cabinets.map((cabinet) => [cabinet.id, cabinet]));
  const look = (locker: Locker) => t(`terms.lockerState.${lookOf(locker)}`);
  const column = (id: string, header: string, by: Sorted['by'], cell: Sorted['cell'] = by, text: Sorted['text'] = by): Sorted => ({
    id,
    sort: id,
    header,
    by,
    cell,
    text,
  });
  return [
    column('doorTag', t('terms.locker'), (locker) => locker.doorTag, (locker) => <b>{locker.doorTag}</b>), // prettier-ignore
    column('state', t('occupations.manage.stage'), look, (locker) => (
      <span className={styles.look}>
        <DoorIcon look={lookOf(locker)} /> {look(locker)}
      </span>
    )),
    column('size', t('lockers.facts.size'), (locker) => String(SIZES.indexOf(locker.size)), (locker) => locker.size, (locker) => locker.size), // prettier-ignore
    column('where', t('lockers.facts.where'), (locker) => places.get(locker.cabinetId) ?? ''),
    column('door', t('lockers.facts.door'), (locker) => doorWord(locker, t), (locker) => (
      <Sensed locker={locker} cabinet={of.get(locker.cabinetId)} word={doorWord(locker, t)} at={knownSince(locker.door, locker.doorSince)} />
    ), (locker) => doorText(locker, of.get(locker.cabinetId), t)), // prettier-ignore
    column('content', t('lockers.facts.content'), (locker) => contentWord(locker, t)),
    column('last', t('lockers.facts.last'), (locker) => (locker.lastCommand === null ? '–' : outcomeWord(locker.lastCommand, t))),
  ];
};

const doorText = (locker: Locker, cabinet: Cabinet | undefined, t: TFunction): string =>
  unheardSince(locker, cabinet) !== null
    ? `${t('lockers.facts.unknownSince')} ${fullTime(unheardSince(locker, cabinet))}`
    : `${doorWord(locker, t)} · ${fullTime(knownSince(locker.door, locker.doorSince))}`;

/** Numbers as numbers; what is alike, and all without `sort`, stands as on the walls. */
const inOrder = (lockers: readonly Locker[], columns: readonly Sorted[], sort: string | undefined, language: string): Locker[] => {
  const by = columns.find(({ id }) => id === sort?.replace(/^-/, ''))?.by;
  if (by === undefined) return [...lockers];
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = sort?.startsWith('-') === true ? -1 : 1;
  const keyed = lockers.map((locker) => ({ locker, key: by(locker) }));
  return keyed.toSorted((a, b) => sign * compare(a.key, b.key)).map(({ locker }) => locker);
};
