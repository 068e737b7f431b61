import type { Call, CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { ApiError } from '@hatchway/contract/client.ts';
import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { isLate } from './late.ts';
import { PAGE, whole } from './whole.ts';

export type Me = CallResult<'GET /accounts/me'>;
export type Company = CallResult<'GET /companies/{tenant}'>;
export type Occupation = CallResult<'GET /occupations/{id}'>;
export type Locker = CallResult<'GET /lockers/{id}'>;
export type Cabinet = CallResult<'GET /cabinets/{id}'>;
export type HistoryEvent = CallResult<'GET /history'>[number];

/** A refusal will not change by asking again; a lost connection or a server that is away may. Who waited 30 s is told. */
const again = (count: number, error: Error): boolean => count < 2 && !isLate(error) && !(error instanceof ApiError && error.status < 500);

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // Live events keep what is shown true; after a minute a revisited screen asks again behind what it shows.
      queries: { staleTime: 60_000, gcTime: 10 * 60_000, retry: again, refetchOnWindowFocus: false },
      // Without a line a read waits for it and goes on by itself. What somebody presses is refused at once: it must not be done later, unasked.
      mutations: { retry: false, networkMode: 'always' },
    },
  });

/** A list's questions, as the calls take them: `q` is written as JSON by the client. */
type ListParams = { q?: Record<string, unknown>; sort?: string; limit?: number };

export const meQuery = (api: Client) =>
  queryOptions({ queryKey: ['accounts', 'me'], queryFn: ({ signal }) => api('GET /accounts/me', { signal }) });

export const companyQuery = (api: Client, tenantId: string) =>
  queryOptions({
    queryKey: ['companies', tenantId],
    queryFn: ({ signal }) => api('GET /companies/{tenant}', { params: { tenant: tenantId }, signal }),
  });

/** Of each version of the company anew; the picture before stays until the next one is there. */
export const logoQuery = (api: Client, company: { id: string; version: number; hasLogo: boolean }) =>
  queryOptions({
    queryKey: ['logo', company.id, { version: company.version }],
    queryFn: ({ signal }) => api('GET /companies/{tenant}/logo', { params: { tenant: company.id }, query: { size: '480' }, signal }),
    enabled: company.hasLogo,
    placeholderData: keepPreviousData,
  });

export const occupationQuery = (api: Client, id: string) =>
  queryOptions({ queryKey: ['occupations', id], queryFn: ({ signal }) => api('GET /occupations/{id}', { params: { id }, signal }) });

export const lockerQuery = (api: Client, id: string) =>
  queryOptions({ queryKey: ['lockers', id], queryFn: ({ signal }) => api('GET /lockers/{id}', { params: { id }, signal }) });

/** A wall is read whole. */
export const wallQuery = (api: Client, cabinetId: string) =>
  queryOptions({
    queryKey: ['lockers', 'wall', { cabinetId }],
    queryFn: ({ signal }) => api('GET /cabinets/{id}/lockers', { params: { id: cabinetId }, signal }),
  });

export const cabinetsQuery = (api: Client) =>
  queryOptions({
    queryKey: ['cabinets', 'list', { sort: 'number' }],
    queryFn: ({ signal }) => whole((cursor) => api.page('GET /cabinets', { query: { sort: 'number', limit: PAGE, ...cursor }, signal })),
  });

export const statsNowQuery = (api: Client) =>
  queryOptions({ queryKey: ['stats', 'now'], queryFn: ({ signal }) => api('GET /stats/now', { signal }) });

export const statsUsageQuery = (api: Client, days: number, by: 'day' | 'hour') =>
  queryOptions({
    queryKey: ['stats', 'usage', { days, by }],
    queryFn: ({ signal }) => api('GET /stats/usage', { query: { days, by }, signal }),
  });

export const statsServicesQuery = (api: Client, days: number) =>
  queryOptions({
    queryKey: ['stats', 'services', { days }],
    queryFn: ({ signal }) => api('GET /stats/services', { query: { days }, signal }),
  });

export const statsSalesQuery = (api: Client, days: number) =>
  queryOptions({ queryKey: ['stats', 'sales', { days }], queryFn: ({ signal }) => api('GET /stats/sales', { query: { days }, signal }) });

export const statsMessagesQuery = (api: Client) =>
  queryOptions({ queryKey: ['stats', 'messages'], queryFn: ({ signal }) => api('GET /stats/messages', { signal }) });

export const historyQuery = (api: Client, params: ListParams = {}) =>
  queryOptions({
    queryKey: ['history', 'list', params],
    queryFn: ({ signal }) => api('GET /history', { query: params, signal }),
  });

const NOUN = {
  'GET /occupations': 'occupations',
  'GET /payments': 'payments',
  'GET /history': 'history',
  'GET /lockers': 'lockers',
  'GET /links': 'links',
  'GET /assets': 'assets',
  'GET /asset-groups': 'asset-groups',
  'GET /permissions': 'permissions',
  'GET /key': 'keys',
  'GET /policies': 'policies',
  'GET /webhooks': 'webhooks',
  'GET /groups': 'groups',
  'GET /directory/people': 'directory-people',
  'GET /directory/groups': 'directory-groups',
  'GET /companies/{tenant}/memberships': 'memberships',
  'GET /companies/{tenant}/invitations': 'invitations',
} as const satisfies Partial<Record<Call, string>>;
export type ListCall = keyof typeof NOUN;

/** A page as tables take it. */
export type Page<T> = { rows: T[]; next: string | null; total: number | null };
export type Pages<T> = {
  queryKey: readonly unknown[];
  queryFn: (context: { signal: AbortSignal; pageParam: string | null }) => Promise<Page<T>>;
};
export type RowOf<K extends ListCall> = CallResult<K> extends readonly (infer Row)[] ? Row : never;

/** How many there are, without reading them. */
export const countQuery = (api: Client, call: ListCall, q?: Record<string, unknown>) =>
  queryOptions({
    queryKey: [NOUN[call], 'count', { q }],
    queryFn: async ({ signal }): Promise<number | null> => {
      const query = { limit: 1, count: 'true', ...(q ? { q } : {}) };
      return (await api.page<ListCall>(call, { query, signal } as CallInput<ListCall>)).total;
    },
  });

/** A list by cursor, page after page; the first page brings the whole count. */
export const pagesQuery = <K extends ListCall>(api: Client, call: K, params: ListParams): Pages<RowOf<K>> => ({
  queryKey: [NOUN[call], 'pages', params],
  queryFn: ({ signal, pageParam }) => {
    const query = { ...params, ...(pageParam ? { cursor: pageParam } : { count: 'true' }) };
    // The call's own type for `query` cannot be followed through the generic key; the fields are the same for every list.
    return api.page<ListCall>(call, { query, signal } as CallInput<ListCall>) as Promise<Page<RowOf<K>>>;
  },
});
