import type { FastifyInstance } from 'fastify';
import { permissions } from '@hatchway/contract/access.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { changePermission, createPermission, deletePermission } from './commands.ts';
import { explainOpenings } from './explain-queries.ts';
import { listPermissions, onePermission } from './queries.ts';

export const permissionModule = (app: FastifyInstance, deps: Deps): void => {
  const wake = () => deps.outbox.wake();
  serve(app, deps, permissions, {
    'GET /permissions/explain': ({ tx, caller, query, now }) => explainOpenings(tx, caller.tenantId, caller.facts, query, now),
    'GET /permissions': ({ tx, caller, query }) => listPermissions(tx, caller.tenantId, query),
    'POST /permissions': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return createPermission(tx, scopeOf(caller, now), caller.facts, body);
    },
    'GET /permissions/{id}': ({ tx, caller, params }) => onePermission(tx, caller.tenantId, params.id),
    'PUT /permissions/{id}': async ({ tx, caller, params, body, now, after }) => {
      after(wake);
      return changePermission(tx, scopeOf(caller, now), caller.facts, params.id, body);
    },
    'DELETE /permissions/{id}': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return deletePermission(tx, scopeOf(caller, now), params.id);
    },
  });
};
