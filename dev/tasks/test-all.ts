import { randomInt } from 'node:crypto';
import { runChecks } from '../checks/run.ts';
import { stopChildrenOnSignal } from '../command.ts';
import { summary } from '../results.ts';
import { browserTests, keycloakTests, newcomerTests, processTests, serverTests, serverTestsOnDebian, unitTests } from '../suites.ts';

/** All but `speed`, whose frames `npm run bench` counts, and `kill`, which wants the machine for itself. */
const projects = ['plain', 'keyboard', 'phone', 'nb', 'dark', 'faults'];

/** Each kills a sale at twenty moments of its own, in some three minutes. */
const KILL_SEEDS = '3';

/** Everything that a machine can say about the product: what `test` says, the system's PostgreSQL, every journey every way, axe, faults. It blocks nothing. */
export async function run(): Promise<number> {
  stopChildrenOnSignal();
  const drawn = { PROPERTY_SEED: process.env['PROPERTY_SEED'] ?? String(randomInt(2 ** 31)) };
  console.log(`PROPERTY_SEED=${drawn.PROPERTY_SEED}`);
  const tallies = [
    await runChecks({ withRepository: false }),
    (await newcomerTests()).tally,
    (await unitTests(drawn)).tally,
    (await serverTests(drawn)).tally,
    (await processTests()).tally,
    await serverTestsOnDebian(),
    await browserTests(
      'all journeys, screens and faults',
      projects.flatMap((name) => ['--project', name]),
    ),
    await keycloakTests(),
    await browserTests('killed at any moment', ['--project', 'kill', '--workers', '1'], {
      KILL_SEEDS: process.env['KILL_SEEDS'] ?? KILL_SEEDS,
    }),
  ];
  const { text, ok } = summary(tallies);
  console.log(text);
  return ok ? 0 : 1;
}
