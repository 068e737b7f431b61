import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/notice.tsx';
import { compact } from '../../ui/table/search.ts';
import { SearchField } from '../../ui/table/tools.tsx';
import styles from './builder.module.css';
import type { BuilderSearch } from './search.ts';

type Props = {
  label: string;
  search: BuilderSearch;
  /** How much is there, found or not; null until it is read. Of nothing there is no search. */
  all: number | null;
  found: number;
};

/** What is looked for, in the address, and what is said where nothing is found. */
export const Find = ({ label, search, all, found }: Props) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const go = (find: string | undefined) =>
    void navigate({ to: '/manage/lockers', search: compact({ ...search, find: find || undefined }), replace: true });
  if (all === null || all === 0) return null;
  return (
    <>
      <div className={styles.find}>
        <SearchField label={label} value={search.find ?? ''} onChange={go} />
      </div>
      {found === 0 && (
        <Notice level={2} title={t('table.noMatch')} text={t('table.noMatchText')}>
          <Button variant="default" onClick={() => go(undefined)}>
            {t('table.clearFilters')}
          </Button>
        </Notice>
      )}
    </>
  );
};
