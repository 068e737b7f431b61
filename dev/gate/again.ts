import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { command } from '../command.ts';
import { scratch } from '../machine.ts';
import type { Failure, Tally } from '../results.ts';

/** More failures of one step than this are no chance: the change is wrong, and to look again only takes time. */
const MOST = 50;

/** A step of the gate, and how its failed tests are run once more: alone, by one worker. */
export type Step = { tally: Tally; again: ((failures: readonly Failure[]) => Promise<Tally>) | null };

/** What was chosen and is in no report: a line that names no test would else look like one that passed. A step that broke has said so. */
export const notRun = (chosen: readonly string[], { passed, failures }: Tally): Failure[] => {
  if (failures.some(({ place }) => place === null)) return [];
  const ran = new Set([...passed, ...failures.map(({ name }) => name)]);
  return chosen.filter((line) => !ran.has(line)).map((line) => ({ name: line, why: 'was chosen and did not run', place: line }));
};

/**
 * Runs what failed once more, after everything else. What passes then counts as passed, and is unsteady; what fails again, or does not
 * run, is rejected with its first error.
 */
export async function lookAgain(steps: readonly Step[]): Promise<{ tallies: Tally[]; unsteady: Failure[] }> {
  const unsteady: Failure[] = [];
  const tallies: Tally[] = [];
  for (const { tally, again } of steps) {
    const { failures } = tally;
    const tests = failures.filter(({ place }) => place !== null);
    if (!again || tests.length === 0 || tests.length > MOST) {
      tallies.push(tally);
      continue;
    }
    const second = await again(tests);
    const passed = new Set(second.passed);
    const bad = new Set(second.failures.map(({ name }) => name));
    // several tests may have one name; a file that could not be read has no test of its own name
    const hasPassed = ({ name, place }: Failure) =>
      !bad.has(name) && (passed.has(name) || (name === place && second.passed.some((test) => test.startsWith(`${name} `))));
    const steadied = tests.filter(hasPassed);
    const first = new Set(failures.map(({ name }) => name));
    const more = second.failures.filter(({ name }) => !first.has(name));
    // a test that passed among the others and fails now is as unsteady as one that did the contrary; what fails beside the tests is not
    unsteady.push(...steadied, ...more.filter(({ place }) => place !== null));
    tallies.push({
      ...tally,
      passed: [...tally.passed, ...steadied.map(({ name }) => name)],
      failures: [...failures.filter((failure) => !steadied.includes(failure)), ...more.filter(({ place }) => place === null)],
      seconds: tally.seconds + second.seconds,
    });
  }
  return { tallies, unsteady };
}

const entry = ({ name, why }: Failure): string => `- ${name}\n\n${why.replace(/^/gm, '      ')}\n`;

const rejected = path.join(scratch, 'rejected.md');
export const kept = path.join(scratch, 'e2e', 'again');

/** Takes away what an earlier run left of its rejected tests. */
export function forgetRejected(): void {
  rmSync(rejected, { force: true });
  rmSync(kept, { recursive: true, force: true });
}

/** Leaves what a run found in files: unsteady tests gather, what was rejected is the last run's. */
export async function writeDown(tallies: readonly Tally[], unsteady: readonly Failure[]): Promise<void> {
  mkdirSync(scratch, { recursive: true });
  const failures = tallies.flatMap((tally) => tally.failures);
  if (failures.length > 0) writeFileSync(rejected, failures.map(entry).join('\n'));
  if (unsteady.length === 0) return;
  const { output } = await command('git', ['rev-parse', '--short', 'HEAD'], { quiet: true });
  appendFileSync(path.join(scratch, 'unsteady.md'), `## ${output.trim()}\n\n${unsteady.map(entry).join('\n')}\n`);
}
