import { runChecks } from '../checks/run.ts';
import { stopChildrenOnSignal } from '../command.ts';
import { summary } from '../results.ts';
import { browserTests, serverTests, unitTests } from '../suites.ts';

/** What a change is held against before it lands: checks, unit tests, server tests, the main journeys. Under ten minutes. */
export async function run(): Promise<number> {
  stopChildrenOnSignal();
  const tallies = [
    await runChecks({ withRepository: false }),
    await unitTests(),
    await serverTests(),
    await browserTests('main journeys', ['--project', 'plain', '--grep', '@main']),
  ];
  const { text, ok } = summary(tallies);
  console.log(text);
  return ok ? 0 : 1;
}
