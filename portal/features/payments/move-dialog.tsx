import { expectedOf } from '@hatchway/domain/provider.ts';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { minorOf, typedAmount, useMoney } from '../../app/money.ts';
import { toast } from '../../app/toasts.ts';
import { SaveDialog } from '../occupations/save-dialog.tsx';
import { type Move, type Payment, useMoveOnce } from './api.ts';
import { payerWord } from './written.ts';

/** Names the amount and who paid it, and says what a payment by hand does not do by itself, and what a provider is asked for. */
export const MoveDialog = ({ payment, move, onClose }: { payment: Payment; move: Move; onClose: () => void }) => {
  const { t, i18n } = useTranslation();
  const money = useMoney();
  const moveOnce = useMoveOnce();
  const { currency } = payment;
  const { captured, refunded } = expectedOf(payment, payment.pending);
  const most = move === 'refund' ? captured - refunded : payment.amount;
  const isManual = payment.provider === 'manual';
  const theirs = move === 'cancel' && payment.state === 'initiated' ? 'withdraw' : move;
  const [first] = useState(() => typedAmount(most, currency, i18n.language));
  const [typed, setTyped] = useState(first);
  const asked = minorOf(typed, currency);
  const wrong = move !== 'cancel' && (asked === null || asked > most);
  const amount = move === 'cancel' ? payment.amount : (asked ?? most);
  const values = { amount: money(amount, currency), payer: payerWord(payment) };
  const doing = useMutation({
    mutationFn: () => moveOnce(move, payment, move === 'cancel' ? null : asked),
    onSuccess: () => {
      toast.ok(isManual ? t(`payments.move.${move}.done`, values) : t(`payments.vipps.${theirs}.done`, values));
      onClose();
    },
  });
  return (
    <SaveDialog
      destructive={move !== 'capture'}
      title={t(`payments.move.${move}.title`, values)}
      action={t(`payments.move.${move}.action`)}
      error={doing.error}
      busy={doing.isPending}
      dirty={typed !== first}
      onSave={() => {
        if (!wrong) doing.mutate();
      }}
      onClose={onClose}
    >
      {!isManual && <p>{t(`payments.vipps.${theirs}.text`)}</p>}
      <p>{t(`payments.move.${move}.text`)}</p>
      {isManual && move !== 'capture' && <p>{t('payments.giveBack')}</p>}
      {move !== 'cancel' && (
        <TextInput
          mt="md"
          label={t('payments.amountIn', { currency })}
          description={t('payments.atMost', { amount: money(most, currency) })}
          inputMode="decimal"
          data-autofocus={move === 'capture' || undefined}
          value={typed}
          error={wrong ? t('payments.wrongAmount', { amount: money(most, currency) }) : undefined}
          errorProps={{ role: 'alert' }}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </SaveDialog>
  );
};
