import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * The sandbox's pages are plain files in `sandbox/pages/`: HTML, CSS and TypeScript that is stripped of its types on the way out,
 * so that a change shows at the next reload and `npm start` has nothing to build for them.
 */

const FOLDER = new URL('./pages/', import.meta.url);
const FONT = new URL(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  ts: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Everything from here, nothing inline. Pages that differ pass a policy of their own. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self' ws: wss:; " +
  "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

export async function sendPage(reply: FastifyReply, file: string, policy = POLICY): Promise<FastifyReply> {
  const extension = file.slice(file.lastIndexOf('.') + 1);
  let text = await readFile(new URL(file, FOLDER), 'utf8');
  if (extension === 'ts') text = stripTypeScriptTypes(text, { mode: 'strip' });
  return reply
    .header('content-type', TYPES[extension] ?? 'application/octet-stream')
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .send(text);
}

/**
 * Serves `pages` (address below the prefix → file in `sandbox/pages/`) and, once per app and prefix, every file of the folder
 * at `{prefix}/pages/{file}`. A page refers to its script as `/sandbox/pages/cabinets.ts`; scripts import each other relatively, with `.ts`.
 */
export function mountPages(app: FastifyInstance, prefix: string, pages: Record<string, string>): void {
  for (const [path, file] of Object.entries(pages)) {
    app.get(prefix + path, (_request, reply) => sendPage(reply, file));
  }
  if (app.hasRoute({ method: 'GET', url: `${prefix}/pages/:file` })) return;
  // The family's typeface.
  app.get(`${prefix}/pages/inter.woff2`, async (_request, reply) =>
    reply
      .type('font/woff2')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(await readFile(FONT)),
  );
  app.get<{ Params: { file: string } }>(`${prefix}/pages/:file`, async (request, reply) => {
    // The name is a single flat file name: no slash, no dot-dot can get through this pattern.
    if (!/^[a-z0-9-]+\.(css|ts|svg)$/.test(request.params.file)) return reply.code(404).send();
    try {
      return await sendPage(reply, request.params.file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return reply.code(404).send();
      throw error;
    }
  });
}
