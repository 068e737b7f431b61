import { IconDoor } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { lockerQuery, type Occupation } from '../../app/queries.ts';
import styles from './service.module.css';

/** Whoever ends a use behind a door that stands open is told to shut it. */
export const StandsOpen = ({ one }: { one: Pick<Occupation, 'lockerId' | 'doorTag'> }) => {
  const { t } = useTranslation();
  const locker = useQuery(lockerQuery(useApi(), one.lockerId));
  if (locker.data?.door !== 'opened') return null;
  return (
    <p className={styles.loose}>
      <IconDoor size={18} aria-hidden /> {t('occupations.manage.standsOpen', { tag: one.doorTag })}
    </p>
  );
};
