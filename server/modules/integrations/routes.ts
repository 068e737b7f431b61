import type { FastifyInstance } from 'fastify';
import { assetTools } from '@hatchway/contract/asset-tool.ts';
import { integrations } from '@hatchway/contract/integrations.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { networkOf } from '../../http/network.ts';
import { serve } from '../../http/serve.ts';
import { createIntegration, deleteIntegration, saveIntegration, syncIntegration, testIntegration } from './commands.ts';
import { askOwner, takeKeys } from './grant-commands.ts';
import { takeShopHook } from './hear-shop.ts';
import { listOrders, orderShops } from './order-queries.ts';
import { postOrder } from './post-order-commands.ts';
import { differencesWith } from './difference-queries.ts';
import { listIntegrations, lockIntegration } from './queries.ts';
import { listRequests } from './request-queries.ts';
import { toolSoon } from './tool-commands.ts';
import { settleTelling } from './tool-telling-commands.ts';

export const integrationModule = (app: FastifyInstance, deps: Deps): void => {
  const { seal } = deps;
  serve(app, deps, integrations, {
    'GET /integrations': ({ tx, caller, query }) => listIntegrations(tx, seal, caller.tenantId, query),
    'POST /integrations/{kind}': ({ tx, params, body, scope }) => createIntegration(tx, deps, scope, params.kind, body),
    'PUT /integrations/{kind}/{_id}': {
      outside: async ({ caller, again, params, body, now }) => {
        const scopeIn = async (tx: Tx) => scopeOf(await again(tx, 'rights'), now);
        const { integration, gone } = await saveIntegration(deps, caller.tenantId, scopeIn, params.kind, params._id, body);
        deps.outbox.wake();
        gone();
        return integration;
      },
    },
    'DELETE /integrations/{kind}/{_id}': async ({ tx, params, scope, after }) =>
      after(await deleteIntegration(tx, deps, scope, params.kind, params._id)),
    'POST /integrations/{kind}/{_id}/test': {
      outside: async ({ params, scope }) => {
        const seen = await testIntegration(deps, scope, params.kind, params._id);
        deps.outbox.wake();
        return seen;
      },
    },
    'POST /integrations/{kind}/{_id}/sync': {
      outside: async ({ params, scope }) => {
        const seen = await syncIntegration(deps, scope, params.kind, params._id);
        deps.outbox.wake();
        return seen;
      },
    },
    'GET /woo/url': async ({ tx, scope }) => ({ url: await askOwner(tx, deps, scope) }),
    'GET /orders': ({ tx, caller, query }) => listOrders(tx, caller.tenantId, query),
    'POST /orders': ({ tx, body, scope }) => postOrder(tx, deps, scope, body),
    'GET /orders/shops': ({ tx, caller }) => orderShops(tx, caller.tenantId),
  });
  serve(app, deps, assetTools, {
    'GET /asset-requests': ({ tx, caller, query }) => listRequests(tx, caller.tenantId, query),
    'GET /integrations/{kind}/{_id}/differences': async ({ tx, caller, params }) => {
      await lockIntegration(tx, caller.tenantId, params.kind, params._id);
      return differencesWith(tx, caller.tenantId, params._id);
    },
    'POST /integrations/{kind}/{_id}/differences': async ({ tx, caller, params, body, scope }) => {
      await lockIntegration(tx, caller.tenantId, params.kind, params._id);
      await settleTelling(tx, scope, params._id, body.telling, body.act);
      if (body.act === 'again') await toolSoon(tx, deps, caller.tenantId, params._id);
    },
  });
};

/** No calls of ours: what a shop posts to the addresses that it was given. Signed bytes are read as they came. */
export const shopHookModule = (app: FastifyInstance, deps: Deps): void => {
  void app.register((hooks, _options, done) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 512 * 1024 }, (_request, body, parsed) => parsed(null, body));
    const bytes = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    hooks.post('/hooks/woo/keys', async (request, reply) => {
      await takeKeys(deps, bytes(request.body), networkOf(request.ip));
      // Anything but this very status, and the shop takes its keys back.
      return reply.code(200).send();
    });
    hooks.post<{ Params: { key: string } }>('/hooks/woo/:key', async (request, reply) => {
      await takeShopHook(deps, request.params.key, { body: bytes(request.body), headers: request.headers }, networkOf(request.ip));
      // Also what we cannot use is taken, or the shop would switch the webhook off.
      return reply.code(200).send();
    });
    done();
  });
};
