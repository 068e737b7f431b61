import type { SourceFile } from '../files.ts';

/** A row of docs/requirements.md. `waits` names the later issue that it waits for, where the row says so. */
type Requirement = { nr: string; waits: boolean };
/** One test that says it shows a requirement: the file, and the test's own words. */
type Showing = { nr: string; file: string; title: string };

export function readRequirements(page: string): Requirement[] {
  return [...page.matchAll(/^\| (R\d+\.\d+) \|(.*)$/gm)].map(([, nr = '', rest = '']) => ({ nr, waits: /\(waits: /.test(rest) }));
}

/** Tags stand in a comment of their own, `// shows R1.2, R3.4`, right above the test that shows them. */
export function readTags(files: SourceFile[]): { showings: Showing[]; faults: string[] } {
  const showings: Showing[] = [];
  const faults: string[] = [];
  for (const { path, text } of files.filter((file) => /\.(test|spec|axe)\.tsx?$/.test(file.path))) {
    const lines = text.split('\n');
    for (const [at, line] of lines.entries()) {
      const tag = /^\s*\/\/ shows (.*)$/.exec(line)?.[1];
      if (tag === undefined) continue;
      const numbers = tag.split(', ').map((one) => one.trim());
      if (!numbers.every((one) => /^R\d+\.\d+$/.test(one))) {
        faults.push(`${path}:${at + 1}: “${tag}” is no list of requirements`);
        continue;
      }
      // the title may stand on the line after the call's first bracket, and behind the rows of a table
      const begin = lines.slice(at + 1, at + 80).join('\n');
      const isTable = /^\s*(?:test|it|describe)\.each\(/.test(begin);
      const title = (isTable ? /\)\(\s*(['"`])([\s\S]*?)\1/ : /^\s*(?:test|it|describe)[\w.]*\([\s\S]*?(['"`])([\s\S]*?)\1/).exec(
        begin,
      )?.[2];
      if (title === undefined || !/^\s*(?:test|it|describe)\b/.test(lines[at + 1] ?? '')) {
        faults.push(`${path}:${at + 1}: a tag stands right above its test`);
        continue;
      }
      for (const nr of numbers) showings.push({ nr, file: path, title });
    }
  }
  return { showings, faults };
}

/** A tag without its requirement, a requirement without a test, two rows of one number. */
export function requirementFaults(page: string, files: SourceFile[]): string[] {
  const requirements = readRequirements(page);
  const { showings, faults } = readTags(files);
  const known = new Set(requirements.map(({ nr }) => nr));
  const shown = new Set(showings.map(({ nr }) => nr));
  return [
    ...faults,
    ...requirements.filter(({ nr }, at) => requirements.findIndex((one) => one.nr === nr) !== at).map(({ nr }) => `${nr} stands twice`),
    ...showings.filter(({ nr }) => !known.has(nr)).map(({ nr, file }) => `${file}: there is no requirement ${nr}`),
    ...requirements.filter(({ nr, waits }) => !waits && !shown.has(nr)).map(({ nr }) => `${nr} is shown by no test`),
    ...requirements.filter(({ nr, waits }) => waits && shown.has(nr)).map(({ nr }) => `${nr} is said to wait, and is shown`),
  ];
}

/** A line a requirement: its number, and the tests that show it. */
export function showingsTable(page: string, files: SourceFile[]): string {
  const { showings } = readTags(files);
  const rows = readRequirements(page).map(({ nr, waits }) => {
    const tests = showings.filter((one) => one.nr === nr).map(({ file, title }) => `  ${file}: ${title.replaceAll('\n', ' ')}`);
    return [`${nr}${waits ? ' waits' : ''}`, ...tests].join('\n');
  });
  return rows.join('\n');
}
