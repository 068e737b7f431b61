import { describe, expect, test } from 'vitest';
import { chooseLanguage, languageOf, localeOf } from './language.ts';

describe('language', () => {
  // shows R1.17, R1.18
  test.each([
    ['en-US', 'en'],
    ['en', 'en'],
    ['no', 'nb'],
    ['no-NO', 'nb'],
    ['nn-NO', 'nb'],
    ['nb', 'nb'],
    ['NB-no', 'nb'],
    ['nb_NO', 'nb'],
    ['de-DE', 'en'],
    ['norn', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ])('%s reads %s', (locale, language) => {
    expect(languageOf(locale)).toBe(language);
  });
  test('the setting wins over the browser, and the browser over English', () => {
    expect(chooseLanguage('en', 'nb-NO')).toBe('en');
    expect(chooseLanguage('nb', 'en-US')).toBe('nb');
    expect(chooseLanguage(null, 'no')).toBe('nb');
    expect(chooseLanguage(null, undefined)).toBe('en');
  });
  // shows R1.19, R9.10
  test('the default locale is en-US', () => {
    expect([localeOf(chooseLanguage(null, 'fr')), localeOf('nb')]).toEqual(['en-US', 'nb-NO']);
  });
});
