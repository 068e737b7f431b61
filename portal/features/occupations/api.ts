import type { CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import { postedNumber } from '@hatchway/domain/shop-order.ts';
import { STAGES, type OccupationType } from '@hatchway/domain/terms.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { isAnswered } from '../../app/once.ts';
import { usePortal } from '../../app/portal.ts';
import type { Occupation } from '../../app/queries.ts';
import { PAGE, whole } from '../../app/whole.ts';
import type { Registration } from './draft.ts';

export type Asset = CallResult<'GET /assets'>[number];
export type Message = CallResult<'GET /messages'>[number];
export type KnownReceiver = CallResult<'GET /receivers'>[number];
type ActionBody = CallInput<'PUT /occupations'>['body'];

type AssetWish = { search: string; source?: 'tcm' | undefined; lent?: boolean | undefined; out?: true | undefined };

/** What a barcode or a few letters find: an identifier exactly, or words of the name. */
export const assetsQuery = (api: Client, { search, source, lent, out }: AssetWish) =>
  queryOptions({
    queryKey: ['assets', 'list', { search, source: source ?? null, lent: lent ?? null, out: out ?? null }],
    queryFn: async ({ signal }) => {
      const only = {
        ...(source === undefined ? {} : { source }),
        ...(lent === undefined ? {} : { lent }),
        ...(out === undefined ? {} : { out }),
      };
      const find = (q: Record<string, unknown>) => api('GET /assets', { query: { q: { ...q, ...only }, limit: 30, sort: 'name' }, signal });
      if (search === '') return find({});
      const [exact, byName] = await Promise.all([find({ identifier: search }), find({ $text: search })]);
      return [...exact, ...byName.filter((asset) => !exact.some((one) => one._id === asset._id))];
    },
    placeholderData: keepPreviousData,
  });

/** The shop's open orders whose number, customer or telephone begins so. */
export const ordersQuery = (api: Client, search: string) =>
  queryOptions({
    queryKey: ['orders', 'list', search],
    queryFn: ({ signal }) =>
      api('GET /orders', { query: { ...(search === '' ? {} : { q: { $text: search } }), limit: 30, sort: '-createdAt' }, signal }),
    placeholderData: keepPreviousData,
  });

/** The open orders that a written number means: the connected shop's, and each shop's that posts its own. */
export const writtenOrdersQuery = (api: Client, written: string, shops: readonly (string | null)[]) => {
  const q = { number: { $in: [written, ...shops.flatMap((shop) => (shop === null ? [] : postedNumber(shop, written)))] } };
  return queryOptions({
    queryKey: ['orders', 'list', { q }],
    queryFn: ({ signal }) => api('GET /orders', { query: { q, limit: 2 }, signal }),
    // One that was called off since brings nobody.
    staleTime: 0,
  });
};

/** The asset tool's open requests whose number, person or words begin so. */
export const requestsQuery = (api: Client, search: string) =>
  queryOptions({
    queryKey: ['asset-requests', 'list', search],
    queryFn: ({ signal }) =>
      api('GET /asset-requests', { query: { ...(search === '' ? {} : { q: { $text: search } }), limit: 30, sort: '-createdAt' }, signal }),
    placeholderData: keepPreviousData,
  });

/** What runs for a request. */
export const handedOutQuery = (api: Client, externalRef: string) =>
  queryOptions({
    queryKey: ['occupations', 'list', { externalRef }],
    queryFn: ({ signal }) => {
      const q = { externalRef, stage: { $lt: STAGES.VACANT } };
      return api('GET /occupations', { query: { q, limit: 10, sort: '-createdAt' }, signal });
    },
  });

/** The shops that have orders, or may have. */
export const orderShopsQuery = (api: Client) =>
  queryOptions({ queryKey: ['orders', 'shops'], queryFn: ({ signal }) => api('GET /orders/shops', { signal }) });

/** What lies in a locker for an order, or is on its way into one. */
export const parcelsQuery = (api: Client, orderRef: string) => {
  const q = { orderRef, stage: { $lt: STAGES.VACANT } };
  return queryOptions({
    queryKey: ['occupations', 'list', { q }],
    queryFn: ({ signal }) => api('GET /occupations', { query: { q, limit: 10, sort: '-createdAt' }, signal }),
  });
};

export const assetQuery = (api: Client, id: string) =>
  queryOptions({ queryKey: ['assets', id], queryFn: ({ signal }) => api('GET /assets/{id}', { params: { id }, signal }) });

export const statusLabelsQuery = (api: Client) =>
  queryOptions({ queryKey: ['statuslabels', 'list'], queryFn: ({ signal }) => api('GET /statuslabels', { signal }) });

export const policiesQuery = (api: Client) =>
  queryOptions({
    queryKey: ['policies', 'list'],
    queryFn: ({ signal }) => whole((cursor) => api.page('GET /policies', { query: { limit: PAGE, ...cursor }, signal })),
  });

const running = (type: OccupationType, service: string) => ({ type, service, stage: { $lt: STAGES.TERMINATED } });

/** What of these things is in use, as many as a list shows at once. */
export const usesOfQuery = (api: Client, assetIds: readonly string[]) => {
  const q = { assetId: { $in: assetIds }, stage: { $lt: STAGES.TERMINATED } };
  return queryOptions({
    queryKey: ['occupations', 'list', { q, limit: 200 }],
    queryFn: ({ signal }) => api('GET /occupations', { query: { q, limit: 200 }, signal }),
    placeholderData: keepPreviousData,
  });
};

/** Which of these things are in use, also by what is out of one's sight; goods stand in several lockers. A recall is of what is out. */
export const inUseQuery = (api: Client, type: OccupationType, assetIds: readonly string[]) => {
  const q = { _id: { $in: assetIds }, ...(isStock(type) ? { inUseAlone: true } : { inUse: true }) };
  return queryOptions({
    queryKey: ['occupations', 'in-use', { q }],
    queryFn: async ({ signal }) =>
      type === 'recall' || assetIds.length === 0
        ? []
        : (await api('GET /assets', { query: { q, limit: assetIds.length }, signal })).map(({ _id }) => _id),
    // What is out of sight is not told live either.
    staleTime: 5_000,
    placeholderData: keepPreviousData,
  });
};

/** What of one service is under way: the newest, as many as a screen can show at once. */
export const underWayQuery = (api: Client, type: OccupationType, service: string) =>
  queryOptions({
    queryKey: ['occupations', 'list', { q: running(type, service), limit: 50 }],
    queryFn: ({ signal }) => api('GET /occupations', { query: { q: running(type, service), limit: 50 }, signal }),
  });

/** And what of it was begun and not finished, put in or taken out, however long ago. */
export const begunQuery = (api: Client, type: OccupationType, service: string) => {
  const { RESERVED, INITIATED, FILLED, CLAIMING } = STAGES;
  const q = { type, service, stage: { $in: [RESERVED, INITIATED, FILLED, CLAIMING] } };
  return queryOptions({
    queryKey: ['occupations', 'list', { q, limit: 8 }],
    queryFn: ({ signal }) => api('GET /occupations', { query: { q, limit: 8 }, signal }),
  });
};

/** And what of it is late, however old it is. */
export const lateQuery = (api: Client, type: OccupationType, service: string) =>
  queryOptions({
    queryKey: ['occupations', 'list', { q: { ...running(type, service), overdue: true }, limit: 8 }],
    queryFn: ({ signal }) => api('GET /occupations', { query: { q: { ...running(type, service), overdue: true }, limit: 8 }, signal }),
  });

export const receiversQuery = (api: Client, search: string) =>
  queryOptions({
    queryKey: ['receivers', 'list', { search }],
    queryFn: ({ signal }) => api('GET /receivers', { query: { search, limit: 8 }, signal }),
    enabled: search.trim().length >= 2,
    placeholderData: keepPreviousData,
  });

export const messagesQuery = (api: Client, occupationId: string) =>
  queryOptions({
    queryKey: ['messages', 'list', { q: { occupationId } }],
    queryFn: ({ signal }) => api('GET /messages', { query: { q: { occupationId }, limit: 50 }, signal }),
  });

/** Running occupations by what was typed or scanned. */
export const foundQuery = (api: Client, scan: string) =>
  queryOptions({
    queryKey: ['occupations', 'found', { scan }],
    queryFn: ({ signal }) => api('POST /occupations/find', { body: { scan }, signal }),
    enabled: scan !== '',
  });

/** Commands on occupations; what each answers is shown everywhere at once. */
export function useOccupationCommands() {
  const { api, applyChange } = usePortal();
  return useMemo(() => {
    const shown = async <T extends Occupation>(answer: Promise<T>, method: 'POST' | 'PUT' = 'PUT'): Promise<T> => {
      const occupation = await answer;
      applyChange({ noun: 'occupations', method, data: occupation });
      return occupation;
    };
    return {
      register: (registration: Registration, key: string) =>
        shown(api('POST /occupations', { body: registration, idempotencyKey: key }), 'POST'),
      act: (body: ActionBody) => shown(api('PUT /occupations', { body })),
      claim: (id: string, more: Omit<CallInput<'PUT /occupations/assign'>['body'], 'action' | 'id'> = {}) =>
        shown(api('PUT /occupations/assign', { body: { action: 'claim', id, ...more } })),
      doubt: (id: string, kind: 'nothing-inside' | 'not-empty' | 'stays-inside') =>
        shown(api('POST /occupations/{id}/doubt', { params: { id }, body: { kind } })),
      amend: (id: string, body: CallInput<'PUT /occupations/{id}'>['body']) =>
        shown(api('PUT /occupations/{id}', { params: { id }, body })),
      /** As it is seen here: one that was filled meanwhile is refused as `stale`, and not ended unseen. */
      end: ({ id, version }: Pick<Occupation, 'id' | 'version'>, reason?: string) =>
        api('DELETE /occupations/{id}', { params: { id }, body: { version, ...(reason === undefined ? {} : { reason }) } }),
      retrieve: (id: string, reason?: string) =>
        api('POST /occupations/{id}/retrieve', { params: { id }, body: reason === undefined ? {} : { reason } }),
      sendAgain: async (messageId: string) => {
        const message = await api('POST /messages/{id}/send', { params: { id: messageId }, body: {} });
        applyChange({ noun: 'messages', method: 'POST', data: message });
        return message;
      },
    };
  }, [api, applyChange]);
}

/**
 * Adds pieces once: a refill whose answer was lost is asked again under the version that it had, and the server refuses it as `stale`
 * where it was done. One that was answered, with whatever, is done with.
 */
export function useRefill() {
  const { act } = useOccupationCommands();
  const unanswered = useRef<number | null>(null);
  return async (one: Pick<Occupation, 'id' | 'version'>, quantity: number): Promise<Occupation> => {
    const version = (unanswered.current ??= one.version);
    try {
      const after = await act({ action: 'fill', id: one.id, quantity, version });
      unanswered.current = null;
      return after;
    } catch (error) {
      if (isAnswered(error)) unanswered.current = null;
      throw error;
    }
  };
}
