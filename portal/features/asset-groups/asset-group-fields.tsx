import { TextInput, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AssetGroupInput } from './api.ts';

export type Field = keyof AssetGroupInput;
type Props = { value: AssetGroupInput; wrong: Partial<Record<Field, string>>; onChange: (value: AssetGroupInput) => void };

/** The contract's limits, so that nobody types what would be refused. */
const MOST = { name: 100, description: 500 } as const;

/** What an asset group is made of, the same when it is made and when it is changed. */
export const AssetGroupFields = ({ value, wrong, onChange }: Props) => {
  const { t } = useTranslation();
  const field = (name: Field) => ({
    label: t(`assetGroups.${name}`),
    value: value[name],
    error: wrong[name],
    errorProps: { role: 'alert' },
    maxLength: MOST[name],
    onChange: (event: { currentTarget: { value: string } }) => onChange({ ...value, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <TextInput {...field('name')} placeholder={t('assetGroups.namePlaceholder')} data-autofocus />
      <Textarea {...field('description')} placeholder={t('assetGroups.descriptionPlaceholder')} mt="md" rows={3} />
    </>
  );
};
