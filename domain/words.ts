import { normalText } from './text.ts';

const LETTER = /[\p{L}\p{N}]/u;
const AROUND = /^[[\]()"'„“”«»,;:.!?]+|[[\]()"'„“”«»,;:.!?]+$/g;

/**
 * As it is searched: in small letters, each with its mark as one, with the quotation marks and dashes that keyboards set by themselves as
 * the plain ones (`folded`).
 */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize()
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[‐‑–—−]/g, '-');

/**
 * Whether what is looked for begins a word of the text, behind a sign too, and with its own signs as they are: as the server's lists
 * search (`words_of`). Both folded.
 */
export const beginsWord = (text: string, wanted: string): boolean => {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (!LETTER.test(wanted.charAt(0)) || !LETTER.test(text.charAt(at - 1))) return true;
  return false;
};

/**
 * The words of what is typed, folded: without the stops, quotation marks and brackets around a word, which belong to how it was
 * written down ("Nordmann, Kari"), and with every other sign, as the server's lists do (`words_wanted`).
 */
export const wordsOf = (input: string): readonly string[] =>
  folded(input)
    .split(/\s+/)
    .map((word) => (LETTER.test(word) ? word.replaceAll(AROUND, '') : word))
    .filter(Boolean);

/** What is looked for piece by piece: the words of the input, with the groups of one number as one piece. */
export const piecesOf = (input: string): readonly string[] => [
  ...new Set(normalText(input).match(/(?<!\S)[+(]?\d[\d\s().\-/\u2010-\u2014\u2212]*\d(?!\S)|\S+/g) ?? []),
];
