import { OCCUPATION_SERVICES, type OccupationService } from '@hatchway/domain/terms.ts';
import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Which uses are shown: those of one type, and self-service apart from the deliveries that staff make. */
export const ServiceSelect = ({
  value,
  onChange,
}: {
  value: OccupationService | undefined;
  onChange: (service: OccupationService | undefined) => void;
}) => {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="sm"
      aria-label={t('manage.occupations.type')}
      value={value ?? ''}
      onChange={(event) => onChange(OCCUPATION_SERVICES.find((service) => service === event.currentTarget.value))}
      data={[
        { value: '', label: t('manage.occupations.anyType') },
        ...OCCUPATION_SERVICES.map((service) => ({
          value: service,
          label: service === 'selfservice' ? t('terms.service.selfservice') : t(`terms.type.${service}`),
        })),
      ]}
    />
  );
};
