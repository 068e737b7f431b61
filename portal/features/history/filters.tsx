import { HISTORY_EVENTS } from '@hatchway/domain/history.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DayField } from '../../ui/date-fields.tsx';
import type { HistorySearch } from './search.ts';
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
      <TextInput
        size="sm"
        className={styles.door ?? ''}
        key={search.door ?? ''}
        aria-label={t('history.doorTag')}
        placeholder={t('history.doorTag')}
        defaultValue={search.door ?? ''}
        onBlur={(event) => onChange({ door: event.currentTarget.value.trim() || undefined })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange({ door: event.currentTarget.value.trim() || undefined });
        }}
      />
      <DayField
        quiet
        label={t('history.from')}
        className={styles.day}
        value={search.from}
        max={search.to}
        onChange={(from) => onChange({ from })}
      />
      <DayField
        quiet
        label={t('history.to')}
        className={styles.day}
        value={search.to}
        min={search.from}
        onChange={(to) => onChange({ to })}
      />
    </>
  );
};
