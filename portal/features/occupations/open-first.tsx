import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { lockerQuery, type Locker, type Occupation } from '../../app/queries.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useDoorCommands } from '../lockers/api.ts';
import { notLocked } from '../lockers/door-view.ts';
import styles from './manage.module.css';
import { heardOpen } from './running.ts';

/** Of a cabinet that is silent nobody knows. */
const standsNow = (locker: Locker, heard: boolean) => {
  if (locker.connection === 'offline' || locker.door === 'unknown') return 'unheard';
  if (locker.door === 'opened') return 'opened';
  if (notLocked(locker)) return 'notLocked';
  if (!heard) return 'shut';
  return locker.occupancy === 'empty' ? 'sensesNothing' : 'shutAgain';
};

type OpenFirst = {
  button: ReactNode;
  stands: ReactNode;
  heard: boolean;
  open: () => void;
  /** Opened here and shut again, and its sensor, which sensed nothing before, senses something inside. */
  sensed: boolean;
};

/**
 * Who stands here opens first, and says afterwards what happened: until the door was heard to open, that is the likely button. A door that
 * does not open, or that nobody hears, keeps nobody from saying it. Once it is opened the focus is at `next`, where one is given.
 */
export function useOpenFirst(one: Occupation, next?: RefObject<HTMLElement | null>): OpenFirst {
  const { t } = useTranslation();
  const doors = useDoorCommands();
  const locker = useQuery(lockerQuery(useApi(), one.lockerId)).data;
  const [state, setState] = useState<'idle' | 'busy' | 'opened'>('idle');
  const [error, setError] = useState<unknown>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // A button that works gives up the focus, and Tab must not begin outside of the dialog.
  const opened = state === 'opened';
  const over = opened || error !== null;
  useEffect(() => {
    if (over && document.activeElement === document.body) ((opened && next) || opener).current?.focus();
  }, [over, opened, next]);
  // Once heard it stays so: it is shut again before anything is said.
  const [heard, setHeard] = useState(false);
  if (!heard && (opened || heardOpen(one, locker))) setHeard(true);
  // A reading that was there before is no news of what was put in.
  const [before, setBefore] = useState<Locker['occupancy'] | null>(null);
  const open = async () => {
    setBefore((first) => first ?? locker?.occupancy ?? 'unknown');
    setState('busy');
    setError(null);
    try {
      await doors.open({ locker: { id: one.lockerId, doorTag: one.doorTag }, occupationId: one.id });
      setState('opened');
    } catch (failure) {
      setError(failure);
      setState('idle');
    }
  };
  const button = (
    <div className={styles.openFirst}>
      <Button
        ref={opener}
        variant={heard ? 'default' : 'filled'}
        size="md"
        fullWidth
        data-autofocus={!heard || undefined}
        loading={state === 'busy'}
        onClick={() => void open()}
      >
        {t('occupations.act.open', { tag: one.doorTag })}
      </Button>
      {error !== null && <ProblemNote error={error} />}
    </div>
  );
  // Until it is said: how the door stands, and what to do next.
  const stands = (
    <output className={styles.stands}>
      {locker !== undefined && t(`occupations.manage.doorNow.${standsNow(locker, heard)}`, { tag: one.doorTag })}
    </output>
  );
  const shut = locker?.door === 'closed' && locker.connection === 'online' && !notLocked(locker);
  const sensed = opened && shut && before === 'empty' && locker.occupancy === 'occupied';
  return { button, stands, heard, open: () => void open(), sensed };
}
