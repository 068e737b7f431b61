import { readFileSync, existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { contentPolicy, newNonce } from './security.ts';

/** Where a built front end lies: `index.html` and its assets. `build` tells one build from another. */
export type Frontend = { folder: string; html: string; build: string };

export const openFrontend = (folder: string): Frontend | null => {
  const file = path.join(folder, 'index.html');
  if (!existsSync(file)) return null;
  const html = readFileSync(file, 'utf8');
  return { folder, html, build: createHash('sha256').update(html).digest('base64url').slice(0, 16) };
};

/** Where a page goes beside our own addresses: the live socket's, and the origin of an identity provider elsewhere. */
type Reached = { live: string; identity: string };

const YEAR = 'public, max-age=31536000, immutable';
/** How long a file is kept is said by whoever sends it: else it would be what holds for the hashed ones, a year. */
const OWN = { cacheControl: false } as const;

/**
 * The page itself is never cached (it names the build); `__NONCE__` in it becomes this answer's nonce, and `__IDENTITY__` in a policy of its
 * own the provider's origin.
 */
const sendPage = (reply: FastifyReply, frontend: Frontend, { live, identity }: Reached) => {
  const nonce = newNonce();
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', contentPolicy(nonce, live, identity))
    .send(frontend.html.replaceAll('__NONCE__', nonce).replaceAll('__IDENTITY__', identity));
};

/** `/portal/…` and the end-user site at `/`, `/p/…`, `/c/…`, `/l/…`, `/b/…`, `/shop/…`. Hashed files are kept a year, anything else asks. */
export const servePages = async (
  app: FastifyInstance,
  pages: { portal: Frontend | null; pickup: Frontend | null } & Reached,
): Promise<void> => {
  const { portal, pickup } = pages;
  if (portal) {
    await app.register(fastifyStatic, {
      root: path.join(portal.folder, 'assets'),
      prefix: '/portal/assets/',
      immutable: true,
      maxAge: '1y',
      index: false,
      preCompressed: true,
      decorateReply: true,
    });
    app.get('/portal', (_request, reply) => reply.redirect('/portal/', 301));
    app.get('/portal/*', (request, reply) => {
      const file = path.basename(new URL(request.url, 'http://x').pathname);
      // Only files that lie beside index.html (boot script, icons); everything else is an address of the portal.
      if (/^[\w.-]+\.(js|svg|png|ico|webmanifest|html)$/.test(file) && file !== 'index.html' && existsSync(path.join(portal.folder, file)))
        return reply.header('cache-control', 'no-cache').sendFile(file, portal.folder, OWN);
      return sendPage(reply, portal, pages);
    });
  }
  if (pickup) {
    await app.register(fastifyStatic, {
      root: path.join(pickup.folder, 'pickup-assets'),
      prefix: '/pickup-assets/',
      immutable: true,
      maxAge: '1y',
      index: false,
      preCompressed: true,
      decorateReply: !portal,
      cacheControl: true,
    });
    for (const url of ['/', '/p/*', '/c/*', '/l/*', '/b/*', '/shop/*']) app.get(url, (_request, reply) => sendPage(reply, pickup, pages));
    // A mistyped address gets the site's own words and a way on; what asks for no page gets a problem document.
    app.get('/*', (request, reply) =>
      request.headers.accept?.includes('text/html') && !/^\/(v1|realms|sandbox)\//.test(request.url)
        ? sendPage(reply.code(404), pickup, pages)
        : reply.callNotFound(),
    );
    for (const file of ['favicon.svg', 'boot.js', 'robots.txt'])
      if (existsSync(path.join(pickup.folder, file)))
        app.get(`/${file}`, (_request, reply) =>
          reply.header('cache-control', file.endsWith('.js') ? 'no-cache' : YEAR).sendFile(file, pickup.folder, OWN),
        );
  }
};
