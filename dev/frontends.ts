import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { root, tool } from './command.ts';
import { listFiles } from './files.ts';

export const frontends = ['portal', 'pickup'] as const;
export type Frontend = (typeof frontends)[number];
/** What a server runs as one file of plain JavaScript: production alone, or with the sandbox and the demo beside it. */
const bundles = { server: 'production.js', dev: 'start.js' } as const;
type Bundle = keyof typeof bundles;
/** What is built, each from the folder of its name into its `dist`. */
type Part = Frontend | Bundle;

const TOOLS = ['dev/jsx-runtime.ts', 'dev/narrow-typeface.ts'];
/** What each reads beside the two folders that all may import. */
const READS: Record<Part, { folders: string[]; files: string[] }> = {
  portal: { folders: ['portal'], files: TOOLS },
  pickup: { folders: ['pickup'], files: TOOLS },
  server: { folders: ['server'], files: ['dev/bundle.ts'] },
  dev: { folders: ['dev', 'server', 'sandbox'], files: [] },
};

/** All that a build reads, with the versions of everything else. It writes the `.gen.ts`. */
const inputs = (part: Part): string[] => [
  ...[...READS[part].folders, 'domain', 'contract']
    .flatMap((folder) => listFiles(folder))
    .filter((file) => !/\.(test\.tsx?|gen\.ts)$/.test(file)),
  ...READS[part].files,
  'package-lock.json',
  'tsconfig.base.json',
];

function fingerprint(part: Part): string {
  const hash = createHash('sha256');
  for (const file of inputs(part))
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

const isFrontend = (part: Part): part is Frontend => !(part in bundles);

const markOf = (part: Part) => path.join(root, part, 'dist', '.fingerprint');

const isFresh = (part: Part, wanted: string) => existsSync(markOf(part)) && readFileSync(markOf(part), 'utf8') === wanted;

const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);
/** One step below the best: half of its time, and 2 % more bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Beside each script and style what the server sends of it to whoever takes Brotli or gzip: made once here rather than for each visit. */
async function compress(frontend: Frontend): Promise<void> {
  const dist = path.join(root, frontend, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    files.map(async (name) => {
      const file = path.join(dist, name);
      const bytes = readFileSync(file);
      writeFileSync(`${file}.br`, await inBrotli(bytes, BROTLI));
      writeFileSync(`${file}.gz`, await inGzip(bytes, { level: 9 }));
    }),
  );
}

async function build(part: Part, force: boolean): Promise<void> {
  // taken before the build: a file saved while it runs makes the next start build again
  const wanted = fingerprint(part);
  if (!force && isFresh(part, wanted)) return;
  if (!existsSync(path.join(root, part, 'vite.config.ts'))) throw new Error(`${part}/vite.config.ts is missing.`);
  const { code, output, seconds } = await tool(
    'vite/bin/vite.js',
    ['build', part, '--config', `${part}/vite.config.ts`, '--logLevel', 'warn'],
    {
      quiet: true,
      env: { NODE_ENV: 'production' },
    },
  );
  if (code !== 0) throw new Error(`The build of ${part} failed:\n${output}`);
  if (isFrontend(part)) await compress(part);
  writeFileSync(markOf(part), wanted);
  console.log(`Built ${part} in ${seconds.toFixed(1)} s`);
}

/** Builds the two front ends where their inputs changed since the last build, or anyway when forced. */
export async function buildFrontends({ force = false } = {}): Promise<void> {
  await Promise.all(frontends.map((frontend) => build(frontend, force)));
}

/** Makes a bundle where its inputs changed since the last time, or anyway when forced; answers where it lies. */
export async function buildBundle(part: Bundle, { force = false } = {}): Promise<string> {
  await build(part, force);
  return path.join(root, part, 'dist', bundles[part]);
}
