import { HOUR } from '@hatchway/domain/deadlines.ts';
import { checkReceiver, type ReceiverField } from '@hatchway/domain/receiver.ts';
import { Space, Text, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Occupation } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { notByEnter } from '../../ui/form.tsx';
import { useDoorCommands } from '../lockers/api.ts';
import { useOccupationCommands, useRefill } from './api.ts';
import { receiverOf } from './draft.ts';
import { NumberField } from './number-field.tsx';
import { added, addsToIt, inside, pieces } from './numbers.ts';
import { useOpenFirst } from './open-first.tsx';
import { OtherDoor, useOtherDoors } from './other-door.tsx';
import { usePlace } from './place.ts';
import { PLANS } from './plan.ts';
import { ReceiverFields } from './receiver-fields.tsx';
import { useRules } from './rules.ts';
import { SaveDialog, useSave } from './save-dialog.tsx';
import styles from './manage.module.css';
import { SpanSelect } from './span-select.tsx';
import { useSureInside } from '../lockers/sure-inside.tsx';
import { useLetIn } from './use-let-in.ts';

type Props = { one: Occupation; onClose: () => void };

/** As long as the server waits of what is filled: a contact may bounce, and a thing slide behind the door. */
const SENSED_MS = 2_000;

/** To a named borrower, until when staff say; the door opens with it. */
export const LendDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const doors = useDoorCommands();
  const [value, setValue] = useState(() => receiverOf(one));
  const [first] = useState(value);
  const [wrong, setWrong] = useState<readonly ReceiverField[]>([]);
  const [hours, setHours] = useState<number | null>(null);
  // Asked only for hours that depend on who borrows: then no policy is named that would settle them.
  const { rules, known } = useRules(PLANS.lending, { id: one.lockerId, policyRef: null }, value);
  const letIn = useLetIn(one);
  const { busy, error, save } = useSave(one, onClose);
  const submit = () => {
    const answer = checkReceiver(value);
    setWrong(answer.ok ? [] : answer.fields);
    if (!answer.ok) return;
    void save(async () => {
      await letIn(() =>
        commands.claim(one.id, {
          receiver: answer.receiver,
          ...(hours === null ? {} : { dueAt: new Date(Date.now() + hours * HOUR).toISOString() }),
        }),
      );
      await doors.open({ locker: { id: one.lockerId, doorTag: one.doorTag }, occupationId: one.id });
    });
  };
  return (
    <SaveDialog
      title={`${t('occupations.manage.action.lend')}: ${one.doorTag}`}
      error={error}
      busy={busy}
      dirty={hours !== null || JSON.stringify(value) !== JSON.stringify(first)}
      action={t('occupations.act.open', { tag: one.doorTag })}
      onSave={submit}
      onClose={onClose}
    >
      <ReceiverFields
        value={value}
        wrong={wrong}
        onChange={(next) => {
          setValue(next);
          setWrong([]);
        }}
      />
      <div className={styles.below}>
        <SpanSelect
          label={t('occupations.span.loan')}
          value={hours}
          policyHours={one.loanHours ?? (known ? rules.loanHours : null)}
          lockerId={one.lockerId}
          text="due"
          onChange={setHours}
        />
      </div>
    </SaveDialog>
  );
};

/**
 * What was lent is back: in its own locker or another one, and in what condition. Opened here, shut again and sensed inside, it counts as
 * back by itself.
 */
