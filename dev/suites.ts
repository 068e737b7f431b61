import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { tool } from './command.ts';
import { startDebianPostgres } from './debian-postgres.ts';
import { buildFrontends } from './frontends.ts';
import { findChromium, findPostgres, scratch } from './machine.ts';
import { type Tally, tallyOf } from './results.ts';

const reports = path.join(scratch, 'reports');

/** Runs one suite that leaves a JSON report, and makes a failure of whatever keeps it from running. */
async function suite(name: string, kind: 'vitest' | 'playwright', body: (report: string) => Promise<number>): Promise<Tally> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const report = path.join(reports, `${name.replace(/\W+/g, '-')}.json`);
  mkdirSync(reports, { recursive: true });
  rmSync(report, { force: true });
  console.log(`\n— ${name}`);
  try {
    const code = await body(report);
    return tallyOf(name, report, kind, code, seconds());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.error(why);
    return { name, passed: 0, failed: 1, seconds: seconds(), failures: [`${name}: ${why.split('\n')[0]}`] };
  }
}

const vitest = async (project: string, report: string, env: Record<string, string> = {}, more: string[] = []) =>
  (
    await tool(
      'vitest/vitest.mjs',
      ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...more],
      { env },
    )
  ).code;

export const unitTests = (): Promise<Tally> => suite('unit tests', 'vitest', (report) => vitest('unit', report));

/** `npm start` in a folder that has never seen the product, and again; `measured` holds both to their seconds. */
export const newcomerTests = ({ measured = false } = {}): Promise<Tally> =>
  suite('a newcomer', 'vitest', (report) => vitest('newcomer', report, measured ? { MEASURED: 'true' } : {}));

export const serverTests = (): Promise<Tally> =>
  suite('server tests, embedded database', 'vitest', async (report) => vitest('server', report, { CHROMIUM: await findChromium() }));

/**
 * What another PostgreSQL could answer otherwise: all that speaks to the database of its own accord, and one walk over every call,
 * which asks it every question there is. What the rest of the server tests hold is said above the database.
 */
const ON_DEBIAN = [
  'server/db/',
  'server/jobs/',
  'server/events/',
  'server/http/walk',
  'server/http/idempotency',
  'server/modules/occupations/bulk',
  'server/modules/occupations/occupations',
  'server/modules/occupations/races',
  'server/modules/occupations/services',
  'server/modules/payments/',
  'server/modules/history/',
];

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

/** Playwright's arguments: projects are `plain`, `keyboard`, `phone`, `nb`, `dark`, `screens` (axe), `faults`, `speed` (frames); see e2e/playwright.config.ts. */
export const browserTests = (name: string, args: string[]): Promise<Tally> =>
  suite(name, 'playwright', async (report) => {
    const chromium = await findChromium();
    await buildFrontends();
    const { code } = await tool('@playwright/test/cli.js', ['test', '--config', 'e2e/playwright.config.ts', ...args], {
      env: { CHROMIUM: chromium, HATCHWAY_REPORT: report },
    });
    return code;
  });
