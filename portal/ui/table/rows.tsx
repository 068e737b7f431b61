import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, memo, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreference } from '../../app/preferences.ts';
import { Bones } from '../panel.tsx';
import styles from './data-table.module.css';
import { cellOf, type Column } from './column.ts';

type Props<T> = {
  rows: T[];
  columns: readonly Column<T>[];
  loading: boolean;
  virtual: boolean;
  sort: string | undefined;
  onSort: (sort: string) => void;
  rowId: (row: T) => string;
  rowName: (row: T) => string;
  groupOf?: ((row: T) => string | null) | undefined;
  rowStamp: ((row: T) => string | number) | undefined;
  onOpen: ((row: T) => void) | undefined;
  /** Null where rows cannot be selected. */
  selected: Record<string, boolean | undefined> | null;
  onSelect: (id: string, on: boolean) => void;
  onSelectAll: (on: boolean) => void;
  /** Its first row is in sight, at first and again; its last ones are. */
  onStart: () => void;
  onEnd: () => void;
};
const ROW = { comfortable: 44, compact: 32 } as const;
/** A usual card: what heads it and two lines of what is known of it. Each is measured once it is drawn. */
const CARD = 88;

const OVERSCAN = 8;
/** Rows come and go this many at a time: to draw the table anew costs more than a row does, and most frames of a scroll then draw nothing. */
const STEP = 4;
const inSteps = ({ startIndex, endIndex, overscan, count }: Range): number[] => {
  const from = Math.max(0, Math.floor(startIndex / STEP) * STEP - overscan);
  // One more than are in sight, or their number would change with where the first of them is cut.
  const to = Math.min(count, from + Math.ceil((endIndex - startIndex + 2) / STEP) * STEP + STEP + 2 * overscan);
  return Array.from({ length: to - from }, (_, at) => from + at);
};

/** The rows themselves. "All" draws only what is in sight and asks for more near its end; pages are drawn whole. */
export const Rows = <T extends object>(props: Props<T>) => {
  const { t } = useTranslation();
  const { rows, columns, virtual, onEnd, groupOf } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const density = usePreference('table-density');
  // Where columns would not fit beside each other, each row is a card with all of them, and nothing is scrolled to sideways.
  const cards = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const height = cards ? CARD : ROW[density];
  // oxlint-disable-next-line react/incompatible-library -- the virtualiser tells React of scrolling by itself; nothing of it is memoised here
  const virtualizer = useVirtualizer({
    count: virtual ? rows.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    rangeExtractor: inSteps,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (virtual && rows.length > 0 && last >= rows.length - 30) onEnd();
  }, [virtual, last, rows.length, onEnd]);
  const atStart = virtual && (virtualizer.scrollOffset ?? 0) < height;
  const start = useEffectEvent(props.onStart);
  useEffect(() => {
    if (atStart) start();
  }, [atStart]);
  useEffect(() => virtualizer.measure(), [height, virtualizer]);

  const before = virtual ? (items[0]?.start ?? 0) : 0;
  const after = virtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const shown = virtual ? items.map((item) => item.index) : rows.map((_, index) => index);
  const joined = (index: number): boolean => {
    const [above, row] = [rows[index - 1], rows[index]];
    if (!groupOf || !above || !row) return false;
    const group = groupOf(row);
    return group !== null && group === groupOf(above);
  };
  const span = columns.length + (props.selected ? 1 : 0);
  // Counted, not looked for: with 100,000 rows a look at each would cost every frame of a scroll.
  const count = Object.keys(props.selected ?? {}).length;
  const all = rows.length > 0 && count >= rows.length;
  const some = count > 0 && !all;

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-virtual={virtual || undefined}
      data-cards={cards || undefined}
      tabIndex={virtual ? 0 : undefined}
      role={virtual ? 'group' : undefined}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from the rows inside, which have the focus */}
      <table aria-rowcount={virtual ? -1 : undefined} onKeyDown={(event) => walk(event)}>
        <thead>
          <tr>
            {props.selected && (
              <th className={styles.check}>
                <input
                  type="checkbox"
                  aria-label={t('table.selectAll')}
                  checked={all}
                  ref={(box) => void (box && (box.indeterminate = some))}
                  onChange={(event) => props.onSelectAll(event.target.checked)}
                />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody aria-busy={props.loading}>
          {props.loading && (
            <tr>
              <td colSpan={span}>
                <Bones lines={10} height={18} />
              </td>
            </tr>
          )}
          {before > 0 && <Gap height={before} span={span} />}
          {shown.map((index) => {
            const row = rows[index];
            if (!row) return null;
            const id = props.rowId(row);
            return (
              <Row
                key={id}
                row={row}
                card={cards}
                index={virtual && cards ? index : -1}
                measure={virtualizer.measureElement}
                id={id}
                first={index === (shown[0] ?? 0)}
                joined={joined(index)}
                goesOn={joined(index + 1)}
                columns={columns as readonly Column<object>[]}
                name={props.rowName(row)}
                stamp={props.rowStamp?.(row) ?? 0}
                selectable={props.selected !== null}
                selected={Boolean(props.selected?.[id])}
                onSelect={props.onSelect}
                onOpen={props.onOpen as ((row: object) => void) | undefined}
              />
            );
          })}
          {after > 0 && <Gap height={after} span={span} />}
        </tbody>
      </table>
    </div>
  );
};

