import type { FastifyInstance } from 'fastify';
import { policies } from '@hatchway/contract/policies.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { changePolicy, createPolicy, deletePolicy } from './commands.ts';
import { listPolicies, loginHint, onePolicy } from './queries.ts';

export const policyModule = (app: FastifyInstance, deps: Deps): void => {
  const wake = () => deps.outbox.wake();
  serve(app, deps, policies, {
    'GET /policies': ({ tx, caller, query }) => listPolicies(tx, caller.tenantId, query),
    'GET /policies/{id}': ({ tx, caller, params }) => onePolicy(tx, caller.tenantId, params.id),
    'GET /policies/{ref}/login_hint': { outside: ({ params, address, now }) => loginHint(deps, params.ref, { address, now }) },
    'POST /policies': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return createPolicy(tx, scopeOf(caller, now), body);
    },
    'PUT /policies/{_id}': async ({ tx, caller, params, body, now, after }) => {
      after(wake);
      return changePolicy(tx, scopeOf(caller, now), params._id, body);
    },
    'DELETE /policies/{_id}': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return deletePolicy(tx, scopeOf(caller, now), params._id);
    },
  });
};
