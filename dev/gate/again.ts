import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { command } from '../command.ts';
import { scratch } from '../machine.ts';
import type { Failure, Tally } from '../results.ts';

/** More failures than this are no chance: the change is wrong, and to look again only takes time. */
const MOST = 15;

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
    if (!again || failures.length === 0 || failures.length > MOST || failures.some(({ place }) => place === null)) {
      tallies.push(tally);
      continue;
    }
    const second = await again(failures);
    const passed = new Set(second.passed);
    const isBad = new Set(second.failures.map(({ name }) => name));
    // a file that could not be read has no test of its own name
    const hasPassed = ({ name, place }: Failure) =>
      passed.has(name) || (name === place && !isBad.has(name) && second.passed.some((test) => test.startsWith(`${name} `)));
    const steadied = failures.filter(hasPassed);
    unsteady.push(...steadied);
    tallies.push({
      ...tally,
      passed: [...tally.passed, ...steadied.map(({ name }) => name)],
      failures: failures.filter((failure) => !steadied.includes(failure)),
      seconds: tally.seconds + second.seconds,
    });
  }
  return { tallies, unsteady };
}

const entry = ({ name, why }: Failure): string => `- ${name}\n\n${why.replace(/^/gm, '      ')}\n`;

/** Leaves what a run found in files: unsteady tests gather, what was rejected is the last run's. */
export async function writeDown(tallies: readonly Tally[], unsteady: readonly Failure[]): Promise<void> {
  mkdirSync(scratch, { recursive: true });
  const rejected = path.join(scratch, 'rejected.md');
  const failures = tallies.flatMap((tally) => tally.failures);
  if (failures.length === 0) rmSync(rejected, { force: true });
  else writeFileSync(rejected, failures.map(entry).join('\n'));
  if (unsteady.length === 0) return;
  const { output } = await command('git', ['rev-parse', '--short', 'HEAD'], { quiet: true });
  appendFileSync(path.join(scratch, 'unsteady.md'), `## ${output.trim()}\n\n${unsteady.map(entry).join('\n')}\n`);
}
