import { runChecks } from '../checks/run.ts';
import { stopChildrenOnSignal } from '../command.ts';
import { buildFrontends } from '../frontends.ts';
import { forgetRejected, lookAgain, type Step, writeDown } from '../gate/again.ts';
import { summary } from '../results.ts';
import { chosenJourneys, chosenServerTests, unitTests } from '../suites.ts';

const inTurn = async (...steps: (() => Promise<Step>)[]): Promise<Step[]> => {
  const done: Step[] = [];
  for (const step of steps) done.push(await step());
  return done;
};

/** What a change is held against before it lands: checks, unit tests, server tests, a share of the journeys. CONTRIBUTING.md says which. */
export async function run(): Promise<number> {
  stopChildrenOnSignal();
  forgetRejected();
  // Both of what runs beside each other below want them; what is wrong with them the checks say.
  await buildFrontends().catch(() => undefined);
  // The checks' last one has a thread, and server tests wait a third of their first minute.
  const [checks, tests] = await Promise.all([runChecks({ withRepository: false }), inTurn(unitTests, chosenServerTests)]);
  const { tallies, unsteady } = await lookAgain([{ tally: checks, again: null }, ...tests, await chosenJourneys()]);
  await writeDown(tallies, unsteady);
  const { text, ok } = summary(tallies, unsteady);
  console.log(text);
  return ok ? 0 : 1;
}
