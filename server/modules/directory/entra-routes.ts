import type { FastifyInstance } from 'fastify';
import { entraIntegration } from '@hatchway/contract/entra.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { dropDirectory, goOnConsent, nameDirectory } from './entra-commands.ts';
import { entraOf } from './entra-queries.ts';
import { syncEntraNow, testEntra } from './entra-sync.ts';

export const entraModule = (app: FastifyInstance, deps: Deps): void => {
  const wake = () => deps.outbox.wake();
  serve(
    app,
    deps,
    entraIntegration,
  )({
    'GET /integrations/entra': ({ tx, caller }) => entraOf(tx, deps, caller.tenantId),
    'POST /integrations/entra': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return nameDirectory(tx, deps, scopeOf(caller, now), body);
    },
    'POST /integrations/entra/consent': { outside: ({ caller, body, now }) => goOnConsent(deps, scopeOf(caller, now), body) },
    'POST /integrations/entra/test': { outside: ({ caller, now }) => testEntra(deps, scopeOf(caller, now)) },
    'POST /integrations/entra/sync': { outside: ({ caller, now }) => syncEntraNow(deps, scopeOf(caller, now)) },
    'DELETE /integrations/entra': { outside: ({ caller, now }) => dropDirectory(deps, scopeOf(caller, now)) },
  });
};
