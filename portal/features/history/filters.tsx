import { HISTORY_EVENTS } from '@hatchway/domain/history.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
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
      <TextInput
        size="sm"
        type="date"
        className={styles.day ?? ''}
        aria-label={t('history.from')}
        leftSection={t('history.from')}
        leftSectionWidth={76}
        leftSectionProps={{ className: styles.inside }}
        value={search.from ?? ''}
        max={search.to}
        onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        size="sm"
        type="date"
        className={styles.day ?? ''}
        aria-label={t('history.to')}
        leftSection={t('history.to')}
        leftSectionWidth={76}
        leftSectionProps={{ className: styles.inside }}
        value={search.to ?? ''}
        min={search.from}
        onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
      />
    </>
  );
};
