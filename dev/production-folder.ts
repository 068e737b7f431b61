import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageName } from '@hatchway/server/db/embedded-binaries.ts';
import { APART } from './bundle.ts';
import { root } from './command.ts';
import { buildBundle, buildFrontends } from './frontends.ts';

/** What the server reads beside its bundle, each where it lies in the repository. */
const READS = ['server/db/migrations', 'server/http/reader.css', 'server/http/reader-search.js', 'portal/dist', 'pickup/dist'];
const TYPEFACE = '@fontsource-variable/inter';

type Needs = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };

/** The folders of a package and of all that it needs, as npm laid them out. Only what is optional may be missing: it is another machine's. */
const foldersOf = (name: string, from: string, found = new Set<string>(), isOptional = false): Set<string> => {
  const above = from.split(path.sep).map((_, at, parts) => parts.slice(0, parts.length - at).join(path.sep));
  const folder = above.map((place) => path.join(place, 'node_modules', name)).find((place) => existsSync(path.join(place, 'package.json')));
  if (folder === undefined && !isOptional) throw new Error(`${name} is not installed, and production needs it.`);
  if (folder === undefined || found.has(folder)) return found;
  found.add(folder);
  const { dependencies, optionalDependencies = {} } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Needs;
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
    foldersOf(needed, folder, found, needed in optionalDependencies);
  return found;
};

const NODE = path.basename(process.execPath);
const START = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/${NODE}" "$here/hatchway.js" "$@"
`;
/** What V8 made of the code is kept where the server's own things are: 33 MB less of a process at rest. */
const PROGRAM = `import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
const { DATA_DIR = '.data' } = process.env;
if (process.argv[2] === 'serve' && existsSync(DATA_DIR)) enableCompileCache(path.join(DATA_DIR, 'compiled'));
const { run } = await import('./server/dist/production.js');
const code = await run(process.argv.slice(2), process.env, import.meta.dirname);
if (code !== undefined) process.exitCode = code;
`;

/** All that the build writes. Whatever else lies there is somebody's, a database perhaps. */
const WRITES = new Set(['hatchway', 'hatchway.js', 'node_modules', NODE, 'package.json', 'pickup', 'portal', 'server']);

/**
 * Writes production as a folder that needs nothing else, for machines like this one. Answers where it lies. Throws where the folder holds
 * what no build wrote.
 */
export async function writeProductionFolder(into = path.join(root, 'dist'), { force = false } = {}): Promise<string> {
  const others = existsSync(into) ? readdirSync(into).filter((name) => !WRITES.has(name)) : [];
  if (others.length > 0) throw new Error(`${into} holds ${others.join(', ')}, which no build wrote. Move it away first.`);
  const [bundle] = await Promise.all([buildBundle('server', { force }), buildFrontends({ force })]);
  const [fresh, old] = [`${into}.new`, `${into}.old`];
  for (const left of [fresh, old]) rmSync(left, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const packages = [TYPEFACE, packageName(), ...APART].flatMap((name) => [...foldersOf(name, path.join(root, 'server'))]);
  for (const place of new Set([bundle, `${bundle}.map`, ...READS.map((one) => path.join(root, one)), ...packages]))
    cpSync(place, path.join(fresh, path.relative(root, place)), {
      recursive: true,
      // PostgreSQL's libraries lead to one another, and would lead back here
      verbatimSymlinks: true,
      // the packages inside of a package are among those that are named
      filter: (from) => from === place || !path.relative(place, from).split(path.sep).includes('node_modules'),
    });
  cpSync(process.execPath, path.join(fresh, NODE));
  writeFileSync(path.join(fresh, 'package.json'), `${JSON.stringify({ name: 'hatchway', private: true, type: 'module' })}\n`);
  writeFileSync(path.join(fresh, 'hatchway.js'), PROGRAM);
  writeFileSync(path.join(fresh, 'hatchway'), START, { mode: 0o755 });
  if (existsSync(into)) renameSync(into, old);
  renameSync(fresh, into);
  rmSync(old, { recursive: true, force: true });
  return into;
}
