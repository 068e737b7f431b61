import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../command.ts';
import type { Failure, Tally } from '../results.ts';
import { screens } from '../screens.ts';
import { lookAgain, notRun } from './again.ts';
import { chooseWalks, type Walk } from './choose.ts';
import { ageBy, namesFor, SHOWN_BY } from './touched.ts';

const walks: Walk[] = Array.from({ length: 120 }, (_, at) => ({
  file: `journeys/${at < 60 ? 'assets' : 'rules'}.spec.ts`,
  title: `t${at}${at === 7 ? ' @main' : ''}`,
  ways: ['keyboard', 'phone'].map((way) => `${way} t${at}`),
}));
const untouched = () => undefined;
const titleOf = (line: string) => line.split(' ')[1] ?? '';

describe('the tests of a commit', () => {
  it('are the same each time, and all of them within four commits', () => {
    const turns = [40, 41, 42, 43].map((commits) => chooseWalks(walks, commits, untouched, 48));
    expect(chooseWalks(walks, 40, untouched, 48)).toEqual(turns[0]);
    expect(new Set(turns.flat().map(titleOf)).size).toBe(walks.length);
    for (const turn of turns) {
      expect(turn.length).toBeLessThan(walks.length / 2);
      expect(turn.map(titleOf)).toContain('t7');
    }
  });

  it('are walked by every way in turn', () => {
    const turns = Array.from({ length: 8 }, (_, commits) => chooseWalks(walks, commits, untouched, 48));
    expect(new Set(turns.flat())).toEqual(new Set(walks.flatMap(({ ways }) => ways)));
    for (const turn of turns) expect(new Set(turn.map((line) => line.split(' ')[0])).size).toBe(1);
  });

  it('hold what was touched, the newest first, as far as there is room', () => {
    const ageOf = ageBy([['docs/words.md'], ['portal/features/policies/draft.ts'], ['domain/assets.ts']]);
    const chosen = chooseWalks(walks, 40, ageOf, 48);
    const quarter = new Set(chooseWalks(walks, 40, untouched, 48));
    const more = chosen.filter((line) => !quarter.has(line));
    expect(more.length).toBeGreaterThan(0);
    expect(more.every((line) => Number(titleOf(line).slice(1)) >= 60)).toBe(true);
  });
});

describe('what shows a changed file', () => {
  const journey = (name: string): Walk => ({ file: `journeys/${name}.spec.ts`, title: 'x', ways: [] });
  const wire = (name: string): Walk => ({ file: `dev/wire/${name}.test.ts`, title: '', ways: [] });
  const screen = (title: string): Walk => ({ file: 'screens/axe.spec.ts', title, ways: [] });
  it.each([
    ['portal/features/builder/edit.ts', journey('builder-drag')],
    ['server/modules/asset-groups/commands.ts', journey('asset-groups')],
    ['portal/routes/manage/assets/$id.tsx', journey('assets')],
    ['portal/features/payments/api.ts', screen('payment-captured')],
    ['domain/policy.ts', journey('rules')],
    ['portal/i18n/nb/links.ts', journey('links')],
    ['pickup/pages/pickup.tsx', journey('outside')],
    ['e2e/journeys/zones.spec.ts', journey('zones')],
    ['dev/wire/paid-here.test.ts', wire('paid-here')],
    ['sandbox/woo/server.ts', wire('woo')],
  ])('%s', (file, walk) => {
    expect(ageBy([['README.md'], [file]])(walk)).toBe(file.includes(walk.file) ? 0.5 : 1);
    expect(ageBy([['docs/words.md']])(walk)).toBeUndefined();
  });

  it('is a changed test before the others of its noun', () => {
    const age = ageBy([['e2e/journeys/builder-drag.spec.ts', 'server/modules/cabinets/commands.ts']]);
    expect(age(journey('builder-drag'))).toBeLessThan(age(journey('builder-tags')) ?? 0);
  });

  const journeys = ['e2e/journeys', 'dev/wire']
    .flatMap((folder) => readdirSync(path.join(root, folder)))
    .map((file) => file.replace(/\..*$/, ''));
  const calls = [...journeys, ...screens.map(({ name }) => name)];
  const isShown = (name: string) => calls.some((call) => call === name || call.startsWith(`${name}-`));
  it('names tests that there are', () =>
    expect(
      Object.values(SHOWN_BY)
        .flatMap((names) => names.split(' '))
        .filter((name) => !isShown(name)),
    ).toEqual([]));
  const folders = ['portal/features', 'server/modules'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? `${folder}/${one.name}/x.ts` : [])),
  );
  it.each(folders)('there is one for %s', (file) => expect(namesFor(file).some(isShown)).toBe(true));
});

