import type { CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { useMemo } from 'react';
import { rowQuery } from '../../app/draft.ts';
import { usePortal } from '../../app/portal.ts';

export type Policy = CallResult<'GET /policies/{id}'>;
export type PolicyInput = CallInput<'POST /policies'>['body'];

export const policyQuery = (api: Client, id: string) =>
  rowQuery('policies', id, ({ signal }) => api('GET /policies/{id}', { params: { id }, signal }));

export function usePolicyCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const shown = async (answer: Promise<Policy>, method: 'POST' | 'PUT'): Promise<Policy> => {
      const data = await answer;
      applyChange({ noun: 'policies', method, data });
      return data;
    };
    return {
      create: (body: PolicyInput) => shown(api('POST /policies', { body }), 'POST'),
      change: (id: string, body: PolicyInput & { version: number }) =>
        shown(api('PUT /policies/{_id}', { params: { _id: id }, body }), 'PUT'),
      remove: async (id: string): Promise<void> => {
        await api('DELETE /policies/{_id}', { params: { _id: id } });
        applyChange({ noun: 'policies', method: 'DELETE', data: { id } });
        void queryClient.invalidateQueries({ queryKey: ['policies'] });
      },
    };
  }, [api, applyChange, queryClient]);
}
