import { SIZES } from '@hatchway/domain/terms.ts';
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Cabinet } from '../../app/queries.ts';
import { SearchField } from '../../ui/table/tools.tsx';
import styles from './lock-control.module.css';
import type { Part } from './parts.ts';
import type { LockSearch } from './search.ts';
import { SHOWS } from './showing.ts';

type Props = {
  search: LockSearch;
  cabinets: readonly Cabinet[];
  /** Null while walls are being read: what is not known is not counted. */
  counted: Pick<Part, 'counts' | 'sized'> | null;
  onSearch: (change: Partial<LockSearch>) => void;
};

/** What is looked at, and how; all of it stands in the address. */
export const LockTools = ({ search, cabinets, counted, onSearch }: Props) => {
  const { t } = useTranslation();
  const withCount = (words: string, count: number | undefined) => (count === undefined ? words : `${words} (${count})`);
  return (
    <div className={styles.tools}>
      <SegmentedControl
        aria-label={t('lockers.view.label')}
        value={search.view ?? 'wall'}
        onChange={(view) => onSearch({ view: view === 'list' ? 'list' : undefined })}
        data={[
          { value: 'wall', label: t('lockers.view.wall') },
          { value: 'list', label: t('lockers.view.list') },
        ]}
      />
      <SearchField label={t('lockers.search')} value={search.find ?? ''} onChange={(find) => onSearch({ find: find || undefined })} />
      <NativeSelect
        aria-label={t('lockers.cabinet')}
        value={search.cabinet ?? ''}
        onChange={({ currentTarget: { value } }) => onSearch({ cabinet: value || undefined })}
        data={[
          { value: '', label: t('lockers.allCabinets') },
          ...cabinets.map((cabinet) => ({ value: cabinet.id, label: `${cabinet.name} · ${cabinet.siteName}` })),
        ]}
      />
      <NativeSelect
        aria-label={t('lockers.show')}
        value={search.show ?? ''}
        onChange={({ currentTarget: { value } }) => onSearch({ show: SHOWS.find((one) => one === value) })}
        data={[
          { value: '', label: withCount(t('lockers.everything'), counted?.sized) },
          ...SHOWS.map((one) => ({ value: one, label: withCount(t(`lockers.shows.${one}`), counted?.counts[one]) })),
        ]}
      />
      <NativeSelect
        aria-label={t('lockers.facts.size')}
        value={search.size ?? ''}
        onChange={({ currentTarget: { value } }) => onSearch({ size: SIZES.find((one) => one === value) })}
        data={[{ value: '', label: t('lockers.anySize') }, ...SIZES.map((one) => ({ value: one, label: one }))]}
      />
    </div>
  );
};
