import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, usePortal } from '../../app/portal.ts';
import { wallQuery, type Locker } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Moment, useNow } from '../../ui/moment.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Cabinet, cabinetQuery, useBuilderCommands } from './api.ts';
import styles from './builder.module.css';
import { ConnectionBadge, ControllerTrouble, useShut } from './overview.tsx';

/** The controller behind the wall: what it says of itself, and how it comes and goes. */
export const ControllerPanel = ({ cabinet }: { cabinet: Cabinet }) => {
  const { t } = useTranslation();
  const commands = useBuilderCommands();
  const [open, setOpen] = useState<'anew' | 'pair' | 'unpair' | null>(null);
  const unpair = useMutation({ mutationFn: () => commands.unpair(cabinet.id), onSuccess: () => setOpen(null) });
  const lift = useMutation({ mutationFn: () => commands.liftKeypad(cabinet.id) });
  const shut = useShut(cabinet);
  const paired = cabinet.pairing === 'paired';
  const yesNo = (yes: boolean) => (yes ? t('builder.yes') : t('builder.no'));
  return (
    <Panel title={t('builder.controller')} aside={<ConnectionBadge cabinet={cabinet} />}>
      <ControllerTrouble cabinet={cabinet} />
      {lift.isError && <ProblemNote error={lift.error} />}
      {cabinet.firmware !== null && (
        <Facts
          rows={[
            [t('builder.firmware'), cabinet.firmware],
            [t('builder.sensors'), yesNo(cabinet.hasSensors)],
            [t('builder.canLock'), yesNo(cabinet.canLock)],
            // Of one that is there now it would only say when it last had something to tell.
            ...(cabinet.connection === 'online' ? [] : ([[t('builder.lastSeen'), <Moment key="seen" at={cabinet.lastSeenAt} />]] as const)),
          ]}
        />
      )}
      <div className={styles.row} style={{ marginTop: 12 }}>
        <Button size="sm" variant="default" onClick={() => setOpen(paired ? 'anew' : 'pair')}>
          {paired ? t('builder.pairAnew') : t('builder.pair')}
        </Button>
        {shut && (
          <Button size="sm" variant="default" loading={lift.isPending} onClick={() => lift.mutate()}>
            {t('builder.liftKeypad')}
          </Button>
        )}
        {paired && (
          <Button size="sm" variant="default" c="red" onClick={() => setOpen('unpair')}>
            {t('builder.unpair')}
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={open === 'anew'}
        title={t('builder.pairAnew')}
        action={t('builder.pair')}
        onConfirm={() => setOpen('pair')}
        onClose={() => setOpen(null)}
      >
        {t('builder.pairAnewText')}
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === 'unpair'}
        destructive
        title={t('builder.unpairTitle', { name: cabinet.name })}
        action={t('builder.unpairAction')}
        busy={unpair.isPending}
        onConfirm={() => unpair.mutate()}
        onClose={() => setOpen(null)}
      >
        {t('builder.unpairText')}
        {unpair.isError && <ProblemNote error={unpair.error} />}
      </ConfirmDialog>
      {open === 'pair' && <PairDialog id={cabinet.id} onClose={() => setOpen(null)} />}
    </Panel>
  );
};

/** Walls larger than this are too long for an address; the virtual cabinet is then of another shape. */
const HANDED_DOORS = 150;

/** For the sandbox: the code, and the wall whose doors the virtual cabinet should have. */
const handedTo = (code: string, cabinet: Cabinet | undefined, lockers: readonly Locker[] = []): string => {
  const given = new URLSearchParams({ pair: code, name: cabinet?.name ?? '' });
  const byId = new Map(lockers.map((locker) => [locker.id, locker]));
  const columns = (cabinet?.columns ?? [])
    .map(({ width, doors }) => ({
      width,
      doors: doors.flatMap(({ lockerId, height }) => {
        const locker = byId.get(lockerId);
        return locker ? [{ no: locker.compartment, tag: locker.doorTag, height, size: locker.size }] : [];
      }),
    }))
    .filter(({ doors }) => doors.length > 0);
  if (columns.length > 0 && lockers.length <= HANDED_DOORS) given.set('wall', JSON.stringify({ columns }));
  return given.toString();
};

const clock = (ms: number): string => `${Math.floor(ms / 60_000)}:${String(Math.floor((ms % 60_000) / 1000)).padStart(2, '0')}`;

/** The code, big; waits until the controller has used it, and shows what it says of itself then. */
const PairDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useBuilderCommands();
  const cabinet = useQuery(cabinetQuery(useApi(), id));
  const wall = useQuery(wallQuery(useApi(), id));
  const { config } = usePortal();
  const now = useNow();
  const give = useMutation({ mutationFn: () => commands.pair(id) });
  const { mutate } = give;
  useEffect(() => mutate(), [mutate]);
  const code = give.data?.code;
  const left = give.data === undefined ? 0 : Date.parse(give.data.expiresAt) - now;
  // Used: the code that was given out is gone, and a credential is there.
  const used =
    code !== undefined &&
    left > 0 &&
    cabinet.data?.pairing === 'paired' &&
    cabinet.data.pairingUntil === null &&
    cabinet.isFetchedAfterMount;
  const told = used ? cabinet.data : undefined;
  const online = told?.connection === 'online';
  return (
    <Dialog onClose={onClose} title={t('builder.pair')}>
      {give.isError && <ProblemNote error={give.error} onRetry={() => give.mutate()} />}
      {code !== undefined && !used && (
        <>
          <Text>{t('builder.pairText')}</Text>
          <p className={styles.code}>{code}</p>
          <p className={styles.count} role="timer">
            {left > 0 ? t('builder.pairLeft', { time: clock(left) }) : t('builder.pairOver')}
          </p>
          <p className={styles.count} aria-live="polite">
            {left > 0 ? t('builder.pairWaiting') : ''}
          </p>
          {config.sandbox !== undefined && (
            <p className={styles.count}>
              <Anchor href={`${config.sandbox}cabinets#${handedTo(code, cabinet.data, wall.data)}`} target="_blank" rel="noreferrer">
                {t('builder.pairSandbox')}
              </Anchor>
            </p>
          )}
        </>
      )}
      {told && (
        <div aria-live="polite">
          <Text fw={600} mb="sm">
            {online ? t('builder.pairedOnline') : t('builder.paired')}
          </Text>
          <ConnectionBadge cabinet={told} />
          {told.firmware !== null && (
            <Text mt="sm">
              {t('builder.firmware')}: {told.firmware}
            </Text>
          )}
        </div>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        {code !== undefined && !used && (
          <>
            <Button variant="default" onClick={() => give.mutate()} loading={give.isPending}>
              {t('builder.pairAgain')}
            </Button>
            <Button variant="default" onClick={() => void navigator.clipboard.writeText(code).then(() => toast.ok(t('common.copied')))}>
              {t('builder.copyCode')}
            </Button>
          </>
        )}
        <Button onClick={onClose}>{t('common.close')}</Button>
      </Group>
    </Dialog>
  );
};
