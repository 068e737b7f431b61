import type { FastifyInstance } from 'fastify';
import { payments } from '@hatchway/contract/payments.ts';
import type { Deps } from '../../deps.ts';
import { networkOf } from '../../http/network.ts';
import { serve } from '../../http/serve.ts';
import { createPayment, movePaymentByHand, updatePayment } from './commands.ts';
import { takeWebhook } from './hear-webhook.ts';
import { paymentProviders } from './provider-queries.ts';
import { listPayments, onePayment } from './queries.ts';
import { reconcile } from './reconcile-commands.ts';

/** A move without an amount is one of all that is left. */
const part = (amount: number | undefined) => (amount === undefined ? {} : { amount });

export const paymentModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, payments, {
    'GET /payments': ({ tx, caller, query }) => listPayments(tx, caller.tenantId, query),
    'GET /payments/providers': ({ tx, caller }) => paymentProviders(tx, caller.tenantId),
    'GET /payments/reconcile': { outside: ({ caller, query }) => reconcile(deps, caller.tenantId, query) },
    'GET /payments/{id}': ({ tx, caller, params }) => onePayment(tx, caller.tenantId, params.id),
    'POST /payments': ({ tx, caller, body, scope }) => createPayment(tx, deps, scope, caller.facts, body),
    'PUT /payments/update': ({ tx, body, scope }) => updatePayment(tx, deps, scope, body),
    'PUT /payments/refund': ({ tx, body, scope }) =>
      movePaymentByHand(tx, deps, scope, body._id, { kind: 'refund', ...part(body.amount) }, body.version),
    'PUT /payments/cancel': ({ tx, body, scope }) => movePaymentByHand(tx, deps, scope, body._id, { kind: 'cancel' }, body.version),
    'PUT /payments/capture': ({ tx, body, scope }) =>
      movePaymentByHand(tx, deps, scope, body._id, { kind: 'capture', ...part(body.amount) }, body.version),
  });
};

/** No call of ours: what the provider posts to the address that we registered with it. Its bytes are signed, so they are read as they came. */
export const vippsHookModule = (app: FastifyInstance, deps: Deps): void => {
  void app.register((hooks, _options, done) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 64 * 1024 }, (_request, body, parsed) => parsed(null, body));
    hooks.post<{ Params: { key: string } }>('/hooks/vipps/:key', async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await takeWebhook(deps, request.params.key, { body, headers: request.headers }, networkOf(request.ip));
      // What it tells is asked for anew: also what we cannot use is taken, or the provider would hold back all that follows.
      return reply.code(200).send();
    });
    done();
  });
};
