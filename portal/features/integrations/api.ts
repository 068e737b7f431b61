import type { Client } from '@hatchway/contract/client.ts';
import type { Integration } from '@hatchway/contract/integrations.ts';
import type { IntegrationKind } from '@hatchway/domain/integration.ts';
import { queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePortal } from '../../app/portal.ts';

export type { Integration };
export type Setup = { settings: Record<string, string | boolean>; secrets: Record<string, string | null> };

/** All that is set up: a handful at most. */
export const integrationsQuery = (api: Client) =>
  queryOptions({
    queryKey: ['integrations', 'list'],
    queryFn: ({ signal }) => api('GET /integrations', { query: { limit: 50 }, signal }),
  });

/** Commands on integrations; what each answers is shown everywhere at once. */
export function useIntegrationCommands(kind: IntegrationKind) {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const again = () => queryClient.invalidateQueries({ queryKey: ['integrations'] });
    return {
      /** `version` is that of what was seen there; 0: nothing was. */
      save: async (row: Integration | null, setup: Setup, version: number): Promise<void> => {
        if (row) {
          const params = { kind, _id: row._id };
          const data = await api('PUT /integrations/{kind}/{_id}', { params, body: { ...setup, version } });
          applyChange({ noun: 'integrations', method: 'PUT', data });
        } else {
          if (kind === 'entra') await api('POST /integrations/entra', { body: { tid: String(setup.settings['tid'] ?? ''), version } });
          else await api('POST /integrations/{kind}', { params: { kind }, body: setup });
          await again();
        }
      },
      disconnect: async (row: Integration): Promise<void> => {
        await api('DELETE /integrations/{kind}/{_id}', { params: { kind, _id: row._id } });
        await again();
      },
    };
  }, [api, applyChange, kind, queryClient]);
}
