import type { CallResult } from '@hatchway/contract/client.ts';
import { STANDINGS } from '@hatchway/domain/locker.ts';
import { SIZES } from '@hatchway/domain/terms.ts';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useAccess } from '../../app/who.ts';
import styles from './dashboard.module.css';
import { MayLead } from './may-lead.tsx';

type Stats = CallResult<'GET /stats/now'>;
type Row = Stats['lockers']['bySize'][number];

const SHOW = { free: 'free', inUse: 'in-use', inDoubt: 'in-doubt', outOfService: 'out-of-service', unready: 'unready' } as const;

/** Each locker once: all of them by where they are counted, and below it size by size. */
export const Sizes = ({ lockers, running }: Pick<Stats, 'lockers' | 'running'>) => {
  const { t } = useTranslation();
  const { may, builds } = useAccess();
  return (
    <>
      <div className={styles.legend}>
        {STANDINGS.filter((state) => state !== 'unready' || lockers.unready > 0).map((state) => {
          const doors: LinkProps | null = may('lock-control') ? { to: '/services/lock-control', search: { show: SHOW[state] } } : null;
          // Who may settle a doubt is led to where that is done.
          const settles = state === 'inDoubt' && builds;
          return (
            <MayLead key={state} to={settles ? { to: '/manage/lockers', search: { view: 'doubt' } } : doors} className={styles.key}>
              <span className={styles.swatch} data-state={state} aria-hidden />
              <span>{t(`dashboard.${state}`)}</span>
              <strong>{lockers[state]}</strong>
            </MayLead>
          );
        })}
      </div>
      {lockers.unready > 0 && <p className={styles.aside}>{t('dashboard.unreadyText')}</p>}
      {running < lockers.inUse && <p className={styles.aside}>{t('dashboard.allServices')}</p>}
      {lockers.total === 0 && <p className="hw-hint">{t('dashboard.noLockers')}</p>}
      <ul className={styles.sizes} aria-label={t('dashboard.bySize')}>
        {lockers.bySize.map((one) => (
          <Size key={one.size} one={one} />
        ))}
      </ul>
    </>
  );
};

/** Each part of the bar leads to the doors that it counts. */
const Size = ({ one }: { one: Row }) => {
  const { t } = useTranslation();
  const { may } = useAccess();
  const total = STANDINGS.reduce((sum, state) => sum + one[state], 0);
  const size = SIZES.find((known) => known === one.size);
  const parts = STANDINGS.filter((state) => one[state] > 0).map((state) => ({
    state,
    said: `${t(`dashboard.${state}`)} ${one[state]}`,
    style: { flexGrow: one[state] / total },
  }));
  return (
    <li className={styles.size}>
      <span className={styles.sizeName}>{one.size}</span>
      <span className={styles.bar}>
        {parts.map(({ state, said, style }) =>
          may('lock-control') && size ? (
            <Link
              key={state}
              to="/services/lock-control"
              search={{ show: SHOW[state], size }}
              className={styles.part}
              data-state={state}
              style={style}
              title={said}
              aria-label={`${size}: ${said}`}
            />
          ) : (
            <span key={state} className={styles.part} data-state={state} style={style} title={said}>
              <span className="hw-spoken">{said}</span>
            </span>
          ),
        )}
      </span>
      <span className={styles.count}>{t('dashboard.freeOf', { free: one.free, total })}</span>
    </li>
  );
};
