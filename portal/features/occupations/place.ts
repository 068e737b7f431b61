import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { cabinetsQuery, lockerQuery, type Occupation } from '../../app/queries.ts';

/** A door by its tag and where it is: who lets somebody in from a desk sees no wall. The tag alone where its place is out of one's sight. */
export const usePlace = (one: Pick<Occupation, 'lockerId' | 'doorTag'>): { place: string; where: string | null; pending: boolean } => {
  const { t } = useTranslation();
  const api = useApi();
  const locker = useQuery(lockerQuery(api, one.lockerId));
  const cabinets = useQuery(cabinetsQuery(api));
  const cabinet = cabinets.data?.find(({ id }) => id === locker.data?.cabinetId);
  return {
    place:
      cabinet === undefined
        ? one.doorTag
        : t('occupations.locker.atSite', { tag: one.doorTag, cabinet: cabinet.name, site: cabinet.siteName }),
    where: cabinet === undefined ? null : `${cabinet.name} · ${cabinet.siteName}`,
    pending: locker.isPending || cabinets.isPending,
  };
};
