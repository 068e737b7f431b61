import type { FastifyInstance } from 'fastify';
import {
  history as historyRoutes,
  receivers as receiverRoutes,
  stats as statsRoutes,
  types as typeRoutes,
} from '@hatchway/contract/history.ts';
import type { Deps } from '../../deps.ts';
import { absent } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { listHistory } from './queries.ts';
import { findReceivers } from './receivers.ts';
import { statsNow } from './stats.ts';
import { sales, servicesUsed, usage, usageByHour } from './usage-queries.ts';
import { WORDS } from './words.ts';

export const historyModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, historyRoutes, {
    'GET /history': ({ tx, caller, query }) => listHistory(tx, caller.tenantId, caller.facts, { ...query, last: true }),
  });
  serve(app, deps, statsRoutes, {
    'GET /stats/now': ({ tx, caller, now }) => statsNow(tx, caller.tenantId, caller.facts, now),
    'GET /stats/usage': ({ tx, caller, query, now }) =>
      (query.by === 'day' ? usage : usageByHour)(tx, caller.tenantId, caller.facts, query.days, now),
    'GET /stats/services': ({ tx, caller, query, now }) => servicesUsed(tx, caller.tenantId, caller.facts, query.days, now),
    'GET /stats/sales': ({ tx, caller, query, now }) => sales(tx, caller.tenantId, query.days, now),
  });
  serve(app, deps, receiverRoutes, {
    'GET /receivers': ({ tx, caller, query }) => findReceivers(tx, caller.tenantId, query.search, query.limit),
  });
  serve(app, deps, typeRoutes, {
    'GET /types/{kind}': async ({ params }) => {
      const words = Object.hasOwn(WORDS, params.kind) ? WORDS[params.kind] : undefined;
      if (!words) throw absent();
      return words.map(([value, en, nb]) => ({ value, en, nb }));
    },
  });
};
