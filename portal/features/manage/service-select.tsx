import { OCCUPATION_SERVICES, type OccupationService } from '@hatchway/domain/terms.ts';
import { useTranslation } from 'react-i18next';
import { FilterSelect } from '../../ui/table/filter-select.tsx';

type Props = { value: OccupationService | undefined; onChange: (service: OccupationService | undefined) => void };

/** Which uses are shown: those of one type, and self-service apart from the deliveries that staff make. */
export const ServiceSelect = ({ value, onChange }: Props) => {
  const { t } = useTranslation();
  return (
    <FilterSelect
      label={t('manage.occupations.type')}
      any={t('manage.occupations.anyType')}
      value={value}
      options={OCCUPATION_SERVICES.map((service) => ({
        value: service,
        label: service === 'selfservice' ? t('terms.service.selfservice') : t(`terms.type.${service}`),
      }))}
      onChange={onChange}
    />
  );
};
