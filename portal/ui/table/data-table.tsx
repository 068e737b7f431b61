import { columnVisibilityFeature, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LONG } from '../../app/cache.ts';
import type { Pages } from '../../app/queries.ts';
import { Notice } from '../notice.tsx';
import { ProblemNote } from '../problem-note.tsx';
import styles from './data-table.module.css';
import type { Column } from './column.ts';
import { Footer } from './footer.tsx';
import { Rows } from './rows.tsx';
import type { ListFile } from './file.ts';
import { rememberColumns, rememberedColumns } from './remembered.ts';
import { type ListSearch, type PageSize, SIZE_DEFAULT } from './search.ts';
import { Tools } from './tools.tsx';

/** `limit` comes from the table, `sort` from its head, all else from the address. */
export type PagesOf<T> = (limit: number, sort: string | undefined) => Pages<T>;

type Props<T extends object> = {
  /** Names the table for a screen reader, and its file. */
  label: string;
  columns: readonly Column<T>[];
  pages: PagesOf<T>;
  search: ListSearch;
  onSearch: (change: ListSearch) => void;
  defaultSort: string;
  rowId: (row: T) => string;
  rowName: (row: T) => string;
  /** Rows that follow each other and have the same stand together, without a line between them; null: the row stands alone. */
  groupOf?: (row: T) => string | null;
  /** Grows with each change of the row, which then glows once. */
  rowStamp?: (row: T) => string | number;
  onOpen?: (row: T) => void;
  searchable?: string;
  filters?: ReactNode;
  /** Some filter is set: an empty list then says so and offers to clear it. */
  filtered: boolean;
  /** Why nothing can match, where that is known. */
  noMatch?: { title: string; text: string };
  onClear: () => void;
  empty: { title: string; text: string; action?: ReactNode };
  bulk?: (rows: T[], clear: () => void) => ReactNode;
  /** The call that writes the whole list as a file, with the same filter; without it the page writes what the columns say. */
  file?: ListFile;
};

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature });
/** Rows that "All" asks for at a time while one scrolls. */
const SCROLL_CHUNK = 200;

