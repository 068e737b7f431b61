import { useTranslation } from 'react-i18next';
import { shortTime } from '../../app/dates.ts';
import { useMoney } from '../../app/money.ts';
import type { Payment } from './api.ts';
import styles from './payments.module.css';

/** What its provider was asked for and has not answered. */
export const Pending = ({ payment: { pending, currency } }: { payment: Payment }) => {
  const { t } = useTranslation();
  const money = useMoney();
  if (pending.length === 0) return null;
  return (
    <ul className={styles.pending}>
      {pending.map(({ kind, amount, state, at }) => (
        <li key={`${at} ${kind}`} className={styles.note}>
          {t(`payments.pending.${kind}`, { amount: money(amount, currency), at: shortTime(at) })}{' '}
          {t(state === 'unknown' ? 'payments.pending.unknown' : 'payments.pending.unanswered')}
        </li>
      ))}
    </ul>
  );
};
