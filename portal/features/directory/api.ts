import type { CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { oneOf } from '../../app/draft.ts';
import { usePortal } from '../../app/portal.ts';

export type Person = CallResult<'GET /directory/people'>[number];
export type DirectoryGroup = CallResult<'GET /directory/groups'>[number];
export type Scim = CallResult<'GET /directory/scim'>;
export type Mapping = Pick<CallInput<'PUT /directory/groups/{id}'>['body'], 'roles' | 'groups' | 'permissions'>;

export const scimQuery = (api: Client) =>
  queryOptions({ queryKey: ['directory', 'scim'], queryFn: ({ signal }) => api('GET /directory/scim', { signal }) });

export const countsQuery = (api: Client) =>
  queryOptions({ queryKey: ['directory-counts', 'list'], queryFn: ({ signal }) => api('GET /directory', { signal }) });

export const directoryGroupQuery = (api: Client, id: string) =>
  oneOf<DirectoryGroup>('directory-groups', id, ({ signal }) => api('GET /directory/groups', { query: { q: { id } }, signal }));

export function useDirectoryCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const anew = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['directory'] });
    return {
      /** The answer holds the secret, this once: it goes to who asked and into no cache. */
      makeBearer: async (): Promise<string> => {
        const { secret } = await api('POST /directory/scim/bearer', { body: {} });
        await anew();
        return secret;
      },
      withdrawBearer: async (): Promise<void> => {
        await api('DELETE /directory/scim/bearer');
        await anew();
      },
      letGo: async (): Promise<void> => {
        await api('DELETE /directory/scim');
        await anew();
        for (const noun of ['directory-people', 'directory-groups', 'directory-counts'])
          await queryClient.invalidateQueries({ queryKey: [noun] });
      },
      takeOver: async (person: Person): Promise<Person> => {
        const data = await api('POST /directory/people/{personId}/take-over', { params: { personId: person.id }, body: {} });
        applyChange({ noun: 'directory-people', method: 'PUT', data });
        return data;
      },
      map: async (id: string, mapping: Mapping, version: number): Promise<DirectoryGroup> => {
        const data = await api('PUT /directory/groups/{id}', { params: { id }, body: { ...mapping, version } });
        applyChange({ noun: 'directory-groups', method: 'PUT', data });
        // A group of ours may have come or gone with it.
        await queryClient.invalidateQueries({ queryKey: ['groups'] });
        return data;
      },
    };
  }, [api, applyChange, queryClient]);
}
