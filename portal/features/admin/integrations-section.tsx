import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OneIntegration } from '../integrations/one-integration.tsx';
import styles from '../integrations/integrations.module.css';
import { SectionHead } from './section-head.tsx';

/** Webshop and tools; the payment provider and directories have addresses of their own. */
const IntegrationsSection = () => {
  const { t } = useTranslation();
  return (
    <>
      <SectionHead title={t('admin.sections.integrations')} intro={t('integrations.intro')} />
      <p className={styles.links}>
        <Link className={styles.link} to="/integration/vipps">
          {t('integrations.vipps.title')}
        </Link>
        <Link className={styles.link} to="/integration/entraid">
          {t('integrations.entra.title')}
        </Link>
        <Link className={styles.link} to="/integration/scim">
          {t('directory.scim.page')}
        </Link>
      </p>
      <div className={styles.list}>
        <OneIntegration kind="woo" />
        <OneIntegration kind="snipeit" />
        <OneIntegration kind="tcm" />
      </div>
    </>
  );
};
export default IntegrationsSection;
