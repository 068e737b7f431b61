import type { FastifyInstance } from 'fastify';
import { webhooks } from '@hatchway/contract/webhooks.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { changeWebhook, createWebhook, deleteWebhook, replayDelivery, testWebhook } from './commands.ts';
import { listDeliveries, listWebhooks } from './queries.ts';

export const webhookModule = (app: FastifyInstance, deps: Deps): void => {
  const wake = () => deps.outbox.wake();
  serve(app, deps, webhooks, {
    'GET /webhooks': ({ tx, caller, query }) => listWebhooks(tx, caller.tenantId, query),
    'POST /webhooks': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return createWebhook(tx, deps, scopeOf(caller, now), caller.facts, body);
    },
    'PUT /webhooks/{id}': async ({ tx, caller, params, body, now, after }) => {
      after(wake);
      return changeWebhook(tx, deps, scopeOf(caller, now), caller.facts, params.id, body);
    },
    'DELETE /webhooks/{id}': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return deleteWebhook(tx, scopeOf(caller, now), params.id);
    },
    'GET /webhooks/{id}/deliveries': ({ tx, caller, params, query }) => listDeliveries(tx, caller.tenantId, caller.facts, params.id, query),
    'POST /webhooks/{id}/test': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return testWebhook(tx, deps, scopeOf(caller, now), params.id);
    },
    'POST /webhooks/{id}/deliveries/{deliveryId}/replay': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return replayDelivery(tx, deps, scopeOf(caller, now), caller.facts, params.id, params.deliveryId);
    },
  });
};