const Gap = ({ height, span }: { height: number; span: number }) => (
  <tr className={styles.gap} style={{ height }}>
    <td colSpan={span} aria-hidden />
  </tr>
);

const Head = <T,>({ column, sort, onSort }: { column: Column<T>; sort: string | undefined; onSort: (sort: string) => void }) => {
  const { t } = useTranslation();
  const { sort: field } = column;
  if (!field)
    return (
      <th style={{ width: column.width }} data-plain>
        {column.header}
      </th>
    );
  const up = sort === field;
  const down = sort === `-${field}`;
  const SortIcon = up ? IconArrowUp : down ? IconArrowDown : IconArrowsSort;
  return (
    <th style={{ width: column.width }} aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      <button type="button" className={styles.sort} data-on={up || down || undefined} onClick={() => onSort(down ? field : `-${field}`)}>
        {column.header}
        <SortIcon size={14} aria-hidden />
        {(up || down) && <span className="hw-spoken">{t(up ? 'table.sortedUp' : 'table.sortedDown')}</span>}
      </button>
    </th>
  );
};

type RowProps = {
  row: object;
  card: boolean;
  /** Its place among all, where its height depends on what it holds and is measured; otherwise -1. */
  index: number;
  measure: (line: HTMLTableRowElement | null) => void;
  id: string;
  first: boolean;
  /** It goes on with the group of the row above; the row below goes on with its own. */
  joined: boolean;
  goesOn: boolean;
  columns: readonly Column<object>[];
  name: string;
  stamp: string | number;
  selectable: boolean;
  selected: boolean;
  onSelect: (id: string, on: boolean) => void;
  onOpen: ((row: object) => void) | undefined;
};

/** Drawn again only when the row, the columns or its selection change; the handlers are read when they are used. */
const Row = memo(
  ({ row, card, index, measure, id, first, joined, goesOn, columns, name, stamp, selectable, selected, onSelect, onOpen }: RowProps) => {
    const { t } = useTranslation();
    const line = useRef<HTMLTableRowElement>(null);
    const seen = useRef(stamp);
    useEffect(() => {
      if (seen.current === stamp) return;
      seen.current = stamp;
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      line.current?.animate([{ backgroundColor: 'var(--hw-accent-soft)' }, { backgroundColor: 'transparent' }], {
        duration: 1600,
        easing: 'ease-out',
      });
    }, [stamp]);
    useLayoutEffect(() => {
      if (index >= 0) measure(line.current);
    }, [index, measure]);
    const lead = card ? (columns.find((column) => column.lead) ?? columns[0]) : null;
    const cells: ReactNode[] = columns.map((column) => {
      // thousands of cells of a wide list are drawn while one scrolls: what cards alone need is not worked out for them
      if (lead === null) return <td key={column.id}>{joined && column.once ? '' : cellOf(column, row)}</td>;
      // A card stands alone: what its group shares is a screen above.
      const cell = cellOf(column, row);
      const part = column === lead ? 'lead' : column.id === 'actions' ? 'actions' : cell === '–' || cell === '' ? 'empty' : undefined;
      return (
        <td key={column.id} data-part={part} data-label={column.header}>
          {cell}
        </td>
      );
    });
    return (
      <tr
        ref={line}
        data-row={id}
        data-goes-on={goesOn || undefined}
        data-index={index >= 0 ? index : undefined}
        tabIndex={first ? 0 : -1}
        aria-selected={selectable ? selected : undefined}
        className={onOpen ? styles.opens : undefined}
        onClick={(event) => {
          if (onOpen && !(event.target as HTMLElement).closest('a, button, input, label') && !getSelection()?.toString()) onOpen(row);
        }}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) return;
          if (event.key === 'Enter' && onOpen) onOpen(row);
          else if (event.key === ' ' && selectable) {
            event.preventDefault();
            onSelect(id, !selected);
          }
        }}
      >
        {selectable && (
          <td className={styles.check}>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={t('table.selectRow', { name })}
              checked={selected}
              onChange={(event) => onSelect(id, event.target.checked)}
            />
          </td>
        )}
        {cells}
      </tr>
    );
  },
  (a, b) =>
    a.row === b.row &&
    a.card === b.card &&
    a.index === b.index &&
    a.selected === b.selected &&
    a.columns === b.columns &&
    a.selectable === b.selectable &&
    a.first === b.first &&
    a.joined === b.joined &&
    a.goesOn === b.goesOn &&
    a.stamp === b.stamp,
);
Row.displayName = 'Row';

/** Arrow keys walk the rows; Home and End go to the first and last that are drawn. */
const walk = (event: KeyboardEvent<HTMLTableElement>): void => {
  const current = (event.target as HTMLElement).closest<HTMLTableRowElement>('tr[data-row]');
  if (!current || event.target !== current) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLTableRowElement>('tr[data-row]')];
  const at = rows.indexOf(current);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined || !rows[to]) return;
  event.preventDefault();
  rows[to].focus();
};
