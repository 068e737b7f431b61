import { IconArrowRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useAccess } from '../../app/who.ts';
import { SERVICE_ICON } from '../../ui/service-icon.ts';
import styles from './dashboard.module.css';

/** The specification's three, large and first. */
const FIRST = ['delivery', 'selfservice', 'lock-control'] as const;
const OTHERS = ['storage', 'lending', 'consumable', 'sale', 'storefront', 'recall', 'drop-off'] as const;

/** A tile for each service that the person may use. */
export const Shortcuts = () => {
  const { t } = useTranslation();
  const access = useAccess();
  const first = FIRST.filter((service) => access.may(service));
  const others = OTHERS.filter((service) => access.may(service));
  const tile = (service: (typeof FIRST)[number] | (typeof OTHERS)[number], main: boolean, small: boolean) => {
    const ServiceIcon = SERVICE_ICON[service];
    return (
      <Link
        key={service}
        to={`/services/${service}`}
        search={{}}
        className={styles.shortcut}
        data-first={main || undefined}
        data-small={small || undefined}
      >
        <ServiceIcon size={small ? 24 : 32} stroke={1.5} aria-hidden />
        <span className={styles.words}>
          <strong>{t(`terms.service.${service}`)}</strong>
          <span>{t(`dashboard.shortcut.${service}`)}</span>
        </span>
        {!small && <IconArrowRight size={20} aria-hidden className={styles.arrow} />}
      </Link>
    );
  };
  // Who has only the smaller ones has them large.
  const small = first.length > 0;
  return (
    <section aria-label={t('dashboard.shortcuts')}>
      {first.length + others.length === 0 && <p className="hw-hint">{t('dashboard.noServices')}</p>}
      <div className={styles.shortcuts}>{first.map((service, index) => tile(service, index === 0, false))}</div>
      <div className={styles.shortcuts} data-small={small || undefined}>
        {others.map((service, index) => tile(service, !small && index === 0, small))}
      </div>
    </section>
  );
};
