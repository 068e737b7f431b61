import type { Client } from '@hatchway/contract/client.ts';
import { ranked } from '@hatchway/domain/locker.ts';
import { SIZES } from '@hatchway/domain/terms.ts';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../app/portal.ts';
import { lockerQuery, wallQuery } from '../../app/queries.ts';
import { PAGE, whole } from '../../app/whole.ts';
import type { Walls } from './api.ts';
import { candidate } from './door-view.ts';
import { fitFor, sizeFor, type Asked } from './fit.ts';

/** As many values as `$in` takes. */
const AT_ONCE = 200;

/**
 * Which of these cabinets has a door that would do, asked of the server: the smallest that will do first, one that did not open when last
 * asked only where there is no other, and none that somebody can open by a link. Null: none has.
 */
export const fitBeyondQuery = (api: Client, asked: Asked, cabinetIds: readonly string[]) =>
  queryOptions({
    queryKey: [
      'lockers',
      'fit',
      { q: { free: true, cabinetId: { $in: cabinetIds } }, service: asked.service, size: sizeFor(asked), not: asked.tried },
    ],
    queryFn: async ({ signal }): Promise<string | null> => {
      const least = sizeFor(asked);
      const wish = { service: asked.service, size: least, cabinetId: null, not: asked.tried };
      let failing: string | null = null;
      for (const size of SIZES.slice(least === null ? 0 : SIZES.indexOf(least))) {
        for (let from = 0; from < cabinetIds.length; from += AT_ONCE) {
          const q = { free: true, size, cabinetId: { $in: cabinetIds.slice(from, from + AT_ONCE) } };
          const free = await whole((cursor) => api.page('GET /lockers', { query: { q, sort: 'doorTag', limit: PAGE, ...cursor }, signal }));
          const best = ranked(free.map(candidate), wish).find(({ linked }) => !linked);
          if (best !== undefined && !best.failing) return best.cabinetId;
          failing ??= best?.cabinetId ?? null;
        }
      }
      return failing;
    },
  });

/**
 * The walls that are read ahead, and beyond them the one where the door stands that is held already, and where those have no door to
 * offer the one of the site that has.
 */
export function useWallsBeyond(walls: Walls, held: string | null, asked: Asked): Walls {
  const api = useApi();
  const away = held !== null && !walls.pending && walls.unread > 0 && !walls.lockers.some(({ id }) => id === held);
  const door = useQuery({ ...lockerQuery(api, held ?? ''), enabled: away });
  const near = useMemo(() => asked.near.filter((id) => !walls.byCabinet.has(id)), [asked.near, walls.byCabinet]);
  const full = useMemo(() => near.length > 0 && !fitFor(walls.lockers, asked).ok, [near, walls.lockers, asked]);
  const found = useQuery({ ...fitBeyondQuery(api, asked, near), enabled: full && !walls.pending });
  const ids = [...new Set([away ? door.data?.cabinetId : null, full ? found.data : null])].filter(
    (id): id is string => typeof id === 'string' && !walls.byCabinet.has(id),
  );
  const more = useQueries({
    queries: ids.map((id) => wallQuery(api, id)),
    combine: (results) => ({ walls: results.map((result) => result.data ?? []), pending: results.some((result) => result.isPending) }),
  });
  const lockers = useMemo(
    () => (more.walls.length === 0 ? walls.lockers : [...walls.lockers, ...more.walls.flat()]),
    [walls.lockers, more.walls],
  );
  return { ...walls, lockers, pending: walls.pending || (full && found.isPending) || more.pending };
}
