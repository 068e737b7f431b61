import type { CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePortal } from '../../app/portal.ts';

export type AccessLink = CallResult<'GET /links'>[number];
type LinkWithUrl = CallResult<'POST /links'>;
type LinkInput = NonNullable<CallInput<'POST /links'>['body']>;
type LinkChange = NonNullable<CallInput<'PUT /links/{id}'>['body']>;

/** One link with who used it. */
export const linkQuery = (api: Client, id: string) =>
  queryOptions({ queryKey: ['link-uses', id], queryFn: ({ signal }) => api('GET /links/{id}', { params: { id }, signal }) });

/** Its address is a secret: asked for when it is wanted, and forgotten with the screen that showed it. */
export const linkUrlQuery = (api: Client, id: string) =>
  queryOptions({
    queryKey: ['links', id, 'url'],
    queryFn: ({ signal }) => api('GET /links/{id}/url', { params: { id }, signal }),
    gcTime: 0,
    staleTime: Infinity,
  });

export const linkQrQuery = (api: Client, id: string) =>
  queryOptions({
    queryKey: ['links', id, 'qr'],
    queryFn: async ({ signal }) => {
      const svg = await (await api('GET /links/{id}/qr', { params: { id }, signal })).text();
      return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
    },
    gcTime: 0,
    staleTime: Infinity,
  });

/** Commands on access links; what each answers is shown everywhere at once. */
export function useLinkCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    return {
      create: async (body: LinkInput): Promise<LinkWithUrl> => {
        const { url, ...link } = await api('POST /links', { body });
        applyChange({ noun: 'links', method: 'POST', data: link });
        return { ...link, url };
      },
      change: async (id: string, body: LinkChange): Promise<AccessLink> => {
        const link = await api('PUT /links/{id}', { params: { id }, body });
        applyChange({ noun: 'links', method: 'PUT', data: link });
        return link;
      },
      takeOver: async ({ id, version }: AccessLink): Promise<AccessLink> => {
        const link = await api('POST /links/{id}/take-over', { params: { id }, body: { version } });
        applyChange({ noun: 'links', method: 'PUT', data: link });
        void queryClient.invalidateQueries({ queryKey: ['link-uses', id] });
        return link;
      },
      revoke: async (id: string): Promise<void> => {
        await api('DELETE /links/{id}', { params: { id } });
        void queryClient.invalidateQueries({ queryKey: ['links'] });
        void queryClient.invalidateQueries({ queryKey: ['link-uses', id] });
      },
    };
  }, [api, applyChange, queryClient]);
}
