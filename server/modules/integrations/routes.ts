import type { FastifyInstance } from 'fastify';
import { integrations } from '@hatchway/contract/integrations.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { changeIntegration, connectEntra, createIntegration, deleteIntegration, disconnectEntra, testIntegration } from './commands.ts';
import { entraOf, listIntegrations, listOrders, wooUrl } from './queries.ts';

export const integrationModule = (app: FastifyInstance, deps: Deps): void => {
  const { seal } = deps;
  const wake = () => deps.outbox.wake();
  serve(
    app,
    deps,
    integrations,
  )({
    'GET /integrations': ({ tx, caller, query }) => listIntegrations(tx, seal, caller.tenantId, query),
    'GET /integrations/entra': ({ tx, caller }) => entraOf(tx, caller.tenantId),
    'POST /integrations/entra': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return connectEntra(tx, seal, scopeOf(caller, now), body);
    },
    'DELETE /integrations/entra': async ({ tx, caller, now, after }) => {
      after(wake);
      return disconnectEntra(tx, deps, scopeOf(caller, now));
    },
    'POST /integrations/{kind}': async ({ tx, caller, params, body, now, after }) => {
      after(wake);
      return createIntegration(tx, seal, scopeOf(caller, now), params.kind, body);
    },
    'PUT /integrations/{kind}/{_id}': async ({ tx, caller, params, body, now, after }) => {
      after(wake);
      return changeIntegration(tx, seal, scopeOf(caller, now), params.kind, params._id, body);
    },
    'DELETE /integrations/{kind}/{_id}': async ({ tx, caller, params, now, after }) => {
      const gone = await deleteIntegration(tx, deps, scopeOf(caller, now), params.kind, params._id);
      after(() => {
        wake();
        gone();
      });
    },
    'POST /integrations/{kind}/{_id}/test': {
      outside: async ({ caller, params, now }) => {
        const seen = await testIntegration(deps, scopeOf(caller, now), params.kind, params._id);
        wake();
        return seen;
      },
    },
    'GET /woo/url': async ({ tx, caller }) => ({ url: await wooUrl(tx, caller.tenantId) }),
    'GET /orders': ({ tx, caller, query }) => listOrders(tx, caller.tenantId, query),
  });
};
