import type { Client } from '@hatchway/contract/client.ts';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi, usePortal } from '../../app/portal.ts';
import { tone } from '../../app/sound.ts';
import { cabinetsQuery, wallQuery, type Cabinet, type Locker } from '../../app/queries.ts';
import { readAhead } from './read-ahead.ts';

const NO_LOCKERS: readonly Locker[] = [];

export type Walls = {
  /** Every cabinet that has doors. */
  cabinets: readonly Cabinet[];
  /** Those of them whose walls are read, and how many are not. */
  read: readonly Cabinet[];
  unread: number;
  /** The doors of the walls that are read. */
  lockers: readonly Locker[];
  /** The same, cabinet by cabinet: a list is another one only when something of that cabinet changed. */
  byCabinet: ReadonlyMap<string, readonly Locker[]>;
  pending: boolean;
  error: Error | null;
  retry: () => void;
};

/** Every cabinet, and the doors of as many walls as are read ahead, live; those of the cabinets that are `asked` for always are. */
export function useWalls(asked: readonly string[] = []): Walls {
  const api = useApi();
  const cabinets = useQuery(cabinetsQuery(api));
  const all = useMemo(() => (cabinets.data ?? []).filter((cabinet) => cabinet.columns.length > 0), [cabinets.data]);
  const wanted = asked.join(' ');
  const shown = useMemo(() => readAhead(all, wanted.split(' ')), [all, wanted]);
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
    cabinets: all,
    read: shown,
    unread: all.length - shown.length,
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

/** The door that carries a tag, on whichever wall: for links and scans that name one of a wall that is not read. */
export const tagQuery = (api: Client, text: string) => {
  const tag = text.trim();
  return queryOptions({
    queryKey: ['lockers', 'tag', { tag }],
    queryFn: async ({ signal }): Promise<Locker | null> => {
      const found = await api('GET /lockers', { query: { q: { doorTag: { $in: [tag, tag.toUpperCase()] } }, limit: 1 }, signal });
      return found[0] ?? null;
    },
  });
};

/** Doors by the beginning of their tag or name, on whichever wall. */
export const lockersLike = (api: Client, words: string) =>
  queryOptions({
    queryKey: ['lockers', 'list', { q: { $text: words }, sort: 'doorTag', limit: 20 }],
    queryFn: ({ signal }) => api('GET /lockers', { query: { q: { $text: words }, sort: 'doorTag', limit: 20 }, signal }),
  });

type OpenWish = {
  locker: Pick<Locker, 'id' | 'doorTag'>;
  occupationId?: string;
  reason?: string;
  /** What the occupation holds is taken out, once the door has opened; `end`: it ends too. */
  takeOut?: 'keep' | 'end' | 'move';
};

const openDoor = (api: Client, { locker, occupationId, reason, takeOut }: OpenWish): Promise<Locker> =>
  api('POST /lockers/{id}/open', {
    params: { id: locker.id },
    body: {
      doorTag: locker.doorTag,
      ...(occupationId === undefined ? {} : { occupationId }),
      ...(reason === undefined ? {} : { reason }),
      ...(takeOut === undefined ? {} : { takeOut }),
    },
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
      outOfService: (id: string, reason: string) =>
        shown(api('PUT /lockers/{id}/service', { params: { id }, body: { outOfService: true, reason } })),
      backInService: (id: string) => shown(api('PUT /lockers/{id}/service', { params: { id }, body: { outOfService: false } })),
      settle: (id: string, content: 'empty' | 'occupied', note?: string) =>
        shown(api('PUT /lockers/{id}/content', { params: { id }, body: { content, note } })),
    };
  }, [api, applyChange]);
}
