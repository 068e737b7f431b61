import { contentBy } from '@hatchway/domain/locker.ts';
import { isStage } from '@hatchway/domain/terms.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { cabinetsQuery, type Locker, type Occupation } from '../../app/queries.ts';
import { recordOf } from '../lockers/record.ts';

type Props = {
  /** As it stood when somebody said that it is empty. */
  locker: Locker;
  use: Occupation | undefined;
};

/** Reported empty: what should have lain there, and the way to its use. A storage, or what somebody was let in to, may have been fetched. */
export const NotThere = ({ locker, use }: Props) => {
  const { t } = useTranslation();
  const cabinet = useQuery(cabinetsQuery(useApi())).data?.find(({ id }) => id === locker.cabinetId);
  const { occupation } = locker;
  if (occupation === null || use === undefined || !isStage(occupation.stage)) return null;
  const what = [t(`terms.type.${use.type}`), recordOf(use, locker, t)].join(', ');
  const place = [locker.doorTag, ...(cabinet ? [cabinet.name, cabinet.siteName] : [])].join(', ');
  const missing = contentBy({ stage: occupation.stage, type: occupation.type }) === 'occupied';
  return (
    <p>
      {t(missing ? 'builder.check.missing' : 'builder.check.goesOn', { what, place })}{' '}
      <Link to="/services/manageoccupation" search={{ id: locker.occupationId ?? '' }}>
        {t('builder.check.manage')}
      </Link>
    </p>
  );
};
