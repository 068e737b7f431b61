import { mayReadPayments } from '@hatchway/domain/access.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import { total } from '@hatchway/domain/price.ts';
import { takesSum } from '@hatchway/domain/provider.ts';
import { mayBeNumber } from '@hatchway/domain/receiver.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../../app/money.ts';
import { useApi } from '../../app/portal.ts';
import { lockerQuery, type Occupation } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useCountryName, useFacts } from '../../app/who.ts';
import { FormDialog, FormWays } from '../../ui/form-dialog.tsx';
import { Form, notByEnter } from '../../ui/form.tsx';
import { WAITING } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useDoorCommands } from '../lockers/api.ts';
import { usePlace } from '../occupations/place.ts';
import { useLetIn } from '../occupations/use-let-in.ts';
import { type Payment, providersQuery, usePaymentCommands, useStartOnce } from './api.ts';
import styles from './payments.module.css';
import { PhoneRequest } from './phone-request.tsx';

/** By whom it is paid: staff have the money, or will have it, or the payer's phone is asked for it. */
type How = 'received' | 'later' | 'phone';

/**
 * Money over the counter for goods in a locker: how many, who pays, and staff's word that they have it, or a request to the payer's phone.
 * Of a stock that word opens the door too, on this payment and on nobody else's.
 */
export const TakePayment = ({ good, onClose }: { good: Occupation; onClose: () => void }) => {
  const { t } = useTranslation();
  const money = useMoney();
  const navigate = useNavigate();
  const startOnce = useStartOnce();
  const { handOut } = usePaymentCommands();
  const doors = useDoorCommands();
  const letIn = useLetIn(good);
  const { shut, place, pending, reason } = useOpening(good);
  const country = useCountryName();
  const [typed, setTyped] = useState('1');
  const [name, setName] = useState('');
  const [begun] = useState(good.receiver?.tlf ?? '');
  const [tlf, setTlf] = useState(begun);
  const [tried, setTried] = useState<How | null>(null);
  const number = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState<Payment | null>(null);
  const [wanted, setWanted] = useState(true);
  /** Noted once: where the door stays shut, only that is tried again. */
  const [noted, setNoted] = useState<Payment | null>(null);
  const opens = noted !== null || (wanted && !shut);
  // What is no stock is one thing: it is paid for or not.
  const counted = isStock(good.type);
  const left = counted ? Math.max(0, (good.quantity ?? 0) - good.held) : 1;
  const pieces = Number(typed);
  // What is paid for already is set aside for this customer.
  const right = noted !== null || (Number.isInteger(pieces) && pieces >= 1 && pieces <= left);
  const callable = tlf.trim() === '' || mayBeNumber(tlf);
  const what = good.assetName ?? good.assetText ?? good.doorTag;
  const title = t(good.type === 'sale' ? 'payments.take.sell' : 'payments.take.title', { name: what });
  const due = noted ?? (good.price === null ? null : total(good.price, right ? pieces : 1));
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
    mutationFn: async (how: How) => {
      const payment =
        noted ??
        (await startOnce({
          occupationId: good.id,
          provider: how === 'phone' ? 'vipps' : 'manual',
          quantity: pieces,
          received: how === 'received',
          // what is shown is what was taken: a price that changed meanwhile is refused
          ...(good.price === null ? {} : total(good.price, pieces)),
          payer: { name: name.trim() || null, tlf: tlf.trim() || null },
        }));
      if (how !== 'received' || !opens) return payment;
      setNoted(payment);
      await letIn(() => handOut(payment, good.id), payment._id);
      await doors.open({ locker: { id: good.lockerId, doorTag: good.doorTag }, occupationId: good.id });
      return payment;
    },
    onSuccess: (payment, how) => {
      if (how === 'phone') return setSent(payment);
      if (how === 'later') toast.ok(t('payments.take.started'));
      else if (opens) toast.ok(t('payments.take.opened', { amount, tag: good.doorTag }));
      else toast.ok(t('payments.take.done', { amount }));
      if (how === 'received' && !opens) goOn();
      else onClose();
    },
  });
  const ask = (how: How): void => {
    if (start.isPending) return;
    setTried(how);
    if (right && callable && (how !== 'phone' || tlf.trim() !== '')) start.mutate(how);
  };
  const lacking = tried === 'phone' && tlf.trim() === '';
  if (sent !== null)
    return (
      <FormDialog title={title} dirty={false} onClose={onClose}>
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
      title={title}
      size="lg"
      dirty={noted === null && (typed !== '1' || name !== '' || tlf !== begun)}
      saving={start.isPending}
      onClose={onClose}
    >
      <Form
        onSubmit={() => {
          if (!pending) ask('received');
        }}
        // It says that money is there, and opens a door.
        onKeyDown={notByEnter}
      >
        {counted && (
          <TextInput
            mb="md"
            label={t('payments.take.pieces')}
            description={t('payments.take.left', { count: left })}
            inputMode="numeric"
            value={typed}
            disabled={noted !== null}
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
        {counted && (
          <Checkbox
            mt="md"
            label={t('payments.take.opens', { place })}
            description={(noted === null && reason) || t('payments.take.opensText')}
            checked={opens}
            disabled={shut || noted !== null}
            onChange={(event) => setWanted(event.currentTarget.checked)}
          />
        )}
        {start.isError && <ProblemNote error={start.error} />}
        {noted !== null && start.isError && <p className={styles.dim}>{t('payments.take.noted')}</p>}
        <FormWays>
          {noted === null && (
            <Button
              variant="default"
              loading={start.isPending && start.variables === 'later'}
              disabled={start.isPending}
              onClick={() => ask('later')}
            >
              {t('payments.take.later')}
            </Button>
          )}
          {byPhone && noted === null && (
            <Button
              variant="default"
              leftSection={<IconDeviceMobile size={18} aria-hidden />}
              loading={start.isPending && start.variables === 'phone'}
              disabled={start.isPending}
              onClick={() => ask('phone')}
            >
              {t('payments.take.toPhone')}
            </Button>
          )}
          <Button
            type="submit"
            loading={start.isPending && start.variables === 'received'}
            disabled={start.isPending}
            // Where it opens belongs to its name.
            {...(pending ? WAITING : {})}
          >
            {opens ? t('payments.take.receivedOpen', { tag: good.doorTag }) : t('payments.take.received', { amount })}
          </Button>
        </FormWays>
      </Form>
    </FormDialog>
  );
};

/** Whether its door can open for who pays now, where that is, and what keeps it shut. A delivery opens for its receiver, by acts of its own. */
const useOpening = (good: Occupation) => {
  const { t } = useTranslation();
  const { data: locker } = useQuery(lockerQuery(useApi(), good.lockerId));
  const { place, pending } = usePlace(good);
  const away = locker?.connection === 'offline';
  const taken = good.stage === STAGES.CLAIMING;
  const reason = away
    ? `${t('occupations.scene.offline.title')}. ${t('occupations.scene.offline.text', { tag: good.doorTag })}`
    : taken
      ? t('payments.take.inUse', { tag: good.doorTag })
      : null;
  return { shut: !isStock(good.type) || reason !== null, place, pending: isStock(good.type) && pending, reason };
};
