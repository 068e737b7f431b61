import { existsSync, readFileSync } from 'node:fs';

/** What one step of a test run came to. A step that could not even begin counts as one failure, never as nothing. */
export type Tally = { name: string; passed: number; failed: number; seconds: number; failures: string[] };

type VitestReport = {
  testResults: { name: string; status: string; message?: string; assertionResults: { fullName: string; status: string }[] }[];
};

type PlaywrightSuite = {
  title: string;
  file?: string;
  specs?: { title: string; tests: { projectName: string; status: string }[] }[];
  suites?: PlaywrightSuite[];
};
type PlaywrightReport = { suites: PlaywrightSuite[]; errors?: { message?: string }[] };

const read = (file: string): unknown => {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  } catch {
    return null;
  }
};

/** vitest's JSON report. A file that fails to load has no assertions, so it is a failure of its own; so is a test that was skipped. */
function countVitest(report: VitestReport): Omit<Tally, 'name' | 'seconds'> {
  const tests = report.testResults.flatMap((file) =>
    file.assertionResults.length === 0 || (file.status === 'failed' && file.assertionResults.every((test) => test.status === 'passed'))
      ? [
          { name: `${file.name} ${file.message?.split('\n')[0] ?? 'holds no test'}`, ok: false },
          ...file.assertionResults.map((test) => ({ name: test.fullName, ok: true })),
        ]
      : file.assertionResults.map((test) => ({ name: `${file.name} ${test.fullName}`, ok: test.status === 'passed' })),
  );
  const failures = tests.filter((test) => !test.ok).map((test) => test.name);
  return { passed: tests.length - failures.length, failed: failures.length, failures };
}

/** Playwright's JSON report; what went wrong outside any test (a set-up that failed) counts too. */
function countPlaywright(report: PlaywrightReport): Omit<Tally, 'name' | 'seconds'> {
  const failures = (report.errors ?? []).map((error) => error.message?.split('\n')[0] ?? 'an error outside any test');
  let passed = 0;
  const walk = (suite: PlaywrightSuite, trail: string) => {
    for (const spec of suite.specs ?? [])
      for (const test of spec.tests)
        if (test.status === 'expected') passed++;
        else failures.push(`[${test.projectName}] ${trail} › ${spec.title} (${test.status})`);
    for (const inner of suite.suites ?? []) walk(inner, `${trail} › ${inner.title}`);
  };
  for (const suite of report.suites) walk(suite, suite.title);
  return { passed, failed: failures.length, failures };
}

/** A report turned into a tally. No report, none that can be read, no test in it, or a bad exit code without a failed test: one failure. */
export function tallyOf(name: string, file: string, kind: 'vitest' | 'playwright', code: number, seconds: number): Tally {
  const report = read(file);
  if (!report) return { name, passed: 0, failed: 1, seconds, failures: [`${name} left no report (exit code ${code})`] };
  const counted = kind === 'vitest' ? countVitest(report as VitestReport) : countPlaywright(report as PlaywrightReport);
  if (counted.failed > 0) return { name, seconds, ...counted };
  if (counted.passed === 0) return { name, passed: 0, failed: 1, seconds, failures: [`${name} ran no test`] };
  if (code !== 0) return { name, seconds, passed: counted.passed, failed: 1, failures: [`${name} ended with exit code ${code}`] };
  return { name, seconds, ...counted };
}

/** The table at the end of a run, and as its last line what machines read. */
export function summary(tallies: Tally[]): { text: string; ok: boolean } {
  const passed = tallies.reduce((sum, step) => sum + step.passed, 0);
  const failed = tallies.reduce((sum, step) => sum + step.failed, 0) + (passed === 0 && tallies.every((step) => step.failed === 0) ? 1 : 0);
  const width = Math.max(0, ...tallies.map((step) => step.name.length));
  const rows = tallies.map(
    (step) =>
      `${step.failed === 0 ? '  ' : '✗ '}${step.name.padEnd(width)}  ${String(step.passed).padStart(5)} passed  ${String(step.failed).padStart(3)} failed  ${step.seconds.toFixed(1).padStart(6)} s`,
  );
  const failures = tallies.flatMap((step) => step.failures.map((failure) => `  ${failure}`));
  const parts = ['', ...rows, ...(failures.length > 0 ? ['', 'Failed:', ...failures] : []), '', `${passed} passed, ${failed} failed`];
  return { text: parts.join('\n'), ok: failed === 0 };
}
