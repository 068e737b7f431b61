import type { FastifyInstance } from 'fastify';
import { policies } from '@hatchway/contract/policies.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { changePolicy, createPolicy, deletePolicy } from './commands.ts';
import { listPolicies, loginHint, onePolicy } from './queries.ts';

export const policyModule = (app: FastifyInstance, deps: Deps): void => {
  serve(
    app,
    deps,
    policies,
  )({
    'GET /policies': ({ tx, caller, query }) => listPolicies(tx, caller.tenantId, query),
    'GET /policies/{id}': ({ tx, caller, params }) => onePolicy(tx, caller.tenantId, params.id),
    'GET /policies/{ref}/login_hint': { outside: ({ params, address, now }) => loginHint(deps, params.ref, { address, now }) },
    'POST /policies': ({ tx, caller, body, now }) => createPolicy(tx, scopeOf(caller, now), body),
    'PUT /policies/{_id}': ({ tx, caller, params, body, now }) => changePolicy(tx, scopeOf(caller, now), params._id, body),
    'DELETE /policies/{_id}': ({ tx, caller, params, now }) => deletePolicy(tx, scopeOf(caller, now), params._id),
  });
};
