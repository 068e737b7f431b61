import { z } from 'zod';
import { id, idParams, lines, name, seen, time, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

export const assetGroup = z
  .object({
    id,
    tenantId: id,
    name: z.string(),
    description: z.string(),
    count: z.int().describe('Assets in it'),
    version,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'AssetGroup' });
export type AssetGroup = z.infer<typeof assetGroup>;

const input = z.strictObject({ name: name(100), description: lines(500) });
const change = input.extend({ version: seen });
export type AssetGroupInput = z.infer<typeof input>;
export type AssetGroupChange = z.infer<typeof change>;

export const assetGroups = [
  route({
    method: 'GET',
    path: '/asset-groups',
    access: 'portal',
    summary: 'Asset groups',
    query: listQuery({ fields: { id: 'uuid', name: 'text' }, sorts: ['createdAt', 'name'], searchable: true }),
    response: z.array(assetGroup),
  }),
  route({
    method: 'POST',
    path: '/asset-groups',
    access: 'admin:asset-groups',
    summary: 'Make an asset group',
    body: input,
    response: assetGroup,
    errors: ['name-taken'],
  }),
  route({
    method: 'PUT',
    path: '/asset-groups/{id}',
    access: 'admin:asset-groups',
    summary: 'Change an asset group',
    params: idParams,
    body: change,
    response: assetGroup,
    errors: ['name-taken', 'stale'],
  }),
  route({
    method: 'DELETE',
    path: '/asset-groups/{id}',
    access: 'admin:asset-groups',
    summary: 'Delete an asset group; its assets stay',
    params: idParams,
    response: 'nothing',
  }),
] as const;
