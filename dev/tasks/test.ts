import { runChecks } from '../checks/run.ts';
import { stopChildrenOnSignal } from '../command.ts';
import { buildFrontends } from '../frontends.ts';
import { forgetRejected, lookAgain, writeDown } from '../gate/again.ts';
import { summary } from '../results.ts';
import { chosenJourneys, serverTests, unitTests } from '../suites.ts';

/** What a change is held against before it lands: checks, unit tests, server tests, a share of the journeys. CONTRIBUTING.md says which. */
export async function run(): Promise<number> {
  stopChildrenOnSignal();
  forgetRejected();
  // Both of what runs beside each other below want them; what is wrong with them the checks say.
  await buildFrontends().catch(() => undefined);
  const tests = async () => [await unitTests(), await serverTests()];
  // The checks' last one has a thread, and server tests wait a third of their first minute.
  const [checks, others] = await Promise.all([runChecks({ withRepository: false }), tests()]);
  const { tallies, unsteady } = await lookAgain([{ tally: checks, again: null }, ...others, await chosenJourneys()]);
  await writeDown(tallies, unsteady);
  const { text, ok } = summary(tallies, unsteady);
  console.log(text);
  return ok ? 0 : 1;
}
