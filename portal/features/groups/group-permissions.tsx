import { SCOPES } from '@hatchway/domain/terms.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { permissionsQuery } from '../permissions/api.ts';
import styles from './groups.module.css';

/** What being in it gives: the permissions that name the group, each with what it allows and on how many lockers. */
export const GroupPermissions = ({ id }: { id: string }) => {
  const { t } = useTranslation();
  const { data } = useQuery(permissionsQuery(useApi()));
  const mine = (data ?? []).filter((one) => one.groups.includes(id));
  return (
    <section className={styles.part} aria-label={t('groups.permissions')}>
      <h3 className={styles.title}>{t('groups.permissions')}</h3>
      {data && mine.length === 0 && (
        <p className={styles.dim}>
          {t('groups.noPermission')} <Link to="/admin/permissions">{t('groups.toPermissions')}</Link>
        </p>
      )}
      <ul className={styles.list}>
        {mine.map((one) => (
          <li key={one.id}>
            <span>
              <Link to="/admin/permissions">{one.name}</Link>{' '}
              <small>
                {[
                  SCOPES.filter((scope) => one.scopes.includes(scope))
                    .map((scope) => t(`terms.scope.${scope}`))
                    .join(', '),
                  t('groups.onLockers', { count: one.lockers.length }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
