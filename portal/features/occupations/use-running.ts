import { ApiError } from '@hatchway/contract/client.ts';
import { isJam } from '@hatchway/domain/doors.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { usePortal } from '../../app/portal.ts';
import { codeOf, controllerCodeOf } from '../../app/problem.ts';
import { lockerQuery, occupationQuery, type Locker } from '../../app/queries.ts';
import { useDoorCommands } from '../lockers/api.ts';
import { messagesQuery } from './api.ts';
import { lastCall } from './last-call.ts';
import { endOfCommand, sceneOf, type Attempt, type Scene } from './running.ts';

/** Live events carry every change; this asks too while something is awaited, in case the socket is down. */
const ASK_EVERY = 3_000;
const AWAITING: ReadonlySet<Scene> = new Set([
  'opening',
  'reserved',
  'ajar',
  'opened-unseen',
  'settling',
  'unsaid',
  'not-locked',
  'sensed-empty',
  'sending',
  'unsure',
]);

const endOf = (error: unknown): Exclude<Attempt, null> => {
  switch (codeOf(error)) {
    case 'door-refused': {
      const code = controllerCodeOf(error);
      return { state: endOfCommand('refused', code) ?? 'refused', jam: isJam(code) };
    }
    case 'no-answer':
      return { state: 'no-answer' };
    case 'cabinet-offline':
      return { state: 'offline' };
    default:
      // An answer that got lost on its way tells nothing about the door.
      return { state: error instanceof ApiError ? 'failed' : 'no-answer' };
  }
};

/** One occupation under way, its door, and how the open command that was sent from here stands. */
export function useRunning(occupationId: string | null, byHand: boolean) {
  const { api, queryClient } = usePortal();
  const doors = useDoorCommands();
  const [attempt, setAttempt] = useState<Attempt>(null);
  const [error, setError] = useState<unknown>(null);
  // Come back to, it is asked anew: whether it had ended by then decides what one comes to (use-flow.ts).
  const occupation = useQuery({ ...occupationQuery(api, occupationId ?? ''), enabled: occupationId !== null, refetchOnMount: 'always' });
  const lockerId = occupation.data?.lockerId;
  const locker = useQuery({ ...lockerQuery(api, lockerId ?? ''), enabled: lockerId !== undefined, refetchOnMount: 'always' });
  const messages = useQuery({ ...messagesQuery(api, occupationId ?? ''), enabled: occupationId !== null });
  const scene = occupation.data === undefined ? null : sceneOf(occupation.data, locker.data, attempt, byHand, lastCall(messages.data));

  const look = useCallback(() => {
    if (occupationId === null) return;
    void queryClient.invalidateQueries({ queryKey: ['occupations', occupationId] });
    void queryClient.invalidateQueries({ queryKey: ['messages', 'list', { q: { occupationId } }] });
    if (lockerId !== undefined) void queryClient.invalidateQueries({ queryKey: ['lockers', lockerId] });
  }, [occupationId, lockerId, queryClient]);

  const awaiting = scene !== null && AWAITING.has(scene);
  useEffect(() => {
    if (!awaiting) return undefined;
    const timer = setInterval(look, ASK_EVERY);
    return () => clearInterval(timer);
  }, [awaiting, look]);

  const open = useCallback(
    async (door: Pick<Locker, 'id' | 'doorTag'>, forOccupation: string, reason?: string) => {
      setError(null);
      setAttempt({ state: 'waiting' });
      try {
        const answered = await doors.open({ locker: door, occupationId: forOccupation, ...(reason === undefined ? {} : { reason }) });
        const outcome = answered.lastCommand?.outcome;
        const code = answered.lastCommand?.code;
        setAttempt({ state: endOfCommand(outcome, code) ?? 'opened', jam: isJam(code) });
      } catch (failure) {
        const end = endOf(failure);
        setAttempt(end);
        if (end.state === 'failed') setError(failure);
      }
      void queryClient.invalidateQueries({ queryKey: ['occupations', forOccupation] });
      void queryClient.invalidateQueries({ queryKey: ['lockers', door.id] });
    },
    [doors, queryClient],
  );

  return {
    occupation,
    locker: locker.data,
    pending: occupation.isFetching || locker.isFetching || messages.isPending,
    scene,
    attempt,
    setAttempt,
    error,
    setError,
    open,
    look,
  };
}
