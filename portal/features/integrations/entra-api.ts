import type { Client } from '@hatchway/contract/client.ts';
import type { Entra } from '@hatchway/contract/entra.ts';
import { queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePortal } from '../../app/portal.ts';

export type { Entra };
/** What the directory sent somebody back with. */
export type Back = { state?: string | undefined; code?: string | undefined; error?: string | undefined };

export const entraQuery = (api: Client) =>
  queryOptions({ queryKey: ['entra', 'one'], queryFn: ({ signal }) => api('GET /integrations/entra', { signal }) });

/** Commands on the directory; what each answers is shown at once. */
export function useEntraCommands() {
  const { api, queryClient } = usePortal();
  return useMemo(() => {
    const shown = (entra: Entra): Entra => {
      queryClient.setQueryData(['entra', 'one'], entra);
      void queryClient.invalidateQueries({ queryKey: ['integrations'] });
      return entra;
    };
    return {
      /** `version` is that of what was seen there; 0: nothing was. */
      name: async (tid: string, version: number): Promise<Entra> =>
        shown(await api('POST /integrations/entra', { body: { tid, version } })),
      goOn: ({ state = '', code, error }: Back) =>
        api('POST /integrations/entra/consent', { body: { state, ...(code ? { code } : {}), ...(error ? { error } : {}) } }),
      test: async (): Promise<Entra> => shown(await api('POST /integrations/entra/test', { body: {} })),
      sync: async (): Promise<Entra> => shown(await api('POST /integrations/entra/sync', { body: {} })),
      again: () => queryClient.invalidateQueries({ queryKey: ['entra'] }),
    };
  }, [api, queryClient]);
}
