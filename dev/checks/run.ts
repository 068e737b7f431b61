import { tool } from '../command.ts';
import type { Tally } from '../results.ts';
import { frontendFaults } from './frontends.ts';

type Check = { name: string; /** The faults that it finds. */ run: () => Promise<string[]> };

const byTool = (name: string, file: string, args: string[], env: Record<string, string> = {}): Check => ({
  name,
  run: async () => {
    const { code, output } = await tool(file, args, { quiet: true, env });
    return code === 0 ? [] : [`${name}:\n${output.trimEnd()}`];
  },
});

/** Garbage is collected at five times what is in use, not at twice: a fifth less of the processors. Types then hold 1.6 GB, and lint beside them 2.5. */
const ONE_THREAD = { GOMAXPROCS: '1', GOGC: '400' };

/** By one thread: each further one checks again much of what the others check, and takes half as much more of the processors. */
const types = (name: string, project: string) => byTool(name, 'typescript/bin/tsc', ['-p', project, '--checkers', '1'], ONE_THREAD);

const weight: Check = { name: 'weight of the front ends', run: frontendFaults };
/** Two rows that run beside each other: about as long, and by one thread each. */
const rows: Check[][] = [
  [byTool('lint', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings'], ONE_THREAD)],
  [
    types('types of the server side', 'tsconfig.json'),
    types('types of the front ends', 'tsconfig.web.json'),
    byTool('format', 'oxfmt/bin/oxfmt', ['--check', '.']),
  ],
];

/** The repository's own rules (dev/checks/repository.test.ts) as a check of their own, for where the unit tests don't run anyway. */
const repository = byTool('imports, words, versions', 'vitest/vitest.mjs', ['run', '--project', 'unit', 'dev/checks']);

/** Static checks, each with what it found. */
export async function runChecks({ withRepository }: { withRepository: boolean }): Promise<Tally> {
  const began = performance.now();
  const tally: Tally = { name: 'checks', passed: [], failures: [], seconds: 0 };
  const runAll = async (checks: readonly Check[]) => {
    for (const check of checks) {
      const faults = await check.run();
      console.log(`${faults.length === 0 ? '✓' : '✗'} ${check.name}`);
      for (const fault of faults) console.log(fault.replace(/^/gm, '    '));
      if (faults.length === 0) tally.passed.push(check.name);
      tally.failures.push(...faults.map((fault) => ({ name: check.name, why: fault, place: null })));
    }
  };
  // first, since the build writes the portal's route tree, which types need
  await runAll([weight]);
  await Promise.all(rows.map(runAll));
  if (withRepository) await runAll([repository]);
  return { ...tally, seconds: (performance.now() - began) / 1000 };
}
