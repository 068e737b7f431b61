import type { SourceFile } from '../files.ts';

/** One reader of the environment (server/config.ts); beside it only what runs tools: dev/, the tools' own configs, tests and their set-up. */
const mayReadEnvironment = (file: string) =>
  ['server/config.ts', 'server/db/test-cluster.ts'].includes(file) ||
  file.startsWith('dev/') ||
  /(^|\/)[a-z]+\.config\.ts$|\.(test|spec)\.tsx?$/.test(file);

export const environmentFaults = (files: SourceFile[]): string[] =>
  files
    .filter(
      ({ path, text }) =>
        !mayReadEnvironment(path) && /\bprocess\s*\.\s*env\b|\bprocess\[['"]env|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(text),
    )
    .map(({ path }) => `${path} reads the environment; server/config.ts is its only reader`);

/** A file that only passes on others' exports hides where things are; so does an index file that passes on any. */
export const barrelFaults = (files: SourceFile[]): string[] =>
  files.flatMap(({ path, text }) => {
    if (/(^|\/)index\.(ts|tsx|mjs|js)$/.test(path) && /^export\b[^;]*\sfrom\s/m.test(text))
      return [`${path} passes on exports; import from where things are`];
    const statements = text
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/^\s*\/\/.*$/gm, '')
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean);
    return statements.length > 0 && statements.every((part) => /^export\s+(type\s+)?(\*|\{[^}]*\})[\s\S]*\sfrom\s/.test(part))
      ? [`${path} only passes on exports; import from where things are`]
      : [];
  });

/** kebab-case; routes are named by their router ($id, _layout, __root), and test/config suffixes stand after a dot. */
export const nameFaults = (paths: string[]): string[] =>
  paths
    .filter((file) => !/\/routes\//.test(file))
    .filter((file) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*\.(ts|tsx|mjs|js|css|sql)$/.test(file.split('/').at(-1) ?? ''))
    .map((file) => `${file}: file names are kebab-case`);

/** The history is written in one place: whoever wrote an event elsewhere would leave out its live message, its webhooks or its row. */
export const historyFaults = (files: SourceFile[]): string[] =>
  files
    .filter(({ path }) => path.startsWith('server/') && path !== 'server/events/record.ts' && !/\.test\.ts$|\/test-/.test(path))
    .filter(({ text }) => /\binsertInto\(\s*['"]events['"]|\binsert\s+into\s+events\b/i.test(text))
    .map(({ path }) => `${path} writes history; server/events/record.ts alone does`);

/** What makes a test lie or flake. */
export const testFaults = (files: SourceFile[]): string[] =>
  files
    .filter(({ path }) => /\.(test|spec|axe)\.tsx?$/.test(path) || path.startsWith('e2e/'))
    .flatMap(({ path, text }) => {
      const found = /\bwaitForTimeout\b|\b(?:test|it|describe)\.(?:only|skip|skipIf|runIf|fixme|todo)\b|\bretries:\s*[1-9]/.exec(text);
      return found ? [`${path}: ${found[0]}`] : [];
    });
