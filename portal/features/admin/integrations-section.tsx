import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OneIntegration } from '../integrations/one-integration.tsx';
import styles from '../integrations/integrations.module.css';
import { SectionHead } from './section-head.tsx';
import type { SectionProps } from './section.ts';

/** Webshop and tools; the payment provider and directories have addresses of their own. */
const IntegrationsSection = ({ search, onSearch }: SectionProps) => {
  const { t } = useTranslation();
  // The shop sends its owner back with its word, and with the key of what was asked: that does not stay in the address.
  const [isDenied] = useState(() => String(search['success']) === '0');
  const isBack = 'success' in search;
  const leave = useEffectEvent(() => onSearch({}));
  useEffect(() => {
    if (isBack) leave();
  }, [isBack]);
  return (
    <>
      <SectionHead title={t('admin.sections.integrations')} intro={t('integrations.intro')} />
      <p className={styles.links}>
        <Link to="/integration/vipps">{t('integrations.vipps.title')}</Link>
        <Link to="/integration/entraid">{t('integrations.entra.title')}</Link>
        <Link to="/integration/scim">{t('integrations.scim.page')}</Link>
      </p>
      <div className={styles.list}>
        <OneIntegration kind="woo" isDenied={isDenied} />
        <OneIntegration kind="snipeit" />
        <OneIntegration kind="tcm" />
      </div>
    </>
  );
};
export default IntegrationsSection;
