import { MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { groupsQuery, labelsQuery } from './api.ts';

export type Fields = { name: string; externalId: string; statusLabelId: string | null; assetGroupIds: string[] };
type Props = { value: Fields; wrong: Partial<Record<keyof Fields, string>>; disabled?: boolean; onChange: (value: Fields) => void };

/** What an asset is called and where it belongs, the same when it is made and when it is changed. */
export const AssetFields = ({ value, wrong, disabled = false, onChange }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const labels = useQuery(labelsQuery(api)).data ?? [];
  const groups = useQuery(groupsQuery(api)).data ?? [];
  return (
    <>
      <TextInput
        label={t('assets.name')}
        placeholder={t('assets.namePlaceholder')}
        value={value.name}
        error={wrong.name}
        errorProps={{ role: 'alert' }}
        disabled={disabled}
        maxLength={200}
        onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('assets.label')}
        value={value.statusLabelId ?? ''}
        error={wrong.statusLabelId}
        disabled={disabled}
        onChange={(event) => onChange({ ...value, statusLabelId: event.currentTarget.value || null })}
        data={[{ value: '', label: t('assets.noLabel') }, ...labels.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <MultiSelect
        label={t('assets.groups')}
        placeholder={value.assetGroupIds.length === 0 ? t('assets.noGroups') : ''}
        value={value.assetGroupIds}
        error={wrong.assetGroupIds}
        disabled={disabled}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('common.clear') }}
        onChange={(assetGroupIds) => onChange({ ...value, assetGroupIds })}
        data={groups.map(({ id, name }) => ({ value: id, label: name }))}
        nothingFoundMessage={t('table.noMatch')}
      />
      <TextInput
        label={t('assets.externalId')}
        description={t('assets.externalIdHint')}
        value={value.externalId}
        error={wrong.externalId}
        errorProps={{ role: 'alert' }}
        disabled={disabled}
        maxLength={100}
        onChange={(event) => onChange({ ...value, externalId: event.currentTarget.value })}
      />
    </>
  );
};
