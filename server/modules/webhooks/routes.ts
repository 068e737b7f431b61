import type { FastifyInstance } from 'fastify';
import { webhooks } from '@hatchway/contract/webhooks.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { changeWebhook, createWebhook, deleteWebhook, replayDelivery, testWebhook } from './commands.ts';
import { listDeliveries, listWebhooks } from './queries.ts';

export const webhookModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, webhooks, {
    'GET /webhooks': ({ tx, caller, query }) => listWebhooks(tx, caller.tenantId, query),
    'POST /webhooks': ({ tx, caller, body, scope }) => createWebhook(tx, deps, scope, caller.facts, body),
    'PUT /webhooks/{id}': ({ tx, caller, params, body, scope }) => changeWebhook(tx, deps, scope, caller.facts, params.id, body),
    'DELETE /webhooks/{id}': ({ tx, params, scope }) => deleteWebhook(tx, scope, params.id),
    'GET /webhooks/{id}/deliveries': ({ tx, caller, params, query }) => listDeliveries(tx, caller.tenantId, caller.facts, params.id, query),
    'POST /webhooks/{id}/test': ({ tx, params, scope }) => testWebhook(tx, deps, scope, params.id),
    'POST /webhooks/{id}/deliveries/{deliveryId}/replay': ({ tx, caller, params, scope }) =>
      replayDelivery(tx, deps, scope, caller.facts, params.id, params.deliveryId),
  });
};
