import type { FastifyInstance } from 'fastify';
import { messages as messageRoutes } from '@hatchway/contract/history.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { sendAgain } from './commands.ts';
import { listMessages } from './queries.ts';

export const messageModule = (app: FastifyInstance, deps: Deps): void => {
  serve(
    app,
    deps,
    messageRoutes,
  )({
    'GET /messages': ({ tx, caller, query }) => listMessages(tx, caller.tenantId, caller.facts, query),
    'POST /messages/{id}/send': ({ tx, caller, params, now, after }) => {
      after(() => deps.outbox.wake());
      return sendAgain(tx, deps, { tenantId: caller.tenantId, actor: caller.actor, now }, caller.facts, params.id);
    },
  });
};
