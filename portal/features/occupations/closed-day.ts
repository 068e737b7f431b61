import { isClosedDay } from '@hatchway/domain/hours.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { cabinetsQuery, lockerQuery } from '../../app/queries.ts';
import { useZone } from '../../app/who.ts';
import { sitesQuery } from '../builder/api.ts';

/** What to say of a deadline at a door whose place does not open that day; else ''. */
export const useClosedDay = (lockerId: string | null): ((at: string | null | undefined) => string) => {
  const { t } = useTranslation();
  const api = useApi();
  const zone = useZone();
  const { data: locker } = useQuery({ ...lockerQuery(api, lockerId ?? ''), enabled: lockerId !== null });
  const { data: cabinets } = useQuery(cabinetsQuery(api));
  const { data: sites } = useQuery(sitesQuery(api));
  const siteId = cabinets?.find(({ id }) => id === locker?.cabinetId)?.siteId;
  const site = sites?.find(({ id }) => id === siteId);
  return (at) => (site && zone && at && isClosedDay(site, zone, at) ? t('occupations.manage.closedDay', { site: site.name }) : '');
};
