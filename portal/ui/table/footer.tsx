import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './data-table.module.css';
import { type PageSize, SIZES } from './search.ts';

type Props = {
  /** Nothing is read yet. */
  pending: boolean;
  size: PageSize;
  page: number;
  rows: number;
  total: number | null;
  loadingMore: boolean;
  hasNext: boolean;
  onSize: (size: PageSize) => void;
  onPage: (page: number) => void;
};

export const Footer = ({ pending, size, page, rows, total, loadingMore, hasNext, onSize, onPage }: Props) => {
  const { t } = useTranslation();
  return (
    // How far down the rows reach is not known before they are read: drawn below their bones it would jump. That it loads is heard.
    <div className={pending ? 'hw-spoken' : styles.footer}>
      {!pending && (
        <label className={styles.size}>
          <span>{t('table.rowsPerPage')}</span>
          <NativeSelect
            size="xs"
            aria-label={t('table.rowsPerPage')}
            value={String(size)}
            onChange={(event) => onSize(SIZES.find((one) => String(one) === event.currentTarget.value) ?? 50)}
            data={SIZES.map((one) => ({ value: String(one), label: one === 'all' ? t('common.all') : String(one) }))}
          />
        </label>
      )}
      <output>
        {pending
          ? t('common.loading')
          : loadingMore
            ? t('table.loadingMore')
            : total === null
              ? t('table.shown', { shown: rows })
              : t('table.shownOf', { shown: rows, total })}
      </output>
      {!pending && size !== 'all' && (
        <div className={styles.pager}>
          <ActionIcon aria-label={t('table.previous')} disabled={page === 0} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={18} />
          </ActionIcon>
          <span>{t('table.page', { page: page + 1 })}</span>
          <ActionIcon aria-label={t('table.next')} disabled={!hasNext} loading={loadingMore} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={18} />
          </ActionIcon>
        </div>
      )}
    </div>
  );
};
