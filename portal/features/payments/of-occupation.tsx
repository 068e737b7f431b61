import { mayReadPayments } from '@hatchway/domain/access.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../../app/money.ts';
import { useApi } from '../../app/portal.ts';
import { useFacts } from '../../app/who.ts';
import { Panel } from '../../ui/panel.tsx';
import { paymentsOfQuery } from './api.ts';
import { PaymentBadge } from './payment-badge.tsx';
import styles from './payments.module.css';
import { payerWord } from './written.ts';

/** What was paid for one occupation, each leading to its own page. Nothing where nobody paid, and for who may not read payments. */
export const PaymentsOf = ({ occupationId }: { occupationId: string }) => {
  const { t } = useTranslation();
  const money = useMoney();
  const may = mayReadPayments(useFacts());
  const { data: payments = [] } = useQuery({ ...paymentsOfQuery(useApi(), occupationId), enabled: may });
  if (!may || payments.length === 0) return null;
  return (
    <Panel
      title={t('payments.title')}
      aside={
        <Link to="/manage/payments" search={{ occupation: occupationId }}>
          {t('common.showAll')}
        </Link>
      }
    >
      <ul className={styles.of} aria-label={t('payments.title')}>
        {payments.map((payment) => (
          <li key={payment._id}>
            <Link to="/manage/payments" search={{ occupation: occupationId, payment: payment._id }}>
              {money(payment.amount, payment.currency)} · {payerWord(payment)}
            </Link>
            <PaymentBadge payment={payment} />
          </li>
        ))}
      </ul>
    </Panel>
  );
};
