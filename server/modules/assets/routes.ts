import type { FastifyInstance } from 'fastify';
import { assets, statusLabels } from '@hatchway/contract/assets.ts';
import { loans } from '@hatchway/contract/loans.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { changeAsset, createAsset, deleteAsset, removeImage } from './commands.ts';
import { importAssets } from './import-commands.ts';
import { loansOfAsset } from './loan-queries.ts';
import { assetImage, listAssets, oneAsset } from './queries.ts';
import { changeStatusLabel, createStatusLabel, deleteStatusLabel } from './status-label-commands.ts';
import { listStatusLabels } from './status-label-queries.ts';

export const assetModule = (app: FastifyInstance, deps: Deps): void => {
  const wake = () => deps.outbox.wake();
  serve(app, deps, assets, {
    'GET /assets': ({ tx, caller, query }) => listAssets(tx, caller.tenantId, caller.facts, query),
    'GET /assets/{id}': ({ tx, caller, params }) => oneAsset(tx, caller.tenantId, caller.facts, params.id),
    'GET /assets/{id}/image': ({ tx, caller, params, query }) => assetImage(tx, caller.tenantId, params.id, Number(query.size)),
    'POST /assets': async ({ tx, caller, body, image, now, after }) => {
      after(wake);
      return createAsset(tx, scopeOf(caller, now), body, image);
    },
    'POST /assets/import': async ({ tx, caller, body, file, now, after }) => {
      after(wake);
      return importAssets(tx, scopeOf(caller, now), file ?? body.csv ?? null, body.dryRun);
    },
    'PUT /assets/{_id}': async ({ tx, caller, params, body, image, now, after }) => {
      after(wake);
      return changeAsset(tx, scopeOf(caller, now), params._id, body, image);
    },
    'DELETE /assets/{id}': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return deleteAsset(tx, scopeOf(caller, now), params.id);
    },
    'DELETE /assets/{id}/image': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return removeImage(tx, scopeOf(caller, now), params.id);
    },
  });
  serve(app, deps, loans, {
    'GET /assets/{id}/loans': ({ tx, caller, params, query }) => loansOfAsset(tx, caller.tenantId, caller.facts, params.id, query),
  });
  serve(app, deps, statusLabels, {
    'GET /statuslabels': ({ tx, caller }) => listStatusLabels(tx, caller.tenantId),
    'POST /statuslabels': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return createStatusLabel(tx, scopeOf(caller, now), body);
    },
    'PUT /statuslabels/{id}': async ({ tx, caller, params, body, now, after }) => {
      after(wake);
      return changeStatusLabel(tx, scopeOf(caller, now), params.id, body);
    },
    'DELETE /statuslabels/{id}': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return deleteStatusLabel(tx, scopeOf(caller, now), params.id);
    },
  });
};
