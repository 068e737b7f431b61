import Fastify from 'fastify';
import { createDirectory } from './directory.ts';
import { mountDirectory } from './mount.ts';

type Alone = {
  port: number;
  /** Where people and groups are kept; none: in memory alone. */
  folder?: string;
};

/** The directory with nothing beside it, on the loopback: login at the root as at the real host, Graph below `/graph`. */
export async function startDirectory({ port, folder }: Alone) {
  const origin = `http://127.0.0.1:${port}`;
  const app = Fastify({ forceCloseConnections: true });
  const directory = createDirectory({ demo: true, ...(folder === undefined ? {} : { folder }) });
  mountDirectory(app, directory, { origin, login: '', graph: '/graph', alone: true });
  for (const path of ['/', '/sandbox/']) app.get(path, (_request, reply) => reply.redirect('/sandbox/directory'));
  await app.listen({ host: '127.0.0.1', port });
  return { origin, directory, stop: () => app.close() };
}
