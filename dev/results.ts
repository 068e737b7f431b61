import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './command.ts';
import { type Beside, besideOf } from './gate/vitest-reporter.ts';

/** A test that did not pass. `place`: its file for vitest, its line of a test list for Playwright; null where no test can be run again. */
export type Failure = { name: string; why: string; place: string | null };

/** What one step of a test run came to. A step that could not even begin counts as one failure, never as nothing. */
export type Tally = { name: string; passed: string[]; failures: Failure[]; seconds: number };

type VitestReport = {
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
};

type PlaywrightTest = { projectName: string; status: string; results?: { error?: { message?: string } }[] };
export type PlaywrightSuite = {
  title: string;
  file?: string;
  specs?: { title: string; file?: string; tests: PlaywrightTest[] }[];
  suites?: PlaywrightSuite[];
};
export type PlaywrightReport = { suites: PlaywrightSuite[]; errors?: { message?: string }[] };
type Counted = Pick<Tally, 'passed' | 'failures'>;

/** A report of either kind; null where there is none that can be read. */
export const readReport = (file: string): unknown => {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  } catch {
    return null;
  }
};

const WHY_LINES = 8;
const beginningOf = (why = ''): string =>
  stripVTControlCharacters(why)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, WHY_LINES)
    .join('\n');

/** vitest's JSON report. A file that fails to load has no assertions, so it is a failure of its own; so is a test that was skipped. */
function countVitest(report: VitestReport, { errors, notBegun }: Beside): Counted {
  const counted: Counted = { passed: [], failures: [] };
  for (const why of errors) counted.failures.push({ name: 'an error outside any test', why: beginningOf(why), place: null });
  for (const file of notBegun) {
    const place = path.relative(root, file);
    counted.failures.push({ name: place, why: 'no worker came to it', place });
  }
  for (const { name, status, message, assertionResults } of report.testResults) {
    const place = path.relative(root, name);
    const bad = assertionResults.filter((test) => test.status !== 'passed');
    for (const test of assertionResults) if (test.status === 'passed') counted.passed.push(`${place} ${test.fullName}`);
    // a test that its file's set-up kept from running has no message of its own
    for (const test of bad)
      counted.failures.push({ name: `${place} ${test.fullName}`, why: beginningOf(test.failureMessages?.[0] ?? message), place });
    // of its own: what its set-up or its clearing away met
    if (assertionResults.length === 0 || message || (status === 'failed' && bad.length === 0))
      counted.failures.push({ name: place, why: beginningOf(message || 'holds no test'), place });
  }
  return counted;
}

/** Every test of Playwright's JSON report, with the titles around it; a group without a title has none in a test list either. */
export const testsOf = (report: PlaywrightReport): { file: string; titles: string[]; test: PlaywrightTest }[] => {
  const walk = (suite: PlaywrightSuite, titles: string[]): ReturnType<typeof testsOf> => [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests.map((test) => ({ file: suite.file ?? spec.file ?? '', titles: [...titles, spec.title], test })),
    ),
    ...(suite.suites ?? []).flatMap((inner) =>
      walk({ ...inner, file: inner.file ?? suite.file ?? '' }, inner.title === '' ? titles : [...titles, inner.title]),
    ),
  ];
  // the outermost suite is the file
  return report.suites.flatMap((suite) => walk({ ...suite, file: suite.file ?? suite.title }, []));
};

/** A line of a file for `playwright test --test-list`. */
export const lineOf = ({ file, titles, way }: { file: string; titles: readonly string[]; way: string }): string =>
  [`[${way}]`, file, ...titles].join(' › ');

/** Playwright's JSON report; what went wrong outside any test (a set-up that failed) counts too. */
function countPlaywright(report: PlaywrightReport): Counted {
  const counted: Counted = { passed: [], failures: [] };
  for (const { message } of report.errors ?? [])
    counted.failures.push({ name: 'an error outside any test', why: beginningOf(message), place: null });
  for (const { file, titles, test } of testsOf(report)) {
    const line = lineOf({ file, titles, way: test.projectName });
    if (test.status === 'expected') counted.passed.push(line);
    else {
      const why = beginningOf(test.results?.find(({ error }) => error)?.error?.message ?? test.status);
      counted.failures.push({ name: line, why, place: line });
    }
  }
  return counted;
}

export const failedStep = (name: string, why: string, seconds = 0): Tally => ({
  name,
  passed: [],
  failures: [{ name, why, place: null }],
  seconds,
});

/** A report turned into a tally. No report, none that can be read, no test in it, or a bad exit code without a failed test: one failure. */
export function tallyOf(name: string, file: string, kind: 'vitest' | 'playwright', code: number, seconds: number): Tally {
  const report = readReport(file);
  if (!report) return failedStep(name, `left no report (exit code ${code})`, seconds);
  const beside = kind === 'vitest' ? (readReport(besideOf(file)) as Beside | null) : { errors: [], notBegun: [] };
  if (!beside) return failedStep(name, `did not come to its end (exit code ${code})`, seconds);
  const counted = kind === 'vitest' ? countVitest(report as VitestReport, beside) : countPlaywright(report as PlaywrightReport);
  if (counted.failures.length > 0) return { name, seconds, ...counted };
  if (counted.passed.length === 0) return failedStep(name, 'ran no test', seconds);
  if (code !== 0) counted.failures.push({ name, why: `ended with exit code ${code}`, place: null });
  return { name, seconds, ...counted };
}

const inset = (text: string): string => text.replace(/^/gm, '      ');
const listed = (title: string, failures: readonly Failure[]): string[] =>
  failures.length === 0 ? [] : ['', `${title}:`, ...failures.map(({ name, why }) => `  ${name}\n${inset(why)}`)];

/** The table at the end of a run, and as its last line what machines read. Whatever is unsteady passed in the end, and counts as passed. */
export function summary(tallies: readonly Tally[], unsteady: readonly Failure[] = []): { text: string; ok: boolean } {
  const passed = tallies.reduce((sum, step) => sum + step.passed.length, 0);
  const failures = tallies.flatMap((step) => step.failures);
  const failed = failures.length + (passed === 0 && failures.length === 0 ? 1 : 0);
  const width = Math.max(0, ...tallies.map((step) => step.name.length));
  const rows = tallies.map(
    (step) =>
      `${step.failures.length === 0 ? '  ' : '✗ '}${step.name.padEnd(width)}  ${String(step.passed.length).padStart(5)} passed  ${String(step.failures.length).padStart(3)} failed  ${step.seconds.toFixed(1).padStart(6)} s`,
  );
  const parts = [
    '',
    ...rows,
    // since this process began: some steps run beside each other
    `  ${(performance.now() / 1000).toFixed(0)} s in all`,
    ...listed('Unsteady: failed, and passed alone. Mend the test or the race behind it in the next commit', unsteady),
    ...listed('Failed', failures),
    '',
    `${passed} passed, ${failed} failed`,
  ];
  return { text: parts.join('\n'), ok: failed === 0 };
}
