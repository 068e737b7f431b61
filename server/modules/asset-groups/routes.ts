import type { FastifyInstance } from 'fastify';
import { assetGroups } from '@hatchway/contract/asset-groups.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { changeAssetGroup, createAssetGroup, deleteAssetGroup } from './commands.ts';
import { listAssetGroups } from './queries.ts';

export const assetGroupModule = (app: FastifyInstance, deps: Deps): void => {
  const wake = () => deps.outbox.wake();
  serve(app, deps, assetGroups, {
    'GET /asset-groups': ({ tx, caller, query }) => listAssetGroups(tx, caller.tenantId, query),
    'POST /asset-groups': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return createAssetGroup(tx, scopeOf(caller, now), body);
    },
    'PUT /asset-groups/{id}': async ({ tx, caller, params, body, now, after }) => {
      after(wake);
      return changeAssetGroup(tx, scopeOf(caller, now), params.id, body);
    },
    'DELETE /asset-groups/{id}': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return deleteAssetGroup(tx, scopeOf(caller, now), params.id);
    },
  });
};
