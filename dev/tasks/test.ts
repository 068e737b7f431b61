import { runChecks } from '../checks/run.ts';
import { stopChildrenOnSignal } from '../command.ts';
import { buildFrontends } from '../frontends.ts';
import { forgetRejected, lookAgain, writeDown } from '../gate/again.ts';
import { summary } from '../results.ts';
import { chooseJourneys, chosenJourneys, serverTestsOfCommit, unitTests } from '../suites.ts';

/** What a change is held against before it lands: checks, unit tests, server tests, a share of the journeys. CONTRIBUTING.md says which. */
export async function run(): Promise<number> {
  stopChildrenOnSignal();
  forgetRejected();
  // The build leaves a core half free; before the journeys both cores would wait for this list.
  const choice = chooseJourneys();
  choice.catch(() => undefined);
  // Checks and tests both need them, and run beside each other. A build that fails is reported by the checks.
  await buildFrontends().catch(() => undefined);
  const tests = async () => [await unitTests(), await serverTestsOfCommit()];
  // Lint has one thread, and server tests wait for a third of their first minute.
  const [checks, others] = await Promise.all([runChecks({ withRepository: false }), tests()]);
  const { tallies, unsteady } = await lookAgain([{ tally: checks, again: null }, ...others, await chosenJourneys(choice)]);
  await writeDown(tallies, unsteady);
  const { text, ok } = summary(tallies, unsteady);
  console.log(text);
  return ok ? 0 : 1;
}
