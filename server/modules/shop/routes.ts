import type { FastifyInstance } from 'fastify';
import { shops } from '@hatchway/contract/shop.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { buy, changeStorefront, findPurchase } from './commands.ts';
import { goodImage, shopLogo, shopSales, shopOf, shopView, storefrontOf } from './queries.ts';

/** The shop: to its staff, and to whoever walks in. */
export const shopModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, shops, {
    'GET /storefront': ({ tx, caller, now }) => storefrontOf(tx, deps, caller.tenantId, now),
    'GET /storefront/sales': ({ tx, caller, now }) => shopSales(tx, caller.tenantId, now),
    'PUT /storefront': ({ tx, body, scope }) => changeStorefront(tx, deps, scope, body),
    'GET /shop/{name}': {
      outside: async ({ params, query, now }) => {
        const shop = await shopOf(deps, params.name);
        const seen = await deps.db.tenant(shop.tenantId, (tx) => shopView(tx, deps, shop, now));
        return seen.rev === query.rev ? undefined : seen;
      },
    },
    'GET /shop/{name}/logo': {
      outside: async ({ params, now }) => {
        const { tenantId } = await shopOf(deps, params.name);
        return deps.db.tenant(tenantId, (tx) => shopLogo(tx, deps, tenantId, now));
      },
    },
    'GET /shop/{name}/goods/{id}/image': {
      outside: async ({ params, now }) => {
        const { tenantId } = await shopOf(deps, params.name);
        return deps.db.tenant(tenantId, (tx) => goodImage(tx, deps, tenantId, params.id, now));
      },
    },
    'POST /shop/{name}/goods/{id}/buy': {
      outside: ({ params, body, address, now }) => buy(deps, { ...params, ...body }, { address, now }),
    },
    'POST /shop/{name}/find': {
      outside: ({ params, body, address, now }) => findPurchase(deps, { ...params, ...body }, { address, now }),
    },
  });
};
