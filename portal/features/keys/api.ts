import type { CallInput, CallResult } from '@hatchway/contract/client.ts';
import { useMemo } from 'react';
import { usePortal } from '../../app/portal.ts';

export type ApiKey = CallResult<'GET /key/{id}'>;
type KeyInput = CallInput<'POST /key'>['body'];

export function useKeyCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(
    () => ({
      /** The answer holds the secret, this once: it goes to who asked and into no cache. */
      create: async (body: KeyInput): Promise<{ key: ApiKey; secret: string }> => {
        const { secret, ...key } = await api('POST /key', { body });
        applyChange({ noun: 'keys', method: 'POST', data: key });
        return { key, secret };
      },
      revoke: async (id: string): Promise<void> => {
        await api('DELETE /key/{_id}', { params: { _id: id } });
        applyChange({ noun: 'keys', method: 'DELETE', data: { id } });
        void queryClient.invalidateQueries({ queryKey: ['keys'] });
      },
    }),
    [api, applyChange, queryClient],
  );
}
