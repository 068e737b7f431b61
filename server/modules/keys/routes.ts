import type { FastifyInstance } from 'fastify';
import { keys } from '@hatchway/contract/access.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { createKey, revokeKey } from './commands.ts';
import { listKeys, oneKey } from './queries.ts';

export const keyModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, keys, {
    'GET /key': ({ tx, caller, query }) => listKeys(tx, caller.tenantId, query),
    'GET /key/{id}': ({ tx, caller, params }) => oneKey(tx, caller.tenantId, params.id),
    'POST /key': ({ tx, caller, body, scope }) => createKey(tx, scope, caller, body),
    'DELETE /key/{_id}': ({ tx, params, scope }) => revokeKey(tx, deps, scope, params._id),
  });
};
