import type { CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePortal } from '../../app/portal.ts';
import { smallPicture } from '../../app/small-picture.ts';
import { PAGE, whole } from '../../app/whole.ts';

export type Asset = CallResult<'GET /assets/{id}'>;
export type AssetInput = NonNullable<CallInput<'POST /assets'>['body']>;
export type StatusLabel = CallResult<'GET /statuslabels'>[number];
export type Imported = CallResult<'POST /assets/import'>;

export const assetQuery = (api: Client, id: string) =>
  queryOptions({ queryKey: ['assets', id], queryFn: ({ signal }) => api('GET /assets/{id}', { params: { id }, signal }) });

/** Pictures stay what they are for one version of the asset. */
export const pictureQuery = (api: Client, asset: Asset, size: '96' | '480' | '1200') =>
  queryOptions({
    queryKey: ['asset-pictures', asset._id, { size, version: asset.version }],
    queryFn: ({ signal }) => api('GET /assets/{id}/image', { params: { id: asset._id }, query: { size }, signal }),
    staleTime: Infinity,
    gcTime: 60_000,
  });

export const labelsQuery = (api: Client) =>
  queryOptions({ queryKey: ['statuslabels', 'list'], queryFn: ({ signal }) => api('GET /statuslabels', { signal }) });

/** Whether an asset tool's stand among them: then lists say whose each is. */
export const toolAssetsQuery = (api: Client) =>
  queryOptions({
    queryKey: ['assets', 'of-tool'],
    queryFn: ({ signal }) => api('GET /assets', { query: { q: { source: 'tcm' }, limit: 1 }, signal }),
  });

export const groupsQuery = (api: Client) =>
  queryOptions({
    queryKey: ['asset-groups', 'list', { sort: 'name' }],
    queryFn: ({ signal }) => whole((cursor) => api.page('GET /asset-groups', { query: { sort: 'name', limit: PAGE, ...cursor }, signal })),
  });

export const loansQuery = (api: Client, id: string, limit: number) =>
  queryOptions({
    // Its loans change when it does.
    queryKey: ['loans', 'list', { assetId: id, limit }],
    queryFn: ({ signal }) => api('GET /assets/{id}/loans', { params: { id }, query: { limit }, signal }),
    placeholderData: keepPreviousData,
  });

/** What it is in now: one at most, save where it lies in a locker whose last use is being ended. */
export const usesQuery = (api: Client, id: string) =>
  queryOptions({
    queryKey: ['occupations', 'list', { q: { assetId: id, stage: { $lt: STAGES.TERMINATED } }, limit: 5 }],
    queryFn: ({ signal }) =>
      api('GET /occupations', { query: { q: { assetId: id, stage: { $lt: STAGES.TERMINATED } }, limit: 5 }, signal }),
  });

/** The asset that carries a code, or nobody. */
export const carrierOf = async (api: Client, code: string): Promise<Asset | null> =>
  (await api('GET /assets', { query: { q: { identifier: code }, limit: 1 } }))[0] ?? null;

/** What a change must send of what stays as it is. Data and identifiers stay where they are not named. */
const inputOf = (asset: Asset): AssetInput & { version: number } => ({
  name: asset.name,
  statusLabelId: asset.statusLabelId,
  assetGroupIds: asset.assetGroupIds,
  externalId: asset.externalId,
  version: asset.version,
});

/** Commands on assets; what each answers is shown everywhere at once. */
export function useAssetCommands() {
  const { api, applyChange, queryClient } = usePortal();
  return useMemo(() => {
    const shown = async (answer: Promise<Asset>, method: 'POST' | 'PUT'): Promise<Asset> => {
      const asset = await answer;
      applyChange({ noun: 'assets', method, data: asset });
      return asset;
    };
    return {
      create: (body: AssetInput, image?: Blob) => shown(api('POST /assets', { body, ...(image ? { image } : {}) }), 'POST'),
      change: (asset: Asset, change: Partial<AssetInput>) =>
        shown(api('PUT /assets/{_id}', { params: { _id: asset._id }, body: { ...inputOf(asset), ...change } }), 'PUT'),
      /** A picture says nothing of the rest, which may just have been saved: it is put beside what stands there now. */
      setPicture: async (id: string, image: Blob): Promise<Asset> => {
        const now = await api('GET /assets/{id}', { params: { id } });
        const small = await smallPicture(image);
        return shown(api('PUT /assets/{_id}', { params: { _id: id }, body: inputOf(now), image: small }), 'PUT');
      },
      removePicture: (id: string) => shown(api('DELETE /assets/{id}/image', { params: { id } }), 'PUT'),
      remove: async (id: string): Promise<void> => {
        await api('DELETE /assets/{id}', { params: { id } });
        applyChange({ noun: 'assets', method: 'DELETE', data: { id } });
        // The row is gone at once; how many there are in all is asked again.
        void queryClient.invalidateQueries({ queryKey: ['assets', 'pages'] });
      },
      import: async (file: Blob, dryRun: boolean): Promise<Imported> => {
        const imported = await api('POST /assets/import', { body: { dryRun }, file });
        if (!dryRun) await queryClient.invalidateQueries({ queryKey: ['assets'] });
        return imported;
      },
    };
  }, [api, applyChange, queryClient]);
}
