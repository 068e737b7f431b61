import { createHash } from 'node:crypto';

/** One browser test, or one screen: its file below `e2e`, its title, and each of its ways as a line for Playwright's `--test-list`. */
export type Walk = { file: string; title: string; ways: readonly string[] };

/** The touched tests that a run walks, at most: one in so many of all. */
const TOUCHED = 48;
/** Of the tests that nobody touched, one in so many; so many commits after each other walk them all. */
const TURNS = 4;

const numberOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();
const nameOf = ({ file, title }: Walk): string => `${file} › ${title}`;

/**
 * What the gate walks at a commit, a line each: the main journeys, those of what was touched lately (the newest first), and a quarter of the others.
 * The number of commits alone turns the wheel, so the same commit always walks the same tests the same way.
 * @param ageOf how many commits ago something was touched that the test shows; undefined: longer than the gate looks back
 */
export function chooseWalks(walks: readonly Walk[], commits: number, ageOf: (walk: Walk) => number | undefined): string[] {
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
      .slice(0, Math.floor(walks.length / TOUCHED))
      .map(({ walk }) => walk),
  );
  const isNext = (walk: Walk) => (numberOf(nameOf(walk)) + commits) % TURNS === 0;
  return walks.filter((walk) => main.has(walk) || near.has(walk) || isNext(walk)).map((walk) => wayOf(walk, commits));
}

const WIRES = ['server/outside/', 'sandbox/faults.ts'];
const PAID = [...WIRES, 'server/providers/vipps', 'sandbox/vipps/', 'server/modules/payments/', 'domain/payment', 'dev/vipps'];
const TOOLS = [...WIRES, 'server/modules/integrations/', 'server/modules/assets/', 'server/providers/asset-tool', 'server/providers/tool'];
const DIRECTORY = [...WIRES, 'server/modules/directory/', 'server/providers/entra', 'sandbox/directory/'];

/**
 * Server tests that end processes, wait for real time, fill tables or walk a neighbour's whole wire, a third of all that server tests
 * take: each runs every fourth commit, and when it or what it shows was touched lately. What it shows is the file of its name, and
 * whatever begins as it is said here. They stand in the order that gives each turn about as much to do.
 */
export const SLOW: Readonly<Record<string, readonly string[]>> = {
  'server/modules/assets/import-many.test.ts': [],
  'dev/wire/backup.test.ts': ['server/db/backup', 'dev/backup'],
  'server/db/embedded.test.ts': [],
  'server/db/migrate.test.ts': [],

  'server/nodes.test.ts': [],
  'server/devices/rivals.test.ts': [],
  'server/devices/settling.test.ts': [],
  'dev/wire/ledger.test.ts': PAID,

  'dev/wire/serve.test.ts': [],
  'server/identity/keycloak-js.test.ts': [],
  'server/db/keep-running.test.ts': [],
  'server/modules/exports/exports.test.ts': ['server/modules/exports/'],

  'dev/wire/paid-here.test.ts': [...PAID, 'server/modules/pickup/'],
  'dev/wire/woo.test.ts': [...WIRES, 'server/providers/woo', 'sandbox/woo/', 'server/modules/integrations/'],
  'server/modules/webhooks/webhooks.test.ts': [...WIRES, 'server/modules/webhooks/'],
  'server/modules/integrations/tool.test.ts': TOOLS,

  'dev/wire/plans.test.ts': ['server/db/', 'dev/bench-rows.ts'],
  'dev/wire/sms.test.ts': [...WIRES, 'server/providers/sms', 'sandbox/inbox/', 'server/modules/messages/'],
  'dev/wire/vipps.test.ts': PAID,
  'dev/wire/shop.test.ts': [...PAID, 'server/modules/shop/'],

  'dev/wire/paid-offers.test.ts': [...PAID, 'server/modules/pickup/'],
  'server/modules/directory/directory.test.ts': DIRECTORY,
  'server/live/live.test.ts': ['server/live/', 'contract/live'],
  'server/identity/tries.test.ts': ['server/identity/'],

  'dev/wire/entra.test.ts': DIRECTORY,
  'server/modules/assets/by-name.test.ts': ['server/modules/assets/', 'server/db/'],
  'server/db/search.test.ts': ['server/db/'],
  'dev/wire/snipe-it.test.ts': [...TOOLS, 'server/providers/snipe-it'],
};

/** The slow server tests that a commit leaves out. `touched`: the files of the last commits. */
export const leaveOut = (commits: number, touched: readonly string[]): string[] =>
  Object.entries(SLOW)
    .filter(([file, shown], at) => {
      const begins = [file, file.replace('.test.ts', '.ts'), ...shown];
      return (at + commits) % TURNS !== 0 && !touched.some((one) => begins.some((begin) => one.startsWith(begin)));
    })
    .map(([file]) => file);

/**
 * A test comes again every four commits, by its next way. The tests of one commit go the same way where they have it: each further way
 * starts new workers, each with a browser that has loaded nothing.
 */
const wayOf = ({ ways }: Walk, commits: number): string => ways[Math.floor(commits / TURNS) % ways.length] ?? '';
