import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * A stream of server-sent events. `begin` is given how to write to it, and answers how to stop. Open streams end with the app, so that a
 * graceful stop does not wait for them.
 */
export function mountStream(app: FastifyInstance, path: string, begin: (write: (text: string) => void) => () => void): void {
  const open = new Set<FastifyReply>();
  app.get(path, (_request, reply) => {
    const { raw } = reply.hijack();
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    open.add(reply);
    const stop = begin((text) => raw.write(text));
    const alive = setInterval(() => raw.write(': still here\n\n'), 15_000).unref();
    raw.once('close', () => {
      stop();
      clearInterval(alive);
      open.delete(reply);
    });
  });
  app.addHook('preClose', () => {
    for (const reply of open) reply.raw.end();
  });
}

/** One event per change. */
export const mountEvents = <T>(app: FastifyInstance, path: string, listen: (tell: (event: T) => void) => () => void): void =>
  mountStream(app, path, (write) => {
    write('retry: 1000\n\n');
    return listen((event) => write(`data: ${JSON.stringify(event)}\n\n`));
  });
