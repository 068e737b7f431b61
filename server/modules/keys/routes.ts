import type { FastifyInstance } from 'fastify';
import { keys } from '@hatchway/contract/access.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { createKey, revokeKey } from './commands.ts';
import { listKeys, oneKey } from './queries.ts';

export const keyModule = (app: FastifyInstance, deps: Deps): void => {
  const wake = () => deps.outbox.wake();
  serve(app, deps, keys, {
    'GET /key': ({ tx, caller, query }) => listKeys(tx, caller.tenantId, query),
    'GET /key/{id}': ({ tx, caller, params }) => oneKey(tx, caller.tenantId, params.id),
    'POST /key': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return createKey(tx, scopeOf(caller, now), caller, body);
    },
    'DELETE /key/{_id}': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return revokeKey(tx, deps, scopeOf(caller, now), params._id);
    },
  });
};
