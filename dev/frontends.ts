import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root, tool } from './command.ts';
import { listFiles } from './files.ts';

export const frontends = ['portal', 'pickup'] as const;
export type Frontend = (typeof frontends)[number];

/** What a front end's build reads: its own folder, the two that it may import, and the versions of everything else. It writes the `.gen.ts`. */
const inputs = (frontend: Frontend): string[] => [
  ...[frontend, 'domain', 'contract'].flatMap((folder) => listFiles(folder)).filter((file) => !/\.(test\.tsx?|gen\.ts)$/.test(file)),
  'dev/jsx-runtime.ts',
  'package-lock.json',
  'tsconfig.base.json',
];

function fingerprint(frontend: Frontend): string {
  const hash = createHash('sha256');
  for (const file of inputs(frontend))
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

const markOf = (frontend: Frontend) => path.join(root, frontend, 'dist', '.fingerprint');

const isFresh = (frontend: Frontend, wanted: string) => existsSync(markOf(frontend)) && readFileSync(markOf(frontend), 'utf8') === wanted;

/** Beside each script and style what the server sends of it to whoever takes gzip: made once here rather than for each visit. */
function compress(frontend: Frontend): void {
  const dist = path.join(root, frontend, 'dist');
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|css|svg)$/.test(name)))
    writeFileSync(path.join(dist, `${file}.gz`), gzipSync(readFileSync(path.join(dist, file)), { level: 9 }));
}

async function build(frontend: Frontend, force: boolean): Promise<void> {
  // taken before the build: a file saved while it runs makes the next start build again
  const wanted = fingerprint(frontend);
  if (!force && isFresh(frontend, wanted)) return;
  if (!existsSync(path.join(root, frontend, 'vite.config.ts'))) throw new Error(`${frontend}/vite.config.ts is missing.`);
  const { code, output, seconds } = await tool(
    'vite/bin/vite.js',
    ['build', frontend, '--config', `${frontend}/vite.config.ts`, '--logLevel', 'warn'],
    {
      quiet: true,
      env: { NODE_ENV: 'production' },
    },
  );
  if (code !== 0) throw new Error(`The build of ${frontend} failed:\n${output}`);
  compress(frontend);
  writeFileSync(markOf(frontend), wanted);
  console.log(`Built ${frontend} in ${seconds.toFixed(1)} s`);
}

/** Builds the two front ends where their inputs changed since the last build, or anyway when forced. */
export async function buildFrontends({ force = false } = {}): Promise<void> {
  await Promise.all(frontends.map((frontend) => build(frontend, force)));
}
