import type { CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { oneOf } from '../../app/draft.ts';
import { usePortal } from '../../app/portal.ts';

export type Webhook = CallResult<'GET /webhooks'>[number];
type WebhookInput = CallInput<'POST /webhooks'>['body'];
export type Delivery = CallResult<'GET /webhooks/{id}/deliveries'>[number];

export const webhooksQuery = (api: Client) =>
  queryOptions({
    queryKey: ['webhooks', 'list'],
    queryFn: ({ signal }) => api('GET /webhooks', { query: { limit: 100 }, signal }),
  });

export const webhookQuery = (api: Client, id: string) =>
  oneOf('webhooks', id, ({ signal }) => api('GET /webhooks', { query: { q: { id }, limit: 1 }, signal }));

export const STATES = ['queued', 'delivered', 'failed', 'missed'] as const satisfies readonly Delivery['state'][];
const PAGE = 50;
/** What was sent to one address, newest first, page after page; of one state alone where it is named. */
export const deliveriesQuery = (api: Client, id: string, state: Delivery['state'] | null) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', 'log', { id, state }],
    queryFn: ({ signal, pageParam }) =>
      api.page('GET /webhooks/{id}/deliveries', {
        params: { id },
        query: { limit: PAGE, ...(state === null ? {} : { q: { state } }), ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    staleTime: 0,
  });

export function useWebhookCommands() {
  const { api, queryClient } = usePortal();
  return useMemo(() => {
    const after = async <T>(answer: Promise<T>): Promise<T> => {
      const done = await answer;
      for (const noun of ['webhooks', 'deliveries']) void queryClient.invalidateQueries({ queryKey: [noun] });
      return done;
    };
    return {
      create: (body: WebhookInput) => after(api('POST /webhooks', { body })),
      change: (id: string, body: WebhookInput & { version: number }) => after(api('PUT /webhooks/{id}', { params: { id }, body })),
      remove: (id: string) => after(api('DELETE /webhooks/{id}', { params: { id } })),
      test: (id: string) => after(api('POST /webhooks/{id}/test', { params: { id } })),
      replay: (id: string, deliveryId: string) =>
        after(api('POST /webhooks/{id}/deliveries/{deliveryId}/replay', { params: { id, deliveryId } })),
    };
  }, [api, queryClient]);
}
