import type { FastifyInstance } from 'fastify';
import { links } from '@hatchway/contract/links.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { addressOf, changeLink, createLink, revokeLink, takeOverLink } from './commands.ts';
import { listLinks, oneLink, usesOf } from './queries.ts';

export const linkModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, links, {
    'GET /links': ({ tx, caller, query, now }) => listLinks(tx, caller.tenantId, caller.facts, query, now),
    'POST /links': async ({ tx, caller, body, scope, now }) => {
      const id = await createLink(tx, deps, scope, caller.facts, body);
      const url = await addressOf(tx, deps, caller.tenantId, caller.facts, id);
      return { ...(await oneLink(tx, caller.tenantId, caller.facts, id, now)), url };
    },
    'GET /links/{id}': async ({ tx, caller, params, now }) => ({
      ...(await oneLink(tx, caller.tenantId, caller.facts, params.id, now)),
      uses: await usesOf(tx, caller.tenantId, params.id),
    }),
    'GET /links/{id}/url': async ({ tx, caller, params }) => ({
      url: await addressOf(tx, deps, caller.tenantId, caller.facts, params.id),
    }),
    'GET /links/{id}/qr': async ({ tx, caller, params }) => {
      const { toSVG } = await import('bwip-js/node');
      const svg = toSVG({ bcid: 'qrcode', text: await addressOf(tx, deps, caller.tenantId, caller.facts, params.id) });
      return { bytes: Buffer.from(svg), etag: `"${params.id}"` };
    },
    'PUT /links/{id}': async ({ tx, caller, params, body, scope, now }) => {
      await changeLink(tx, scope, caller.facts, params.id, body);
      return oneLink(tx, caller.tenantId, caller.facts, params.id, now);
    },
    'POST /links/{id}/take-over': async ({ tx, caller, params, body, scope, now }) => {
      await takeOverLink(tx, scope, caller.facts, params.id, body.version);
      return oneLink(tx, caller.tenantId, caller.facts, params.id, now);
    },
    'DELETE /links/{id}': async ({ tx, caller, params, scope }) => {
      await revokeLink(tx, scope, caller.facts, params.id);
    },
  });
};
