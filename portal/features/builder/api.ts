import type { Cabinet, CabinetChange, Site, SiteInput } from '@hatchway/contract/cabinets.ts';
import type { CallInput, Client } from '@hatchway/contract/client.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { oneOf } from '../../app/draft.ts';
import { usePortal } from '../../app/portal.ts';
import { type Locker, type Occupation, wallQuery } from '../../app/queries.ts';
import { PAGE, whole } from '../../app/whole.ts';

export type { Cabinet, CabinetChange, Site, SiteInput };
export type NewCabinet = NonNullable<CallInput<'POST /cabinets'>['body']>;

export const sitesQuery = (api: Client) =>
  queryOptions({
    queryKey: ['sites', 'list', { sort: 'name' }],
    queryFn: ({ signal }) => whole((cursor) => api.page('GET /sites', { query: { sort: 'name', limit: PAGE, ...cursor }, signal })),
  });
export const siteQuery = (api: Client, id: string) =>
  oneOf('sites', id, ({ signal }) => api('GET /sites', { query: { q: { id }, limit: 1 }, signal }));
export const cabinetQuery = (api: Client, id: string) =>
  queryOptions({ queryKey: ['cabinets', id], queryFn: ({ signal }) => api('GET /cabinets/{id}', { params: { id }, signal }) });
export const policiesQuery = (api: Client) =>
  queryOptions({
    queryKey: ['policies', 'list', { sort: 'name' }],
    queryFn: ({ signal }) => whole((cursor) => api.page('GET /policies', { query: { limit: PAGE, ...cursor }, signal })),
  });
/** As many as one call may name. */
const AT_ONCE = 200;
/** What uses these lockers now, as far as whoever asks may see it. */
export const usesOfLockersQuery = (api: Client, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['occupations', 'of-lockers', { q: { id: { $in: ids } } }],
    queryFn: async ({ signal }) => {
      const found: Occupation[] = [];
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const q = { id: { $in: ids.slice(from, from + AT_ONCE) } };
        found.push(...(await api('GET /occupations', { query: { q, limit: AT_ONCE }, signal })));
      }
      return found;
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
/** The locker whose door tag stands last. */
export const lastTagQuery = (api: Client) =>
  queryOptions({
    queryKey: ['lockers', 'last', { sort: '-doorTag' }],
    queryFn: ({ signal }) => api('GET /lockers', { query: { sort: '-doorTag', limit: 1 }, signal }),
  });
/** Doors of other cabinets (of all, where this one is not made yet) that bear one of these tags: what the server would refuse to give a second door. */
export const elsewhereQuery = (api: Client, cabinetId: string | null, tags: readonly string[]) =>
  queryOptions({
    queryKey: ['lockers', 'elsewhere', { cabinetId, tags }],
    queryFn: async ({ signal }) => {
      const found: Locker[] = [];
      for (let at = 0; at < tags.length; at += AT_ONCE) {
        const others = cabinetId === null ? {} : { cabinetId: { $ne: cabinetId } };
        const q = { ...others, doorTag: { $in: tags.slice(at, at + AT_ONCE) } };
        found.push(...(await api('GET /lockers', { query: { q, limit: AT_ONCE }, signal })));
      }
      return found;
    },
  });
/** Lockers to be checked, longest in doubt first is for whoever shows them. */
export const doubtQuery = (api: Client) =>
  queryOptions({
    queryKey: ['lockers', 'doubt', { q: { inDoubt: true } }],
    queryFn: ({ signal }) =>
      whole((cursor) => api.page('GET /lockers', { query: { q: { inDoubt: true }, sort: 'doorTag', limit: PAGE, ...cursor }, signal })),
  });

/** Commands on sites and cabinets; what each answers is shown everywhere at once. */
export function useBuilderCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const shown = async <T extends Site | Cabinet>(noun: 'sites' | 'cabinets', method: 'POST' | 'PUT', answer: Promise<T>): Promise<T> => {
      const row = await answer;
      applyChange({ noun, method, data: row });
      return row;
    };
    const gone = async (noun: 'sites' | 'cabinets', id: string, answer: Promise<unknown>): Promise<void> => {
      await answer;
      applyChange({ noun, method: 'DELETE', data: { id } });
    };
    return {
      /** Reads its doors anew; a read that fails is told where they are shown. */
      readWall: (id: string) => void queryClient.invalidateQueries({ queryKey: wallQuery(api, id).queryKey }),
      addSite: (body: SiteInput) => shown('sites', 'POST', api('POST /sites', { body })),
      changeSite: (id: string, body: SiteInput & { version: number }) =>
        shown('sites', 'PUT', api('PUT /sites/{id}', { params: { id }, body })),
      removeSite: (id: string) => gone('sites', id, api('DELETE /sites/{id}', { params: { id } })),
      addCabinet: (body: NewCabinet) => shown('cabinets', 'POST', api('POST /cabinets', { body })),
      changeCabinet: (id: string, body: CabinetChange) => shown('cabinets', 'PUT', api('PUT /cabinets/{id}', { params: { id }, body })),
      removeCabinet: (id: string) => gone('cabinets', id, api('DELETE /cabinets/{id}', { params: { id } })),
      pair: (id: string) => api('POST /cabinets/{id}/pair', { params: { id } }),
      liftKeypad: (id: string) => shown('cabinets', 'PUT', api('POST /cabinets/{id}/keypad', { params: { id } })),
      unpair: (id: string) => shown('cabinets', 'PUT', api('DELETE /cabinets/{id}/pair', { params: { id } })),
    };
  }, [api, applyChange, queryClient]);
}
