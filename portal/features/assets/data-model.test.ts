import { describe, expect, test } from 'vitest';
import { dataDraft, dataOf, withField, withJson, withRows } from './data-model.ts';

const start = { serial: 'NL-1', volts: 18, parts: ['a', 'b'], spare: null };
const edit = (draft: ReturnType<typeof dataDraft>, key: string, text: string) =>
  withRows(
    draft,
    draft.rows.map((row) => (row.key === key ? { ...row, text } : row)),
  );

describe('an asset’s data, as fields and as JSON', () => {
  // shows R2.43
  test('is the same both ways, indented by 2', () => {
    const draft = dataDraft(start);
    expect(draft.json).toBe(JSON.stringify(start, null, 2));
    expect(draft.rows.map(({ key, text }) => [key, text])).toEqual([
      ['serial', 'NL-1'],
      ['volts', '18'],
      ['parts', '["a","b"]'],
      ['spare', 'null'],
    ]);
    expect(dataOf(draft)).toEqual(start);
  });
  test('keeps a number a number, and a text a text', () => {
    expect(dataOf(edit(dataDraft(start), 'volts', '36'))).toMatchObject({ volts: 36 });
    expect(dataOf(edit(dataDraft(start), 'volts', '36 V'))).toMatchObject({ volts: '36 V' });
    expect(dataOf(edit(dataDraft(start), 'serial', '42'))).toMatchObject({ serial: '42' });
  });
  test('keeps every digit: a number that is too long for one is text', () => {
    const serial = '12345678901234567890';
    expect(dataOf(edit(dataDraft(start), 'volts', serial))).toMatchObject({ volts: serial });
    const written = withJson(dataDraft(start), `{"a": ${serial}, "b": [1e999], "c": 1.50}`);
    expect([dataOf(written), written.fault]).toEqual([{ a: serial, b: ['1e999'], c: 1.5 }, null]);
    expect(written.rows[0]?.text).toBe(serial);
  });
  test('follows from fields to JSON and back', () => {
    const typed = edit(dataDraft(start), 'serial', 'NL-2');
    expect(JSON.parse(typed.json)).toEqual({ ...start, serial: 'NL-2' });
    const written = withJson(typed, '{"only": true}');
    expect(written.rows.map(({ key, text, typed: isTyped }) => [key, text, isTyped])).toEqual([['only', 'true', true]]);
    expect(dataOf(withJson(written, ' '))).toEqual({});
  });
  test.each(['[]', '"text"', '7', 'null', 'true'])('refuses %s, which is no object', (json) => {
    const draft = withJson(dataDraft(start), json);
    expect(draft.fault).toEqual({ kind: 'object' });
    expect(dataOf(draft)).toBeNull();
    // What was there is not lost.
    expect(draft.rows).toHaveLength(4);
  });
  test('refuses what is no JSON, a name twice, and a value without a name', () => {
    expect(withJson(dataDraft(start), '{').fault?.kind).toBe('json');
    const two = withRows(
      dataDraft({ a: 1, b: 2 }),
      dataDraft({ a: 1, b: 2 }).rows.map((row) => ({ ...row, key: 'a' })),
    );
    expect([two.fault, dataOf(two)]).toEqual([{ kind: 'twice', name: 'a' }, null]);
    const added = withField(dataDraft(start));
    expect(dataOf(added)).toEqual(start);
    expect(
      withRows(
        added,
        added.rows.map((row) => (row.key === '' ? { ...row, text: 'x' } : row)),
      ).fault,
    ).toEqual({ kind: 'nameless' });
  });
});
