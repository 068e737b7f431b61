import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** One entry of the manifest that vite writes to dist/.vite/manifest.json; names of imports are keys of the manifest. */
type Chunk = {
  file: string;
  src?: string;
  name?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
};
export type Manifest = Record<string, Chunk>;

/** kB here are 1000 bytes of gzip at its default level: what the first visit loads of script and style. */
export const budgets = { portal: 200, pickup: 110 } as const;
/** What the portal loads before it leaves for the sign-in. */
export const signInBudget = 20;

/** Two chunks that the portal's build names: what its entry fetches as soon as somebody is signed in, and the first screen. */
const APPLICATION = 'application';
const FIRST_SCREEN = 'dashboard';
const FIRST_ROUTES: ReadonlySet<string> = new Set(['routes/index.tsx', 'routes/dash.tsx']);
/**
 * What a phone fetches of script and style for its first screen once it is signed in, the application with it. Of a hundred small files
 * each six are a turn of its line.
 */
export const firstFiles = 8;

const named = (manifest: Manifest, name: string): string[] =>
  Object.keys(manifest).filter((key) => manifest[key]?.name === name && manifest[key].file.endsWith('.js'));

/** The files that a browser fetches before it can show the first page: `from` with its static imports to the end, and their styles. */
export function firstLoad(manifest: Manifest, from = [...entriesOf(manifest), ...named(manifest, APPLICATION)]): string[] {
  const files = new Set<string>();
  const take = (key: string) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The manifest names ${key} and does not hold it.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    for (const inner of chunk.imports ?? []) take(inner);
  };
  if (from.length === 0) throw new Error('The manifest has no entry.');
  from.forEach(take);
  return [...files].filter((file) => /\.(js|mjs|css)$/.test(file));
}

export const entriesOf = (manifest: Manifest): string[] => Object.keys(manifest).filter((key) => manifest[key]?.isEntry);

/** Scripts and styles that the page itself names (a boot script, say), which no manifest lists. */
export const namedByPage = (html: string): string[] =>
  [...html.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+\.(?:js|mjs|css))"/g)].map((match) => match[1] ?? '');

export const gzipSize = (bytes: Uint8Array): number => gzipSync(bytes).length;

/** First load in bytes of gzip, by file name inside dist. */
export function measure(dist: string, base: string): Map<string, number> {
  const manifestFile = path.join(dist, '.vite', 'manifest.json');
  if (!existsSync(manifestFile)) throw new Error(`${manifestFile} is missing; the build writes it (build.manifest).`);
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const named = namedByPage(page).map((file) => (file.startsWith(base) ? file.slice(base.length) : file.replace(/^\.?\//, '')));
  return new Map([...new Set([...firstLoad(manifest), ...named])].map((file) => [file, gzipSize(readFileSync(path.join(dist, file)))]));
}

export function budgetFault(name: string, sizes: Map<string, number>, kilobytes: number): string | null {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (total <= kilobytes * 1000) return null;
  const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 5);
  return `${name}: first load is ${(total / 1000).toFixed(1)} kB gzip, ${kilobytes} allowed; ${largest.map(([file, size]) => `${file} ${(size / 1000).toFixed(1)}`).join(', ')}`;
}

/**
 * Every screen is fetched when it is visited: each route file with a component is reached by a dynamic import, and never by a static one
 * from the entry. TanStack's plugin names such chunks `<file>?tsr-split=component`.
 */
export function routeFaults(manifest: Manifest, routeFiles: string[]): string[] {
  const early = new Set(firstLoad(manifest));
  return routeFiles.flatMap((route) => {
    if (FIRST_ROUTES.has(route)) return [];
    const chunks = Object.entries(manifest).filter(
      ([key, chunk]) => (chunk.src ?? key).split('?')[0] === route || key.split('?')[0] === route,
    );
    const lazy = chunks.filter(([, chunk]) => chunk.isDynamicEntry);
    if (lazy.length === 0) return [`${route} has no chunk of its own`];
    return lazy.some(([, chunk]) => early.has(chunk.file)) ? [`${route} is part of the first load`] : [];
  });
}

/** Of the first screen, which is one chunk for both of its routes: that it is none of the first load, and that both are few files. */
export function firstScreenFaults(manifest: Manifest): string[] {
  const [screen, ...more] = named(manifest, FIRST_SCREEN);
  if (screen === undefined || more.length > 0) return ['the first screen is not one chunk'];
  const early = firstLoad(manifest);
  if (early.includes(manifest[screen]?.file ?? '')) return ['the first screen is part of the first load'];
  const files = new Set([...early, ...firstLoad(manifest, [screen])]);
  return files.size <= firstFiles ? [] : [`the first screen is ${files.size} files of script and style, ${firstFiles} allowed`];
}

export function readManifest(dist: string): Manifest {
  return JSON.parse(readFileSync(path.join(dist, '.vite', 'manifest.json'), 'utf8')) as Manifest;
}

/** Route files of the portal that hold a screen: a layout or a bare redirect has nothing to split. */
export function screensIn(folder: string): string[] {
  const found: string[] = [];
  const walk = (inner: string) => {
    for (const entry of readdirSync(path.join(folder, inner), { withFileTypes: true })) {
      const name = path.posix.join(inner, entry.name);
      if (entry.isDirectory()) walk(name);
      else if (
        name.endsWith('.tsx') &&
        !/\.test\.tsx$|__root/.test(name) &&
        /\bcomponent:/.test(readFileSync(path.join(folder, name), 'utf8'))
      )
        found.push(name);
    }
  };
  walk('');
  return found;
}
