import { ADDRESS_CHANGED, checkReceiver, type ReceiverField } from '@hatchway/domain/receiver.ts';
import { isAsked } from '@hatchway/domain/terms.ts';
import { SegmentedControl, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deadline } from '../../app/dates.ts';
import { useDraft } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { type Occupation, occupationQuery } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useZone } from '../../app/who.ts';
import { useNow } from '../../ui/moment.tsx';
import { useOccupationCommands } from './api.ts';
import { useClosedDay } from './closed-day.ts';
import { receiverOf } from './draft.ts';
import { extendedTo } from './offers.ts';
import { OtherDoor, useOtherDoors } from './other-door.tsx';
import { ReceiverFields } from './receiver-fields.tsx';
import { SaveDialog, useSave } from './save-dialog.tsx';

type Props = { one: Occupation; onClose: () => void };

/** Of a pick-up, or of a loan that runs. */
export const ExtendDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const now = useNow(60_000);
  const [days, setDays] = useState('1');
  const { busy, error, save } = useSave(one, onClose);
  const zone = useZone();
  const closedDay = useClosedDay(one.lockerId);
  const loan = one.dueAt ?? null;
  const end = extendedTo(loan ?? one.pickupBy ?? new Date(now).toISOString(), Number(days), now);
  const title = t(loan === null ? 'occupations.manage.extendTitle' : 'occupations.manage.extendLoanTitle');
  return (
    <SaveDialog
      title={title}
      error={error}
      busy={busy}
      onSave={() =>
        void save(async () => {
          await commands.amend(one.id, { version: one.version, ...(loan === null ? { pickupBy: end } : { dueAt: end }) });
          toast.ok(t('occupations.manage.extendTo', { time: deadline(end, zone) }));
        })
      }
      onClose={onClose}
    >
      <SegmentedControl
        fullWidth
        // side by side the last one would stand outside of the dialog
        orientation="vertical"
        aria-label={title}
        value={days}
        onChange={setDays}
        data={['1', '2', '3', '7', '14'].map((value) => ({ value, label: t('occupations.manage.extendDays', { count: Number(value) }) }))}
      />
      <Text mt="md">{`${t('occupations.manage.extendTo', { time: deadline(end, zone) })} ${closedDay(end)}`}</Text>
    </SaveDialog>
  );
};

export const CorrectDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useOccupationCommands();
  const queryClient = useQueryClient();
  const [wrong, setWrong] = useState<readonly ReceiverField[]>([]);
  const draft = useDraft({
    row: one,
    newest: () => queryClient.fetchQuery({ ...occupationQuery(api, one.id), staleTime: 0 }),
    begun: receiverOf,
    save: async (typed, version) => {
      const answer = checkReceiver(typed);
      if (answer.ok) await commands.amend(one.id, { version, receiver: answer.receiver });
    },
    onSaved: () => {
      toast.ok(t('occupations.manage.corrected'));
      onClose();
    },
  });
  const { value } = draft;
  const submit = () => {
    const answer = checkReceiver(value);
    setWrong(answer.ok ? [] : answer.fields);
    if (answer.ok) draft.save();
  };
  return (
    <SaveDialog
      title={t(`occupations.manage.${isAsked(one.type) ? 'correctPersonTitle' : 'correctTitle'}`)}
      error={draft.error}
      conflict={draft.conflict}
      busy={draft.saving}
      dirty={draft.dirty}
      onSave={submit}
      onClose={onClose}
    >
      <ReceiverFields
        value={value}
        wrong={wrong}
        onChange={(next) => {
          draft.set(next);
          setWrong([]);
        }}
      />
    </SaveDialog>
  );
};

/** Into another door: the best fitting one is chosen already. It is given the new door first, and lies there once that has closed. */
export const MoveDialog = ({ one, onMoved, onClose }: Props & { onMoved: (door: { id: string; doorTag: string }) => void }) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const { busy, error, save } = useSave(one, onClose);
  const doors = useOtherDoors(one);
  const [picked, setPicked] = useState('');
  const [lacking, setLacking] = useState(false);
  const lockerId = doors.known(picked) ? picked : doors.best;
  const door = [...doors.near, ...doors.away].find(({ id }) => id === lockerId);
  const none = doors.near.length + doors.away.length === 0 && !doors.pending;
  const move = async ({ id, doorTag }: { id: string; doorTag: string }) => {
    await commands.act({ action: 'reset', id: one.id, lockerId: id });
    onMoved({ id, doorTag });
  };
  return (
    <SaveDialog
      title={t('occupations.manage.moveTitle')}
      error={error}
      busy={busy}
      action={door === undefined ? t('occupations.manage.action.move') : t('occupations.manage.moveAction', { tag: door.doorTag })}
      onSave={() => {
        setLacking(door === undefined);
        if (door !== undefined) void save(() => move(door));
      }}
      onClose={onClose}
    >
      <Text mb="md">{t('occupations.manage.moveText')}</Text>
      <OtherDoor
        doors={doors}
        label={t('occupations.manage.locker')}
        value={lockerId}
        // A door in another town is nobody's best fit: who wants one says so.
        none={doors.best === '' ? t('lockers.chooseDoor') : ''}
        error={none ? t('lockers.fit.none-free') : lacking && lockerId === '' ? t('lockers.chooseDoor') : undefined}
        onChange={setPicked}
      />
    </SaveDialog>
  );
};

const WAYS = ['sms', 'mail', 'both'] as const;

export const waysTo = ({ receiver }: Occupation): number => (receiver === null ? 0 : [receiver.tlf, receiver.email].filter(Boolean).length);

/** Who can be reached both ways is told the one that staff choose; who was told already, only once they are sure. */
export const SendDialog = ({ one, act, onClose }: Props & { act: 'send' | 'sendAgain' | 'sendLink' | 'remind' }) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const { busy, error, save } = useSave(one, onClose);
  const [channel, setChannel] = useState<(typeof WAYS)[number]>('sms');
  const title = t(`occupations.manage.action.${act}`);
  const both = waysTo(one) > 1;
  const send = async () => {
    await commands.act({ action: 'send', id: one.id, ...(both ? { channel } : {}) });
    toast.ok(t(`occupations.manage.did.${act}`));
  };
  return (
    <SaveDialog
      title={title}
      error={error}
      busy={busy}
      action={t('occupations.manage.sendAction')}
      onSave={() => void save(send)}
      onClose={onClose}
    >
      {act === 'sendAgain' && (
        <Text mb="md">
          {t(one.contactError.includes(ADDRESS_CHANGED) ? 'occupations.manage.sendAnewText' : 'occupations.manage.sendAgainText')}
        </Text>
      )}
      {act === 'remind' && <Text mb="md">{t('occupations.manage.remindText')}</Text>}
      {both && (
        <SegmentedControl
          fullWidth
          mb="md"
          aria-label={title}
          value={channel}
          onChange={(value) => setChannel(WAYS.find((way) => way === value) ?? 'sms')}
          data={WAYS.map((value) => ({ value, label: t(`terms.channel.${value}`) }))}
        />
      )}
      <Text>{[one.receiver?.name, one.receiver?.tlf, one.receiver?.email].filter(Boolean).join(' · ')}</Text>
    </SaveDialog>
  );
};
