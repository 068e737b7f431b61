import { describe, expect, it } from 'vitest';
import { codeOfNow, countries } from './places.ts';

describe('the countries to choose from', () => {
  it.each(['en', 'nb'])('stand there once each, in %s', (language) => {
    const names = countries(language).map(({ label }) => label);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.length).toBeGreaterThan(240);
  });
  it('are those of today', () => {
    const codes = countries('en').map(({ value }) => value);
    expect(codes).toEqual(expect.arrayContaining(['NO', 'DE', 'GB', 'CD', 'XK']));
    expect(['DD', 'UK', 'DE'].map(codeOfNow)).toEqual(['DE', 'GB', 'DE']);
    for (const gone of ['DD', 'UK', 'SU', 'YU', 'ZR']) expect(codes).not.toContain(gone);
  });
});
