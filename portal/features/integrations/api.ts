import type { Client } from '@hatchway/contract/client.ts';
import type { Integration } from '@hatchway/contract/integrations.ts';
import type { IntegrationKind, ToolKind } from '@hatchway/domain/integration.ts';
import { queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePortal } from '../../app/portal.ts';

export type { Integration };
export type Setup = { settings: Record<string, string | boolean>; secrets: Record<string, string | null> };

/** All that is set up, a handful at most; of one kind alone it is asked for anew whenever that changed, also by what it heard. */
export const integrationsQuery = (api: Client, kind?: IntegrationKind) => {
  const q = kind === undefined ? {} : { q: { kind } };
  return queryOptions({
    queryKey: ['integrations', 'list', q],
    queryFn: ({ signal }) => api('GET /integrations', { query: { ...q, limit: 50 }, signal }),
  });
};

export const differencesQuery = (api: Client, kind: ToolKind, { _id }: Pick<Integration, '_id'>) =>
  queryOptions({
    queryKey: ['tool-differences', 'list', _id],
    queryFn: ({ signal }) => api('GET /integrations/{kind}/{_id}/differences', { params: { kind, _id }, signal }),
  });

/** Commands on integrations; what each answers is shown everywhere at once. */
export function useIntegrationCommands(kind: IntegrationKind) {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const again = () => queryClient.invalidateQueries({ predicate: ({ queryKey: [noun] }) => noun === 'integrations' || noun === 'entra' });
    const changed = (data: Integration): Integration => {
      applyChange({ noun: 'integrations', method: 'PUT', data });
      return data;
    };
    return {
      /** `version` is that of what was seen there; 0: nothing was. Answers the row, where the call tells it. */
      save: async (row: Integration | null, setup: Setup, version: number): Promise<Integration | null> => {
        if (row) {
          const params = { kind, _id: row._id };
          return changed(await api('PUT /integrations/{kind}/{_id}', { params, body: { ...setup, version } }));
        }
        const made = await api('POST /integrations/{kind}', { params: { kind }, body: setup });
        await again();
        return made;
      },
      /** Asks the other side whether it answers and takes the keys; how it went stands in the row. */
      test: async ({ _id }: Integration): Promise<Integration> =>
        changed(await api('POST /integrations/{kind}/{_id}/test', { params: { kind, _id }, body: {} })),
      sync: async ({ _id }: Integration): Promise<Integration> =>
        changed(await api('POST /integrations/{kind}/{_id}/sync', { params: { kind, _id }, body: {} })),
      /** Somebody's word on what an asset tool refused. */
      settle: async ({ _id }: Integration, telling: string, act: 'again' | 'settled'): Promise<void> => {
        await api('POST /integrations/{kind}/{_id}/differences', { params: { kind, _id }, body: { telling, act } });
        await queryClient.invalidateQueries({ queryKey: ['tool-differences'] });
      },
      /** Where the shop's owner approves, once. */
      approval: async (): Promise<string> => (await api('GET /woo/url')).url,
      disconnect: async (row: Pick<Integration, '_id'>): Promise<void> => {
        if (kind === 'entra') await api('DELETE /integrations/entra');
        else await api('DELETE /integrations/{kind}/{_id}', { params: { kind, _id: row._id } });
        await again();
      },
    };
  }, [api, applyChange, kind, queryClient]);
}
