import type { FastifyInstance } from 'fastify';
import { entraIntegration } from '@hatchway/contract/entra.ts';
import type { Deps } from '../../deps.ts';
import { throwUnlessRaises } from '../../http/access.ts';
import type { Caller } from '../../http/caller.ts';
import { Problem } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { dropDirectory, goOnConsent, nameDirectory } from './entra-commands.ts';
import { entraOf } from './entra-queries.ts';
import { syncEntraNow, testEntra } from './entra-sync.ts';

/** Whoever keeps the directory says who somebody here is: an administrator's alone to choose, in person, as SCIM's bearer is. */
const throwUnlessChooses = ({ kind, facts }: Caller): void => {
  if (kind === 'key') throw new Problem('forbidden');
  throwUnlessRaises({ roles: ['admin'] }, facts);
};

export const entraModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, entraIntegration, {
    'GET /integrations/entra': ({ tx, caller }) => entraOf(tx, deps, caller.tenantId),
    'POST /integrations/entra': async ({ tx, caller, body, scope }) => {
      throwUnlessChooses(caller);
      return nameDirectory(tx, deps, scope, body);
    },
    'POST /integrations/entra/consent': {
      outside: ({ caller, body, scope, again }) => {
        throwUnlessChooses(caller);
        return goOnConsent(deps, scope, body, async (tx) => throwUnlessChooses(await again(tx, 'rights')));
      },
    },
    'POST /integrations/entra/test': { outside: ({ scope }) => testEntra(deps, scope) },
    'POST /integrations/entra/sync': { outside: ({ scope }) => syncEntraNow(deps, scope) },
    'DELETE /integrations/entra': { outside: ({ scope }) => dropDirectory(deps, scope) },
  });
};
