import { tool } from '../command.ts';
import type { Tally } from '../results.ts';
import { frontendFaults } from './frontends.ts';

type Check = { name: string; /** The faults that it finds. */ run: () => Promise<string[]> };

const byTool = (name: string, file: string, args: string[]): Check => ({
  name,
  run: async () => {
    const { code, output } = await tool(file, args, { quiet: true });
    return code === 0 ? [] : [`${name}:\n${output.trimEnd()}`];
  },
});

const checks: Check[] = [
  // first, since the build writes the portal's route tree, which types need
  { name: 'weight of the front ends', run: frontendFaults },
  byTool('types of the server side', 'typescript/bin/tsc', ['-p', 'tsconfig.json']),
  byTool('types of the front ends', 'typescript/bin/tsc', ['-p', 'tsconfig.web.json']),
  byTool('lint', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']),
  byTool('format', 'oxfmt/bin/oxfmt', ['--check', '.']),
];

/** The repository's own rules (dev/checks/repository.test.ts) as a check of their own, for where the unit tests don't run anyway. */
const repository = byTool('imports, words, versions', 'vitest/vitest.mjs', ['run', '--project', 'unit', 'dev/checks']);

/** Static checks, one after the other, each with what it found. */
export async function runChecks({ withRepository }: { withRepository: boolean }): Promise<Tally> {
  const began = performance.now();
  const tally: Tally = { name: 'checks', passed: [], failures: [], seconds: 0 };
  for (const check of withRepository ? [...checks, repository] : checks) {
    const faults = await check.run();
    console.log(`${faults.length === 0 ? '✓' : '✗'} ${check.name}`);
    for (const fault of faults) console.log(fault.replace(/^/gm, '    '));
    if (faults.length === 0) tally.passed.push(check.name);
    tally.failures.push(...faults.map((fault) => ({ name: check.name, why: fault, place: null })));
  }
  return { ...tally, seconds: (performance.now() - began) / 1000 };
}
