import { mayActOnOccupation, mayMovePayments } from '@hatchway/domain/access.ts';
import { allowedMoves } from '@hatchway/domain/payment.ts';
import { expectedOf } from '@hatchway/domain/provider.ts';
import { Button, Drawer } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortTime } from '../../app/dates.ts';
import { useMoney } from '../../app/money.ts';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { useAccess, useFacts, useZone } from '../../app/who.ts';
import { markFirstField } from '../../ui/first-field.ts';
import { useFocusBack } from '../../ui/focus-back.ts';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { keepOpen } from '../../ui/press.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type Move, type Payment, paymentQuery, usePaymentCommands } from './api.ts';
import { Details } from './details.tsx';
import { HandOut } from './hand-out.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { PaymentBadge, StepBadge } from './payment-badge.tsx';
import styles from './payments.module.css';
import { Trouble } from './trouble.tsx';

/** One payment beside the list: what it is, what can be done with it now, and its story. */
export const PaymentDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const query = useQuery(paymentQuery(useApi(), id));
  const payment = query.data;
  const [asked, setAsked] = useState<Asked | null>(null);
  useFocusBack(true);
  return (
    // Escape in the dialog above it is the dialog's.
    <Drawer.Root opened onClose={onClose} position="right" size="lg" closeOnEscape={asked === null}>
      <Drawer.Overlay onClickCapture={keepOpen} />
      <Drawer.Content ref={markFirstField}>
        {/* Mantine's own head is a <header>: in a dialog that would be a second banner of the page. */}
        <div className={styles.head} data-head>
          <Drawer.Title>{payment ? t('payments.one', { reference: payment.reference }) : t('payments.title')}</Drawer.Title>
          <Drawer.CloseButton size="lg" ml={0} aria-label={t('common.close')} />
        </div>
        <Drawer.Body>
          <Waiting of={query} lines={8} height={22} />
          {payment && <One payment={payment} asked={asked} onAsk={setAsked} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
};

type Asked = Move | 'hand-out';

/** The next likely one first. */
const ORDER = ['capture', 'refund', 'cancel'] as const satisfies readonly Move[];

const One = ({ payment, asked, onAsk }: { payment: Payment; asked: Asked | null; onAsk: (what: Asked | null) => void }) => {
  const { t } = useTranslation();
  const money = useMoney();
  const may = mayMovePayments(useFacts());
  const zone = useZone();
  // What it was asked for counts as done: nothing is asked for twice.
  const expected = expectedOf(payment, payment.pending);
  const moves = may ? allowedMoves({ ...expected, claimed: payment.claimed }) : [];
  const open = payment.state === 'initiated' || payment.state === 'reserved';
  const part = (some: number, whole: number): string => {
    const amount = money(some, payment.currency);
    return some === 0 || some === whole ? amount : t('payments.partOf', { amount, whole: money(whole, payment.currency) });
  };
  return (
    <div className={styles.one}>
      <div className={styles.top}>
        <span className={styles.sum}>{money(payment.amount, payment.currency)}</span>
        <PaymentBadge payment={payment} />
      </div>
      <p className={styles.dim}>{t(payment.provider === 'manual' ? 'payments.byHand' : 'payments.byVipps')}</p>
      {payment.wantsEnd && payment.provider === 'manual' && <p className={styles.note}>{t('payments.wantsEndText')}</p>}
      {payment.claimed && open && (
        <p className={styles.note}>{t(payment.occupationType === 'storage' ? 'payments.stored' : 'payments.claimed')}</p>
      )}
      {payment.heldUntil && open && (
        <p className={styles.note}>
          {t('payments.held', { count: payment.quantity })} <Moment at={payment.heldUntil} zone={zone} />
        </p>
      )}
      <Pending payment={payment} />
      <Trouble payment={payment} />
      <div className={styles.actions}>
        {moves.includes('reserve') && payment.provider === 'manual' && <Received payment={payment} />}
        {/* Its dialog stays where the customer is let in and the door does not open. */}
        {((expected.state === 'reserved' && payment.state === 'reserved' && !payment.claimed) || asked === 'hand-out') && (
          <HandOut payment={payment} asked={asked === 'hand-out'} onAsk={() => onAsk('hand-out')} onClose={() => onAsk(null)} />
        )}
        {ORDER.filter((move) => moves.includes(move)).map((move) => (
          <Button key={move} variant="default" onClick={() => onAsk(move)}>
            {t(`payments.move.${move}.action`)}
          </Button>
        ))}
      </div>
      <Panel title={t('payments.what')}>
        <Facts
          rows={[
            [t('payments.payer'), <Payer key="payer" payment={payment} />],
            [t('payments.content'), <PaidFor key="for" payment={payment} />],
            [t('payments.quantity'), payment.quantity],
            [t('payments.captured'), part(payment.captured, payment.amount)],
            [t('payments.refunded'), part(payment.refunded, payment.captured)],
            [t('payments.provider'), t(`payments.providers.${payment.provider}`)],
            [t('payments.reference'), payment.reference],
          ]}
        />
      </Panel>
      <Panel title={t('payments.events')}>
        <ol className={styles.events}>
          {payment.events.map((event) => (
            <li key={`${event.at} ${event.state} ${event.amount}`}>
              <StepBadge state={event.state} />
              <span>{money(event.amount, payment.currency)}</span>
              <span className={styles.dim}>{event.by}</span>
              <Moment at={event.at} />
            </li>
          ))}
        </ol>
      </Panel>
      <Details key={payment._id} payment={payment} may={may} />
      {asked && asked !== 'hand-out' && <MoveDialog payment={payment} move={asked} onClose={() => onAsk(null)} />}
    </div>
  );
};

/** What its provider was asked for and has not answered. */
const Pending = ({ payment: { pending, currency } }: { payment: Payment }) => {
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

const Payer = ({ payment: { payer } }: { payment: Payment }) => {
  const said = [payer.name, payer.tlf, payer.email].filter((word) => word !== null);
  return <>{said.length === 0 ? '–' : said.join(', ')}</>;
};

const PaidFor = ({ payment }: { payment: Payment }) => {
  const { t } = useTranslation();
  const access = useAccess();
  const facts = useFacts();
  const what = [payment.content, payment.doorTag].filter((word) => word !== null).join(' · ') || '–';
  if (payment.occupationId === null || payment.occupationType === null) return <>{what}</>;
  const acts = access.manage && mayActOnOccupation({ type: payment.occupationType, lockerId: '' }, facts);
  return (
    <>
      {what}{' '}
      {acts ? (
        <Link to="/services/manageoccupation" search={{ id: payment.occupationId }}>
          {t('payments.toOccupation')}
        </Link>
      ) : (
        access.history && (
          <Link to="/history/occupation/$id" params={{ id: payment.occupationId }}>
            {t('payments.toHistory')}
          </Link>
        )
      )}
    </>
  );
};

/** Staff's word that the money is there: from then on the goods can be handed out. */
const Received = ({ payment }: { payment: Payment }) => {
  const { t } = useTranslation();
  const money = useMoney();
  const commands = usePaymentCommands();
  const received = useMutation({
    mutationFn: () => commands.update({ _id: payment._id, received: true }),
    onSuccess: () => toast.ok(t('payments.receivedDone', { amount: money(payment.amount, payment.currency) })),
  });
  return (
    <>
      <Button loading={received.isPending} onClick={() => received.mutate()}>
        {t('payments.received')}
      </Button>
      {received.isError && <ProblemNote error={received.error} />}
    </>
  );
};
