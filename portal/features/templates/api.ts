import type { CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePortal } from '../../app/portal.ts';

export type Template = CallResult<'GET /templates'>[number];
export type Preview = CallResult<'POST /templates/preview'>;
export type Wording = CallInput<'POST /templates/preview'>['body'];

export const templatesQuery = (api: Client) =>
  queryOptions({ queryKey: ['templates', 'list'], queryFn: ({ signal }) => api('GET /templates', { signal }) });

/** As the server would send it: what stands on the screen is what goes out. */
export const previewQuery = (api: Client, body: Wording) =>
  queryOptions({
    queryKey: ['templates', 'preview', body] as const,
    queryFn: ({ signal }) => api('POST /templates/preview', { body, signal }),
    // Typed on, the last one stands until the next is here; of another text it would be a wrong one.
    placeholderData: (last, asked) => (asked !== undefined && isSame(asked.queryKey[2], body) ? last : undefined),
    retry: false,
  });

export const isSame = (a: Pick<Template, 'kind' | 'channel' | 'locale'>, b: Pick<Template, 'kind' | 'channel' | 'locale'>): boolean =>
  a.kind === b.kind && a.channel === b.channel && a.locale === b.locale;

export function useTemplateCommands() {
  const { api, queryClient } = usePortal();
  return useMemo(() => {
    const shown = async (answer: Promise<Template>): Promise<Template> => {
      const one = await answer;
      queryClient.setQueryData<Template[]>(['templates', 'list'], (all) => all?.map((old) => (isSame(old, one) ? one : old)));
      return one;
    };
    return {
      word: (body: CallInput<'PUT /templates'>['body']) => shown(api('PUT /templates', { body })),
      giveBack: (body: CallInput<'DELETE /templates'>['body']) => shown(api('DELETE /templates', { body })),
    };
  }, [api, queryClient]);
}
