import { ranked } from '@hatchway/domain/locker.ts';
import { checkReceiver, type ReceiverField } from '@hatchway/domain/receiver.ts';
import type { Service } from '@hatchway/domain/terms.ts';
import { NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { useDraft } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { companyQuery, type Occupation, occupationQuery } from '../../app/queries.ts';
import { useToken } from '../../app/who.ts';
import { useNow } from '../../ui/moment.tsx';
import { useWalls } from '../lockers/api.ts';
import { candidate, lockerService } from '../lockers/door-view.ts';
import { useOccupationCommands } from './api.ts';
import { extendedTo } from './offers.ts';
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
  const loan = one.dueAt ?? null;
  const end = extendedTo(loan ?? one.pickupBy ?? new Date(now).toISOString(), Number(days), now);
  const title = t(loan === null ? 'occupations.manage.extendTitle' : 'occupations.manage.extendLoanTitle');
  return (
    <SaveDialog
      title={title}
      error={error}
      busy={busy}
      onSave={() =>
        void save(() => commands.amend(one.id, { version: one.version, ...(loan === null ? { pickupBy: end } : { dueAt: end }) }))
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
      <Text mt="md">{t('occupations.manage.extendTo', { time: fullTime(end) })}</Text>
    </SaveDialog>
  );
};

const receiverOf = (one: Occupation | null) => ({
  name: one?.receiver?.name ?? '',
  tlf: one?.receiver?.tlf ?? '',
  email: one?.receiver?.email ?? '',
});

export const CorrectDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useOccupationCommands();
  const tenantId = useToken().tenant?.tenant_id ?? '';
  const country = useQuery({ ...companyQuery(api, tenantId), enabled: tenantId !== '' }).data?.country ?? 'NO';
  const queryClient = useQueryClient();
  const [wrong, setWrong] = useState<readonly ReceiverField[]>([]);
  const draft = useDraft({
    row: one,
    newest: () => queryClient.fetchQuery({ ...occupationQuery(api, one.id), staleTime: 0 }),
    begun: receiverOf,
    save: async (typed, version) => {
      const answer = checkReceiver(typed, country);
      if (answer.ok) await commands.amend(one.id, { version, receiver: answer.receiver });
    },
    onSaved: onClose,
  });
  const { value } = draft;
  const submit = () => {
    const answer = checkReceiver(value, country);
    setWrong(answer.ok ? [] : answer.fields);
    if (answer.ok) draft.save();
  };
  return (
    <SaveDialog
      title={t('occupations.manage.correctTitle')}
      error={draft.error}
      conflict={draft.conflict}
      busy={draft.saving}
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

/** Doors that this could go into, the best fit first; not its own. */
export function useOtherDoors(one: Occupation) {
  const walls = useWalls();
  const size = walls.lockers.find((locker) => locker.id === one.lockerId)?.size ?? null;
  const service = lockerService(one.service as Service);
  return ranked(walls.lockers.map(candidate), { size, service, cabinetId: null, not: [one.lockerId] }).map((locker) => ({
    value: locker.id,
    label: `${locker.doorTag} (${locker.size}) · ${walls.cabinets.find((cabinet) => cabinet.id === locker.cabinetId)?.name ?? ''}`,
  }));
}

/** Into another door: the best fitting one is chosen already. */
export const MoveDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const doors = useOtherDoors(one);
  const { busy, error, save } = useSave(one, onClose);
  const [picked, setPicked] = useState('');
  const lockerId = doors.some(({ value }) => value === picked) ? picked : doors[0]?.value;
  return (
    <SaveDialog
      title={t('occupations.manage.moveTitle')}
      error={error}
      busy={busy}
      onSave={() => lockerId !== undefined && void save(() => commands.act({ action: 'fill', id: one.id, lockerId }))}
      onClose={onClose}
    >
      <Text mb="md">{t('occupations.manage.moveText')}</Text>
      <NativeSelect
        label={t('occupations.manage.locker')}
        value={lockerId ?? ''}
        onChange={(event) => setPicked(event.currentTarget.value)}
        error={doors.length === 0 ? t('lockers.fit.none-free') : undefined}
        data={doors}
      />
    </SaveDialog>
  );
};

const WAYS = ['sms', 'mail', 'both'] as const;

/** Who can be reached both ways is told the one that staff choose. */
export const SendDialog = ({ one, title, onClose }: Props & { title: string }) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const { busy, error, save } = useSave(one, onClose);
  const [channel, setChannel] = useState<(typeof WAYS)[number]>('sms');
  return (
    <SaveDialog
      title={title}
      error={error}
      busy={busy}
      action={t('occupations.manage.sendAction')}
      onSave={() => void save(() => commands.act({ action: 'send', id: one.id, channel }))}
      onClose={onClose}
    >
      <SegmentedControl
        fullWidth
        aria-label={title}
        value={channel}
        onChange={(value) => setChannel(WAYS.find((way) => way === value) ?? 'sms')}
        data={WAYS.map((value) => ({ value, label: t(`terms.channel.${value}`) }))}
      />
      <Text mt="md">{[one.receiver?.name, one.receiver?.tlf, one.receiver?.email].filter(Boolean).join(' · ')}</Text>
    </SaveDialog>
  );
};
