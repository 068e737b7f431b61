import Fastify from 'fastify';
import { mountWoo, WOO_SHOP } from './mount.ts';
import { createWoo } from './shop.ts';

type Alone = {
  port: number;
  /** Where its books are kept; none: in memory alone. */
  folder?: string;
};

/** The webshop with nothing beside it, on the loopback; its owner has made a key for who has no approval page to come back from. */
export async function startWoo({ port, folder }: Alone): Promise<{
  address: string;
  origin: string;
  consumerKey: string;
  consumerSecret: string;
  stop: () => Promise<void>;
}> {
  const origin = `http://127.0.0.1:${port}`;
  const app = Fastify({ forceCloseConnections: true });
  const woo = createWoo({ demo: true, ...(folder === undefined ? {} : { folder }) });
  const key = woo.store.keys()[0] ?? woo.store.addKey('For any client', 'read_write');
  mountWoo(app, woo, { origin, alone: true });
  for (const path of ['/', '/sandbox/']) app.get(path, (_request, reply) => reply.redirect('/sandbox/woo'));
  await app.listen({ host: '127.0.0.1', port });
  const { consumerKey, consumerSecret } = key;
  return { origin, address: origin + WOO_SHOP, consumerKey, consumerSecret, stop: () => app.close() };
}
