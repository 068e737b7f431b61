import { expect, test } from 'vitest';
import { en } from './en.ts';
import { nb } from './nb.ts';
import { languageOf } from './words.ts';

test.each([
  ['nb-NO', 'nb'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['en-US', 'en'],
  ['de-DE', 'en'],
  ['', 'en'],
])('%s reads %s', (tag, language) => expect(languageOf(tag)).toBe(language));

const texts = (value: unknown, path = ''): [string, string][] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, `${path}/${key}`));
};

test('many pieces are grouped as the language writes them', () => {
  expect([en.offers.pieces(1500), nb.offers.pieces(1500)]).toEqual(['1,500 left', '1\u00A0500 igjen']);
});

test('both languages say everything, and Norwegian is no copy of English', () => {
  const norwegian = new Map(texts(nb));
  for (const [path, text] of texts(en)) {
    expect(norwegian.get(path) ?? `nothing at ${path}`).not.toMatch(/^$|^nothing at/);
    expect(`${path} ${norwegian.get(path)}`).not.toBe(`${path} ${text}`);
  }
});
