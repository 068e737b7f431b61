import { describe, expect, it } from 'vitest';
import { readRequirements, readTags, requirementFaults, withTable } from './requirements.ts';

const page = ['| nr | § |', '| R1.1 | 1 | 3 | A portal. |', '| R1.2 | 1 | 4 | Pays. (waits: payments) |'].join('\n');
const file = (...lines: string[]) => [{ path: 'server/a.test.ts', text: lines.join('\n') }];
const good = file('  // shows R1.1', "  test('opens', () => {});");

describe('requirements', () => {
  it('reads the numbered rows', () =>
    expect(readRequirements(page)).toEqual([{ nr: 'R1.1', waits: false }, { nr: 'R1.2', waits: true }])); // prettier-ignore
  it('is content when each has a test or waits', () => expect(requirementFaults(page, good)).toEqual([]));
  it('finds the title of a test made from a table', () =>
    expect(readTags(file('// shows R1.1', 'test.each([', "  ['x'],", "])('opens %s', () => {});")).showings).toMatchObject([
      { title: 'opens %s' },
    ]));
  it('refuses a tag without its requirement', () =>
    expect(requirementFaults(page, [...good, ...file('// shows R9.9', "test('x', () => {});")])).toEqual([
      'server/a.test.ts: there is no requirement R9.9',
    ]));
  it('refuses a requirement without a test', () => expect(requirementFaults(page, [])).toEqual(['R1.1 is shown by no test']));
  it('refuses one that waits and is shown', () =>
    expect(requirementFaults(page, [...good, ...file('// shows R1.2', "test('x', () => {});")])).toEqual([
      'R1.2 is said to wait, and is shown',
    ]));
  it('refuses a tag that is no list, or that stands above nothing', () => {
    expect(readTags(file('// shows R1.1 and more', "test('x', () => {});")).faults).toHaveLength(1);
    expect(readTags(file('// shows R1.1', 'const x = 1;')).faults).toHaveLength(1);
  });
  it('writes the table anew, the same the second time', () => {
    const once = withTable(page, good);
    expect(once).toContain('| R1.1 | server/a.test.ts: “opens” |');
    expect(withTable(once, good)).toBe(once);
  });
});
