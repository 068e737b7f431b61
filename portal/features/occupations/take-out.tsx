import { isJam } from '@hatchway/domain/doors.ts';
import { isAsked } from '@hatchway/domain/terms.ts';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import { codeOf, controllerCodeOf } from '../../app/problem.ts';
import { lockerQuery, type Occupation } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { WAITING } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useDoorCommands } from '../lockers/api.ts';
import { useOccupationCommands } from './api.ts';
import { usePlace } from './place.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { endOfCommand } from './running.ts';

/** `fetch`: staff, for whom it was brought, take it out, and that ends it. `moveOut`: to be put into another locker. */
type Props = { one: Occupation; act: 'fetch' | 'extract' | 'retrieve' | 'moveOut'; onClose: () => void };

const TAKE_OUT = { extract: 'keep', retrieve: 'end', moveOut: 'move' } as const;

/** How the door did not open, where the server says so: then nothing was written down. */
const endOf = (error: unknown) => {
  const code = codeOf(error);
  if (code === 'door-refused') return endOfCommand('refused', controllerCodeOf(error));
  return code === 'no-answer' ? 'no-answer' : code === 'cabinet-offline' ? 'offline' : null;
};

/**
 * The door opens first. Only then it is taken out, its code and link stop working, and its receiver is told; of what is moved, once it lies
 * in the other locker. Where it does not open,
 * nothing has changed, and whoever took it out by hand says so with a reason.
 */
export const TakeOut = ({ one, act, onClose }: Props) => {
  const { t } = useTranslation();
  const { api, queryClient } = usePortal();
  const doors = useDoorCommands();
  const commands = useOccupationCommands();
  const locker = useQuery(lockerQuery(api, one.lockerId)).data;
  const [busy, setBusy] = useState(false);
  const [byHand, setByHand] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const tag = one.doorTag;
  const { place, pending } = usePlace(one);
  const away = locker?.connection === 'offline';
  const failed = endOf(error);
  const action = t(`occupations.manage.action.${act}`);

  const carryOut = async (change: () => Promise<unknown>, done: string) => {
    setBusy(true);
    setError(null);
    try {
      await change();
      toast.ok(done);
      onClose();
    } catch (failure) {
      setError(failure);
      setByHand(false);
    }
    setBusy(false);
    void queryClient.invalidateQueries({ queryKey: ['occupations', one.id] });
  };
  const open = () =>
    carryOut(
      async () => {
        const wish = { locker: { id: one.lockerId, doorTag: tag }, occupationId: one.id };
        if (act !== 'fetch') return doors.open({ ...wish, takeOut: TAKE_OUT[act] });
        await commands.claim(one.id);
        return doors.open(wish);
      },
      // That it opened is all that is known.
      t('occupations.manage.takeOut.opened', { tag }),
    );
  const say = (reason: string) =>
    carryOut(
      () =>
        act === 'extract' || act === 'moveOut'
          ? commands.act({ action: 'extract', id: one.id, reason, ...(act === 'moveOut' ? { move: true } : {}) })
          : commands.retrieve(one.id, reason),
      t('occupations.manage.takeOut.said', { tag }),
    );
  /** What was asked of a door is waited for: its end is not to be missed. */
  const close = () => {
    if (!busy) onClose();
  };

  // What was brought is for staff: it has no code that opens, and whoever brought it hears that it was taken out.
  const asked = isAsked(one.type);
  const told = asked && one.receiver !== null ? ` ${t('occupations.manage.takeOut.told', { name: one.receiver.name })}` : '';
  const will =
    act === 'fetch'
      ? t('occupations.manage.confirm.fetch', { place, tag })
      : `${t(asked && act !== 'moveOut' ? `occupations.manage.confirm.${act}Brought` : `occupations.manage.confirm.${act}`, { place })}${told}`;

  if (byHand) {
    return (
      <ReasonDialog
        title={`${action}: ${tag}`}
        text={
          asked
            ? `${t('occupations.manage.takeOut.byHandBrought', { tag })}${told}`
            : t(`occupations.manage.takeOut.${act === 'moveOut' ? 'byHandMove' : 'byHandText'}`, { tag })
        }
        label={t('occupations.byHand.reason')}
        placeholder={t('occupations.byHand.placeholder')}
        needed={t('occupations.byHand.needed')}
        action={t('occupations.manage.takeOut.taken')}
        busy={busy}
        destructive
        onConfirm={(reason) => void say(reason)}
        onClose={close}
      />
    );
  }
  const hand = (
    <Button variant={away ? 'filled' : 'default'} disabled={busy} onClick={() => setByHand(true)}>
      {t('occupations.manage.takeOut.byHand')}
    </Button>
  );
  return (
    <Dialog onClose={close} title={`${action}: ${tag}`}>
      {failed === null && away && (
        <Alert color="yellow" variant="light" icon={<IconPlugConnectedX aria-hidden />} title={t('occupations.scene.offline.title')}>
          {t('occupations.scene.offline.text', { tag })} {t('occupations.manage.takeOut.key')}
        </Alert>
      )}
      {failed === null && !away && <Text>{will}</Text>}
      {failed !== null && (
        <Alert
          color="red"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title={t(`occupations.scene.${failed}.title`, { tag })}
          role="alert"
        >
          {failed === 'refused' && isJam(controllerCodeOf(error))
            ? t('problems.door-jammed')
            : t(`occupations.scene.${failed}.text`, { tag })}{' '}
          {t(`occupations.manage.takeOut.${asked ? 'unchangedBrought' : 'unchanged'}`)}
        </Alert>
      )}
      {error !== null && failed === null && <ProblemNote error={error} />}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" disabled={busy} onClick={close} data-autofocus={act !== 'fetch' || undefined}>
          {t('common.cancel')}
        </Button>
        {(error !== null || away) && hand}
        <Button
          {...(away ? { variant: 'default' } : act === 'fetch' ? {} : { color: 'red' })}
          loading={busy}
          // Where it is belongs to its name.
          {...(pending ? WAITING : {})}
          onClick={() => (pending ? undefined : void open())}
          data-autofocus={act === 'fetch' || undefined}
        >
          {error !== null || away ? t('occupations.act.tryAgain') : act === 'fetch' ? t('occupations.act.open', { tag }) : action}
        </Button>
      </Group>
    </Dialog>
  );
};
