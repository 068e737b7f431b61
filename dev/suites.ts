import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { testFolder } from '@hatchway/server/db/test-folder.ts';
import { root, tool } from './command.ts';
import { startDebianPostgres } from './debian-postgres.ts';
import { buildFrontends } from './frontends.ts';
import { kept, notRun, type Step } from './gate/again.ts';
import { chooseWalks, type Walk } from './gate/choose.ts';
import { ageBy, readCommits } from './gate/touched.ts';
import { besideOf } from './gate/vitest-reporter.ts';
import { startKeycloak } from './keycloak.ts';
import { findChromium, findPostgres, scratch } from './machine.ts';
import { freePort } from '@hatchway/server/db/ports.ts';
import { failedStep, type Failure, lineOf, type PlaywrightReport, readReport, type Tally, tallyOf, testsOf } from './results.ts';

const reports = path.join(scratch, 'reports');

/** Runs one suite that leaves a JSON report, and makes a failure of whatever keeps it from running. */
async function suite(name: string, kind: 'vitest' | 'playwright', body: (report: string) => Promise<number>): Promise<Tally> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const report = path.join(reports, `${name.replace(/\W+/g, '-')}.json`);
  mkdirSync(reports, { recursive: true });
  for (const file of [report, besideOf(report)]) rmSync(file, { force: true });
  console.log(`\n— ${name}`);
  try {
    const code = await body(report);
    return tallyOf(name, report, kind, code, seconds());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.error(why);
    return failedStep(name, why, seconds());
  }
}

const vitest = async (project: string, report: string, env: Record<string, string>, more: readonly string[] = []) =>
  (
    await tool(
      'vitest/vitest.mjs',
      [
        'run',
        '--project',
        project,
        '--reporter=default',
        '--reporter=json',
        '--reporter=./dev/gate/vitest-reporter.ts',
        `--outputFile.json=${report}`,
        ...more,
      ],
      { env },
    )
  ).code;

type VitestOptions = { env?: () => Promise<Record<string, string>> };

/** A failed test is run again with its whole file: it may need what those before it left. */
const vitestStep = async (name: string, project: string, { env = async () => ({}) }: VitestOptions = {}): Promise<Step> => ({
  tally: await suite(name, 'vitest', async (report) => vitest(project, report, await env())),
  again: (failures) =>
    suite(`${name}, once more`, 'vitest', async (report) =>
      vitest(project, report, await env(), ['--maxWorkers=1', ...new Set(failures.flatMap(({ place }) => place ?? []))]),
    ),
});

/** Where property tests draw from; without it each run tries the same values. */
type Drawn = { PROPERTY_SEED?: string };

export const unitTests = (drawn: Drawn = {}): Promise<Step> => vitestStep('unit tests', 'unit', { env: async () => ({ ...drawn }) });

/** `npm start` in a folder that has never seen the product, and again; `measured` holds both to their seconds. */
export const newcomerTests = ({ measured = false } = {}): Promise<Step> =>
  vitestStep('a newcomer', 'newcomer', { env: async () => (measured ? { MEASURED: 'true' } : {}) });

/** What starts and stops whole servers, in the long run alone. */
export const processTests = (): Promise<Step> => vitestStep('servers that are stopped', 'long');

export const serverTests = (env: Drawn & { LEFT_OUT?: string } = {}): Promise<Step> =>
  vitestStep('server tests, embedded database', 'server', { env: async () => ({ ...env, CHROMIUM: await findChromium() }) });

/** Of what was touched a commit walks at most one in so many of all. */
const TOUCHED = { journeys: 24, wires: 12 };

/** The gate's server tests: all but the files of `dev/wire` whose turn it is not. */
export async function serverTestsOfCommit(): Promise<Step> {
  const files = readdirSync(path.join(root, 'dev/wire')).flatMap((name) => (name.endsWith('.test.ts') ? [`dev/wire/${name}`] : []));
  const walks = files.map((file) => ({ file, title: '', ways: [file] }));
  const { count, files: touched } = await readCommits();
  const chosen = new Set(chooseWalks(walks, count, ageBy(touched), TOUCHED.wires));
  console.log(`${chosen.size} of ${walks.length} files of dev/wire, the turn of commit ${count}`);
  return serverTests({ LEFT_OUT: files.filter((file) => !chosen.has(file)).join(' ') });
}

/** What another PostgreSQL could answer otherwise: all that speaks to the database of its own accord, and one walk over every call. */
const ON_DEBIAN = ['server/db/', 'server/http/walk.test.ts', 'dev/wire/backup.test.ts'];

/** Server tests on the system's PostgreSQL, in a cluster of their own. */
export const serverTestsOnDebian = (): Promise<Tally> =>
  suite('server tests, PostgreSQL of Debian', 'vitest', async (report) => {
    const cluster = await startDebianPostgres(await findPostgres());
    try {
      return await vitest('server', report, { TEST_DATABASE_URL: cluster.url }, ON_DEBIAN);
    } finally {
      await cluster.stop();
    }
  });

