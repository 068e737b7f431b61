import { ranked } from '@hatchway/domain/locker.ts';
import { checkReceiver, type ReceiverField } from '@hatchway/domain/receiver.ts';
import type { Service } from '@hatchway/domain/terms.ts';
import { Button, Group, Modal, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf } from '../../app/problem.ts';
import { companyQuery, type Occupation } from '../../app/queries.ts';
import { useToken } from '../../app/who.ts';
import { useNow } from '../../ui/moment.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useWalls } from '../lockers/api.ts';
import { candidate, lockerService } from '../lockers/door-view.ts';
import { useOccupationCommands } from './api.ts';
import { extendedTo } from './offers.ts';
import { ReceiverFields } from './receiver-fields.tsx';

type Props = { one: Occupation; onClose: () => void };

/** Saves under the version that was seen; when somebody was quicker the dialog stays, and with it what was typed. */
function useSave(one: Occupation, onClose: () => void) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async (change: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await change();
      onClose();
    } catch (failure) {
      setError(failure);
      if (codeOf(failure) === 'stale') void queryClient.invalidateQueries({ queryKey: ['occupations', one.id] });
    }
    setBusy(false);
  };
  return { busy, error, save };
}

const Frame = ({
  title,
  error,
  busy,
  onSave,
  onClose,
  children,
}: {
  title: string;
  error: unknown;
  busy: boolean;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}) => {
  const { t } = useTranslation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <form onSubmit={submit} noValidate>
        {children}
        {error !== null && <ProblemNote error={error} {...(codeOf(error) === 'stale' ? { title: t('occupations.manage.stale') } : {})} />}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('common.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
};

export const ExtendDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const now = useNow(60_000);
  const [days, setDays] = useState('1');
  const { busy, error, save } = useSave(one, onClose);
  const pickupBy = extendedTo(one.pickupBy ?? new Date(now).toISOString(), Number(days), now);
  return (
    <Frame
      title={t('occupations.manage.extendTitle')}
      error={error}
      busy={busy}
      onSave={() => void save(() => commands.amend(one.id, { version: one.version, pickupBy }))}
      onClose={onClose}
    >
      <SegmentedControl
        fullWidth
        aria-label={t('occupations.manage.extendTitle')}
        value={days}
        onChange={setDays}
        data={['1', '2', '3', '7'].map((value) => ({ value, label: t('occupations.manage.extendDays', { count: Number(value) }) }))}
      />
      <Text mt="md">{t('occupations.manage.extendTo', { time: fullTime(pickupBy) })}</Text>
    </Frame>
  );
};

export const CorrectDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useOccupationCommands();
  const tenantId = useToken().tenant?.tenant_id ?? '';
  const country = useQuery({ ...companyQuery(api, tenantId), enabled: tenantId !== '' }).data?.country ?? 'NO';
  const [value, setValue] = useState({ name: one.receiver?.name ?? '', tlf: one.receiver?.tlf ?? '', email: one.receiver?.email ?? '' });
  const [wrong, setWrong] = useState<readonly ReceiverField[]>([]);
  const { busy, error, save } = useSave(one, onClose);
  const submit = () => {
    const answer = checkReceiver(value, country);
    setWrong(answer.ok ? [] : answer.fields);
    if (answer.ok) void save(() => commands.amend(one.id, { version: one.version, receiver: answer.receiver }));
  };
  return (
    <Frame title={t('occupations.manage.correctTitle')} error={error} busy={busy} onSave={submit} onClose={onClose}>
      <ReceiverFields
        value={value}
        wrong={wrong}
        onChange={(next) => {
          setValue(next);
          setWrong([]);
        }}
      />
    </Frame>
  );
};

/** Into another door: the best fitting one is chosen already. */
export const MoveDialog = ({ one, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useOccupationCommands();
  const walls = useWalls();
  const { busy, error, save } = useSave(one, onClose);
  const size = walls.lockers.find((locker) => locker.id === one.lockerId)?.size ?? null;
  const best = ranked(walls.lockers.map(candidate), {
    size,
    service: lockerService(one.service as Service),
    cabinetId: null,
    not: [one.lockerId],
  });
  const [picked, setPicked] = useState('');
  const lockerId = best.some(({ id }) => id === picked) ? picked : best[0]?.id;
  return (
    <Frame
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
        error={best.length === 0 ? t('lockers.fit.none-free') : undefined}
        data={best.map((locker) => ({
          value: locker.id,
          label: `${locker.doorTag} (${locker.size}) · ${walls.cabinets.find((cabinet) => cabinet.id === locker.cabinetId)?.name ?? ''}`,
        }))}
      />
    </Frame>
  );
};
