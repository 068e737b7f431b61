import type { FastifyInstance } from 'fastify';
import { lockers } from '@hatchway/contract/lockers.ts';
import type { Deps } from '../../deps.ts';
import { keptRows } from '../../http/kept-rows.ts';
import { serve } from '../../http/serve.ts';
import { holdTheirs, setService, settleContent } from './commands.ts';
import { lockerPage, oneLocker } from './queries.ts';

export const lockerModule = (app: FastifyInstance, deps: Deps): void => {
  const kept = keptRows();
  serve(app, deps, lockers, {
    'GET /lockers': ({ tx, caller, query }) => lockerPage(tx, caller.tenantId, caller.facts, query, kept),
    'GET /lockers/{id}': ({ tx, caller, params }) => oneLocker(tx, caller.tenantId, caller.facts, params.id),
    'PUT /lockers/{id}/service': async ({ tx, caller, params, body, scope }) => {
      const held = await holdTheirs(tx, caller.tenantId, caller.facts, params.id);
      return setService(tx, scope, held, body.outOfService ? body.reason : null);
    },
    'PUT /lockers/{id}/content': async ({ tx, caller, params, body, scope }) => {
      const held = await holdTheirs(tx, caller.tenantId, caller.facts, params.id);
      return settleContent(tx, scope, held, body.content, body.note ?? null);
    },
  });
};
