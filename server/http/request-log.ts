import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** One line a request: the route's pattern, never the address (it may hold a token), and no header. */
export const logRequests = (app: FastifyInstance, metrics: Metrics): void => {
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    request.log.info({ method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
  });
};
