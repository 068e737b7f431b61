import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root, tool } from './command.ts';
import { listFiles } from './files.ts';

export const frontends = ['portal', 'pickup'] as const;
export type Frontend = (typeof frontends)[number];
/** What is built, each from the folder of its name into its `dist`. */
type Part = Frontend | 'server';

/** What a build reads: its own folder, the two that it may import, and the versions of everything else. It writes the `.gen.ts`. */
const inputs = (part: Part): string[] => [
  ...[part, 'domain', 'contract'].flatMap((folder) => listFiles(folder)).filter((file) => !/\.(test\.tsx?|gen\.ts)$/.test(file)),
  ...(part === 'server' ? [] : ['dev/jsx-runtime.ts']),
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

const markOf = (part: Part) => path.join(root, part, 'dist', '.fingerprint');

const isFresh = (part: Part, wanted: string) => existsSync(markOf(part)) && readFileSync(markOf(part), 'utf8') === wanted;

/** Beside each script and style what the server sends of it to whoever takes gzip: made once here rather than for each visit. */
function compress(frontend: Frontend): void {
  const dist = path.join(root, frontend, 'dist');
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|css|svg)$/.test(name)))
    writeFileSync(path.join(dist, `${file}.gz`), gzipSync(readFileSync(path.join(dist, file)), { level: 9 }));
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
  if (part !== 'server') compress(part);
  writeFileSync(markOf(part), wanted);
  console.log(`Built ${part} in ${seconds.toFixed(1)} s`);
}

/** Builds the two front ends where their inputs changed since the last build, or anyway when forced. */
export async function buildFrontends({ force = false } = {}): Promise<void> {
  await Promise.all(frontends.map((frontend) => build(frontend, force)));
}

/** The server as one file of plain JavaScript, where its inputs changed since it was last made, or anyway when forced. */
export async function buildServer({ force = false } = {}): Promise<string> {
  await build('server', force);
  return path.join(root, 'server', 'dist', 'production.js');
}
