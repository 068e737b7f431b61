import type { Client } from '@hatchway/contract/client.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Occupation } from '../../app/queries.ts';
import { PAGE, whole } from '../../app/whole.ts';

export type Good = Occupation;

const RUNNING = { type: 'sale', stage: { $lt: STAGES.TERMINATED } } as const;
/** Everything for sale and about to be. */
export const goodsQuery = (api: Client) =>
  queryOptions({
    queryKey: ['occupations', 'goods', { q: RUNNING }],
    queryFn: ({ signal }) =>
      whole((cursor) => api.page('GET /occupations', { query: { q: RUNNING, sort: '-createdAt', limit: PAGE, ...cursor }, signal })),
  });

/** As many values as `$in` takes. */
const AT_ONCE = 200;
/** Which of them have a picture, so that none is asked for in vain. */
export const picturedQuery = (api: Client, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['assets', 'pictured', { q: { _id: { $in: ids } } }],
    queryFn: async ({ signal }) => {
      const pictured = new Set<string>();
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const some = ids.slice(from, from + AT_ONCE);
        const found = await api('GET /assets', { query: { q: { _id: { $in: some } }, limit: AT_ONCE }, signal });
        for (const asset of found) if (asset.hasImage) pictured.add(asset._id);
      }
      return pictured;
    },
    enabled: ids.length > 0,
  });

export const pictureQuery = (api: Client, id: string) =>
  queryOptions({
    queryKey: ['assets', id, { image: 480 }],
    queryFn: ({ signal }) => api('GET /assets/{id}/image', { params: { id }, query: { size: '480' }, signal }),
    staleTime: 10 * 60_000,
  });

/** Pieces that nobody has paid for or is paying for. */
export const freePieces = (good: Good): number => Math.max(0, (good.quantity ?? 0) - good.held);
export const isOffered = (good: Good): boolean => good.stage >= STAGES.ACQUIRABLE && good.stage <= STAGES.CLAIMING;

/** The public shop: its address, and whether it is open. Asked anew each minute: it opens and closes by the clock too. */
export const storefrontQuery = (api: Client) =>
  queryOptions({ queryKey: ['storefront', 'shop'], queryFn: ({ signal }) => api('GET /storefront', { signal }), refetchInterval: 60_000 });

/** What was sold today and this month; to whoever may read payments. */
export const salesQuery = (api: Client) =>
  queryOptions({ queryKey: ['shop-sales'], queryFn: ({ signal }) => api('GET /storefront/sales', { signal }) });
