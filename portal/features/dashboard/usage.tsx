import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { dayOf } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { statsUsageQuery } from '../../app/queries.ts';
import { Bones, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './dashboard.module.css';

const HEIGHT = 270;
const STEP = 20;

/** Thirty days as pairs of bars, drawn here: a chart library would weigh more than the rest of the screen. The same figures stand in a table for those who hear the page. */
export const Usage = () => {
  const { t } = useTranslation();
  const usage = useQuery(statsUsageQuery(useApi(), 30));
  const days = usage.data ?? [];
  const most = Math.max(4, ...days.map((one) => Math.max(one.filled, one.delivered)));
  const up = (value: number): number => Math.round((value / most) * HEIGHT);
  const lines = [0, 0.5, 1];
  return (
    <Panel title={t('dashboard.usage')} aside={<Keys />}>
      {usage.isPending && <Bones lines={5} height={24} />}
      {usage.isError && <ProblemNote error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && (
        <figure className={styles.chart}>
          <svg viewBox={`-28 -8 ${days.length * STEP + 32} ${HEIGHT + 32}`} aria-hidden>
            {lines.map((part) => (
              <g key={part} transform={`translate(0 ${HEIGHT - part * HEIGHT})`}>
                <line x1="0" x2={days.length * STEP} className={styles.gridline} />
                <text x="-6" y="4" textAnchor="end" className={styles.axis}>
                  {Math.round(most * part)}
                </text>
              </g>
            ))}
            {days.map((one, index) => (
              <g key={one.day} transform={`translate(${index * STEP} 0)`}>
                <title>{`${dayOf(`${one.day}T12:00:00`)}: ${t('dashboard.filled')} ${one.filled}, ${t('dashboard.delivered')} ${one.delivered}`}</title>
                <rect x="3" width="6" y={HEIGHT - up(one.filled)} height={up(one.filled)} className={styles.filledBar} />
                <rect x="10" width="6" y={HEIGHT - up(one.delivered)} height={up(one.delivered)} className={styles.deliveredBar} />
                {index % 7 === 0 && (
                  <text x="9" y={HEIGHT + 18} textAnchor="middle" className={styles.axis}>
                    {one.day.slice(8, 10)}.{one.day.slice(5, 7)}
                  </text>
                )}
              </g>
            ))}
          </svg>
          <table className="hw-spoken">
            <caption>{t('dashboard.usageText')}</caption>
            <thead>
              <tr>
                <th>{t('history.time')}</th>
                <th>{t('dashboard.filled')}</th>
                <th>{t('dashboard.delivered')}</th>
              </tr>
            </thead>
            <tbody>
              {days.map((one) => (
                <tr key={one.day}>
                  <th>{dayOf(`${one.day}T12:00:00`)}</th>
                  <td>{one.filled}</td>
                  <td>{one.delivered}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </figure>
      )}
    </Panel>
  );
};

const Keys = () => {
  const { t } = useTranslation();
  return (
    <span className={styles.keys}>
      <span className={styles.key}>
        <span className={styles.swatch} data-state="filled" aria-hidden />
        {t('dashboard.filled')}
      </span>
      <span className={styles.key}>
        <span className={styles.swatch} data-state="delivered" aria-hidden />
        {t('dashboard.delivered')}
      </span>
    </span>
  );
};
