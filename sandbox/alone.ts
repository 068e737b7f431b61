import Fastify, { type FastifyInstance } from 'fastify';
import { mountTool } from './assets/mount.ts';
import { createTool } from './assets/tool.ts';
import { createDirectory } from './directory/directory.ts';
import { mountDirectory } from './directory/mount.ts';
import { mountVipps } from './vipps/mount.ts';
import { createVipps } from './vipps/provider.ts';
import { mountWoo, WOO_SHOP } from './woo/mount.ts';
import { createWoo } from './woo/shop.ts';

/** A neighbour with nothing beside it, on the loopback: its wire at the root as at the real hosts, its pages where they always are. */

type Alone = {
  port: number;
  /** Where its books are kept; none: in memory alone. */
  folder?: string;
};

async function start(port: number, place: string, mount: (app: FastifyInstance, origin: string) => void) {
  const origin = `http://127.0.0.1:${port}`;
  const app = Fastify({ forceCloseConnections: true });
  mount(app, origin);
  for (const path of ['/', '/sandbox/']) app.get(path, (_request, reply) => reply.redirect(`/sandbox/${place}`));
  await app.listen({ host: '127.0.0.1', port });
  return { origin, stop: () => app.close() };
}

export const startVipps = ({ port, drawQr, ...books }: Alone & Pick<Parameters<typeof mountVipps>[2], 'drawQr'>) =>
  start(port, 'vipps', (app, origin) => mountVipps(app, createVipps(books), { origin, api: '', alone: true, drawQr }));

/** Its owner has made a key for who has no approval page to come back from. */
export async function startWoo({ port, ...books }: Alone) {
  const woo = createWoo({ demo: true, ...books });
  const { consumerKey, consumerSecret } = woo.store.keys()[0] ?? woo.store.addKey('For any client', 'read_write');
  const started = await start(port, 'woo', (app, origin) => mountWoo(app, woo, { origin, alone: true }));
  return { ...started, address: started.origin + WOO_SHOP, consumerKey, consumerSecret };
}

export async function startTool({ port, ...books }: Alone) {
  const tool = createTool({ demo: true, ...books });
  const started = await start(port, 'assets', (app, origin) => mountTool(app, tool, { origin, api: '', alone: true }));
  return { ...started, apiKey: tool.store.apiKey() };
}

/** Login at the root as at the real host, Graph below `/graph`. */
export async function startDirectory({ port, ...books }: Alone) {
  const directory = createDirectory({ demo: true, ...books });
  const started = await start(port, 'directory', (app, origin) =>
    mountDirectory(app, directory, { origin, login: '', graph: '/graph', alone: true }),
  );
  return { ...started, directory };
}
