import Fastify from 'fastify';
import { mountVipps } from './mount.ts';
import { createVipps } from './provider.ts';

type Alone = {
  port: number;
  /** Where its books are kept; none: in memory alone. */
  folder?: string;
  drawQr: Parameters<typeof mountVipps>[2]['drawQr'];
};

/** The provider with nothing beside it, on the loopback: its wire at the root as at the real hosts, its pages where they always are. */
export async function startVipps({ port, folder, drawQr }: Alone): Promise<{ origin: string; stop: () => Promise<void> }> {
  const origin = `http://127.0.0.1:${port}`;
  const app = Fastify({ forceCloseConnections: true });
  mountVipps(app, createVipps(folder === undefined ? {} : { folder }), { origin, api: '', alone: true, drawQr });
  for (const path of ['/', '/sandbox/']) app.get(path, (_request, reply) => reply.redirect('/sandbox/vipps'));
  await app.listen({ host: '127.0.0.1', port });
  return { origin, stop: () => app.close() };
}