export const DataTable = <T extends object>(props: Props<T>) => {
  const { t } = useTranslation();
  const { columns, search, pages } = props;
  const size: PageSize = search.size ?? SIZE_DEFAULT;
  const sort = columns.some((column) => column.sort && (search.sort === column.sort || search.sort === `-${column.sort}`))
    ? search.sort
    : props.defaultSort;
  const options = useMemo(() => pages(size === 'all' ? SCROLL_CHUNK : size, sort), [pages, size, sort]);
  const client = useQueryClient();
  const noun = String(options.queryKey[0]);
  const query = useInfiniteQuery({
    ...options,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
  const [wanted, setPage] = useState(0);
  const fetched = query.data?.pages ?? NONE;
  const page = Math.min(wanted, Math.max(0, fetched.length - 1));
  const rows = useMemo(() => (size === 'all' ? fetched.flatMap((one) => one.rows) : (fetched[page]?.rows ?? [])), [fetched, page, size]);
  const total = fetched[0]?.total ?? null;
  const table = useTable({
    features,
    // Choice of columns and selection alone are the table's here: a row model of 100,000 rows would be made anew with each page.
    data: NONE,
    columns: useMemo(() => columns.map((column) => ({ id: column.id, accessorFn: (row: T) => row, header: column.header })), [columns]),
    getRowId: props.rowId,
    // As somebody chose in this browser before; else as the columns say, which may hear later what there is to show.
    initialState: { columnVisibility: rememberedColumns(noun) },
  });
  // The same columns and, where nothing is chosen, no look at the rows: a live change draws one row again, not all that are in sight.
  const picked = table.state.columnVisibility;
  const shown = useMemo(() => columns.filter((column) => picked[column.id] ?? !column.tucked), [columns, picked]);
  const selected = table.state.rowSelection;
  const chosen = Object.keys(selected).length === 0 ? NONE : rows.filter((row) => selected[props.rowId(row)]);
  const clear = (): void => table.resetRowSelection(true);
  /** Pages beyond are asked for anew when one goes on: kept, they would hold what happens meanwhile off the one that is shown. */
  const forget = (kept: number): void => {
    client.setQueryData<typeof query.data>(options.queryKey, (data) =>
      data === undefined ? data : { pages: data.pages.slice(0, kept), pageParams: data.pageParams.slice(0, kept) },
    );
    void client.invalidateQueries({ queryKey: options.queryKey, exact: true });
  };
  const reset = (change: ListSearch): void => {
    setPage(0);
    clear();
    props.onSearch(change);
  };

  return (
    <section className={styles.table} aria-label={props.label}>
      <Tools<T>
        label={props.label}
        search={search}
        searchable={props.searchable}
        filters={props.filters}
        onSearch={reset}
        columns={columns}
        isShown={(id) => shown.some((column) => column.id === id)}
        onShow={(id, on) => {
          table.getColumn(id)?.toggleVisibility(on);
          rememberColumns(noun, { ...rememberedColumns(noun), [id]: on });
        }}
        sort={sort}
        file={props.file}
        shown={shown}
        query={query}
      />
      {chosen.length > 0 && props.bulk && (
        <section className={styles.bulk} aria-live="polite" aria-label={t('table.selected', { count: chosen.length })}>
          <strong>{t('table.selected', { count: chosen.length })}</strong>
          {props.bulk(chosen, clear)}
          <button type="button" className={styles.plain} onClick={clear}>
            {t('table.clearSelection')}
          </button>
        </section>
      )}
      {query.isError && (
        <div className={styles.state}>
          <ProblemNote title={t('table.failed')} error={query.error} onRetry={() => void query.refetch()} />
        </div>
      )}
      {query.isSuccess && rows.length === 0 ? (
        props.filtered ? (
          <Notice
            level={2}
            title={props.noMatch?.title ?? t('table.noMatch')}
            text={props.noMatch?.text ?? t('table.noMatchText')}
            action={{ label: t('table.clearFilters'), onClick: props.onClear }}
          />
        ) : (
          <Notice level={2} title={props.empty.title} text={props.empty.text}>
            {props.empty.action}
          </Notice>
        )
      ) : (
        !(query.isError && rows.length === 0) && (
          <Rows<T>
            rows={rows}
            columns={shown}
            loading={query.isPending}
            virtual={size === 'all'}
            sort={sort}
            onSort={(next) => reset({ ...search, sort: next })}
            rowId={props.rowId}
            rowName={props.rowName}
            groupOf={props.groupOf}
            rowStamp={props.rowStamp}
            onOpen={props.onOpen}
            selected={props.bulk ? selected : null}
            onSelect={(id, on) =>
              table.setRowSelection((old) =>
                on ? { ...old, [id]: true } : Object.fromEntries(Object.entries(old).filter(([key]) => key !== id)),
              )
            }
            onSelectAll={(on) => table.setRowSelection(on ? Object.fromEntries(rows.map((row) => [props.rowId(row), true as const])) : {})}
            onStart={() => {
              // What came meanwhile was not asked for. Where rows are chosen they stay: what is to be done to them is.
              if (fetched.length > LONG && Object.keys(selected).length === 0) forget(1);
            }}
            onEnd={() => {
              if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
            }}
          />
        )
      )}
      {!(query.isError && rows.length === 0) && !(query.isSuccess && rows.length === 0) && (
        <Footer
          pending={query.isPending}
          size={size}
          page={page}
          rows={rows.length}
          total={total}
          loadingMore={query.isFetchingNextPage}
          hasNext={size !== 'all' && (page + 1 < fetched.length || query.hasNextPage)}
          onSize={(next) => reset({ ...search, size: next })}
          onPage={(next) => {
            clear();
            if (next < page) forget(next + 1);
            if (next < fetched.length) setPage(next);
            else void query.fetchNextPage().then(() => setPage(next));
          }}
        />
      )}
    </section>
  );
};
const NONE: never[] = [];