/** Browsers' profiles, the servers' data, and what Playwright makes of the specs once for whoever reads them next. */
const inMemory = { TMPDIR: testFolder() };

const playwright = async (report: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> => {
  const chromium = await findChromium();
  await buildFrontends();
  const { code } = await tool('@playwright/test/cli.js', ['test', '--config', 'e2e/playwright.config.ts', ...args], {
    env: { ...inMemory, ...env, CHROMIUM: chromium, HATCHWAY_REPORT: report },
  });
  return code;
};

/** Playwright's arguments: projects are `plain` (and the screens under axe), `keyboard`, `phone`, `nb`, `dark`, `faults`, `kill`, `speed` (frames); see e2e/playwright.config.ts. */
export const browserTests = (name: string, args: readonly string[], env: Record<string, string> = {}): Promise<Tally> =>
  suite(name, 'playwright', (report) => playwright(report, args, env));

/** What is walked where a real Keycloak signs people in. Where there is none to be had it fails as not run. */
export const keycloakTests = (args: readonly string[] = []): Promise<Tally> =>
  suite('journeys with Keycloak', 'playwright', async (report) => {
    const port = await freePort();
    const keycloak = await startKeycloak(`http://localhost:${port}`);
    try {
      const { url, secret, admin } = keycloak;
      const env = {
        E2E_PORT: String(port),
        KEYCLOAK_URL: url,
        KEYCLOAK_SECRET: secret,
        KEYCLOAK_ADMIN: admin.name,
        KEYCLOAK_PASSWORD: admin.password,
      };
      return await playwright(report, ['--project', 'keycloak', '--workers', '1', ...args], env);
    } finally {
      await keycloak.stop();
    }
  });

/** The ways of the gate's journeys; screens have the first. The long run walks the main ones in Norwegian and in the dark by mouse. */
const WAYS = ['plain', 'keyboard', 'phone'];

const SCREEN_WAY = /, (en|nb), (light|dark)$/;

/** Every test that the gate can choose, with the ways that walk it. */
async function listWalks(): Promise<Walk[]> {
  const report = path.join(reports, 'walks.json');
  rmSync(report, { force: true });
  const projects = WAYS.flatMap((name) => ['--project', name]);
  const { code, output } = await tool('@playwright/test/cli.js', ['test', '--config', 'e2e/playwright.config.ts', '--list', ...projects], {
    quiet: true,
    env: { ...inMemory, HATCHWAY_REPORT: report },
  });
  const found = readReport(report) as PlaywrightReport | null;
  if (code !== 0 || !found) throw new Error(`The browser tests could not be listed: ${output}`);
  const tests = testsOf(found).map(({ file, titles, test }) => ({
    file,
    // a screen's ways are tests of their own: its language and its colours
    title: titles.join(' › ').replace(SCREEN_WAY, ''),
    way: lineOf({ file, titles, way: test.projectName }),
  }));
  const walks = Map.groupBy(tests, ({ file, title }) => `${file} › ${title}`);
  return [...walks.values()].flatMap((ways) => (ways[0] ? [{ ...ways[0], ways: ways.map(({ way }) => way) }] : []));
}

const walkAll = (report: string, lines: readonly string[], args: readonly string[] = []): Promise<number> => {
  const list = `${report}.txt`;
  writeFileSync(list, `${lines.join('\n')}\n`);
  return playwright(report, ['--test-list', list, ...args]);
};

type Chosen = { lines: readonly string[]; of: number; count: number };

/** The journeys and the screens that this commit's turn is, each by one way. */
export async function chooseJourneys(): Promise<Chosen> {
  const [walks, { count, files }] = await Promise.all([listWalks(), readCommits()]);
  const isScreen = ({ file }: Walk) => file.startsWith('screens/');
  const ageOf = ageBy(files);
  const lines = [walks.filter((walk) => !isScreen(walk)), walks.filter(isScreen)].flatMap((some) =>
    chooseWalks(some, count, ageOf, TOUCHED.journeys),
  );
  return { lines, of: walks.length, count };
}

/** The browser part of the gate. A choice that failed fails the step. */
export async function chosenJourneys(choice: Promise<Chosen>): Promise<Step> {
  const name = 'journeys and screens of this commit';
  let chosen: readonly string[] = [];
  const tally = await suite(name, 'playwright', async (report) => {
    const { lines, of, count } = await choice;
    chosen = lines;
    console.log(`${chosen.length} of ${of} browser tests, the turn of commit ${count}`);
    return walkAll(report, chosen);
  });
  tally.failures.push(...notRun(chosen, tally));
  // what is found then is kept whole: the steps before the fault, the page, the calls
  const again = (failures: readonly Failure[]) =>
    suite(`${name}, once more`, 'playwright', (report) =>
      walkAll(
        report,
        failures.flatMap(({ place }) => place ?? []),
        ['--workers', '1', '--trace', 'on', '--output', kept],
      ),
    );
  return { tally, again };
}
