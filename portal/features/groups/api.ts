import type { CallResult, Client } from '@hatchway/contract/client.ts';
import { queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePortal } from '../../app/portal.ts';
import { PAGE, whole } from '../../app/whole.ts';

export type Group = CallResult<'GET /groups/{id}'>;
export type GroupInput = { name: string; description: string };

export const groupQuery = (api: Client, id: string) =>
  queryOptions({ queryKey: ['groups', id], queryFn: ({ signal }) => api('GET /groups/{id}', { params: { id }, signal }) });

export const groupMembersQuery = (api: Client, id: string) =>
  queryOptions({
    queryKey: ['group-members', id],
    queryFn: ({ signal }) =>
      whole((cursor) => api.page('GET /groups/{id}/members', { params: { id }, query: { sort: 'name', limit: PAGE, ...cursor }, signal })),
  });

/** People who could be put in, by the beginning of a word. */
export const peopleQuery = (api: Client, words: string) =>
  queryOptions({
    queryKey: ['accounts', 'list', { q: { $text: words }, sort: 'name', limit: 20 }],
    queryFn: ({ signal }) =>
      api('GET /accounts', { query: { ...(words ? { q: { $text: words } } : {}), sort: 'name', limit: 20 }, signal }),
  });

export function useGroupCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const shown = async (answer: Promise<Group>, method: 'POST' | 'PUT'): Promise<Group> => {
      const data = await answer;
      applyChange({ noun: 'groups', method, data });
      return data;
    };
    const counted = async (id: string): Promise<void> => {
      void queryClient.invalidateQueries({ queryKey: ['group-members', id] });
      await queryClient.invalidateQueries({ queryKey: ['groups'] });
    };
    return {
      create: (body: GroupInput) => shown(api('POST /groups', { body }), 'POST'),
      change: (id: string, body: GroupInput & { version: number }) => shown(api('PUT /groups/{id}', { params: { id }, body }), 'PUT'),
      remove: async (id: string): Promise<void> => {
        await api('DELETE /groups/{id}', { params: { id } });
        applyChange({ noun: 'groups', method: 'DELETE', data: { id } });
        void queryClient.invalidateQueries({ queryKey: ['groups', 'pages'] });
        void queryClient.invalidateQueries({ queryKey: ['permissions'] });
      },
      put: async (id: string, userId: string): Promise<void> => {
        await api('POST /groups/{id}/members/{userId}', { params: { id, userId }, body: {} });
        await counted(id);
      },
      take: async (id: string, userId: string): Promise<void> => {
        await api('DELETE /groups/{id}/members/{userId}', { params: { id, userId } });
        await counted(id);
      },
    };
  }, [api, applyChange, queryClient]);
}
