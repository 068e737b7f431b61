import { OCCUPATION_SERVICES } from '@hatchway/domain/terms.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
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
      {used.data && rows.length === 0 && <p className={styles.dim}>{t('dashboard.noUse')}</p>}
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
                return (
                  <tr key={row.service}>
                    <th scope="row">{service ? t(`terms.service.${service}`) : row.service}</th>
                    <td className={styles.started}>
                      <span className={styles.track} style={{ width: `${(row.started / most) * 100}%` }} aria-hidden />
                      {manage && service && row.started > 0 ? (
                        <Link
                          to="/manage/occupations"
                          search={{ service, view: 'all', from: localDay(DAYS - 1, zone) }}
                          className={styles.link}
                          aria-label={`${t('dashboard.started')} ${row.started}, ${t(`terms.service.${service}`)}`}
                        >
                          {row.started}
                        </Link>
                      ) : (
                        <span>{row.started}</span>
                      )}
                    </td>
                    <td>
                      {history && service && row.taken > 0 ? (
                        <Link
                          to="/history"
                          search={{ kind: 'occupation_claimed', service, from: localDay(DAYS - 1, zone) }}
                          className={styles.link}
                          aria-label={`${t('dashboard.taken')} ${row.taken}, ${t(`terms.service.${service}`)}`}
                        >
                          {row.taken}
                        </Link>
                      ) : (
                        row.taken
                      )}
                    </td>
                    <td>
                      {manage && service ? (
                        <Link to="/manage/occupations" search={{ service }} className={styles.link}>
                          {row.running}
                        </Link>
                      ) : (
                        row.running
                      )}
                    </td>
                    <td>
                      {manage && service && row.overdue > 0 ? (
                        <Link to="/manage/occupations" search={{ service, view: 'overdue' }} className={styles.link}>
                          {row.overdue}
                        </Link>
                      ) : (
                        row.overdue
                      )}
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
