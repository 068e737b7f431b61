import type { SourceFile } from '../files.ts';
import { reachableFrom } from './imports.ts';

/** A text or texts below it, by name. */
type Texts = { readonly [name: string]: string | Texts };

/** Every key of a catalogue as `t` takes it: the endings of plurals are i18next's business. */
export const keysOf = (texts: Texts, above = ''): string[] => [
  ...new Set(
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === 'string' ? above + name.replace(/_(zero|one|two|few|many|other)$/, '') : keysOf(text, `${above}${name}.`),
    ),
  ),
];

/** The keys that a file spells, as patterns: `${…}` in one stands for anything. */
const spelled = (text: string): string[] =>
  [...text.matchAll(/(['"`])([A-Za-z]\w*(?:\.(?:[\w:-]|\$\{[^}]*\})+)+)\1/g)].map((match) => match[2] ?? '');

const pattern = (key: string): RegExp =>
  new RegExp(
    `^${key
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replaceAll('.', '\\.'))
      .join('.+')}$`,
  );

/** Texts that no file asks for. */
export function deadTexts(keys: string[], files: SourceFile[]): string[] {
  const said = [...new Set(files.flatMap(({ text }) => spelled(text)))];
  const plain = new Set(said);
  const patterns = said.filter((key) => key.includes('${')).map(pattern);
  return keys.filter((key) => !plain.has(key) && !patterns.some((one) => one.test(key)));
}

/** Files that are drawn with the first words alone and ask for others. */
export function lateTexts(files: SourceFile[], entries: string[], late: ReadonlySet<string>): string[] {
  const reached = reachableFrom(files, entries);
  return files
    .filter(({ path }) => reached.has(path))
    .flatMap(({ path, text }) =>
      [...new Set(spelled(text).map((key) => key.split('.')[0] ?? ''))]
        .filter((noun) => late.has(noun))
        .map((noun) => `${path} says ${noun}.…, which comes after the first load`),
    );
}
