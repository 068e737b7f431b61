import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Beside, besideOf } from './gate/vitest-reporter.ts';
import { summary, tallyOf } from './results.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hatchway-results-'));
const report = (content: unknown, beside: Beside = { errors: [], notBegun: [] }) => {
  const file = path.join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(besideOf(file), JSON.stringify(beside));
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};
const WHY = '\u001B[31mexpected 2 to be 1\u001B[39m';
const vitest = (...statuses: string[]) =>
  report({
    testResults: [
      {
        name: 'a.test.ts',
        status: statuses.includes('failed') ? 'failed' : 'passed',
        assertionResults: statuses.map((status, at) => ({ fullName: `t${at}`, status, failureMessages: [WHY] })),
      },
    ],
  });
const playwright = (statuses: string[], errors: { message: string }[] = []) => {
  const specs = statuses.map((status) => ({
    title: 't',
    tests: [{ projectName: 'plain', status, results: [{ error: { message: WHY } }] }],
  }));
  // a group without a title has none in a test list either
  return report({ errors, suites: [{ title: 'a.spec.ts', specs: [], suites: [{ title: '', suites: [{ title: 'group', specs }] }] }] });
};

describe('a tally', () => {
  it('counts what passed and failed', () => {
    expect(tallyOf('unit', vitest('passed', 'passed', 'failed'), 'vitest', 1, 2)).toMatchObject({
      passed: ['a.test.ts t0', 'a.test.ts t1'],
      failures: [{ name: 'a.test.ts t2', why: 'expected 2 to be 1', place: 'a.test.ts' }],
    });
    const line = '[plain] › a.spec.ts › group › t';
    expect(tallyOf('e2e', playwright(['expected', 'unexpected', 'flaky']), 'playwright', 1, 2)).toMatchObject({
      passed: [line],
      failures: [
        { name: line, why: 'expected 2 to be 1', place: line },
        { name: line, why: 'expected 2 to be 1', place: line },
      ],
    });
  });

  it('takes a skipped test for a failed one', () => {
    expect(tallyOf('unit', vitest('passed', 'pending'), 'vitest', 0, 2).failures).toHaveLength(1);
    expect(tallyOf('e2e', playwright(['expected', 'skipped']), 'playwright', 0, 2).failures).toHaveLength(1);
  });

  it.each([
    ['no report', path.join(folder, 'absent.json'), 'vitest', 0],
    ['a report that cannot be read', report('{ broken'), 'vitest', 0],
    ['no test', report({ testResults: [] }), 'vitest', 0],
    ['a bad exit code', vitest('passed'), 'vitest', 1],
    [
      'a file that does not load',
      report({ testResults: [{ name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }] }),
      'vitest',
      1,
    ],
    ['a set-up that broke', playwright(['expected'], [{ message: 'set-up broke' }]), 'playwright', 1],
  ] as const)('never takes %s for success', (_, file, kind, code) => expect(tallyOf('x', file, kind, code, 2).failures).toHaveLength(1));

  it('holds what failed beside the tests, whether one of them failed or not', () => {
    const file = (status: string) => ({
      name: 'a.test.ts',
      status,
      message: 'clearing away broke',
      assertionResults: [{ fullName: 't', status, failureMessages: [WHY] }],
    });
    const beside = { errors: ['nobody caught it'], notBegun: ['b.test.ts'] };
    const names = (status: string) =>
      tallyOf('x', report({ testResults: [file(status)] }, beside), 'vitest', 1, 2).failures.map(({ name }) => name);
    expect(names('failed')).toEqual(['an error outside any test', 'b.test.ts', 'a.test.ts t', 'a.test.ts']);
    expect(names('passed')).toEqual(['an error outside any test', 'b.test.ts', 'a.test.ts']);
    const cut = report({ testResults: [] });
    rmSync(besideOf(cut));
    expect(tallyOf('x', cut, 'vitest', 1, 2).failures).toMatchObject([{ why: 'did not come to its end (exit code 1)' }]);
  });

  it('ends with one plain line, and names what failed and what is unsteady above it', () => {
    const failure = (name: string) => ({ name, why: 'because', place: null });
    const steps = [
      { name: 'unit', passed: ['a', 'b', 'c'], failures: [], seconds: 1 },
      { name: 'server', passed: ['d'], failures: [failure('x'), failure('y')], seconds: 1 },
    ];
    const { text, ok } = summary(steps, [failure('z')]);
    expect(text.split('\n').at(-1)).toBe('4 passed, 2 failed');
    expect(text).toMatch(/Unsteady[^]*z\n {6}because[^]*Failed:\n {2}x\n {6}because/);
    expect(ok).toBe(false);
    expect(summary(steps.slice(0, 1)).ok).toBe(true);
    expect(summary([]).ok).toBe(false);
  });
});
