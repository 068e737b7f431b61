import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { parcelsQuery } from './api.ts';

/** Of an order that has a parcel already, or that somebody else is at: said as it is picked, and once more before the door opens. It may have several. */
export const OrderTaken = ({ number }: { number: string }) => {
  const { t } = useTranslation();
  const parcels = useQuery({ ...parcelsQuery(useApi(), number), enabled: number !== '' }).data ?? [];
  if (number === '' || parcels.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t('occupations.order.taken')}>
      {t('occupations.order.takenText', { tags: parcels.map(({ doorTag }) => doorTag).join(', ') })}
    </Alert>
  );
};
