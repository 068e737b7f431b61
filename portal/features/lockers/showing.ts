import type { Client } from '@hatchway/contract/client.ts';
import { queryOptions } from '@tanstack/react-query';
import { PAGE } from '../../app/whole.ts';
import { WALLS_READ } from './read-ahead.ts';

/** What lock control shows by: where a locker is counted, or how its door or cabinet is. */
export const SHOWS = ['free', 'in-use', 'open', 'in-doubt', 'out-of-service', 'unready', 'offline'] as const;

/** The same, as the list of lockers is asked for it. */
const ASKED: Readonly<Record<string, Record<string, unknown>>> = {
  free: { standing: 'free' },
  'in-use': { standing: 'inUse' },
  open: { door: 'opened' },
  'in-doubt': { standing: 'inDoubt' },
  'out-of-service': { standing: 'outOfService' },
  unready: { standing: 'unready' },
  offline: { connection: 'offline', paired: true },
};

/**
 * Cabinets that have a door of that kind or number, so that a figure of the dashboard leads to what it counted and a search to its door,
 * whichever wall that is on; no more of them than walls are read ahead.
 */
export const showingQuery = (api: Client, show: string | undefined, size: string | undefined, find: string | undefined) => {
  const asked = ASKED[show ?? ''] ?? (find === undefined ? undefined : {});
  const q = asked && { ...asked, ...(size ? { size } : {}), ...(find ? { $text: find } : {}) };
  return queryOptions({
    queryKey: ['lockers', 'showing', { q: q ?? {} }],
    queryFn: async ({ signal }): Promise<string[]> => {
      if (q === undefined) return [];
      const found = await api('GET /lockers', { query: { q, limit: PAGE }, signal });
      return [...new Set(found.map(({ cabinetId }) => cabinetId))].slice(0, WALLS_READ);
    },
  });
};
