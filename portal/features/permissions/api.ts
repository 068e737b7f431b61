import type { CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { rowQuery } from '../../app/draft.ts';
import { useApi, usePortal } from '../../app/portal.ts';
import { type Cabinet, cabinetsQuery, type Locker } from '../../app/queries.ts';
import { PAGE, whole } from '../../app/whole.ts';

export type Permission = CallResult<'GET /permissions/{id}'>;
export type PermissionInput = CallInput<'POST /permissions'>['body'];
export type Group = CallResult<'GET /groups'>[number];
export type Openings = CallResult<'GET /permissions/explain'>;
export type Opening = Openings['openings'][number];
export type Why = Opening['why'][number];

/** Read whole: a matrix with holes would tell of rights that nobody has. */
export const permissionsQuery = (api: Client) =>
  queryOptions({
    queryKey: ['permissions', 'list', { sort: 'name' }],
    queryFn: ({ signal }) => whole((cursor) => api.page('GET /permissions', { query: { sort: 'name', limit: PAGE, ...cursor }, signal })),
  });

const lockersQuery = (api: Client) =>
  queryOptions({
    queryKey: ['lockers', 'list', { sort: 'doorTag' }],
    queryFn: ({ signal }) => whole((cursor) => api.page('GET /lockers', { query: { sort: 'doorTag', limit: PAGE, ...cursor }, signal })),
  });

export const permissionQuery = (api: Client, id: string) =>
  rowQuery('permissions', id, ({ signal }) => api('GET /permissions/{id}', { params: { id }, signal }));

export const groupsQuery = (api: Client) =>
  queryOptions({
    queryKey: ['groups', 'list', { sort: 'name' }],
    queryFn: ({ signal }) => whole((cursor) => api.page('GET /groups', { query: { sort: 'name', limit: PAGE, ...cursor }, signal })),
  });

export const peopleQuery = (api: Client) =>
  queryOptions({
    queryKey: ['accounts', 'list'],
    queryFn: ({ signal }) => whole((cursor) => api.page('GET /accounts', { query: { limit: PAGE, ...cursor }, signal })),
  });

/** What lies in a locker counts for who may open it, so the answer is asked for anew whenever it is looked at. */
export const explainQuery = (api: Client, asked: { lockerId?: string; accountId?: string }) =>
  queryOptions({
    queryKey: ['permissions', 'explain', asked],
    queryFn: ({ signal }) => api('GET /permissions/explain', { query: asked, signal }),
    staleTime: 0,
  });

export type Place = { id: string; doorTag: string };
export type Wall = Pick<Cabinet, 'id' | 'name' | 'number' | 'siteName' | 'connection' | 'columns'> & { lockers: Locker[] };
export type Walls = {
  walls: readonly Wall[];
  tagOf: ReadonlyMap<string, string>;
  pending: boolean;
  error: Error | null;
  retry: () => void;
};

/** Every cabinet with its doors. */
export const useWallTags = (): Walls => {
  const api = useApi();
  const cabinets = useQuery(cabinetsQuery(api));
  const lockers = useQuery(lockersQuery(api));
  const [shown, rows] = [cabinets.data, lockers.data];
  const found = useMemo(() => {
    const of = Map.groupBy(rows ?? [], (locker) => locker.cabinetId);
    return {
      walls: (shown ?? []).map((cabinet) => ({ ...cabinet, lockers: of.get(cabinet.id) ?? [] })),
      tagOf: new Map((rows ?? []).map(({ id, doorTag }) => [id, doorTag] as const)),
    };
  }, [shown, rows]);
  return {
    ...found,
    pending: cabinets.isPending || lockers.isPending,
    error: cabinets.error ?? lockers.error,
    retry: () => [cabinets, lockers].filter((one) => one.isError).forEach((one) => void one.refetch()),
  };
};

export function usePermissionCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const shown = async (answer: Promise<Permission>, method: 'POST' | 'PUT'): Promise<Permission> => {
      const data = await answer;
      applyChange({ noun: 'permissions', method, data });
      void queryClient.invalidateQueries({ queryKey: ['permissions'] });
      return data;
    };
    return {
      create: (body: PermissionInput) => shown(api('POST /permissions', { body }), 'POST'),
      change: (id: string, body: PermissionInput & { version: number }) =>
        shown(api('PUT /permissions/{id}', { params: { id }, body }), 'PUT'),
      withdraw: async (id: string): Promise<void> => {
        await api('DELETE /permissions/{id}', { params: { id } });
        applyChange({ noun: 'permissions', method: 'DELETE', data: { id } });
        void queryClient.invalidateQueries({ queryKey: ['permissions'] });
      },
    };
  }, [api, applyChange, queryClient]);
}
