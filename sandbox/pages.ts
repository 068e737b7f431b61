import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * The sandbox's pages are plain files in `sandbox/pages/`: CSS and TypeScript that is stripped of its types on the way out, so that a change
 * shows at the next reload and `npm start` has nothing to build for them. A page itself is a script with its style sheets.
 */

const FOLDER = new URL('./pages/', import.meta.url);
const FONT = new URL(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));

const NEIGHBOUR = ['sandbox', 'inbox', 'vipps'];
/** Each has a script of its name. The title stands until that has said its own. */
const PAGES = {
  index: { title: 'sandbox', styles: ['sandbox', 'index'] },
  cabinets: { title: 'cabinets', styles: ['sandbox', 'cabinets', 'cabinets-wall'] },
  inbox: { title: 'inbox', styles: ['sandbox', 'inbox'] },
  vipps: { title: 'payments', styles: NEIGHBOUR },
  'vipps-pay': { title: 'payments', styles: NEIGHBOUR },
  woo: { title: 'shop', styles: NEIGHBOUR },
  'woo-auth': { title: 'shop', styles: NEIGHBOUR },
  directory: { title: 'directory', styles: NEIGHBOUR },
  'directory-consent': { title: 'directory', styles: NEIGHBOUR },
  'directory-sign-in': { title: 'directory', styles: NEIGHBOUR },
  assets: { title: 'asset tool', styles: NEIGHBOUR },
};
export type Page = keyof typeof PAGES;

const htmlOf = (page: Page): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Hatchway ${PAGES[page].title}</title>
    <link rel="icon" href="/sandbox/pages/mark.svg" />
${PAGES[page].styles.map((style) => `    <link rel="stylesheet" href="/sandbox/pages/${style}.css" />`).join('\n')}
    <script type="module" src="/sandbox/pages/${page}.ts"></script>
  </head>
  <body>
    <main id="main"></main>
  </body>
</html>
`;

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  ts: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Everything from here, nothing inline. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self' ws: wss:; " +
  "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

const send = (reply: FastifyReply, type: string, text: string): FastifyReply =>
  reply
    .header('content-type', type)
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .send(text);

export const sendPage = (reply: FastifyReply, page: Page): FastifyReply => send(reply, 'text/html; charset=utf-8', htmlOf(page));

async function sendFile(reply: FastifyReply, file: string): Promise<FastifyReply> {
  const extension = file.slice(file.lastIndexOf('.') + 1);
  const text = await readFile(new URL(file, FOLDER), 'utf8');
  return send(
    reply,
    TYPES[extension] ?? 'application/octet-stream',
    extension === 'ts' ? stripTypeScriptTypes(text, { mode: 'strip' }) : text,
  );
}

/** Serves `pages` by their address below `/sandbox` and, once per app, every file of the folder at `/sandbox/pages/{file}`. */
export function mountPages(app: FastifyInstance, pages: Record<string, Page>): void {
  for (const [path, page] of Object.entries(pages)) {
    app.get(`/sandbox${path}`, (_request, reply) => sendPage(reply, page));
  }
  if (app.hasRoute({ method: 'GET', url: '/sandbox/pages/:file' })) return;
  // The family's typeface.
  app.get('/sandbox/pages/inter.woff2', async (_request, reply) =>
    reply
      .type('font/woff2')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(await readFile(FONT)),
  );
  app.get<{ Params: { file: string } }>('/sandbox/pages/:file', async (request, reply) => {
    // The name is a single flat file name: no slash, no dot-dot can get through this pattern.
    if (!/^[a-z0-9-]+\.(css|ts|svg)$/.test(request.params.file)) return reply.code(404).send();
    try {
      return await sendFile(reply, request.params.file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return reply.code(404).send();
      throw error;
    }
  });
}
