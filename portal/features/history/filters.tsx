import { HISTORY_EVENTS } from '@hatchway/domain/history.ts';
import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DayField } from '../../ui/date-fields.tsx';
import { SearchField } from '../../ui/table/tools.tsx';
import { daysTurned, type HistorySearch } from './search.ts';
import styles from './history.module.css';
import { GROUPS } from './words.ts';

export const Filters = ({ search, onChange }: { search: HistorySearch; onChange: (change: Partial<HistorySearch>) => void }) => {
  const { t } = useTranslation();
  return (
    <>
      <NativeSelect
        size="sm"
        aria-label={t('history.kind')}
        value={search.kind ?? ''}
        onChange={(event) => onChange({ kind: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: t('history.allEvents') },
          { group: t('history.kind'), items: GROUPS.map((group) => ({ value: group, label: t(`history.groups.${group}`) })) },
          ...GROUPS.map((group) => ({
            group: t(`history.groups.${group}`),
            items: HISTORY_EVENTS.filter((type) => type.startsWith(`${group}_`)).map((type) => ({
              value: type,
              label: t(`history.events.${type}`),
            })),
          })),
        ]}
      />
      <SearchField
        className={styles.door}
        type="text"
        label={t('history.doorTag')}
        value={search.door ?? ''}
        onChange={(door) => onChange({ door: door || undefined })}
      />
      <DayField quiet label={t('history.from')} className={styles.day} value={search.from} onChange={(from) => onChange({ from })} />
      <DayField
        quiet
        label={t('history.to')}
        className={styles.day}
        value={search.to}
        error={daysTurned(search) ? t('history.endBeforeStart') : undefined}
        onChange={(to) => onChange({ to })}
      />
    </>
  );
};
