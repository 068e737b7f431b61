import Fastify from 'fastify';
import { mountTool } from './mount.ts';
import { createTool } from './tool.ts';

type Alone = {
  port: number;
  /** Where its books are kept; none: in memory alone. */
  folder?: string;
};

/** The asset tool with nothing beside it, on the loopback: its wires at the root, its page where it always is. */
export async function startTool({ port, folder }: Alone): Promise<{ origin: string; apiKey: string; stop: () => Promise<void> }> {
  const origin = `http://127.0.0.1:${port}`;
  const app = Fastify({ forceCloseConnections: true });
  const tool = createTool({ demo: true, ...(folder === undefined ? {} : { folder }) });
  mountTool(app, tool, { origin, api: '', alone: true });
  for (const path of ['/', '/sandbox/']) app.get(path, (_request, reply) => reply.redirect('/sandbox/assets'));
  await app.listen({ host: '127.0.0.1', port });
  return { origin, apiKey: tool.store.apiKey(), stop: () => app.close() };
}
