import multipart from '@fastify/multipart';
import Fastify, { LogController, type FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { answerErrors, refuseAddress, refuseBytes } from './http/errors.ts';
import { servePages, type Frontend } from './http/pages.ts';
import { refuseWhenStopping } from './http/stopping.ts';
import { logRequests } from './http/request-log.ts';
import { headersOf, secureHeaders } from './http/security.ts';
import { serveSystem } from './http/system.ts';
import { bodyOf, textOf } from './http/text.ts';
import { newId } from './ids.ts';
import { serveLive } from './live/socket.ts';
import { modules } from './modules/modules.ts';

const BODY_BYTES = 1024 * 1024;

/** A bare server with our manners: problem documents, request ids, one log line a request. Modules and pages are mounted by `mountApp`. */
export const newApp = (options: Pick<Deps, 'log' | 'metrics' | 'config'>): FastifyInstance => {
  const https = options.config.publicUrl.startsWith('https:');
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES,
    // One proxy: what stands before its own entry in X-Forwarded-For, anybody may have written.
    trustProxy: options.config.trustProxy ? (_address, hop) => hop < 1 : false,
    genReqId: () => newId(),
    forceCloseConnections: 'idle',
    // A picture of 5 MB over a bad line takes half of it.
    requestTimeout: 120_000,
    // Our own problem document says it instead.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300 },
    // A `q` of its full length fits into one address.
    http: { maxHeaderSize: 32 * 1024 },
    clientErrorHandler: refuseBytes(headersOf(https)),
    // Addresses that cannot be read (a lone %) never reach a route, nor what every answer is given.
    frameworkErrors: (_error, request, reply) => refuseAddress(request, reply.headers(headersOf(https))),
  }) as unknown as FastifyInstance;
  // Clients declare JSON on DELETE too, and send nothing.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const text = textOf(body, request.headers['content-type']);
    try {
      done(null, text === '' ? undefined : bodyOf(text));
    } catch (error) {
      done(Object.assign(error as Error, { statusCode: 400 }));
    }
  });
  answerErrors(app);
  refuseWhenStopping(app);
  logRequests(app, options.metrics);
  secureHeaders(app, https);
  return app;
};

export type Pages = { portal: Frontend | null; pickup: Frontend | null };

/** The table of contents of the server. */
export const mountApp = async (app: FastifyInstance, deps: Deps, pages: Pages, state: { stopping: boolean }): Promise<void> => {
  await app.register(multipart);
  const live = deps.config.publicUrl.replace(/^http/, 'ws');
  app.get('/config', (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('access-control-allow-origin', '*')
      .send({
        'auth-server-url': deps.identity.issuer.replace(/\/realms\/.*$/, ''),
        realm: 'pml',
        resource: 'pml-internal-portal',
        api: `${deps.config.publicUrl}/v1`,
        // The page says with it which build it is of, so that the socket can tell it to load a newer one.
        live: `${live}/live?build=${pages.portal?.build ?? 'none'}`,
        endUser: `${deps.config.publicUrl}/`,
        // what stands in for hardware, where somebody only tries
        ...(deps.config.sandbox ? { sandbox: `${deps.config.publicUrl}/sandbox/` } : {}),
        build: pages.portal?.build ?? 'none',
      }),
  );
  serveSystem(app, deps, state);
  for (const mount of modules) mount(app, deps);
  serveLive(app, deps, pages.portal?.build ?? 'none');
  const provider = new URL(deps.identity.issuer).origin;
  await servePages(app, { ...pages, live, identity: provider === new URL(deps.config.publicUrl).origin ? '' : provider });
};
