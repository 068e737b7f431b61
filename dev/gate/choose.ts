import { createHash } from 'node:crypto';

/** A browser test or a screen: its file below `e2e`, its title, and each way as a line for Playwright's `--test-list`. Or a file of `dev/wire`, whose one way is its path. */
export type Walk = { file: string; title: string; ways: readonly string[] };

/** Of the tests that nobody touched, one in so many; so many commits after each other walk them all. */
const TURNS = 4;

const numberOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();
const nameOf = ({ file, title }: Walk): string => `${file} › ${title}`;

/**
 * What the gate walks at a commit, a line each: the main journeys, those of what was touched lately (the newest first), and a quarter of the others.
 * The number of commits alone turns the wheel, so the same commit always walks the same tests the same way.
 * @param ageOf how many commits ago something was touched that the test shows; undefined: longer than the gate looks back
 * @param oneIn of the tests that were touched a commit walks at most so many: one in this number of all
 */
export function chooseWalks(walks: readonly Walk[], commits: number, ageOf: (walk: Walk) => number | undefined, oneIn: number): string[] {
  const main = new Set(walks.filter(({ title }) => title.includes('@main')));
  const rest = walks.filter((walk) => !main.has(walk));
  const near = new Set(
    rest
      // commits stand in the number, so that where not all have room each gets its turn
      .flatMap((walk) => {
        const age = ageOf(walk);
        return age === undefined ? [] : [{ walk, age, turn: numberOf(`${commits} ${nameOf(walk)}`) }];
      })
      .sort((a, b) => a.age - b.age || a.turn - b.turn)
      .slice(0, Math.floor(walks.length / oneIn))
      .map(({ walk }) => walk),
  );
  // the place among the sorted numbers: each turn gets as many tests
  const wheel = walks.toSorted((a, b) => numberOf(nameOf(a)) - numberOf(nameOf(b)));
  const next = new Set(wheel.filter((_, place) => (place + commits) % TURNS === 0));
  return walks.filter((walk) => main.has(walk) || near.has(walk) || next.has(walk)).map((walk) => wayOf(walk, Math.floor(commits / TURNS)));
}

/**
 * A test comes again at the wheel's next round, by its next way. The tests of one commit go the same way where they have it: each further way
 * starts new workers, each with a browser that has loaded nothing.
 */
const wayOf = ({ ways }: Walk, round: number): string => ways[round % ways.length] ?? '';
