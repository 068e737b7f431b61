import type { FastifyInstance } from 'fastify';
import { assets, statusLabels } from '@hatchway/contract/assets.ts';
import { loans } from '@hatchway/contract/loans.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { changeAsset, createAsset, deleteAsset, removeImage } from './commands.ts';
import { importAssets } from './import-commands.ts';
import { loansOfAsset } from './loan-queries.ts';
import { assetImage, listAssets, oneAsset } from './queries.ts';
import { changeStatusLabel, createStatusLabel, deleteStatusLabel } from './status-label-commands.ts';
import { listStatusLabels } from './status-label-queries.ts';

export const assetModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, assets, {
    'GET /assets': ({ tx, caller, query }) => listAssets(tx, caller.tenantId, caller.facts, query),
    'GET /assets/{id}': ({ tx, caller, params }) => oneAsset(tx, caller.tenantId, caller.facts, params.id),
    'GET /assets/{id}/image': ({ tx, caller, params, query }) => assetImage(tx, caller.tenantId, params.id, Number(query.size)),
    'POST /assets': ({ tx, body, image, scope }) => createAsset(tx, scope, body, image),
    'POST /assets/import': ({ tx, body, file, scope }) => importAssets(tx, scope, file ?? body.csv ?? null, body.dryRun),
    'PUT /assets/{_id}': ({ tx, params, body, image, scope }) => changeAsset(tx, scope, params._id, body, image),
    'DELETE /assets/{id}': ({ tx, params, scope }) => deleteAsset(tx, scope, params.id),
    'DELETE /assets/{id}/image': ({ tx, params, scope }) => removeImage(tx, scope, params.id),
  });
  serve(app, deps, loans, {
    'GET /assets/{id}/loans': ({ tx, caller, params, query }) => loansOfAsset(tx, caller.tenantId, caller.facts, params.id, query),
  });
  serve(app, deps, statusLabels, {
    'GET /statuslabels': ({ tx, caller }) => listStatusLabels(tx, caller.tenantId),
    'POST /statuslabels': ({ tx, body, scope }) => createStatusLabel(tx, scope, body),
    'PUT /statuslabels/{id}': ({ tx, params, body, scope }) => changeStatusLabel(tx, scope, params.id, body),
    'DELETE /statuslabels/{id}': ({ tx, params, scope }) => deleteStatusLabel(tx, scope, params.id),
  });
};
