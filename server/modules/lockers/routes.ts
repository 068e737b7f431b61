import type { FastifyInstance } from 'fastify';
import { lockers } from '@hatchway/contract/lockers.ts';
import { mayBuild } from '@hatchway/domain/access.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { keptRows } from '../../http/kept-rows.ts';
import { Problem } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { setService, settleContent } from './commands.ts';
import { lockerPage, oneLocker } from './queries.ts';

export const lockerModule = (app: FastifyInstance, deps: Deps): void => {
  const kept = keptRows();
  serve(
    app,
    deps,
    lockers,
  )({
    'GET /lockers': ({ tx, caller, query }) => lockerPage(tx, caller.tenantId, caller.facts, query, kept),
    'GET /lockers/{id}': ({ tx, caller, params }) => oneLocker(tx, caller.tenantId, caller.facts, params.id),
    'PUT /lockers/{id}/service': async ({ tx, caller, params, body, now, after }) => {
      const locker = await oneLocker(tx, caller.tenantId, caller.facts, params.id);
      if (!mayBuild([locker.id], caller.facts)) throw new Problem('forbidden');
      after(() => deps.outbox.wake());
      return setService(tx, scopeOf(caller, now), locker.id, body.outOfService ? body.reason : null);
    },
    'PUT /lockers/{id}/content': async ({ tx, caller, params, body, now, after }) => {
      const locker = await oneLocker(tx, caller.tenantId, caller.facts, params.id);
      if (!mayBuild([locker.id], caller.facts)) throw new Problem('forbidden');
      after(() => deps.outbox.wake());
      return settleContent(tx, scopeOf(caller, now), locker.id, body.content, body.note ?? null);
    },
  });
};
