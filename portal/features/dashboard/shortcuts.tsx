import { type Icon, IconArrowRight, IconLock, IconPackageImport, IconTool } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useAccess } from '../../app/who.ts';
import styles from './dashboard.module.css';

/** The services that are open in this version, in the specification's order. */
const SERVICES = [
  ['delivery', IconPackageImport],
  ['selfservice', IconTool],
  ['lock-control', IconLock],
] as const satisfies readonly (readonly [string, Icon])[];

export const Shortcuts = () => {
  const { t } = useTranslation();
  const access = useAccess();
  const open = SERVICES.filter(([service]) => access.may(service));
  return (
    <section aria-label={t('dashboard.shortcuts')} className={styles.shortcuts}>
      {open.length === 0 && <p className={styles.dim}>{t('dashboard.noServices')}</p>}
      {open.map(([service, ServiceIcon], index) => (
        <Link key={service} to={`/services/${service}`} search={{}} className={styles.shortcut} data-first={index === 0 || undefined}>
          <ServiceIcon size={32} stroke={1.5} aria-hidden />
          <span className={styles.words}>
            <strong>{t(`terms.service.${service}`)}</strong>
            <span>{t(`dashboard.shortcut.${service}`)}</span>
          </span>
          <IconArrowRight size={20} aria-hidden className={styles.arrow} />
        </Link>
      ))}
    </section>
  );
};
