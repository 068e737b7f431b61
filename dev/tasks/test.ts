import { runChecks } from '../checks/run.ts';
import { stopChildrenOnSignal } from '../command.ts';
import { forgetRejected, lookAgain, writeDown } from '../gate/again.ts';
import { summary } from '../results.ts';
import { chosenJourneys, chosenServerTests, unitTests } from '../suites.ts';

/** What a change is held against before it lands: checks, unit tests, server tests, a share of the journeys. CONTRIBUTING.md says which. */
export async function run(): Promise<number> {
  stopChildrenOnSignal();
  forgetRejected();
  const checks = await runChecks({ withRepository: false });
  const { tallies, unsteady } = await lookAgain([
    { tally: checks, again: null },
    await unitTests(),
    await chosenServerTests(),
    await chosenJourneys(),
  ]);
  await writeDown(tallies, unsteady);
  const { text, ok } = summary(tallies, unsteady);
  console.log(text);
  return ok ? 0 : 1;
}
