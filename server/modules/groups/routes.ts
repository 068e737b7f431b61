import type { FastifyInstance } from 'fastify';
import { groups } from '@hatchway/contract/access.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { addMember, changeGroup, createGroup, deleteGroup, removeMember } from './commands.ts';
import { listGroups, listMembersOf, oneGroup } from './queries.ts';

export const groupModule = (app: FastifyInstance, deps: Deps): void => {
  const wake = () => deps.outbox.wake();
  serve(app, deps, groups, {
    'GET /groups': ({ tx, caller, query }) => listGroups(tx, caller.tenantId, caller.facts, query),
    'POST /groups': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return createGroup(tx, scopeOf(caller, now), body);
    },
    'GET /groups/{id}': ({ tx, caller, params }) => oneGroup(tx, caller.tenantId, caller.facts, params.id),
    'PUT /groups/{id}': async ({ tx, caller, params, body, now, after }) => {
      after(wake);
      return changeGroup(tx, scopeOf(caller, now), params.id, body);
    },
    'DELETE /groups/{id}': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return deleteGroup(tx, scopeOf(caller, now), params.id);
    },
    'GET /groups/{id}/members': ({ tx, caller, params, query }) => listMembersOf(tx, caller.tenantId, params.id, query),
    'POST /groups/{id}/members/{userId}': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return addMember(tx, scopeOf(caller, now), caller.facts, params.id, params.userId);
    },
    'DELETE /groups/{id}/members/{userId}': async ({ tx, caller, params, now, after }) => {
      after(wake);
      return removeMember(tx, scopeOf(caller, now), params.id, params.userId);
    },
  });
};
