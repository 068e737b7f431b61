import { mayMovePayments } from '@hatchway/domain/access.ts';
import { requestStage } from '@hatchway/domain/provider.ts';
import { Button, Group, Loader } from '@mantine/core';
import { IconAlertTriangle, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { span } from '../../app/dates.ts';
import { useMoney } from '../../app/money.ts';
import { useApi } from '../../app/portal.ts';
import { useFacts } from '../../app/who.ts';
import { useNow } from '../../ui/moment.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Sandbox } from '../sandbox/sandbox.tsx';
import { type Payment, paymentQuery, useWithdraw } from './api.ts';
import styles from './payments.module.css';
import { Trouble } from './trouble.tsx';

type Props = {
  /** As it was when it was asked for. */
  first: Payment;
  onApproved: () => void;
  /** Back to what was typed. */
  onAgain: () => void;
  onClose: () => void;
};

/** What was pressed to come here is gone, and so would be the focus. */
const focus = (button: HTMLButtonElement | null): void => button?.focus();

/** A request on the payer’s phone, followed live until they said something, or nothing for ten minutes. */
export const PhoneRequest = ({ first, onApproved, onAgain, onClose }: Props) => {
  const { t } = useTranslation();
  const money = useMoney();
  const query = useQuery(paymentQuery(useApi(), first._id));
  const payment = query.data ?? first;
  const stage = requestStage(payment);
  const may = mayMovePayments(useFacts());
  const withdraw = useWithdraw(payment);
  const now = useNow();
  useEffect(() => {
    if (stage === 'approved') onApproved();
  }, [stage, onApproved]);
  const runs = stage === 'sending' || stage === 'sent';
  const waits = runs || stage === 'withdrawing' || stage === 'approved';
  const ended = stage === 'declined' && withdraw.isSuccess ? 'withdrawn' : stage;
  const left = payment.heldUntil === null ? 0 : Date.parse(payment.heldUntil) - now;
  const values = { amount: money(payment.amount, payment.currency), tlf: payment.payer.tlf ?? '' };
  return (
    <>
      <div className={styles.request} role={waits ? 'status' : 'alert'} data-stage={stage}>
        {stage === 'sent' ? (
          <IconDeviceMobile size={32} aria-hidden />
        ) : waits ? (
          <Loader size={28} aria-hidden />
        ) : (
          <IconAlertTriangle size={32} aria-hidden />
        )}
        <div>
          <strong>{t(`payments.request.${ended}.title`, values)}</strong>
          <p>{t(`payments.request.${ended}.text`, values)}</p>
        </div>
      </div>
      {runs && left > 0 && <p className={styles.dim}>{t('payments.request.left', { span: span(left) })}</p>}
      {runs && <p className={styles.dim}>{t('payments.request.goesOn')}</p>}
      {runs && <Sandbox to="vipps" />}
      <Trouble payment={payment} />
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {withdraw.isError && <ProblemNote error={withdraw.error} />}
      <Group justify="flex-end" mt="lg" gap="xs">
        {runs && may && (
          <Button variant="subtle" color="red" mr="auto" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {t('payments.request.withdraw')}
          </Button>
        )}
        <Button ref={waits ? focus : null} variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        {!waits && (
          <Button ref={focus} onClick={onAgain}>
            {t('payments.request.again')}
          </Button>
        )}
      </Group>
    </>
  );
};
