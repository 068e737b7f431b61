import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../ui/page-header.tsx';
import styles from './dashboard.module.css';
import { Latest } from './latest.tsx';
import { Now } from './now.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Usage } from './usage.tsx';

export const Dashboard = () => {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('dashboard.title')} />
      <div className={styles.page}>
        <Shortcuts />
        <Now />
        <div className={styles.halves}>
          <Usage />
          <Latest />
        </div>
      </div>
    </>
  );
};
