import { mayActOnOccupation } from '@hatchway/domain/access.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { lockerQuery, occupationQuery, type Occupation } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useFacts } from '../../app/who.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useDoorCommands } from '../lockers/api.ts';
import { usePlace } from '../occupations/place.ts';
import { SaveDialog, useSave } from '../occupations/save-dialog.tsx';
import { useLetIn } from '../occupations/use-let-in.ts';
import { type Payment, usePaymentCommands } from './api.ts';
import { payerWord } from './written.ts';

type Props = { payment: Payment; asked: boolean; onAsk: () => void; onClose: () => void };

/** The next thing for what is paid: to let the customer in. Not for who may not act on the goods. */
export const HandOut = ({ payment, asked, onAsk, onClose }: Props) => {
  const { t } = useTranslation();
  const facts = useFacts();
  const { occupationId: id, occupationType: type } = payment;
  const one = useQuery({ ...occupationQuery(useApi(), id ?? ''), enabled: asked && id !== null });
  if (id === null || type === null || !mayActOnOccupation({ type, lockerId: '' }, facts)) return null;
  return (
    <>
      <Button loading={asked && one.isPending} onClick={onAsk}>
        {t('payments.take.handOut')}
      </Button>
      {asked && one.isError && <ProblemNote error={one.error} />}
      {asked && one.data && <Opening payment={payment} one={one.data} onClose={onClose} />}
    </>
  );
};

/** Whoever is let in stands at the door: it opens with the claim. Which one, and where, is said first. */
const Opening = ({ payment, one, onClose }: { payment: Payment; one: Occupation; onClose: () => void }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: locker } = useQuery(lockerQuery(useApi(), one.lockerId));
  const { place, pending } = usePlace(one);
  const { handOut } = usePaymentCommands();
  const doors = useDoorCommands();
  const letIn = useLetIn(one);
  const { busy, error, save } = useSave(one, onClose);
  const away = locker?.connection === 'offline';
  const tag = one.doorTag;
  const open = async () => {
    await letIn(() => handOut(payment, one.id), payment._id);
    await doors.open({ locker: { id: one.lockerId, doorTag: tag }, occupationId: one.id });
    toast.ok(t('occupations.manage.did.open', { tag }));
    await navigate({ to: '/services/manageoccupation', search: { id: one.id } });
  };
  if (pending) return null;
  return (
    <SaveDialog
      title={`${t('payments.take.handOut')}: ${tag}`}
      action={t('occupations.act.open', { tag })}
      error={error}
      busy={busy}
      onSave={() => void save(open)}
      onClose={onClose}
    >
      <p>
        {away
          ? `${t('occupations.scene.offline.title')}. ${t('occupations.scene.offline.text', { tag: place })}`
          : t('occupations.manage.confirm.claim', { place, name: payerWord(payment) })}
      </p>
    </SaveDialog>
  );
};
