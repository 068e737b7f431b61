import { Button, CloseButton, Menu, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconColumns3, IconDownload, IconSearch } from '@tabler/icons-react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { usePortal } from '../../app/portal.ts';
import { save as saveFile } from './save.ts';
import styles from './data-table.module.css';
import type { Page } from '../../app/queries.ts';
import type { Column } from './column.ts';
import { fileLocale, fileName, type ListFile, saveRows } from './file.ts';
import type { ListSearch } from './search.ts';

type Props<T> = {
  label: string;
  search: ListSearch;
  searchable: string | undefined;
  filters: ReactNode;
  onSearch: (search: ListSearch) => void;
  columns: readonly Column<T>[];
  shown: readonly Column<T>[];
  isShown: (id: string) => boolean;
  onShow: (id: string, on: boolean) => void;
  query: UseInfiniteQueryResult<InfiniteData<Page<T>>>;
  sort: string | undefined;
  file: ListFile | undefined;
};

export const Tools = <T,>({
  label,
  search,
  searchable,
  filters,
  onSearch,
  columns,
  shown,
  isShown,
  onShow,
  query,
  sort,
  file,
}: Props<T>) => {
  const { t } = useTranslation();
  const { api } = usePortal();
  const [saving, setSaving] = useState(false);
  // A phone's first screen belongs to the rows.
  const phone = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      if (file) {
        const asked = { ...(sort ? { sort } : {}), locale: fileLocale() } as const;
        saveFile(fileName(label), await api(file.call, { query: { ...asked, q: file.q } }));
        return;
      }
      // The file holds the whole list that the filters describe, not only what has been scrolled to.
      let answer = query.data;
      let more = query.hasNextPage;
      while (more) {
        const next = await query.fetchNextPage();
        if (next.isError) throw next.error;
        answer = next.data;
        more = next.hasNextPage;
      }
      saveRows(
        label,
        shown,
        (answer?.pages ?? []).flatMap((page) => page.rows),
      );
    } catch (error) {
      toast.fail(error);
    } finally {
      setSaving(false);
    }
  };
  const rest = (
    <>
      {filters}
      <div className={styles.end}>
        <Menu closeOnItemClick={false} position="bottom-end">
          <Menu.Target>
            <Button variant="default" size="sm" leftSection={<IconColumns3 size={16} />}>
              {t('table.columns')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {columns.map((column) => (
              <Menu.CheckboxItem key={column.id} checked={isShown(column.id)} onChange={(on) => onShow(column.id, on)}>
                {column.header}
              </Menu.CheckboxItem>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconDownload size={16} />}
          loading={saving}
          disabled={!query.isSuccess}
          onClick={() => void save()}
        >
          {t('table.csv')}
        </Button>
      </div>
    </>
  );
  return (
    <div className={styles.tools}>
      {searchable && (
        <SearchField label={searchable} value={search.find ?? ''} onChange={(find) => onSearch({ ...search, find: find || undefined })} />
      )}
      {phone ? (
        <details className={styles.more}>
          <summary>{t('table.filters')}</summary>
          <div>{rest}</div>
        </details>
      ) : (
        rest
      )}
    </div>
  );
};

/** Typing settles before the address changes; Enter does not wait. */
type SearchProps = {
  label: string;
  value: string;
  className?: string | undefined;
  /** `text`: one of a list's filters, beside the field that searches all of it. */
  type?: 'search' | 'text';
  onChange: (value: string) => void;
};
export const SearchField = ({ label, value, className, type = 'search', onChange }: SearchProps) => {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const said = useRef(value);
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (value !== said.current) setTyped(value);
    said.current = value;
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(() => settle(typed, said, latest), 300);
    return () => clearTimeout(timer);
  }, [typed]);
  const clear = (): void => {
    setTyped('');
    // The button goes with what it cleared; what is sought next is typed here.
    field.current?.focus();
  };
  return (
    <TextInput
      ref={field}
      type={type}
      className={className ?? styles.find ?? ''}
      size="sm"
      aria-label={label}
      placeholder={label}
      value={typed}
      leftSection={<IconSearch size={16} />}
      rightSection={typed ? <CloseButton size="sm" aria-label={t('common.clear')} onClick={clear} /> : null}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle(typed, said, latest);
      }}
    />
  );
};

const settle = (typed: string, said: RefObject<string>, onChange: RefObject<(value: string) => void>): void => {
  const next = typed.trim();
  if (next === said.current) return;
  said.current = next;
  onChange.current(next);
};
