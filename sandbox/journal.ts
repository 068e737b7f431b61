import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const textOf = (lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/**
 * A neighbour's database as JSON lines in `folder`; where none is given, in memory alone. `place` takes a line into memory; `standing` says
 * all that is there now, which is what a start begins the file with. Returns how to keep more: placed, and written in one go.
 */
export function openJournal<Line>(
  folder: string | undefined,
  name: string,
  place: (line: Line) => void,
  standing: () => NoInfer<Line>[],
): (...lines: Line[]) => void {
  if (folder === undefined) return (...lines) => lines.forEach(place);
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    try {
      if (line !== '') place(JSON.parse(line) as Line);
    } catch {
      // half-written, since the process was killed: its change was never answered
    }
  }
  writeFileSync(file, textOf(standing()), { mode: 0o600 });
  return (...lines) => {
    lines.forEach(place);
    appendFileSync(file, textOf(lines));
  };
}
