import type { Client } from '@hatchway/contract/client.ts';
import { queryOptions } from '@tanstack/react-query';
import { PAGE } from '../../app/whole.ts';
import { WALLS_READ } from './read-ahead.ts';

/** What the list of lockers can be asked of what lock control shows; lockers in use are found on every wall. */
const ASKED: Readonly<Record<string, Record<string, unknown>>> = {
  free: { free: true },
  open: { door: 'opened' },
  'in-doubt': { inDoubt: true },
  'out-of-service': { outOfService: true },
  offline: { connection: 'offline' },
};

/**
 * Cabinets that have a door of that kind, so that a figure of the dashboard leads to what it counted, whichever wall that is on; no more
 * of them than walls are read ahead.
 */
export const showingQuery = (api: Client, show: string | undefined) => {
  const q = ASKED[show ?? ''];
  return queryOptions({
    queryKey: ['lockers', 'showing', { q: q ?? {} }],
    queryFn: async ({ signal }): Promise<string[]> => {
      if (q === undefined) return [];
      const found = await api('GET /lockers', { query: { q, limit: PAGE }, signal });
      return [...new Set(found.map(({ cabinetId }) => cabinetId))].slice(0, WALLS_READ);
    },
  });
};
