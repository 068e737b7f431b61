import type { FastifyInstance } from 'fastify';
import { directory } from '@hatchway/contract/directory.ts';
import type { Deps } from '../../deps.ts';
import { throwUnlessRaises } from '../../http/access.ts';
import { scopeOf, type Caller } from '../../http/caller.ts';
import { absent, Problem } from '../../http/problem.ts';
import { serve, type Again } from '../../http/serve.ts';
import { makeBearer, withdrawBearer } from './bearer-commands.ts';
import { scimOf } from './bearer-queries.ts';
import { inDirectory } from './commands.ts';
import { mapGroup } from './mapping-commands.ts';
import { releaseDirectory, takeUpPerson } from './people-commands.ts';
import { countsOf, listGroups, listPeople, onePerson } from './queries.ts';
import type { Run } from './run.ts';

export const directoryModule = (app: FastifyInstance, deps: Deps): void => {
  /** The caller as they are once nobody else changes members. */
  const within = <T>(
    { caller, again, now }: { caller: Caller; again: Again; now: string },
    act: (run: Run, caller: Caller) => Promise<T>,
  ) => inDirectory(deps, scopeOf(caller, now), async (run) => act(run, await again(run.tx, 'rights')));
  serve(app, deps, directory, {
    'GET /directory': ({ tx, caller }) => countsOf(tx, caller.tenantId),
    'GET /directory/people': ({ tx, caller, query }) => listPeople(tx, caller.tenantId, query),
    'POST /directory/people/{personId}/take-over': {
      outside: async ({ params, ...asked }) => {
        const { tenantId } = asked.caller;
        await within(asked, async (run) => {
          if (!(await takeUpPerson(run, params.personId))) throw absent();
        });
        return deps.db.tenant(tenantId, (tx) => onePerson(tx, tenantId, params.personId));
      },
    },
    'GET /directory/groups': ({ tx, caller, query }) => listGroups(tx, caller.tenantId, query),
    'PUT /directory/groups/{id}': {
      outside: ({ params, body, ...asked }) => within(asked, (run, caller) => mapGroup(run, caller.facts, params.id, body)),
    },
    'GET /directory/scim': ({ tx, caller }) => scimOf(tx, deps, caller.tenantId),
    'POST /directory/scim/bearer': async ({ tx, caller, scope }) => {
      // Whoever has it lets people in and into groups, whatever those get: an administrator's alone to hand on, as keys are.
      if (caller.kind === 'key') throw new Problem('forbidden');
      throwUnlessRaises({ roles: ['admin'] }, caller.facts);
      const secret = await makeBearer(tx, scope, caller.accountId);
      return { ...(await scimOf(tx, deps, caller.tenantId)), secret };
    },
    'DELETE /directory/scim/bearer': async ({ tx, scope }) => {
      await withdrawBearer(tx, scope);
    },
    'DELETE /directory/scim': {
      outside: (asked) =>
        within(asked, async (run) => {
          await withdrawBearer(run.tx, run.scope).catch((error: unknown) => {
            if (!(error instanceof Problem && error.code === 'not-found')) throw error;
          });
          await releaseDirectory(run, 'scim');
        }),
    },
  });
};
