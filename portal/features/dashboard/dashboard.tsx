import { useTranslation } from 'react-i18next';
import { useAccess } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import styles from './dashboard.module.css';
import { FirstParcel } from './first-parcel.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Later } from './later.tsx';
import { Latest } from './latest.tsx';
import { Money } from './money.tsx';
import { Now } from './now.tsx';
import { Services } from './services.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Sms } from './sms.tsx';
import { Usage } from './usage.tsx';
import { WallsPlace } from './walls-place.tsx';

export const Dashboard = () => {
  const { t } = useTranslation();
  const { admin, payments } = useAccess();
  return (
    <>
      <PageHeader title={t('dashboard.title')} />
      <div className={styles.page}>
        <FirstSteps />
        <Shortcuts />
        <FirstParcel />
        <WallsPlace />
        <Later turn={1}>
          <Now />
        </Later>
        <Later turn={2}>
          <div className={styles.halves}>
            <Usage />
            <Latest />
          </div>
        </Later>
        <Later turn={3}>
          <div className={styles.halves}>
            <Services />
            {payments && <Money />}
            {admin && <Sms />}
          </div>
        </Later>
      </div>
    </>
  );
};
