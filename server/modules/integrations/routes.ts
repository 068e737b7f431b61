import type { FastifyInstance } from 'fastify';
import { integrations } from '@hatchway/contract/integrations.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { changeIntegration, connectEntra, createIntegration, deleteIntegration, disconnectEntra, testIntegration } from './commands.ts';
import { entraOf, listIntegrations, listOrders, wooUrl } from './queries.ts';

export const integrationModule = (app: FastifyInstance, deps: Deps): void => {
  const { seal } = deps;
  serve(
    app,
    deps,
    integrations,
  )({
    'GET /integrations': ({ tx, caller, query }) => listIntegrations(tx, seal, caller.tenantId, query),
    'GET /integrations/entra': ({ tx, caller }) => entraOf(tx, caller.tenantId),
    'POST /integrations/entra': ({ tx, caller, body, now }) => connectEntra(tx, seal, scopeOf(caller, now), body.tid),
    'DELETE /integrations/entra': ({ tx, caller }) => disconnectEntra(tx, caller.tenantId),
    'POST /integrations/{kind}': ({ tx, caller, params, body, now }) =>
      createIntegration(tx, seal, scopeOf(caller, now), params.kind, body),
    'PUT /integrations/{kind}/{_id}': ({ tx, caller, params, body, now }) =>
      changeIntegration(tx, seal, scopeOf(caller, now), params.kind, params._id, body),
    'DELETE /integrations/{kind}/{_id}': ({ tx, caller, params }) => deleteIntegration(tx, caller.tenantId, params.kind, params._id),
    'POST /integrations/{kind}/{_id}/test': ({ tx, caller, params }) => testIntegration(tx, caller.tenantId, params.kind, params._id),
    'GET /woo/url': async ({ tx, caller }) => ({ url: await wooUrl(tx, caller.tenantId) }),
    'GET /orders': ({ tx, caller, query }) => listOrders(tx, caller.tenantId, query),
  });
};
