import { runChecks } from '../checks/run.ts';
import { stopChildrenOnSignal } from '../command.ts';
import { summary } from '../results.ts';
import { browserTests, newcomerTests, serverTests, serverTestsOnDebian, unitTests } from '../suites.ts';

/** All but `speed`: frames are counted on a machine that does nothing else, by `npm run bench`. */
const projects = ['plain', 'keyboard', 'phone', 'nb', 'dark', 'screens', 'faults'];

/** Everything that a machine can say about the product: `test`, the system's PostgreSQL, every journey every way, axe, faults. Under an hour. */
export async function run(): Promise<number> {
  stopChildrenOnSignal();
  const tallies = [
    await runChecks({ withRepository: false }),
    await newcomerTests(),
    await unitTests(),
    await serverTests(),
    await serverTestsOnDebian(),
    await browserTests(
      'all journeys, screens and faults',
      projects.flatMap((name) => ['--project', name]),
    ),
  ];
  const { text, ok } = summary(tallies);
  console.log(text);
  return ok ? 0 : 1;
}
