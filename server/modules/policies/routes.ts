import type { FastifyInstance } from 'fastify';
import { policies } from '@hatchway/contract/policies.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { changePolicy, createPolicy, deletePolicy } from './commands.ts';
import { listPolicies, loginHint, onePolicy } from './queries.ts';

export const policyModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, policies, {
    'GET /policies': ({ tx, caller, query }) => listPolicies(tx, caller.tenantId, query),
    'GET /policies/{id}': ({ tx, caller, params }) => onePolicy(tx, caller.tenantId, params.id),
    'GET /policies/{ref}/login_hint': { outside: ({ params, address, now }) => loginHint(deps, params.ref, { address, now }) },
    'POST /policies': ({ tx, body, scope }) => createPolicy(tx, scope, body),
    'PUT /policies/{_id}': ({ tx, params, body, scope }) => changePolicy(tx, scope, params._id, body),
    'DELETE /policies/{_id}': ({ tx, params, scope }) => deletePolicy(tx, scope, params._id),
  });
};
