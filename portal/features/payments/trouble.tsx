import { mayAdminister } from '@hatchway/domain/access.ts';
import { isKeyFault } from '@hatchway/domain/integration.ts';
import { isPaymentTrouble } from '@hatchway/domain/payment.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFacts } from '../../app/who.ts';
import { faultWords } from '../integrations/key-fault.ts';
import type { Payment } from './api.ts';
import styles from './payments.module.css';

/** What its provider refused, or why it cannot be asked now, and what to do about it. */
export const Trouble = ({ payment: { lastError: error, pending, state } }: { payment: Payment }) => {
  const { t } = useTranslation();
  const administers = mayAdminister('integrations', useFacts());
  if (error === null) return null;
  if (isPaymentTrouble(error) && error !== 'not-connected')
    return (
      <div role="alert" className={styles.trouble}>
        <strong>{t(`payments.trouble.of.${error}`)}</strong>
        <p>{t(`payments.trouble.ofDo.${error}`)}</p>
      </div>
    );
  const isApart = error === 'not-connected';
  const isKeys = isApart || isKeyFault(error);
  const kind = isKeys ? 'keys' : pending.length > 0 ? 'away' : state === 'cancelled' ? 'never' : 'refused';
  return (
    <div role="alert" className={styles.trouble}>
      <strong>{t(`payments.trouble.${kind}`)}</strong>
      <p>{isApart ? t('payments.trouble.apart') : faultWords(error, t)}</p>
      {isKeys && administers ? (
        <p>
          <Link to="/integration/vipps">{t('payments.trouble.setUp')}</Link>
        </p>
      ) : (
        <p>{t(`payments.trouble.${kind}Do`)}</p>
      )}
    </div>
  );
};
