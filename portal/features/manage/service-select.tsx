import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { KINDS, type Kind } from './search.ts';

/** Which uses are shown: those of one type, and self-service apart from the deliveries that staff make. */
export const ServiceSelect = ({ value, onChange }: { value: Kind | undefined; onChange: (kind: Kind | undefined) => void }) => {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="sm"
      aria-label={t('manage.occupations.type')}
      value={value ?? ''}
      onChange={(event) => onChange(KINDS.find((kind) => kind === event.currentTarget.value))}
      data={[
        { value: '', label: t('manage.occupations.anyType') },
        ...KINDS.map((kind) => ({ value: kind, label: kind === 'selfservice' ? t('terms.service.selfservice') : t(`terms.type.${kind}`) })),
      ]}
    />
  );
};
