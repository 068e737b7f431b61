import { mayBuildAnywhere } from '@hatchway/domain/access.ts';
import { IconArrowRight, IconBuildingWarehouse, IconPackageImport, IconUsersPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { statsNowQuery } from '../../app/queries.ts';
import { useAccess, useFacts } from '../../app/who.ts';
import { Panel } from '../../ui/panel.tsx';
import styles from './dashboard.module.css';

/** What to do first in a company without lockers; it goes away by itself with the first one. */
export const FirstSteps = () => {
  const { t } = useTranslation();
  const { admin } = useAccess();
  const builds = mayBuildAnywhere(useFacts());
  const now = useQuery(statsNowQuery(useApi()));
  if (!builds || !now.data || now.data.lockers.total > 0) return null;
  const steps = [
    { id: 'build', to: '/manage/lockers', icon: IconBuildingWarehouse },
    ...(admin ? [{ id: 'invite', to: '/iam/users', icon: IconUsersPlus } as const] : []),
    { id: 'deliver', to: '/services/delivery', icon: IconPackageImport },
  ] as const;
  return (
    <Panel title={t('dashboard.first.title')} flush>
      <ol className={styles.steps}>
        {steps.map(({ id, to, icon: StepIcon }) => (
          <li key={id}>
            <Link to={to} search={{}} className={styles.step}>
              <StepIcon size={28} stroke={1.5} aria-hidden />
              <span className={styles.words}>
                <strong>{t(`dashboard.first.${id}`)}</strong>
                <span>{t(`dashboard.first.${id}Text`)}</span>
              </span>
              <IconArrowRight size={20} aria-hidden className={styles.arrow} />
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  );
};
