import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../command.ts';
import { requirementFaults, withTable } from '../checks/requirements.ts';
import { isScript, listFiles, readFiles } from '../files.ts';

/** Writes which tests show which requirement into docs/requirements.md, and says what is missing. */
export async function run(): Promise<number> {
  const page = path.join(root, 'docs/requirements.md');
  const text = readFileSync(page, 'utf8');
  const files = readFiles(listFiles('').filter((file) => isScript(file) && !file.startsWith('dev/checks/')));
  writeFileSync(page, withTable(text, files));
  const faults = requirementFaults(text, files);
  for (const fault of faults) console.log(fault);
  return faults.length === 0 ? 0 : 1;
}
