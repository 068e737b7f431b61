import type { FastifyInstance } from 'fastify';
import { messages as messageRoutes } from '@hatchway/contract/history.ts';
import type { Deps } from '../../deps.ts';
import { networkOf } from '../../http/network.ts';
import { serve } from '../../http/serve.ts';
import { sendAgain, type Calling, type Hearing } from './commands.ts';
import { listMessages } from './queries.ts';
import { takeReport } from './report-commands.ts';

export const messageModule =
  (call: Calling) =>
  (app: FastifyInstance, deps: Deps): void => {
    serve(
      app,
      deps,
      messageRoutes,
    )({
      'GET /messages': ({ tx, caller, query }) => listMessages(tx, caller.tenantId, caller.facts, query),
      'POST /messages/{id}/send': ({ tx, caller, params, now, after }) => {
        after(() => deps.outbox.wake());
        return sendAgain(tx, deps, { tenantId: caller.tenantId, actor: caller.actor, now }, caller.facts, params.id, call);
      },
    });
  };

/** No call of ours: what a gateway posts to the address that it was given with the message. */
export const smsReportModule =
  (hear: Hearing) =>
  (app: FastifyInstance, deps: Deps): void => {
    app.post<{ Params: { key: string } }>('/hooks/sms/:key', { bodyLimit: 16 * 1024 }, async (request, reply) => {
      await takeReport(deps, hear, request.params.key, request.body, { address: networkOf(request.ip), now: deps.now().toISOString() });
      return reply.code(204).send();
    });
  };
