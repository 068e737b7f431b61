import type { CallResult, Client } from '@hatchway/contract/client.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';

export type Compared = CallResult<'GET /payments/reconcile'>[number];

/** Of a day of the company's clock, page after page. Its provider is asked each time: what it said a while ago is no news. */
export const booksQuery = (api: Client, day: string) =>
  infiniteQueryOptions({
    queryKey: ['books', 'day', { day }],
    queryFn: ({ signal, pageParam }) =>
      api.page('GET /payments/reconcile', { query: { day, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
