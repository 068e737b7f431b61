import { mayReadPayments } from '@hatchway/domain/access.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import { total } from '@hatchway/domain/price.ts';
import { takesSum } from '@hatchway/domain/provider.ts';
import { mayBeNumber } from '@hatchway/domain/receiver.ts';
import { Button, Group, TextInput } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../../app/money.ts';
import { useApi } from '../../app/portal.ts';
import { type Occupation } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useCountryName, useFacts } from '../../app/who.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Payment, providersQuery, useStartOnce } from './api.ts';
import styles from './payments.module.css';
import { PhoneRequest } from './phone-request.tsx';

/** By whom it is paid: staff have the money, or will have it, or the payer's phone is asked for it. */
type How = 'received' | 'later' | 'phone';

/** Money over the counter for goods in a locker: how many, who pays, and staff's word that they have it, or a request to the payer's phone. */
export const TakePayment = ({ good, onClose }: { good: Occupation; onClose: () => void }) => {
  const { t } = useTranslation();
  const money = useMoney();
  const navigate = useNavigate();
  const startOnce = useStartOnce();
  const country = useCountryName();
  const [typed, setTyped] = useState('1');
  const [name, setName] = useState('');
  const [begun] = useState(good.receiver?.tlf ?? '');
  const [tlf, setTlf] = useState(begun);
  const [tried, setTried] = useState<How | null>(null);
  const number = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState<Payment | null>(null);
  // What is no stock is one thing: it is paid for or not.
  const counted = isStock(good.type);
  const left = counted ? Math.max(0, (good.quantity ?? 0) - good.held) : 1;
  const pieces = Number(typed);
  const right = Number.isInteger(pieces) && pieces >= 1 && pieces <= left;
  const callable = tlf.trim() === '' || mayBeNumber(tlf);
  const what = good.assetName ?? good.assetText ?? good.doorTag;
  const due = good.price === null ? null : total(good.price, right ? pieces : 1);
  const amount = due === null ? '' : money(due.amount, due.currency);
  // Whoever may not see payments could not follow the request.
  const may = mayReadPayments(useFacts());
  const { data: providers = [] } = useQuery({ ...providersQuery(useApi()), enabled: may });
  const byPhone = may && providers.includes('vipps') && due !== null && takesSum(due);
  const goOn = (): void => {
    onClose();
    void navigate({ to: '/services/manageoccupation', search: { id: good.id } });
  };
  const start = useMutation({
    mutationFn: (how: How) =>
      startOnce({
        occupationId: good.id,
        provider: how === 'phone' ? 'vipps' : 'manual',
        quantity: pieces,
        received: how === 'received',
        // what is shown is what was taken: a price that changed meanwhile is refused
        ...(good.price === null ? {} : total(good.price, pieces)),
        payer: { name: name.trim() || null, tlf: tlf.trim() || null },
      }),
    onSuccess: (payment, how) => {
      if (how === 'phone') return setSent(payment);
      toast.ok(how === 'received' ? t('payments.take.done', { amount }) : t('payments.take.started'));
      if (how === 'received') goOn();
      else onClose();
    },
  });
  const ask = (how: How): void => {
    setTried(how);
    if (right && callable && (how !== 'phone' || tlf.trim() !== '')) start.mutate(how);
  };
  const lacking = tried === 'phone' && tlf.trim() === '';
  if (sent !== null)
    return (
      <FormDialog title={t('payments.take.title', { name: what })} dirty={false} onClose={onClose}>
        <PhoneRequest
          first={sent}
          onApproved={() => {
            toast.ok(t('payments.take.approved', { amount }));
            goOn();
          }}
          onAgain={() => {
            setSent(null);
            requestAnimationFrame(() => number.current?.focus());
          }}
          onClose={onClose}
        />
      </FormDialog>
    );
  return (
    <FormDialog
      title={t('payments.take.title', { name: what })}
      dirty={typed !== '1' || name !== '' || tlf !== begun}
      saving={start.isPending}
      onClose={onClose}
    >
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          ask('received');
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
          ref={number}
          type="tel"
          label={`${t('payments.take.tlf')} (${t('common.optional')})`}
          maxLength={20}
          description={t('common.numbersOf', { country })}
          value={tlf}
          error={lacking ? t('payments.take.tlfNeeded') : tried !== null && !callable && t('admin.tlfWrong')}
          errorProps={{ role: 'alert' }}
          onChange={(event) => setTlf(event.currentTarget.value)}
        />
        <p className={styles.due}>
          {t('payments.take.due')} <strong>{amount}</strong>
        </p>
        <p className={styles.dim}>{t(byPhone ? 'payments.take.ways' : 'payments.byHand')}</p>
        {start.isError && <ProblemNote error={start.error} />}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" loading={start.isPending && start.variables === 'later'} onClick={() => ask('later')}>
            {t('payments.take.later')}
          </Button>
          {byPhone && (
            <Button
              variant="default"
              leftSection={<IconDeviceMobile size={18} aria-hidden />}
              loading={start.isPending && start.variables === 'phone'}
              onClick={() => ask('phone')}
            >
              {t('payments.take.toPhone')}
            </Button>
          )}
          <Button type="submit" loading={start.isPending && start.variables === 'received'}>
            {t('payments.take.received', { amount })}
          </Button>
        </Group>
      </Form>
    </FormDialog>
  );
};
