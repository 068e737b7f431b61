import { runChecks } from '../checks/run.ts';

/** Types, lint, format, imports and the weight of the front ends; ends badly when one of them does. */
export async function run(): Promise<number> {
  const tally = await runChecks({ withRepository: true });
  console.log(`\n${tally.passed.length} passed, ${tally.failures.length} failed`);
  return tally.failures.length === 0 ? 0 : 1;
}
