import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

/** Longer than a door may take to answer; who has not sent their request by then never will. */
const PATIENCE_MS = 10_000;

/**
 * From the first moment of a stop: what is under way is answered, what comes on a kept connection is sent elsewhere. Every answer
 * closes its connection, or the stop would wait for clients that keep theirs open (a minute and more).
 */
export const refuseWhenStopping = (app: FastifyInstance): void => {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    setTimeout(() => app.server.closeAllConnections(), PATIENCE_MS).unref();
  });
  app.addHook('onRequest', async () => {
    if (stopping) throw new Problem('unavailable', 'This server is stopping', { retryAfter: 1 });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) void reply.header('connection', 'close');
  });
};