export const TakeBackDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const doors = useOtherDoors(one);
  const { busy, error, save } = useSave(one, onClose);
  const [condition, setCondition] = useState('');
  const [picked, setPicked] = useState('');
  const lockerId = doors.known(picked) ? picked : '';
  const [minded, setMinded] = useState(false);
  const { sure, question } = useSureInside();
  const first = useOpenFirst(one);
  const { place } = usePlace(one);
  const back = async () => {
    await commands.act({
      action: 'return',
      id: one.id,
      ...(condition.trim() === '' ? {} : { condition: condition.trim() }),
      ...(lockerId === '' ? {} : { lockerId }),
    });
    toast.ok(t('occupations.manage.did.takeBack', { tag: one.doorTag }));
  };
  // Whoever writes of its condition, or chose another door, says by themselves that it is back.
  const sensed = first.sensed && !minded && lockerId === '' && !busy && error === null;
  const believe = useEffectEvent(() => void save(back));
  useEffect(() => {
    if (!sensed) return undefined;
    const wait = setTimeout(believe, SENSED_MS);
    return () => clearTimeout(wait);
  }, [sensed]);
  if (question !== null) return question;
  return (
    <SaveDialog
      title={`${t('occupations.manage.action.takeBack')}: ${one.doorTag}`}
      error={error}
      busy={busy}
      dirty={condition !== ''}
      action={t('occupations.manage.isBack')}
      unlikely={lockerId === '' && !first.heard}
      // Another door is none that opens here.
      onSave={() => (lockerId === '' ? sure(one.lockerId, () => void save(back), first.open) : sure(lockerId, () => void save(back)))}
      onClose={onClose}
    >
      {/* Whoever takes it back from a list of things sees no wall. */}
      <Text mb="sm">{place}</Text>
      {first.button}
      {lockerId === '' && first.stands}
      <TextInput
        label={t('occupations.manage.condition')}
        description={t('occupations.manage.conditionText')}
        placeholder={t('occupations.manage.conditionPlaceholder')}
        size="md"
        maxLength={300}
        value={condition}
        onChange={(event) => {
          setCondition(event.currentTarget.value);
          setMinded(true);
        }}
        // That it is back is no word by the way: its button says it.
        onKeyDown={notByEnter}
      />
      <Space h="md" />
      <OtherDoor
        doors={doors}
        label={t('occupations.manage.backInto')}
        value={lockerId}
        none={t('occupations.manage.ownLocker', { tag: one.doorTag })}
        onChange={setPicked}
      />
    </SaveDialog>
  );
};

/** More of what is there; of an empty one all that lies inside from now on. */
export const RefillDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const refill = useRefill();
  const { busy, error, save } = useSave(one, onClose);
  const [typed, setTyped] = useState('');
  const [lacking, setLacking] = useState(false);
  const { sure, question } = useSureInside();
  const number = useRef<HTMLInputElement>(null);
  const first = useOpenFirst(one, number);
  const add = async (count: number) => {
    await refill(one, count);
    toast.ok(t('occupations.manage.refilled', { count, tag: one.doorTag }));
  };
  const submit = () => {
    const count = added(typed, one);
    setLacking(count === null);
    if (count !== null) sure(one.lockerId, () => void save(() => add(count)), first.open, addsToIt(one));
  };
  if (question !== null) return question;
  return (
    <SaveDialog
      title={`${t('occupations.manage.action.refill')}: ${one.doorTag}`}
      error={error}
      busy={busy}
      dirty={typed !== ''}
      action={t('occupations.manage.action.refill')}
      unlikely={!first.heard}
      onSave={submit}
      onClose={onClose}
    >
      {first.button}
      {first.stands}
      <NumberField
        ref={number}
        label={t('occupations.manage.refillCount')}
        description={t('occupations.underWay.left', { count: inside(one) })}
        value={typed}
        error={lacking ? t('occupations.manage.wrongRefill') : undefined}
        onChange={(next) => {
          setTyped(next);
          setLacking(false);
        }}
      />
    </SaveDialog>
  );
};

/** Staff take some of the stock; the door opens with it. What is for sale goes out as it is paid for. */
export const TakePiecesDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const doors = useDoorCommands();
  const { busy, error, save } = useSave(one, onClose);
  const [typed, setTyped] = useState('1');
  const [lacking, setLacking] = useState(false);
  const letIn = useLetIn(one);
  const left = (one.quantity ?? 0) - one.held;
  const submit = () => {
    const quantity = pieces(typed, 1);
    const wrong = quantity === null || quantity > left;
    setLacking(wrong);
    if (wrong) return;
    void save(async () => {
      await letIn(() => commands.claim(one.id, { quantity }));
      await doors.open({ locker: { id: one.lockerId, doorTag: one.doorTag }, occupationId: one.id });
    });
  };
  return (
    <SaveDialog
      title={`${t('occupations.manage.action.takePieces')}: ${one.doorTag}`}
      error={error}
      busy={busy}
      dirty={typed !== '1'}
      action={t('occupations.act.open', { tag: one.doorTag })}
      onSave={submit}
      onClose={onClose}
    >
      <Text mb="md">{t('occupations.underWay.left', { count: left })}</Text>
      <NumberField
        label={t('occupations.stock.quantity')}
        value={typed}
        error={lacking ? t('occupations.manage.upTo', { count: left }) : undefined}
        onChange={(next) => {
          setTyped(next);
          setLacking(false);
        }}
      />
    </SaveDialog>
  );
};
