import { isStock } from '@hatchway/domain/doors.ts';
import { total } from '@hatchway/domain/price.ts';
import { mayBeNumber } from '@hatchway/domain/receiver.ts';
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../../app/money.ts';
import { type Occupation } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useCountryName } from '../../app/who.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useStartOnce } from './api.ts';
import styles from './payments.module.css';

/** Money over the counter for goods in a locker: how many, who pays, and staff's word that they have it. */
export const TakePayment = ({ good, onClose }: { good: Occupation; onClose: () => void }) => {
  const { t } = useTranslation();
  const money = useMoney();
  const navigate = useNavigate();
  const startOnce = useStartOnce();
  const [typed, setTyped] = useState('1');
  const [name, setName] = useState('');
  const [tlf, setTlf] = useState('');
  const [tried, setTried] = useState(false);
  // What is no stock is one thing: it is paid for or not.
  const counted = isStock(good.type);
  const left = counted ? Math.max(0, (good.quantity ?? 0) - good.held) : 1;
  const pieces = Number(typed);
  const right = Number.isInteger(pieces) && pieces >= 1 && pieces <= left;
  const callable = tlf.trim() === '' || mayBeNumber(tlf);
  const what = good.assetName ?? good.assetText ?? good.doorTag;
  const due = good.price === null ? null : total(good.price, right ? pieces : 1);
  const amount = due === null ? '' : money(due.amount, due.currency);
  const start = useMutation({
    mutationFn: (received: boolean) =>
      startOnce({
        occupationId: good.id,
        provider: 'manual',
        quantity: pieces,
        received,
        // what is shown is what was taken: a price that changed meanwhile is refused
        ...(good.price === null ? {} : total(good.price, pieces)),
        payer: { name: name.trim() || null, tlf: tlf.trim() || null },
      }),
    onSuccess: (payment) => {
      const received = payment.state === 'reserved';
      toast.ok(received ? t('payments.take.done', { amount }) : t('payments.take.started'));
      onClose();
      if (received) void navigate({ to: '/services/manageoccupation', search: { id: good.id } });
    },
  });
  const ask = (received: boolean): void => {
    setTried(true);
    if (right && callable) start.mutate(received);
  };
  return (
    <FormDialog
      title={t('payments.take.title', { name: what })}
      dirty={typed !== '1' || name !== '' || tlf !== ''}
      saving={start.isPending}
      onClose={onClose}
    >
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          ask(true);
        }}
      >
        {counted && (
          <TextInput
            mb="md"
            label={t('payments.take.pieces')}
            description={t('payments.take.left', { count: left })}
            inputMode="numeric"
            value={typed}
            error={right ? undefined : t('payments.take.wrongPieces', { count: left })}
            errorProps={{ role: 'alert' }}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <TextInput
          label={`${t('payments.take.payer')} (${t('common.optional')})`}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          mt="md"
          type="tel"
          label={`${t('payments.take.tlf')} (${t('common.optional')})`}
          maxLength={20}
          description={t('common.numbersOf', { country: useCountryName() })}
          value={tlf}
          error={tried && !callable && t('admin.tlfWrong')}
          errorProps={{ role: 'alert' }}
          onChange={(event) => setTlf(event.currentTarget.value)}
        />
        <p className={styles.due}>
          {t('payments.take.due')} <strong>{amount}</strong>
        </p>
        <p className={styles.dim}>{t('payments.byHand')}</p>
        {start.isError && <ProblemNote error={start.error} />}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" loading={start.isPending && !start.variables} onClick={() => ask(false)}>
            {t('payments.take.later')}
          </Button>
          <Button type="submit" loading={start.isPending && start.variables}>
            {t('payments.take.received', { amount })}
          </Button>
        </Group>
      </Form>
    </FormDialog>
  );
};
