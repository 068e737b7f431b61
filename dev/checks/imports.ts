import path from 'node:path';
import type { SourceFile } from '../files.ts';

/** A folder may import itself and these (docs/architecture.md); dev is the only place that may import everything. */
const mayImport: Record<string, string[]> = {
  domain: [],
  contract: ['domain'],
  server: ['domain', 'contract'],
  portal: ['domain', 'contract'],
  pickup: ['domain', 'contract'],
  sandbox: ['contract'],
  dev: ['domain', 'contract', 'server', 'portal', 'pickup', 'sandbox', 'e2e', 'bench'],
  e2e: ['contract', 'dev'],
  bench: ['contract'],
};

/** Rules lie in domain and the wire in contract, so these two name the packages that they may use at all. */
const mayUse: Record<string, string[]> = { domain: [], contract: ['zod'] };
const testTools = ['vitest', 'fast-check'];

/** Inside a workspace: files below `from` never import files below `never`. */
const layers = [
  { from: 'portal/ui/', never: ['portal/features/', 'portal/routes/'], why: 'ui knows no noun' },
  { from: 'portal/features/', never: ['portal/routes/'], why: 'a feature knows no route' },
  { from: 'server/db/', never: ['server/modules/', 'server/http/'], why: 'the database layer knows no noun' },
  { from: 'server/http/', never: ['server/modules/'], why: 'the HTTP layer knows no noun' },
  { from: 'server/devices/', never: ['server/modules/'], why: 'the devices layer knows no noun' },
] as const;

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || /\/test\//.test(file);

/** Without comments, so that a word about an import is not taken for one. Strings that hold `//` only lose their tail, which no import has. */
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1');

/** Every module name that a file imports or exports from, types and dynamic imports too. */
export function importsOf(text: string): string[] {
  const source = withoutComments(text);
  const found = [
    ...source.matchAll(/^\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/gm),
    ...source.matchAll(/^\s*import\s*\{[^}]*\}\s*from\s*['"]([^'"]+)['"]/gm),
    ...source.matchAll(/\bimport\(\s*['"`]([^'"`]+)['"`]/g),
    ...source.matchAll(/\brequire\(\s*['"]([^'"]+)['"]/g),
  ].map((match) => match[1] ?? '');
  return [...new Set(found)];
}

/** Where an import leads inside the repository, as a path from its root; null for a package or a builtin. */
export function targetOf(from: string, name: string): string | null {
  if (name.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(from), name.replace(/\?.*$/, '')));
  if (name.startsWith('@hatchway/')) return name.slice('@hatchway/'.length);
  return null;
}

const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
const folderOf = (file: string) => file.split('/')[0] ?? '';
const moduleOf = (file: string) => /^server\/modules\/([^/]+)\//.exec(file)?.[1];

function faultOf(file: string, name: string): string | null {
  const from = folderOf(file);
  const target = targetOf(file, name);
  if (target === null) {
    const allowed = mayUse[from];
    if (!allowed || [...allowed, ...(isTest(file) ? testTools : [])].includes(packageOf(name))) return null;
    return isTest(file) && name.startsWith('node:') ? null : `${from} may use ${allowed.join(', ') || 'no package'} only`;
  }
  const to = folderOf(target);
  if (target.startsWith('..')) return 'leads out of the repository';
  if (name.startsWith('.') && to !== from && target.includes('/')) return `reach another workspace as @hatchway/${to}/…`;
  if (to !== from && mayImport[from] && mayImport[to] && !mayImport[from].includes(to)) return `${from} may not import ${to}`;
  if (name.startsWith('.') && !/\.[a-z0-9]+$/.test(target)) return 'a relative import ends in its file name, .ts included';
  const layer = isTest(file)
    ? undefined
    : layers.find((rule) => file.startsWith(rule.from) && rule.never.some((place) => target.startsWith(place)));
  if (layer) return layer.why;
  const [own, other] = [moduleOf(file), moduleOf(target)];
  if (other && own && own !== other && !isTest(file) && !/\/([a-z-]+-)?(commands|queries)\.ts$/.test(target))
    return `a module reaches ${other} through its commands and queries alone`;
  return null;
}

/** Each import that the map of the repository does not allow, with the reason. */
export function importFaults(files: SourceFile[]): string[] {
  return files.flatMap(({ path: file, text }) =>
    importsOf(text).flatMap((name) => {
      const fault = faultOf(file, name);
      return fault ? [`${file} imports ${name}: ${fault}`] : [];
    }),
  );
}

/** Circles of imports between files, types included: each as the paths along it. */
export function importCycles(files: SourceFile[]): string[] {
  const known = new Set(files.map((file) => file.path));
  const next = new Map(
    files.map(({ path: file, text }) => [
      file,
      importsOf(text)
        .flatMap((name) => targetOf(file, name) ?? [])
        .filter((target) => known.has(target)),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, trail: string[]) => {
    const at = trail.indexOf(file);
    if (at >= 0) return void cycles.push([...trail.slice(at), file].join(' → '));
    if (done.has(file)) return;
    for (const target of next.get(file) ?? []) walk(target, [...trail, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return cycles;
}

/** Every file that loading these would load too, types aside. */
export function reachableFrom(files: SourceFile[], entries: string[]): Set<string> {
  const texts = new Map(files.map(({ path: file, text }) => [file, text.replace(/^\s*(?:import|export)\s+type\s[^;]*;/gm, '')]));
  const reached = new Set<string>();
  const walk = (file: string) => {
    const text = texts.get(file);
    if (text === undefined || reached.has(file)) return;
    reached.add(file);
    for (const name of importsOf(text)) {
      const target = targetOf(file, name);
      if (target) walk(target);
    }
  };
  entries.forEach(walk);
  return reached;
}
