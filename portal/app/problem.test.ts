import { ApiError } from '@hatchway/contract/client.ts';
import { PROBLEMS, type ProblemCode } from '@hatchway/contract/problems.ts';
import type { TFunction } from 'i18next';
import { describe, expect, test } from 'vitest';
import { en as inEnglish } from '../i18n/en/catalogue.ts';
import { nb as inNorwegian } from '../i18n/nb/catalogue.ts';
import { codeOf, fieldErrors, refusedFields, tell } from './problem.ts';

const { problems: en } = inEnglish;
const { problems: nb } = inNorwegian;
const problem = (code: string, status: number, more: object = {}): ApiError =>
  new ApiError(status, JSON.stringify({ type: '', title: '', status, detail: 'said by the server', code, ...more }), null);

describe('what people are told', () => {
  // shows R8.14
  test('every code has a sentence of its own in both languages', () => {
    for (const code of Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]) {
      expect(en[code]).toMatch(/\.$/);
      expect(nb[code]).toMatch(/\.$/);
      expect(nb[code]).not.toBe(en[code]);
    }
  });
  test('a problem gives its sentence, with the server’s detail behind it', () => {
    expect(tell(problem('locker-taken', 409))).toMatchObject({ sentence: 'locker-taken', detail: 'said by the server' });
    expect(codeOf(problem('stale', 409))).toBe('stale');
  });
  test('a door that would not open is told apart as far as its controller told', () => {
    const refused = (code?: string) => tell(problem('door-refused', 409, code === undefined ? {} : { data: { code } })).sentence;
    expect(refused()).toBe('door-refused');
    expect(refused('blocked')).toBe('door-refused');
    expect(refused('jammed')).toBe('door-jammed');
    expect(refused('door-not-seen-open')).toBe('door-not-seen');
  });
  test('doors that nobody can command now are told apart from a cabinet that is away', () => {
    const refused = (code?: string) => tell(problem('cabinet-offline', 503, code === undefined ? {} : { data: { code } })).sentence;
    expect([refused(), refused('unpaired'), refused('broker-away')]).toEqual(['cabinet-offline', 'cabinet-offline', 'doors-away']);
  });
  test('raw answers, lost connections and defects never reach the screen as they are', () => {
    expect(tell(new ApiError(502, '<html>Bad gateway</html>', null))).toMatchObject({ sentence: 'unavailable', detail: 'HTTP 502' });
    expect(tell(new ApiError(400, '{"x":1}', null))).toMatchObject({ sentence: 'other' });
    expect(tell(new TypeError('Failed to fetch')).sentence).toBe('network');
    expect(tell('odd').sentence).toBe('other');
  });
  test('pointers become field names', () => {
    const refused = problem('rule', 422, {
      errors: [
        { pointer: '/receiver/email', detail: 'no address' },
        { pointer: '/name', detail: 'too long' },
      ],
    });
    expect(refusedFields(refused)).toEqual(['receiver.email', 'name']);
  });
  test('what stands beside a field is of the catalogue, never the English of the server', () => {
    const norwegian = ((key: string) => nb[key.replace('problems.', '') as keyof typeof nb]) as TFunction;
    const said = (code: ProblemCode) =>
      fieldErrors(problem(code, 422, { errors: [{ pointer: '/validTo', detail: 'A link lasts a year at most' }] }), norwegian)['validTo'];
    expect(said('rule')).toBe('Vi kan ikke lagre det slik. Sjekk det.');
    expect(said('unknown-reference')).toBe('Det viser til noe som ikke finnes.');
  });
});
