import type { AssetGroup, AssetGroupInput } from '@hatchway/contract/asset-groups.ts';
import type { Client } from '@hatchway/contract/client.ts';
import { oneOf } from '../../app/draft.ts';
import { useMemo } from 'react';
import { usePortal } from '../../app/portal.ts';

export type { AssetGroup, AssetGroupInput };

export const assetGroupQuery = (api: Client, id: string) =>
  oneOf('asset-groups', id, ({ signal }) => api('GET /asset-groups', { query: { q: { id }, limit: 1 }, signal }));

/** Commands on asset groups; what each answers is shown everywhere at once. */
export function useAssetGroupCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const shown = async (answer: Promise<AssetGroup>, method: 'POST' | 'PUT'): Promise<AssetGroup> => {
      const group = await answer;
      applyChange({ noun: 'asset-groups', method, data: group });
      return group;
    };
    return {
      create: (body: AssetGroupInput) => shown(api('POST /asset-groups', { body }), 'POST'),
      change: (id: string, body: AssetGroupInput & { version: number }) =>
        shown(api('PUT /asset-groups/{id}', { params: { id }, body }), 'PUT'),
      remove: async (id: string): Promise<void> => {
        await api('DELETE /asset-groups/{id}', { params: { id } });
        applyChange({ noun: 'asset-groups', method: 'DELETE', data: { id } });
        // The row is gone at once; how many there are in all is asked again.
        void queryClient.invalidateQueries({ queryKey: ['asset-groups'] });
      },
    };
  }, [api, applyChange, queryClient]);
}
