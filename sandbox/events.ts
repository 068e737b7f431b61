import type { FastifyInstance, FastifyReply } from 'fastify';

/** Server-sent events, one per change. Open streams end with the app, so that a graceful stop does not wait for them. */
export function mountEvents<T>(app: FastifyInstance, path: string, listen: (tell: (event: T) => void) => () => void): void {
  const open = new Set<FastifyReply>();
  app.get(path, (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    reply.raw.write('retry: 1000\n\n');
    open.add(reply);
    const stop = listen((event) => reply.raw.write(`data: ${JSON.stringify(event)}\n\n`));
    const alive = setInterval(() => reply.raw.write(': still here\n\n'), 15_000);
    alive.unref();
    request.raw.once('close', () => {
      stop();
      clearInterval(alive);
      open.delete(reply);
    });
  });
  app.addHook('preClose', () => {
    for (const reply of open) reply.raw.end();
  });
}
