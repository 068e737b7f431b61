import type { FastifyInstance } from 'fastify';
import { routes } from '@hatchway/contract/routes.ts';
import type { Deps } from '../deps.ts';
import { apiReader } from './reader.ts';
import { openapi } from './openapi.ts';

/** What runs the service looks at: health, readiness, metrics, and the API's own description. */
export const serveSystem = (app: FastifyInstance, deps: Deps, state: { stopping: boolean }): void => {
  // Made when somebody asks: it takes longer than all else of a start together.
  let made: ReturnType<typeof openapi> | undefined;
  const document = () => (made ??= openapi(routes, deps.config.publicUrl));
  app.get('/healthz', () => ({ ok: true }));
  app.get('/readyz', async (_request, reply) => {
    const database = await deps.db.ping().then(
      () => true,
      () => false,
    );
    // Without the broker no door can be commanded, without the bus no screen is live; all else goes on, here as at any other node.
    const parts = { database, broker: deps.devices.connected, bus: !deps.bus.away, stopping: state.stopping };
    return reply.code(database && !state.stopping ? 200 : 503).send(parts);
  });
  app.get('/metrics', async (_request, reply) => reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics()));
  app.get('/v1/openapi.json', (_request, reply) => reply.header('access-control-allow-origin', '*').send(document()));
  apiReader(app, document, deps.config.publicUrl);
};
