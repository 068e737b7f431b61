import type { FastifyInstance } from 'fastify';
import { assetGroups } from '@hatchway/contract/asset-groups.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { changeAssetGroup, createAssetGroup, deleteAssetGroup } from './commands.ts';
import { listAssetGroups } from './queries.ts';

export const assetGroupModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, assetGroups, {
    'GET /asset-groups': ({ tx, caller, query }) => listAssetGroups(tx, caller.tenantId, query),
    'POST /asset-groups': ({ tx, body, scope }) => createAssetGroup(tx, scope, body),
    'PUT /asset-groups/{id}': ({ tx, params, body, scope }) => changeAssetGroup(tx, scope, params.id, body),
    'DELETE /asset-groups/{id}': ({ tx, params, scope }) => deleteAssetGroup(tx, scope, params.id),
  });
};
