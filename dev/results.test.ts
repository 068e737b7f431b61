import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { summary, tallyOf } from './results.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hatchway-results-'));
const report = (content: unknown) => {
  const file = path.join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};
const vitest = (...statuses: string[]) =>
  report({
    testResults: [
      {
        name: 'a.test.ts',
        status: statuses.includes('failed') ? 'failed' : 'passed',
        assertionResults: statuses.map((status, at) => ({ fullName: `t${at}`, status })),
      },
    ],
  });
const playwright = (statuses: string[], errors: { message: string }[] = []) =>
  report({
    errors,
    suites: [
      {
        title: 'a.spec.ts',
        specs: [],
        suites: [{ title: 'group', specs: statuses.map((status) => ({ title: 't', tests: [{ projectName: 'plain', status }] })) }],
      },
    ],
  });

describe('a tally', () => {
  it('counts what passed and failed', () => {
    expect(tallyOf('unit', vitest('passed', 'passed', 'failed'), 'vitest', 1, 2)).toMatchObject({
      passed: 2,
      failed: 1,
      failures: ['a.test.ts t2'],
    });
    expect(tallyOf('e2e', playwright(['expected', 'unexpected', 'flaky']), 'playwright', 1, 2)).toMatchObject({ passed: 1, failed: 2 });
  });

  it('takes a skipped test for a failed one', () => {
    expect(tallyOf('unit', vitest('passed', 'pending'), 'vitest', 0, 2)).toMatchObject({ passed: 1, failed: 1 });
    expect(tallyOf('e2e', playwright(['expected', 'skipped']), 'playwright', 0, 2)).toMatchObject({ passed: 1, failed: 1 });
  });

  it('never takes nothing for success', () => {
    expect(tallyOf('unit', path.join(folder, 'absent.json'), 'vitest', 0, 2)).toMatchObject({ passed: 0, failed: 1 });
    expect(tallyOf('unit', report('{ broken'), 'vitest', 0, 2)).toMatchObject({ failed: 1 });
    expect(tallyOf('unit', report({ testResults: [] }), 'vitest', 0, 2)).toMatchObject({ failed: 1 });
    expect(tallyOf('unit', vitest('passed'), 'vitest', 1, 2)).toMatchObject({ passed: 1, failed: 1 });
    expect(
      tallyOf(
        'unit',
        report({ testResults: [{ name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }] }),
        'vitest',
        1,
        2,
      ),
    ).toMatchObject({
      failed: 1,
      failures: ['b.test.ts no such module'],
    });
    expect(tallyOf('e2e', playwright(['expected'], [{ message: 'set-up broke' }]), 'playwright', 1, 2)).toMatchObject({
      passed: 1,
      failed: 1,
      failures: ['set-up broke'],
    });
    expect(summary([])).toMatchObject({ ok: false });
  });

  it('ends with one plain line', () => {
    const steps = [
      { name: 'unit', passed: 3, failed: 0, seconds: 1, failures: [] },
      { name: 'server', passed: 4, failed: 2, seconds: 1, failures: ['x', 'y'] },
    ];
    expect(summary(steps).text.split('\n').at(-1)).toBe('7 passed, 2 failed');
    expect(summary(steps).ok).toBe(false);
    expect(summary(steps.slice(0, 1)).ok).toBe(true);
  });
});
