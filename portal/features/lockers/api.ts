import type { Client } from '@hatchway/contract/client.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi, usePortal } from '../../app/portal.ts';
import { tone } from '../../app/sound.ts';
import { cabinetsQuery, wallQuery, type Cabinet, type Locker } from '../../app/queries.ts';

/** More walls than this are not read ahead: the best fit elsewhere is then looked for only in those. */
const WALLS_READ = 24;
const NO_LOCKERS: readonly Locker[] = [];

export type Walls = {
  cabinets: readonly Cabinet[];
  lockers: readonly Locker[];
  /** The same, cabinet by cabinet: a list is another one only when something of that cabinet changed. */
  byCabinet: ReadonlyMap<string, readonly Locker[]>;
  pending: boolean;
  error: Error | null;
  retry: () => void;
};

/** Every cabinet with its doors, live. */
export function useWalls(): Walls {
  const api = useApi();
  const cabinets = useQuery(cabinetsQuery(api));
  const shown = useMemo(() => (cabinets.data ?? []).filter((cabinet) => cabinet.columns.length > 0).slice(0, WALLS_READ), [cabinets.data]);
  const walls = useQueries({
    queries: shown.map((cabinet) => wallQuery(api, cabinet.id)),
    combine: (results) => ({
      walls: results.map((result) => result.data ?? NO_LOCKERS),
      pending: results.some((result) => result.isPending),
      error: results.find((result) => result.error)?.error ?? null,
      retry: () => results.forEach((result) => void result.refetch()),
    }),
  });
  const byCabinet = useMemo(() => new Map(shown.map((cabinet, at) => [cabinet.id, walls.walls[at] ?? NO_LOCKERS])), [shown, walls.walls]);
  const lockers = useMemo(() => walls.walls.flat(), [walls.walls]);
  return {
    cabinets: shown,
    lockers,
    byCabinet,
    pending: cabinets.isPending || walls.pending,
    error: cabinets.error ?? walls.error,
    retry: () => {
      void cabinets.refetch();
      walls.retry();
    },
  };
}

type OpenWish = { locker: Pick<Locker, 'id' | 'doorTag'>; occupationId?: string; reason?: string };

export const openDoor = (api: Client, { locker, occupationId, reason }: OpenWish): Promise<Locker> =>
  api('POST /lockers/{id}/open', {
    params: { id: locker.id },
    body: { doorTag: locker.doorTag, ...(occupationId === undefined ? {} : { occupationId }), ...(reason === undefined ? {} : { reason }) },
  });

/** Commands on doors; what each answers is shown everywhere at once. */
export function useDoorCommands() {
  const { api, applyChange } = usePortal();
  return useMemo(() => {
    const shown = async (answer: Promise<Locker>): Promise<Locker> => {
      const locker = await answer;
      applyChange({ noun: 'lockers', method: 'PUT', data: locker });
      return locker;
    };
    return {
      open: (wish: OpenWish) => {
        const answer = shown(openDoor(api, wish));
        answer.then(
          ({ lastCommand }) => tone(lastCommand?.outcome === 'opened' ? 'open' : 'bad'),
          () => tone('bad'),
        );
        return answer;
      },
      lock: (id: string) => shown(api('PUT /lockers/{id}/lock', { params: { id }, body: {} })),
      takeOut: (id: string, reason: string) =>
        shown(api('PUT /lockers/{id}/service', { params: { id }, body: { outOfService: true, reason } })),
      bringBack: (id: string) => shown(api('PUT /lockers/{id}/service', { params: { id }, body: { outOfService: false } })),
      settle: (id: string, content: 'empty' | 'occupied') => shown(api('PUT /lockers/{id}/content', { params: { id }, body: { content } })),
    };
  }, [api, applyChange]);
}
