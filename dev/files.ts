import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './command.ts';

export type SourceFile = { /** Slashes, from the repository's root. */ path: string; text: string };

const skipped = new Set(['node_modules', 'dist', '.git', '.data', '.tmp', 'coverage', 'test-results', 'gallery']);

/** Paths of all files below a folder that belong to the repository's own text, sorted, so that hashes of them are stable. */
export function listFiles(folder: string): string[] {
  const found: string[] = [];
  const walk = (relative: string) => {
    for (const entry of readdirSync(path.join(root, relative), { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue;
      const inner = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) walk(inner);
      else if (entry.isFile()) found.push(inner);
    }
  };
  walk(folder);
  return found.sort();
}

export const readFiles = (paths: string[]): SourceFile[] =>
  paths.map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }));

export const isScript = (file: string): boolean => /\.(ts|tsx|mjs|js)$/.test(file) && !/\.gen\.ts$|\.d\.ts$/.test(file);