describe('a second look', () => {
  const failure = (name: string, place: string | null = 'a.test.ts'): Failure => ({ name, why: 'because', place });
  const tally = (passed: string[], failures: Failure[]): Tally => ({ name: 'server', passed, failures, seconds: 1 });

  it('lets pass what passes alone, as unsteady, and rejects what fails again with its first error', async () => {
    const again = async () => tally(['a.test.ts x'], [{ ...failure('a.test.ts y'), why: 'another reason' }]);
    const { tallies, unsteady } = await lookAgain([{ tally: tally(['z'], [failure('a.test.ts x'), failure('a.test.ts y')]), again }]);
    expect(unsteady).toEqual([failure('a.test.ts x')]);
    expect(tallies).toMatchObject([{ passed: ['z', 'a.test.ts x'], failures: [failure('a.test.ts y')] }]);
  });

  it('takes a test that did not run again for a failed one', async () => {
    const { tallies, unsteady } = await lookAgain([
      { tally: tally([], [failure('a.test.ts x')]), again: async () => tally(['other'], []) },
    ]);
    expect(unsteady).toEqual([]);
    expect(tallies[0]?.failures).toHaveLength(1);
  });

  it('lets none pass of which another of the same name fails', async () => {
    const again = async () => tally(['a.test.ts x'], [failure('a.test.ts x')]);
    const { tallies, unsteady } = await lookAgain([{ tally: tally(['a.test.ts x'], [failure('a.test.ts x')]), again }]);
    expect(unsteady).toEqual([]);
    expect(tallies[0]?.failures).toHaveLength(1);
  });

  it('names what failed only then: a test as unsteady, what no test met as failed', async () => {
    const again = async () => tally(['a.test.ts x'], [failure('a.test.ts y'), failure('an error outside any test', null)]);
    const { tallies, unsteady } = await lookAgain([{ tally: tally(['a.test.ts y'], [failure('a.test.ts x')]), again }]);
    expect(unsteady.map(({ name }) => name)).toEqual(['a.test.ts x', 'a.test.ts y']);
    expect(tallies[0]?.failures.map(({ name }) => name)).toEqual(['an error outside any test']);
  });

  it('keeps what failed beside the tests, whatever passes then', async () => {
    const again = async () => tally(['a.test.ts x'], []);
    const { tallies } = await lookAgain([
      { tally: tally([], [failure('a.test.ts x'), failure('an error outside any test', null)]), again },
    ]);
    expect(tallies[0]?.failures.map(({ name }) => name)).toEqual(['an error outside any test']);
  });

  it('is taken of what was chosen and did not run', () => {
    expect(notRun(['x', 'y'], tally(['x'], []))).toEqual([{ name: 'y', why: 'was chosen and did not run', place: 'y' }]);
    expect(notRun(['x', 'y'], tally(['x'], [failure('y', 'y')]))).toEqual([]);
    expect(notRun(['x', 'y'], tally([], [failure('server', null)]))).toEqual([]);
  });

  it('lets a file pass that loads alone', async () => {
    const { unsteady } = await lookAgain([{ tally: tally([], [failure('a.test.ts')]), again: async () => tally(['a.test.ts x'], []) }]);
    expect(unsteady).toHaveLength(1);
  });

  it.each([
    ['where a step did not run at all', [failure('server', null)]],
    ['where more failed than chance explains', Array.from({ length: 51 }, (_, at) => failure(`t${at}`))],
  ])('is not taken %s', async (_, failures) => {
    const again = async () => tally(failures.map(({ name }) => name), []); // prettier-ignore
    const { tallies } = await lookAgain([{ tally: tally([], failures), again }]);
    expect(tallies[0]?.failures).toEqual(failures);
  });
});
