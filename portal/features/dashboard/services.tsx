import { OCCUPATION_SERVICES } from '@hatchway/domain/terms.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { localDay } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { statsServicesQuery } from '../../app/queries.ts';
import { useAccess, useZone } from '../../app/who.ts';
import { Panel } from '../../ui/panel.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import styles from './dashboard.module.css';
import { DAYS } from './first-look.ts';

/** Each service's thirty days beside what runs in it now: a table, with the figure that compares them drawn behind it. */
export const Services = () => {
  const { t } = useTranslation();
  const { manage, history } = useAccess();
  const zone = useZone();
  const used = useQuery(statsServicesQuery(useApi(), DAYS));
  const rows = used.data ?? [];
  const most = Math.max(1, ...rows.map((row) => row.started));
  return (
    <Panel title={t('dashboard.services')} flush={rows.length > 0}>
      <Waiting of={used} lines={5} height={24} />
      {used.data && rows.length === 0 && <p className="hw-hint">{t('dashboard.noUse')}</p>}
      {rows.length > 0 && (
        <div className={styles.scroll}>
          <table className={styles.services}>
            <thead>
              <tr>
                <th scope="col">{t('dashboard.service')}</th>
                <th scope="col">{t('dashboard.started')}</th>
                <th scope="col">{t('dashboard.taken')}</th>
                <th scope="col">{t('dashboard.running')}</th>
                <th scope="col">{t('dashboard.overdue')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const service = OCCUPATION_SERVICES.find((one) => one === row.service);
                const name = service ? t(`terms.service.${service}`) : row.service;
                const from = localDay(DAYS - 1, zone);
                return (
                  <tr key={row.service}>
                    <th scope="row">{name}</th>
                    <td className={styles.started}>
                      <span className={styles.track} style={{ width: `${(row.started / most) * 100}%` }} aria-hidden />
                      <Figure
                        count={row.started}
                        label={`${t('dashboard.started')} ${row.started}, ${name}`}
                        to={manage && service && row.started > 0 && { to: '/manage/occupations', search: { service, view: 'all', from } }}
                      />
                    </td>
                    <td>
                      <Figure
                        count={row.taken}
                        label={`${t('dashboard.taken')} ${row.taken}, ${name}`}
                        to={
                          history && service && row.taken > 0 && { to: '/history', search: { kind: 'occupation_claimed', service, from } }
                        }
                      />
                    </td>
                    <td>
                      <Figure count={row.running} to={manage && service && { to: '/manage/occupations', search: { service } }} />
                    </td>
                    <td>
                      <Figure
                        count={row.overdue}
                        to={manage && service && row.overdue > 0 && { to: '/manage/occupations', search: { service, view: 'overdue' } }}
                      />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
};

/** Leads to what it counts, where that is something and this person may read it. */
const Figure = ({ count, label, to }: { count: number; label?: string; to: LinkProps | false | undefined }) =>
  to ? (
    <Link {...to} className={styles.link} aria-label={label}>
      {count}
    </Link>
  ) : (
    <span>{count}</span>
  );
