import { readFileSync } from 'node:fs';

type Chunk = { file: string; name?: string; imports?: string[]; css?: string[]; assets?: string[] };
type Built = Record<string, Chunk>;

let read: Built | undefined;
/**
 * What the portal's build says of its files; none where it is not built, or has another form. Read with the first page: a start that builds
 * the portal loads this file meanwhile.
 */
const built = (): Built => {
  try {
    return (read ??= JSON.parse(readFileSync(new URL('../../../portal/dist/.vite/manifest.json', import.meta.url), 'utf8')) as Built);
  } catch {
    return {};
  }
};

/** The chunks of whoever has just signed in: the application and its first screen. */
const FIRST = ['application', 'dashboard'];

/** Of the portal's build, `names` with all that they import, as addresses. */
export const filesOf = (manifest: Built, names: readonly string[]): string[] => {
  const files = new Set<string>();
  const take = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || files.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    chunk.imports?.forEach(take);
  };
  for (const [key, { name, file }] of Object.entries(manifest)) if (name && names.includes(name) && file.endsWith('.js')) take(key);
  return [...files].map((file) => `/portal/${file}`);
};

/** What the sign-in page fetches while somebody types, so that the portal is there once they are in. */
export const ahead = (): string[] => filesOf(built(), FIRST);

/** The portal's own file of the typeface, which whoever signs in needs next: it is fetched once for both. */
export const portalFont = (): string | undefined =>
  Object.values(built())
    .flatMap(({ assets = [] }) => assets)
    .filter((file) => /\/inter-latin-[\w-]{8}\.woff2$/.test(file))
    .map((file) => `/portal/${file}`)[0];
