import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { BASE } from '../options.ts';
import { ICON, OWN_FONT } from './style.ts';

const FOREVER = 'public, max-age=31536000, immutable';

/** What the pages load: their icon, and the family's typeface where it is installed. They read well without it. */
export function pageFiles(scope: FastifyInstance): void {
  scope.get(`${BASE}/pages/mark.svg`, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(ICON),
  );
  const font = readFont();
  if (font) scope.get(OWN_FONT, (_request, reply) => reply.header('cache-control', FOREVER).type('font/woff2').send(font));
}

function readFont(): Buffer | null {
  try {
    return fs.readFileSync(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')));
  } catch {
    return null;
  }
}
