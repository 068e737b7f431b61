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
function targetOf(from: string, name: string): string | null {
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
  // How a front end is built is a tool's matter.
  if (to === 'dev' && file.endsWith('/vite.config.ts')) return null;
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

/** The circles of a graph, each as the nodes along it, the first once more at its end. */
function circlesIn(next: Map<string, string[]>): string[][] {
  const done = new Set<string>();
  const circles: string[][] = [];
  const walk = (node: string, trail: string[]) => {
    const at = trail.indexOf(node);
    if (at >= 0) return void circles.push([...trail.slice(at), node]);
    if (done.has(node)) return;
    for (const target of next.get(node) ?? []) walk(target, [...trail, node]);
    done.add(node);
  };
  for (const node of next.keys()) walk(node, []);
  return circles;
}

/** Where each file leads among these files, types included. */
const edgesOf = (files: SourceFile[]): Map<string, string[]> => {
  const known = new Set(files.map((file) => file.path));
  const targets = ({ path: file, text }: SourceFile) =>
    importsOf(text)
      .flatMap((name) => targetOf(file, name) ?? [])
      .filter((target) => known.has(target));
  return new Map(files.map((file) => [file.path, targets(file)]));
};

/** Circles of imports between files, types included: each as the paths along it. */
export const importCycles = (files: SourceFile[]): string[] => circlesIn(edgesOf(files)).map((circle) => circle.join(' → '));

/**
 * Circles between the server's modules, which no file need be part of: a's commands import b's, and b's queries import a's. Each as the
 * modules along it, and the imports that close it. Tests may reach where they like.
 */
export function moduleCycles(files: SourceFile[]): string[] {
  const imports = [...edgesOf(files.filter((file) => !isTest(file.path)))].flatMap(([file, targets]) =>
    targets.flatMap((target) => {
      const [from, to] = [moduleOf(file), moduleOf(target)];
      return from && to && from !== to ? [{ from, to, file, target }] : [];
    }),
  );
  const next = new Map([...Map.groupBy(imports, ({ from }) => from)].map(([from, all]) => [from, [...new Set(all.map(({ to }) => to))]]));
  return circlesIn(next).map((circle) => {
    const steps = circle.slice(1).flatMap((to, at) => imports.find((one) => one.from === circle[at] && one.to === to) ?? []);
    return [circle.join(' → '), ...steps.map(({ file, target }) => `${file} imports ${target}`)].join('\n    ');
  });
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
