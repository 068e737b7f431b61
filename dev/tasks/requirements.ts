import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../command.ts';
import { requirementFaults, showingsTable } from '../checks/requirements.ts';
import { isScript, listFiles, readFiles } from '../files.ts';

/** Prints which tests show which requirement, and what is missing. */
export async function run(): Promise<number> {
  const page = readFileSync(path.join(root, 'docs/requirements.md'), 'utf8');
  const files = readFiles(listFiles('').filter((file) => isScript(file) && !file.startsWith('dev/checks/')));
  console.log(showingsTable(page, files));
  const faults = requirementFaults(page, files);
  for (const fault of faults) console.error(fault);
  return faults.length === 0 ? 0 : 1;
}
