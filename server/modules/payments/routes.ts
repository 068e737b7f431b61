import type { FastifyInstance } from 'fastify';
import { payments } from '@hatchway/contract/payments.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { createPayment, movePaymentByHand, updatePayment } from './commands.ts';
import { listPayments, onePayment } from './queries.ts';

/** A move without an amount is one of all that is left. */
const part = (amount: number | undefined) => (amount === undefined ? {} : { amount });

export const paymentModule = (app: FastifyInstance, deps: Deps): void => {
  const wake = () => deps.outbox.wake();
  serve(
    app,
    deps,
    payments,
  )({
    'GET /payments': ({ tx, caller, query }) => listPayments(tx, caller.tenantId, query),
    'GET /payments/{id}': ({ tx, caller, params }) => onePayment(tx, caller.tenantId, params.id),
    'POST /payments': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return createPayment(tx, deps, scopeOf(caller, now), caller.facts, body);
    },
    'PUT /payments/update': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return updatePayment(tx, scopeOf(caller, now), body);
    },
    'PUT /payments/refund': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return movePaymentByHand(tx, scopeOf(caller, now), body._id, { kind: 'refund', ...part(body.amount) }, body.version);
    },
    'PUT /payments/cancel': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return movePaymentByHand(tx, scopeOf(caller, now), body._id, { kind: 'cancel' }, body.version);
    },
    'PUT /payments/capture': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return movePaymentByHand(tx, scopeOf(caller, now), body._id, { kind: 'capture', ...part(body.amount) }, body.version);
    },
  });
};
