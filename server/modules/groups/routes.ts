import type { FastifyInstance } from 'fastify';
import { groups } from '@hatchway/contract/access.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { addMember, changeGroup, createGroup, deleteGroup, removeMember } from './commands.ts';
import { listGroups, listMembersOf, oneGroup } from './queries.ts';

export const groupModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, groups, {
    'GET /groups': ({ tx, caller, query }) => listGroups(tx, caller.tenantId, caller.facts, query),
    'POST /groups': ({ tx, body, scope }) => createGroup(tx, scope, body),
    'GET /groups/{id}': ({ tx, caller, params }) => oneGroup(tx, caller.tenantId, caller.facts, params.id),
    'PUT /groups/{id}': ({ tx, params, body, scope }) => changeGroup(tx, scope, params.id, body),
    'DELETE /groups/{id}': ({ tx, params, scope }) => deleteGroup(tx, scope, params.id),
    'GET /groups/{id}/members': ({ tx, caller, params, query }) => listMembersOf(tx, caller.tenantId, params.id, query),
    'POST /groups/{id}/members/{userId}': ({ tx, caller, params, scope }) => addMember(tx, scope, caller.facts, params.id, params.userId),
    'DELETE /groups/{id}/members/{userId}': ({ tx, params, scope }) => removeMember(tx, scope, params.id, params.userId),
  });
};
