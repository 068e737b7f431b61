import type { FastifyInstance } from 'fastify';
import { permissions } from '@hatchway/contract/access.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { changePermission, createPermission, deletePermission } from './commands.ts';
import { explainOpenings } from './explain-queries.ts';
import { listPermissions, onePermission } from './queries.ts';

export const permissionModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, permissions, {
    'GET /permissions/explain': ({ tx, caller, query, now }) => explainOpenings(tx, caller.tenantId, caller.facts, query, now),
    'GET /permissions': ({ tx, caller, query }) => listPermissions(tx, caller.tenantId, query),
    'POST /permissions': ({ tx, caller, body, scope }) => createPermission(tx, scope, caller.facts, body),
    'GET /permissions/{id}': ({ tx, caller, params }) => onePermission(tx, caller.tenantId, params.id),
    'PUT /permissions/{id}': ({ tx, caller, params, body, scope }) => changePermission(tx, scope, caller.facts, params.id, body),
    'DELETE /permissions/{id}': ({ tx, params, scope }) => deletePermission(tx, scope, params.id),
  });
};
