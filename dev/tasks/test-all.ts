import { runChecks } from '../checks/run.ts';
import { stopChildrenOnSignal } from '../command.ts';
import { summary } from '../results.ts';
import { browserTests, serverTests, serverTestsOnDebian, unitTests } from '../suites.ts';

/** Everything that a machine can say about the product: `test`, the system's PostgreSQL, every journey every way, axe, faults. Under an hour. */
export async function run(): Promise<number> {
  stopChildrenOnSignal();
  const tallies = [
    await runChecks({ withRepository: false }),
    await unitTests(),
    await serverTests(),
    await serverTestsOnDebian(),
    await browserTests('all journeys, screens and faults', []),
  ];
  const { text, ok } = summary(tallies);
  console.log(text);
  return ok ? 0 : 1;
}
